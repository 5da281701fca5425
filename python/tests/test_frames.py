"""Data frames, by the Arrow C stream interface: pandas, polars, pyarrow, chunks, nulls, levels."""

import logodds
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import CLASSES, PENGUINS, model_bytes
from logodds._generative import GenerativeClassifier


@pytest.fixture
def table() -> pa.Table:
    """Numbers, booleans and words, long enough for several blocks of rows."""
    rng = np.random.default_rng(3)
    rows = 2500
    label = rng.integers(0, 2, size=rows)
    words = np.array(["red", "green", "a rather long name of a color, longer than a view holds"])
    return pa.table(
        {
            "height": rng.normal(size=rows) + label,
            "count": rng.integers(0, 9, size=rows),
            "flag": rng.random(rows) < 0.3 + 0.4 * label,
            "color": words[(rng.integers(0, 2, size=rows) + label) % 3],
            "label": np.array(["no", "yes"])[label],
        }
    )


def sliced(table):
    """The same rows as a slice of a longer table, so that every column has an offset."""
    return pa.concat_tables([table.slice(0, 13), table]).combine_chunks().slice(13)


def chunked(table):
    """Chunks of many lengths, one of them empty."""
    parts, start = [table.slice(0, 0)], 0
    while start < len(table):
        parts.append(table.slice(start, 1 + (37 * start + 6) % 900))
        start += len(parts[-1])
    return pa.concat_tables(parts)


def with_dictionary(table):
    at = table.schema.get_field_index("color")
    return table.set_column(at, "color", table["color"].dictionary_encode())


def with_type(name, kind):
    def cast(table):
        at = table.schema.get_field_index(name)
        return table.set_column(at, name, table[name].cast(kind))

    return cast


