"""NaiveBayesClassifier: frames of mixed columns, arrays with kinds, parameters."""

import pickle

import logodds
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import model_bytes
from logodds import NaiveBayesClassifier
from mixed_rows import COLUMNS, FRAMES, close, object_array, pandas_frame, polars_frame, reference

# -- frames of mixed columns ----------------------------------------------------------------------


@pytest.mark.parametrize("kind", FRAMES)
def test_frames_as_they_are(kind, mixed):
    X, y = FRAMES[kind](mixed), mixed[2]
    fitted = NaiveBayesClassifier().fit(X, y)
    expected = {
        "size": "gaussian",
        "color": "categorical",
        "wins": "poisson",
        "wild": "bernoulli",
    }
    assert fitted.families_ == expected
    assert list(fitted.kinds_.values()) == ["real", "categorical", "count", "binary"]
    assert fitted.levels_["color"] == ["blue", "green", "red"]
    assert list(fitted.feature_names_in_) == COLUMNS
    assert fitted.n_features_in_ == 4
    close(fitted.class_count_, np.bincount(y))
    close(fitted.priors_, np.bincount(y) / len(y))
    posteriors = fitted.predict_proba(X)
    close(posteriors, reference(mixed))
    np.testing.assert_array_equal(fitted.predict(X), posteriors.argmax(axis=1))


def test_all_frames_give_one_model(mixed):
    models = [
        NaiveBayesClassifier().fit(make(mixed), mixed[2])._model.describe()
        for make in FRAMES.values()
    ]
    assert models[0]["tables"] == models[1]["tables"] == models[2]["tables"]


@pytest.mark.parametrize("kind", FRAMES)
def test_weights_and_smoothing(kind, mixed):
    X, y = FRAMES[kind](mixed), mixed[2]
    weights = np.random.default_rng(0).gamma(2.0, size=len(y))
    fitted = NaiveBayesClassifier(smoothing=0.25).fit(X, y, weights)
    close(fitted.predict_proba(X), reference(mixed, weights, 0.25))
    close(fitted.class_count_, np.bincount(y, weights))


def test_categories_that_are_numbers_are_categories():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, size=400)
    code = np.where(y == 0, rng.choice([1, 5, 7], 400), rng.choice([1, 5, 7, 100], 400))
    frames = [
        pd.DataFrame({"code": pd.Categorical(code)}),
        pl.DataFrame({"code": code.astype(str)}, schema={"code": pl.Categorical}),
        pa.table({"code": pa.array(code).dictionary_encode()}),
    ]
    for X in frames:
        fitted = NaiveBayesClassifier().fit(X, y)
        assert fitted.families_ == {"code": "categorical"}
        assert fitted.levels_ == {"code": ["1", "5", "7", "100"]}
    as_numbers = NaiveBayesClassifier(kinds={"code": "categorical"}).fit(
        pd.DataFrame({"code": code}), y
    )
    assert as_numbers.levels_ == {"code": ["1", "5", "7", "100"]}
    close(as_numbers.predict_proba(pd.DataFrame({"code": code})), fitted.predict_proba(frames[2]))


def test_columns_are_matched_by_name(mixed):
    X, y = pandas_frame(mixed), mixed[2]
    fitted = NaiveBayesClassifier().fit(X, y)
    close(fitted.predict_proba(X[COLUMNS[::-1]]), fitted.predict_proba(X))
    close(fitted.predict_proba(polars_frame(mixed)), fitted.predict_proba(X))
    with pytest.warns(UserWarning, match="extra"):
        fitted.predict(X.assign(extra=1.0))
    with pytest.raises(ValueError, match="wins"):
        fitted.predict(X.drop(columns="wins"))


