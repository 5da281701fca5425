"""What naive Bayes and joint tables can do with their statistics and densities."""

import math

import logodds
import numpy as np
import pandas as pd
import polars as pl
import pytest
from conftest import PENGUINS
from logodds import NaiveBayesClassifier, TableClassifier
from mixed_rows import COLUMNS, FRAMES, close, object_array, pandas_frame, reference

# -- what a model of densities can do -------------------------------------------------------------


@pytest.mark.parametrize("kind", FRAMES)
def test_rows_in_pieces(kind, mixed):
    X, y = FRAMES[kind](mixed), mixed[2]
    whole = NaiveBayesClassifier().fit(X, y)
    pieces = NaiveBayesClassifier()
    for first in range(0, 3000, 750):
        pieces.partial_fit(X[first : first + 750], y[first : first + 750])
    close(pieces.predict_proba(X), whole.predict_proba(X))
    parts = [NaiveBayesClassifier().fit(X[first::1], y[first::1]) for first in (1500,)]
    merged = NaiveBayesClassifier().fit(X[:1500], y[:1500]).merge(*parts)
    close(merged.predict_proba(X), whole.predict_proba(X))
    assert merged.class_count_.tolist() == whole.class_count_.tolist()
    left = pieces.forget(X[:1500], y[:1500])
    close(left.predict_proba(X), parts[0].predict_proba(X), rtol=1e-8)
    assert left.class_count_.tolist() == parts[0].class_count_.tolist()


def test_arrays_with_kinds_in_pieces(mixed):
    X, y = object_array(mixed), mixed[2]
    kinds = ["real", "categorical", "count", "categorical"]
    whole = NaiveBayesClassifier(kinds=kinds).fit(X, y)
    pieces = NaiveBayesClassifier(kinds=kinds)
    for first in range(0, 3000, 1000):
        pieces.partial_fit(X[first : first + 1000], y[first : first + 1000], classes=[0, 1, 2])
    close(pieces.predict_proba(X), whole.predict_proba(X))
    pieces.forget(X[1000:], y[1000:])
    first = NaiveBayesClassifier(kinds=kinds).fit(X[:1000], y[:1000])
    close(pieces.predict_proba(X), first.predict_proba(X), rtol=1e-8)


def test_classes_that_no_row_has_yet(mixed):
    X, y = pandas_frame(mixed), mixed[2]
    fitted = NaiveBayesClassifier().partial_fit(X[y < 2], y[y < 2], classes=[0, 1, 2])
    assert fitted.predict_proba(X).shape == (3000, 3)
    assert (fitted.predict_proba(X)[:, 2] == 0.0).all()
    assert fitted.class_count_[2] == 0.0
    fitted.partial_fit(X[y == 2], y[y == 2])
    close(fitted.predict_proba(X), reference(mixed))


def test_rows_that_were_never_there_are_not_forgotten(mixed):
    X, y = pandas_frame(mixed), mixed[2]
    fitted = NaiveBayesClassifier().fit(X[:100], y[:100])
    with pytest.raises(logodds.LogoddsError, match="forget|trained on|more"):
        fitted.forget(X, y)


def test_densities_and_criteria(mixed):
    X, y = pandas_frame(mixed), mixed[2]
    fitted = NaiveBayesClassifier().fit(X, y)
    joint = fitted.log_joint(X)
    close(fitted.log_density(X), np.logaddexp.reduce(joint, axis=1))
    close(np.exp(joint - fitted.log_density(X)[:, np.newaxis]), fitted.predict_proba(X))
    close(joint[np.arange(3000), y].sum(), fitted.log_likelihood_, rtol=1e-9)
    # 2 priors; mean and variance, 2 shares, a rate and a share in each of 3 classes
    assert fitted.n_parameters_ == 2 + 3 * (2 + 2 + 1 + 1)
    close(fitted.aic(), 2 * 20 - 2 * fitted.log_likelihood_)
    close(fitted.bic(X, y), 20 * math.log(3000) - 2 * fitted.log_likelihood_)


def test_outliers(mixed):
    X, y = pandas_frame(mixed), mixed[2]
    fitted = NaiveBayesClassifier().fit(X, y)
    p_values = fitted.outlier_pvalue(X)
    assert ((p_values >= 0.0) & (p_values <= 1.0)).all()
    far = pd.DataFrame({"size": [60.0], "color": ["red"], "wins": [80.0], "wild": [True]})
    assert fitted.outlier_pvalue(far)[0] < 0.01
    assert fitted.predict(far, reject_outliers=0.01)[0] is None
    assert np.mean(p_values < 0.05) < 0.1


def test_drawn_rows_have_the_laws_they_are_drawn_from(mixed):
    X, y = pandas_frame(mixed), mixed[2]
    fitted = NaiveBayesClassifier().fit(X, y)
    rows, labels = fitted.sample(20000, random_state=3)
    assert rows.shape == (20000, 4)
    again = NaiveBayesClassifier().fit(pd.DataFrame(rows, columns=COLUMNS).infer_objects(), labels)
    assert again.levels_ == fitted.levels_
    assert again.families_ == fitted.families_
    close(again.priors_, fitted.priors_, atol=0.02)
    close(again.parameters("size")["mean"], fitted.parameters("size")["mean"], atol=0.1)
    same, _ = fitted.sample(20000, random_state=3)
    assert (same == rows).all()