class OnlyAStream:
    """A table of which nothing is known but its stream."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


FORMS = {
    "pyarrow": lambda table: table,
    "sliced": sliced,
    "chunked": chunked,
    "sliced chunks": lambda table: sliced(chunked(table)),
    "dictionary": with_dictionary,
    "dictionary, chunked": lambda table: with_dictionary(chunked(table)),
    "large strings": with_type("color", pa.large_string()),
    "string views": with_type("color", pa.string_view()),
    "8-bit integers": with_type("count", pa.uint8()),
    "reader": lambda table: table.to_reader(max_chunksize=100),
    "record batch": lambda table: table.combine_chunks().to_batches()[0],
    "only a stream": OnlyAStream,
    "pandas": lambda table: table.to_pandas(),
    "pandas, category": lambda table: table.to_pandas().astype({"color": "category"}),
    "polars": pl.from_arrow,
    "polars, categorical": lambda table: pl.from_arrow(table).with_columns(
        pl.col("color").cast(pl.Categorical)
    ),
    "polars, sliced": lambda table: pl.from_arrow(pa.concat_tables([table, table]))[: len(table)],
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("cls", CLASSES)
def test_every_form_gives_the_same_model(cls, form, table):
    y = table["label"].to_numpy(zero_copy_only=False)
    features = table.drop_columns(["label"])
    plain = cls().fit(features, y)
    other = cls().fit(FORMS[form](features), y)
    assert model_bytes(other) == model_bytes(plain)
    expected = plain.predict_proba(features)
    np.testing.assert_array_equal(plain.predict_proba(FORMS[form](features)), expected)
    assert list(other.feature_names_in_) == ["height", "count", "flag", "color"]
    assert list(other.classes_) == ["no", "yes"]


def test_kinds_and_levels(table):
    model = logodds.GaussianClassifier().fit(table.drop_columns(["label"]), table["label"])
    kinds = {column["name"]: column["kind"] for column in model._model.columns}
    assert kinds == {"height": "real", "count": "count", "flag": "binary", "color": "categorical"}
    assert model._model.columns[3]["levels"] == sorted(set(table["color"].to_pylist()))
    assert any("one-hot: color" in note for note in model.notes_)


@pytest.mark.parametrize("cls", CLASSES)
def test_frame_and_file_agree(cls, table, tmp_path):
    """The same rows as a frame, with and without chunks, and as a CSV file: the same posteriors."""
    frame = table.to_pandas().astype({"flag": int})
    frame.to_csv(tmp_path / "rows.csv", index=False)
    from_file = cls().fit_csv(tmp_path / "rows.csv", target="label")
    from_frame = cls().fit(frame.drop(columns="label"), frame["label"])
    assert from_file._model.columns == from_frame._model.columns
    expected = from_frame.predict_proba(frame.drop(columns="label"))
    np.testing.assert_array_equal(from_file.predict_proba_csv(tmp_path / "rows.csv"), expected)
    np.testing.assert_array_equal(from_file.predict_proba(frame.drop(columns="label")), expected)


def test_numeric_frames_equal_arrays(blobs):
    X, y = blobs
    names = ["a", "b", "c", "d"]
    for cls in CLASSES:
        expected = cls().fit(X, y).predict_proba(X)
        for frame in (pd.DataFrame(X, columns=names), pl.DataFrame(X, schema=names)):
            model = cls().fit(frame, y)
            assert list(model.feature_names_in_) == names
            np.testing.assert_array_equal(model.predict_proba(frame), expected)
            with pytest.warns(UserWarning, match="does not have valid feature names"):
                np.testing.assert_array_equal(model.predict_proba(X), expected)


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table])
def test_columns_are_matched_by_name(library):
    rng = np.random.default_rng(5)
    columns = {"a": rng.normal(size=60), "b": rng.normal(size=60)}
    y = (columns["a"] > 0).astype(int)
    model = logodds.GaussianClassifier().fit(library(columns), y)
    expected = model.predict_proba(library(columns))
    swapped = library({"b": columns["b"], "a": columns["a"]})
    np.testing.assert_array_equal(model.predict_proba(swapped), expected)
    with pytest.warns(UserWarning, match="extra"):
        wider = model.predict_proba(library({"extra": y, **columns}))
    np.testing.assert_array_equal(wider, expected)
    with pytest.raises(ValueError, match="b"):
        model.predict_proba(library({"a": columns["a"], "c": columns["b"]}))


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_frames_for_a_model_of_an_array_go_by_position(library, blobs):
    X, y = blobs
    model = logodds.GaussianClassifier().fit(X, y)
    frame = library({name: X[:, i] for i, name in enumerate("abcd")})
    with pytest.warns(UserWarning, match="fitted without feature names"):
        np.testing.assert_array_equal(model.predict_proba(frame), model.predict_proba(X))


NULLS = {
    "pyarrow": pa.table({"age": [1.0, None, 3.0, 4.0], "sex": ["m", "f", "m", "f"]}),
    "polars": pl.DataFrame({"age": [1.0, None, 3.0, 4.0], "sex": ["m", "f", "m", "f"]}),
    "polars NaN": pl.DataFrame({"age": [1.0, np.nan, 3.0, 4.0], "sex": ["m", "f", "m", "f"]}),
    "pandas": pd.DataFrame({"age": [1.0, None, 3.0, 4.0], "sex": ["m", "f", "m", "f"]}),
    "pandas Int64": pd.DataFrame({"age": pd.array([1, None, 3, 4], dtype="Int64")}),
}


@pytest.mark.parametrize("library", NULLS)
def test_a_missing_number_is_refused_by_name(library):
    with pytest.raises(logodds.LogoddsError, match=r"row 2, column 'age'.*(missing|NaN)"):
        logodds.NeighborsClassifier().fit(NULLS[library], [0, 1, 0, 1])


def test_a_missing_or_unknown_level_is_refused_by_name():
    good = pl.DataFrame({"sex": ["m", "f", "m", "f"], "x": [1, 2, 3, 5]})
    bad = pl.DataFrame({"sex": ["m", "f", None, "f"], "x": [1, 2, 3, 5]})
    with pytest.raises(logodds.LogoddsError, match="row 3, column 'sex'.*missing"):
        logodds.NeighborsClassifier().fit(bad, [0, 1, 0, 1])
    model = logodds.NeighborsClassifier().fit(good, [0, 1, 0, 1])
    with pytest.raises(logodds.LogoddsError, match="row 1, column 'sex'.*did not occur"):
        model.predict(pl.DataFrame({"sex": ["x"], "x": [1]}))
    with pytest.raises(logodds.LogoddsError, match="'x' holds strings"):
        model.predict(pl.DataFrame({"sex": ["m"], "x": ["1"]}))
    with (
        pytest.warns(UserWarning, match="valid feature names"),
        pytest.raises(logodds.LogoddsError, match="'sex' holds levels"),
    ):
        model.predict(np.zeros((1, 2)))


def test_numbers_are_looked_up_as_levels():
    """A category of numbers stays a category, whether it comes as text or as numbers."""
    frame = pd.DataFrame({"zone": pd.Categorical([1, 2, 10, 2]), "x": [1.0, 2.0, 3.0, 5.0]})
    model = logodds.NeighborsClassifier(k=1).fit(frame, [0, 1, 0, 1])
    assert model._model.columns[0]["levels"] == ["1", "2", "10"]
    expected = model.predict_proba(frame)
    for same in (frame.astype({"zone": int}), frame.astype({"zone": int}).astype({"zone": str})):
        np.testing.assert_array_equal(model.predict_proba(same), expected)


def test_infinity_is_refused_by_name():
    frame = pl.DataFrame({"a": [1.0, 2.0, np.inf], "b": ["u", "v", "u"]})
    with pytest.raises(logodds.LogoddsError, match="row 3, column 'a'.*infinity"):
        logodds.NeighborsClassifier().fit(frame, [0, 1, 0])


def test_other_types_are_refused_by_name():
    frame = pl.DataFrame({"day": ["2020-01-01", "2020-01-02"]}).select(pl.col("day").str.to_date())
    with pytest.raises(logodds.LogoddsError, match="'day' has the Arrow type"):
        logodds.NeighborsClassifier().fit(frame, [0, 1])
    with pytest.raises(ValueError, match="different numbers of rows"):
        logodds.NeighborsClassifier().fit(pl.DataFrame({"a": [1, 2, 3]}), [0, 1])


def test_a_column_without_any_value_is_refused():
    frame = pa.table({"a": [1.0, 2.0], "none": pa.nulls(2)})
    with pytest.raises(logodds.LogoddsError, match="'none'"):
        logodds.NeighborsClassifier().fit(frame, [0, 1])


def test_failing_streams_are_reported():
    def batches():
        yield pa.record_batch({"a": [1.0, 2.0]})
        raise RuntimeError("the disk is on fire")

    reader = pa.RecordBatchReader.from_batches(pa.schema({"a": pa.float64()}), batches())
    with pytest.raises(logodds.LogoddsError, match="the disk is on fire"):
        logodds.NeighborsClassifier().fit(reader, [0, 1])


def test_weight_zero_is_absence(table):
    y = table["label"].to_numpy(zero_copy_only=False)
    features = table.drop_columns(["label"])
    weights = np.random.default_rng(1).integers(0, 3, size=len(y)).astype(float)
    for cls in CLASSES:
        whole = cls().fit(features, y, sample_weight=weights)
        kept = cls().fit(features.filter(weights > 0), y[weights > 0], weights[weights > 0])
        np.testing.assert_allclose(
            whole.predict_proba(features), kept.predict_proba(features), rtol=1e-6, atol=1e-9
        )


def test_penguins_as_frame_and_as_file():
    """Incomplete rows: models of densities use them, others leave those of a file out."""
    everything = pl.read_csv(PENGUINS, null_values="NA")
    frame = everything.drop_nulls()
    for cls in CLASSES:
        from_file = cls().fit_csv(PENGUINS, target="species")
        rows = everything if issubclass(cls, GenerativeClassifier) else frame
        from_frame = cls().fit(rows.drop("species"), rows["species"])
        assert from_file._model.columns == from_frame._model.columns
        np.testing.assert_allclose(
            from_file.predict_proba(frame.drop("species")),
            from_frame.predict_proba(frame.drop("species")),
            rtol=1e-9,
            atol=1e-12,
        )