def test_a_level_that_training_has_not_met():
    X = pd.DataFrame({"color": ["red", "red", "blue", "blue", "blue", "green"]})
    y = [0, 0, 0, 1, 1, 1]
    new = pd.DataFrame({"color": ["violet"]})
    fitted = NaiveBayesClassifier(smoothing=2.0, priors="uniform").fit(X, y)
    close(fitted.predict_proba(new), [[0.5, 0.5]])  # alpha / (N_k + alpha L) in both
    fitted = NaiveBayesClassifier(priors="uniform").fit(X[:5], y[:5])
    close(fitted.predict_proba(new), np.array([[1 / 5, 1 / 4]]) / (1 / 5 + 1 / 4))
    fitted = NaiveBayesClassifier(smoothing=0.0).fit(X, y)
    close(fitted.predict_proba(new), [[0.5, 0.5]])


def test_the_index_of_a_frame_is_no_column(mixed):
    X, y = pandas_frame(mixed), mixed[2]
    order = np.random.default_rng(0).permutation(3000)
    shuffled = NaiveBayesClassifier().fit(X.iloc[order], y[order])
    assert list(shuffled.feature_names_in_) == COLUMNS
    close(shuffled.predict_proba(X.iloc[order]), reference(mixed)[order])
    named = X.set_index(pd.Index([f"row {i}" for i in range(3000)], name="name"))
    close(shuffled.predict_proba(named), reference(mixed))


# -- arrays with kinds ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kinds",
    [
        ["real", "categorical", "count", "binary"],
        [None, "categorical", None, "binary"],
        {1: "categorical", 3: "binary"},
        {"x2": "categorical", "x4": "categorical"},
    ],
    ids=str,
)
def test_array_of_objects(kinds, mixed):
    X, y = object_array(mixed), mixed[2]
    fitted = NaiveBayesClassifier(kinds=kinds).fit(X, y)
    close(fitted.predict_proba(X), reference(mixed))
    assert not hasattr(fitted, "feature_names_in_")
    assert list(fitted.families_) == ["x1", "x2", "x3", "x4"]
    np.testing.assert_array_equal(fitted.predict(X[:7]), fitted.predict(X)[:7])
    with pytest.raises(ValueError, match="features"):
        fitted.predict(X[:, :3])


def test_array_of_numbers_with_kinds(mixed):
    columns, lacking, y = mixed
    codes = np.searchsorted(["blue", "green", "red"], columns["color"].astype(str))
    X = np.column_stack([columns["size"], codes, columns["wins"], columns["wild"]])
    X[lacking] = np.nan
    fitted = NaiveBayesClassifier(kinds={1: "categorical"}).fit(X, y)
    assert fitted.levels_ == {"x2": ["0", "1", "2"]}
    close(fitted.predict_proba(X), reference(mixed))
    close(fitted.predict_proba(np.asfortranarray(X)), reference(mixed))
    close(fitted.predict_proba(X.astype(object)), reference(mixed))
    copy = pickle.loads(pickle.dumps(fitted))
    close(copy.predict_proba(X), reference(mixed))


def test_kinds_change_the_law_of_numbers():
    rng = np.random.default_rng(2)
    X, y = rng.integers(0, 50, size=(300, 2)).astype(float), rng.integers(0, 2, 300)
    assert NaiveBayesClassifier().fit(X, y).families_ == {"x1": "poisson", "x2": "poisson"}
    fitted = NaiveBayesClassifier(kinds=["real", None]).fit(X, y)
    assert fitted.families_ == {"x1": "gaussian", "x2": "poisson"}
    frame = pl.DataFrame({"a": X[:, 0], "b": X[:, 1]})
    fitted = NaiveBayesClassifier(kinds={"a": "real", "b": "categorical"}).fit(frame, y)
    assert fitted.families_ == {"a": "gaussian", "b": "categorical"}
    assert len(fitted.levels_["b"]) == 50