def test_impossible_rows_at_smoothing_zero():
    X = pd.DataFrame({"a": list("xxyy"), "b": list("pqpp")})
    fitted = NaiveBayesClassifier(smoothing=0.0).fit(X, [0, 0, 1, 1])
    rows = pd.DataFrame({"a": ["x", "y", "y"], "b": ["p", "p", "q"]})
    posteriors = fitted.predict_proba(rows)
    close(posteriors[:2], [[1.0, 0.0], [0.0, 1.0]])
    assert np.isfinite(posteriors).all()
    assert fitted.log_density(rows)[2] == -np.inf
    assert (fitted.log_joint(rows)[2] == -np.inf).all()
    assert not np.isnan(fitted.outlier_pvalue(rows)).any()


def test_files_and_parameters_after_loading(mixed, tmp_path):
    X, y = pandas_frame(mixed), mixed[2]
    fitted = NaiveBayesClassifier(families={"size": "kernel"}, smoothing={"color": 2.0}).fit(X, y)
    fitted.save(tmp_path / "m")
    loaded = logodds.load(tmp_path / "m")
    assert isinstance(loaded, NaiveBayesClassifier)
    close(loaded.predict_proba(X), fitted.predict_proba(X))
    assert loaded.families_ == fitted.families_
    close(loaded.partial_fit(X, y).class_count_, 2 * fitted.class_count_)


def test_penguins_from_the_file_as_from_the_frame():
    from_file = NaiveBayesClassifier().fit_csv(PENGUINS, target="species", ignore=["year"])
    frame = pd.read_csv(PENGUINS)
    X = frame.drop(columns=["species", "year"])
    from_frame = NaiveBayesClassifier().fit(X, frame["species"])
    assert from_frame.families_ == from_file.families_
    close(from_frame.predict_proba(X), from_file.predict_proba_csv(PENGUINS))
    assert from_frame.score(X, frame["species"]) > 0.95


# -- joint tables ---------------------------------------------------------------------------------


def test_table_of_one_column_is_the_categorical_law(mixed):
    columns, _, y = mixed
    X = pd.DataFrame({"color": pd.Categorical(columns["color"])})
    table = TableClassifier().fit(X, y)
    close(table.predict_proba(X), NaiveBayesClassifier().fit(X, y).predict_proba(X))


def test_table_is_shares_of_cells(mixed):
    columns, _, y = mixed
    X = pd.DataFrame({"color": columns["color"], "wild": columns["wild"]})
    fitted = TableClassifier(smoothing=0.5).fit(X, y)
    cells = columns["color"].astype(str) + np.where(columns["wild"], "+", "-")
    joint = np.empty((3000, 3))
    for k in range(3):
        for cell in np.unique(cells):
            share = ((y == k) & (cells == cell)).sum() + 0.5
            joint[cells == cell, k] = share / ((y == k).sum() + 0.5 * 6) * np.mean(y == k)
    close(fitted.predict_proba(X), joint / joint.sum(axis=1, keepdims=True))
    close(fitted.log_density(X), np.log(joint.sum(axis=1)))
    gaps = X.assign(wild=pd.array([None] * 3000, dtype="boolean"))
    summed = np.stack(
        [
            sum(joint[(cells == color + sign)][0] for sign in "+-")
            for color in columns["color"].astype(str)
        ]
    )
    close(fitted.predict_proba(gaps), summed / summed.sum(axis=1, keepdims=True))


def test_table_in_pieces(mixed):
    columns, _, y = mixed
    X = pl.DataFrame({"color": columns["color"].tolist(), "wild": columns["wild"]})
    whole = TableClassifier().fit(X, y)
    pieces = TableClassifier().partial_fit(X[:1000], y[:1000]).partial_fit(X[1000:], y[1000:])
    close(pieces.predict_proba(X), whole.predict_proba(X))
    merged = TableClassifier().fit(X[:9], y[:9]).merge(TableClassifier().fit(X[9:], y[9:]))
    close(merged.predict_proba(X), whole.predict_proba(X))
    rows, labels = whole.sample(5000)
    assert rows.shape == (5000, 2)
    assert set(labels) == {0, 1, 2}


def test_table_of_an_array():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, size=(500, 2)), rng.integers(0, 2, 500)
    frames = [pd.DataFrame(X, columns=["a", "b"]), pl.DataFrame(X, schema=["a", "b"])]
    for rows in (X, X.astype(float), *frames, frames[1].to_arrow()):
        fitted = TableClassifier().fit(rows, y)
        assert list(fitted.levels_.values()) == [["0", "1", "2"], ["0", "1", "2"]]
        close(fitted.predict_proba(rows), TableClassifier().fit(X, y).predict_proba(X))


def test_table_refuses(mixed):
    columns, _, y = mixed
    X = pd.DataFrame({"color": columns["color"], "wild": columns["wild"]})
    with pytest.raises(logodds.LogoddsError, match="max-cells"):
        TableClassifier(max_cells=5).fit(X, y)
    with pytest.raises(logodds.LogoddsError, match="size"):
        TableClassifier().fit(X.assign(size=columns["size"]), y)
