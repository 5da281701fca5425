"""explain(): winner, runner-up, and contributions that add up to the log odds."""

import dataclasses
import json

import logodds
import numpy as np
import pandas as pd
import polars as pl
import pytest
from conftest import PENGUINS

EXPLAINED = [
    logodds.GaussianClassifier(),
    logodds.GaussianClassifier(covariance="diagonal"),
    logodds.NaiveBayesClassifier(),
    logodds.SoftmaxClassifier(),
]


@pytest.mark.parametrize("model", EXPLAINED, ids=repr)
def test_it_adds_up_to_the_two_largest_posteriors(model, blobs):
    X, y = blobs
    found = model.fit(X, y).explain(X)
    posteriors = model.predict_proba(X)
    order = np.argsort(-posteriors, axis=1, kind="stable")
    rows = np.arange(len(X))
    assert isinstance(found, logodds.Explanation)
    assert found.columns == ("x1", "x2", "x3", "x4")
    np.testing.assert_array_equal(found.prediction, model.predict(X))
    np.testing.assert_array_equal(found.against, model.classes_[order[:, 1]])
    odds = np.log(posteriors[rows, order[:, 0]] / posteriors[rows, order[:, 1]])
    np.testing.assert_allclose(found.log_odds, odds, rtol=1e-9, atol=1e-12)
    assert found.contributions.shape == X.shape
    total = found.prior + found.contributions.sum(axis=1)
    np.testing.assert_allclose(total, found.log_odds, rtol=1e-12, atol=1e-12)


def test_gaussian_terms_by_the_formula(blobs):
    X, y = blobs
    model = logodds.GaussianClassifier().fit(X, y)
    found = model.explain(X)
    a, b = model.means_[found.prediction], model.means_[found.against]
    normals = np.linalg.solve(model.covariances_[0], (a - b).T).T
    np.testing.assert_allclose(found.contributions, normals * (X - (a + b) / 2), atol=1e-12)
    logs = np.log(model.priors_)
    np.testing.assert_allclose(found.prior, logs[found.prediction] - logs[found.against])


def test_log_base(blobs):
    X, y = blobs
    model = logodds.SoftmaxClassifier().fit(X, y)
    natural, bits = model.explain(X), model.explain(X, log_base=2)
    np.testing.assert_allclose(bits.contributions * np.log(2), natural.contributions)
    np.testing.assert_allclose(bits.log_odds * np.log(2), natural.log_odds)
    np.testing.assert_allclose(bits.prior * np.log(2), natural.prior)
    for base in (1, 0.5, -3, np.nan, np.inf):
        with pytest.raises(ValueError, match="above 1"):
            model.explain(X, log_base=base)


def penguins():
    frame = pd.read_csv(PENGUINS)
    return frame.drop(columns="species"), frame["species"]


def test_frames_with_texts_and_gaps():
    X, y = penguins()
    model = logodds.GaussianClassifier().fit(X, y)
    found = model.explain(X)
    assert found.columns == tuple(X.columns)
    assert set(found.prediction) == set(y)
    assert (found.contributions[X.isna().to_numpy()] == 0).all()
    assert (found.contributions[X.notna().to_numpy()] != 0).mean() > 0.99
    total = found.prior + found.contributions.sum(axis=1)
    np.testing.assert_allclose(total, found.log_odds, rtol=1e-12, atol=1e-12)
    again = model.explain(pl.from_pandas(X))
    np.testing.assert_array_equal(again.contributions, found.contributions)


def test_it_is_what_the_command_says(command, tmp_path):
    X, y = penguins()
    model = logodds.GaussianClassifier().fit(X, y)
    model.save(tmp_path / "m")
    found = model.explain(X)
    lines = command("predict", tmp_path / "m", PENGUINS, "--explain", "--json", "--quiet")
    for row, line in enumerate(map(json.loads, lines.splitlines())):
        assert line["prediction"] == found.prediction[row]
        assert line["against"] == found.against[row]
        assert line["log_odds"] == pytest.approx(found.log_odds[row], rel=1e-9)
        for term in line["contributions"]:
            place = found.columns.index(term["column"])
            expected = found.contributions[row, place]
            assert term["contribution"] == pytest.approx(expected, rel=1e-7, abs=1e-9)


def test_classes_that_no_row_has_had_are_never_named(blobs):
    X, y = blobs
    model = logodds.GaussianClassifier().partial_fit(X, y + 1, classes=[0, 1, 2, 3])
    found = model.explain(X)
    assert set(found.prediction) | set(found.against) == {1, 2, 3}
    np.testing.assert_array_equal(found.prediction, model.predict(X))


def test_models_without_evidence_say_so(blobs):
    X, y = blobs
    for model in (
        logodds.NeighborsClassifier(),
        logodds.GaussianClassifier(covariance="own"),
        logodds.GaussianClassifier(components=2),
    ):
        with pytest.raises(ValueError, match="sums over columns"):
            model.fit(X, y).explain(X)


def test_errors(blobs):
    X, y = blobs
    model = logodds.SoftmaxClassifier()
    with pytest.raises(ValueError, match="not fitted"):
        model.explain(X)
    model.fit(X, y)
    with pytest.raises(ValueError, match="features"):
        model.explain(X[:, :2])
    holes = X.copy()
    holes[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN|missing"):
        model.explain(holes)
    with pytest.raises(dataclasses.FrozenInstanceError):
        model.explain(X).prior = None