@pytest.mark.parametrize(
    ("kinds", "sentence"),
    [
        (["real"], "1 entries"),
        ({7: "real"}, "column 7"),
        ({"nothing": "real"}, "nothing"),
        ({0: "reel"}, "reel"),
        ({0: "count"}, "count"),
        ({0: "binary"}, "binary"),
        ("real", "one kind a column"),
    ],
    ids=str,
)
def test_bad_kinds(kinds, sentence):
    X, y = np.array([[0.5, 1.0], [1.5, 2.0], [2.5, 0.0]]), [0, 1, 1]
    with pytest.raises(logodds.LogoddsError, match=sentence):
        NaiveBayesClassifier(kinds=kinds).fit(X, y)


def test_words_need_a_kind(mixed):
    with pytest.raises(logodds.LogoddsError, match="x2.*categorical"):
        NaiveBayesClassifier(kinds={0: "real"}).fit(object_array(mixed), mixed[2])
    with pytest.raises(logodds.LogoddsError, match="color"):
        NaiveBayesClassifier(kinds={"color": "real"}).fit(pandas_frame(mixed), mixed[2])


# -- parameters -----------------------------------------------------------------------------------


def test_families_by_column_and_by_kind(mixed):
    X, y = pandas_frame(mixed), mixed[2]
    by_column = NaiveBayesClassifier(families={"size": "kernel", "wins": "geometric"}).fit(X, y)
    assert by_column.families_["size"] == "kernel"
    assert by_column.families_["wins"] == "geometric"
    for families in ({"real": "kernel", "count": "geometric"}, "real=kernel,count=geometric"):
        by_kind = NaiveBayesClassifier(families=families).fit(X, y)
        close(by_kind.predict_proba(X), by_column.predict_proba(X))
    by_place = NaiveBayesClassifier(families={0: "kernel"}).fit(
        np.column_stack([X["size"], X["wins"]]), y
    )
    assert by_place.families_ == {"x1": "kernel", "x2": "poisson"}


def test_names_with_signs_in_them(mixed):
    columns, _, y = mixed
    X = pl.DataFrame({"a,b=c": columns["size"], "d+e\\f": columns["size"] ** 2})
    fitted = NaiveBayesClassifier(
        families={"a,b=c": "histogram"}, smoothing={"a,b=c": 3.0, None: 2.0}
    ).fit(X, y)
    assert fitted.families_ == {"a,b=c": "histogram", "d+e\\f": "gaussian"}
    joint = NaiveBayesClassifier(blocks=[["a,b=c", "d+e\\f"]]).fit(X, y)
    assert joint.n_parameters_ > NaiveBayesClassifier().fit(X, y).n_parameters_


def test_smoothing_by_column(mixed):
    X, y = pandas_frame(mixed), mixed[2]
    plain = NaiveBayesClassifier(smoothing={"color": 50.0, "default": 0.5}).fit(X, y)
    as_text = NaiveBayesClassifier(smoothing="0.5,color=50").fit(X, y)
    assert model_bytes(plain) == model_bytes(as_text)
    alone = NaiveBayesClassifier(smoothing=50.0).fit(X[["color"]], y)
    for name, values in plain.parameters("color").items():
        close(values, alone.parameters("color")[name])
    rest = NaiveBayesClassifier(smoothing=0.5).fit(X, y)
    for name, values in plain.parameters("wins").items():
        close(values, rest.parameters("wins")[name])
    none = NaiveBayesClassifier(smoothing={"color": 50.0, None: 0.5}).fit(X, y)
    assert model_bytes(none) == model_bytes(plain)


def test_blocks_and_trees():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, size=2000)
    height = rng.normal(y, 1.0)
    X = pd.DataFrame({"height": height, "weight": height + rng.normal(0, 0.1, 2000)})
    naive = NaiveBayesClassifier().fit(X, y)
    block = NaiveBayesClassifier(blocks=[["height", "weight"]]).fit(X, y)
    tree = NaiveBayesClassifier(structure="tree").fit(X, y)
    full = logodds.GaussianClassifier(covariance="own").fit(X, y)
    close(block.predict_proba(X), full.predict_proba(X), rtol=1e-6, atol=1e-8)
    close(tree.predict_proba(X), full.predict_proba(X), rtol=1e-6, atol=1e-8)
    assert block.log_likelihood_ > naive.log_likelihood_ + 1000
    same = NaiveBayesClassifier(blocks="height+weight").fit(X, y)
    assert model_bytes(same) == model_bytes(block)


def test_blocks_that_are_found():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, size=2000)
    height = rng.normal(y, 1.0)
    X = pd.DataFrame({"a": height, "b": rng.normal(y, 1.0), "c": height + rng.normal(0, 0.1, 2000)})
    found = NaiveBayesClassifier(blocks="auto").fit(X, y)
    given = NaiveBayesClassifier(blocks=[["a", "c"]]).fit(X, y)
    close(found.predict_proba(X), given.predict_proba(X))


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"families": {"sice": "kernel"}}, "sice"),
        ({"families": {"size": "kernal"}}, "kernal"),
        ({"families": {"color": "poisson"}}, "color"),
        ({"blocks": [["size", "wons"]]}, "wons"),
        ({"smoothing": -1.0}, "smoothing"),
        ({"smoothing": {"wons": 1.0}}, "wons"),
        ({"structure": "forest"}, "forest"),
        ({"variance_floor": -1.0}, "variance-floor"),
        ({"priors": [0.5, 0.5]}, "priors"),
        ({"priors": {0: 0.9, 1: 0.2, 2: 0.1}}, "priors"),
    ],
    ids=str,
)
def test_bad_parameters(parameters, sentence, mixed):
    with pytest.raises(logodds.LogoddsError, match=sentence):
        NaiveBayesClassifier(**parameters).fit(pandas_frame(mixed), mixed[2])


def test_a_value_outside_of_the_law():
    X = pd.DataFrame({"visits": [0.5, 1.0, 2.0, -1.0]})
    with pytest.raises(logodds.LogoddsError, match="visits"):
        NaiveBayesClassifier(families={"visits": "poisson"}).fit(X, [0, 0, 1, 1])


def test_priors(mixed):
    X, y = pandas_frame(mixed), mixed[2]
    given = NaiveBayesClassifier(priors=[0.2, 0.3, 0.5]).fit(X, y)
    by_label = NaiveBayesClassifier(priors={2: 0.5, 0: 0.2, 1: 0.3}).fit(X, y)
    changed = NaiveBayesClassifier().fit(X, y).set_priors([0.2, 0.3, 0.5])
    for fitted in (given, by_label, changed):
        close(fitted.priors_, [0.2, 0.3, 0.5])
        close(fitted.predict_proba(X), given.predict_proba(X))
    expected = reference(mixed) / (np.bincount(y) / len(y)) * [0.2, 0.3, 0.5]
    close(given.predict_proba(X), expected / expected.sum(axis=1, keepdims=True))
    uniform = NaiveBayesClassifier(priors="uniform").fit(X, y)
    np.testing.assert_array_equal(uniform.predict(X), given.predict(X, rule="likelihood"))


def test_words_of_every_length_as_views_and_as_objects():
    """Strings of up to 12 bytes stand in Arrow's views, longer ones beside them; 90 levels."""
    random = np.random.default_rng(5)
    levels = ["", *("w" * (n % 30) + str(n) for n in range(89))]
    words = [None if w < 0 else levels[w] for w in random.integers(-3, 90, 4000)]
    y = np.array([(w or "").count("w") % 3 for w in words])
    views = pl.DataFrame({"w": words}, schema={"w": pl.String})
    objects = pd.DataFrame({"w": pd.Series(words, dtype=object)})
    model = logodds.NaiveBayesClassifier().fit(views, y)
    other = logodds.NaiveBayesClassifier().fit(objects, y)
    assert model.levels_ == other.levels_
    assert (model.predict_proba(views) == other.predict_proba(objects)).all()
    assert (model.predict_proba(views[1000:]) == model.predict_proba(views)[1000:]).all()
