"""Rows without labels: EM against NumPy's plain one, and what counts as no label."""

import logodds
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return X, np.where(np.random.default_rng(0).random(len(y)) < 0.8, -1, y), y


def plain_em(X, y, structure, steps):
    """Log-likelihoods, means and covariances; y is -1 where there is no label."""
    known, classes = y >= 0, y.max() + 1

    def estimate(shares):
        weights = shares.sum(axis=0)
        means = shares.T @ X / weights[:, None]
        off = X[None] - means[:, None]
        scatters = np.einsum("nk,kni,knj->kij", shares, off, off)
        if structure == "shared":
            sigmas = np.repeat(scatters.sum(axis=0)[None] / weights.sum(), classes, axis=0)
        else:
            sigmas = scatters / weights[:, None, None]
        if structure == "diagonal":
            sigmas = sigmas * np.eye(X.shape[1])
        return np.log(weights / weights.sum()), means, sigmas

    given = np.zeros((len(X), classes))
    given[known, y[known]] = 1.0
    log_priors, means, sigmas = estimate(given)
    trace = []
    for step in range(steps + 1):
        off = X[None] - means[:, None]
        squares = np.einsum("kni,kij,knj->nk", off, np.linalg.inv(sigmas), off)
        joint = log_priors - 0.5 * (squares + np.linalg.slogdet(2 * np.pi * sigmas)[1])
        density = np.logaddexp.reduce(joint, axis=1)
        trace.append(density[~known].sum() + joint[known, y[known]].sum())
        if step == steps:
            return np.array(trace), means, sigmas
        shares = np.exp(joint - density[:, None])
        shares[known] = given[known]
        log_priors, means, sigmas = estimate(shares)
    return None


@pytest.mark.parametrize("structure", ["own", "shared", "diagonal"])
def test_the_same_steps_as_numpy(iris, structure):
    X, y, _ = iris
    trace, means, sigmas = plain_em(X, y, structure, 15)
    model = logodds.GaussianClassifier(
        covariance=structure, unlabeled="em", max_iterations=15, tolerance=0.0
    ).fit(X, y)
    np.testing.assert_allclose(model.em_trace_, trace, rtol=1e-11)
    np.testing.assert_allclose(model.means_, means, atol=1e-10)
    np.testing.assert_allclose(model.covariances_, sigmas, atol=1e-10)
    assert model.log_likelihood_ == model.em_trace_[-1]
    assert np.diff(model.em_trace_).min() > -1e-9
    assert model.class_count_.sum() == pytest.approx(len(X))


def test_what_has_no_label(iris):
    X, y, _ = iris
    model = logodds.GaussianClassifier(unlabeled="em")
    expected = model.fit(X, y).predict_proba(X)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    for given in (
        np.where(y < 0, np.nan, y),
        [None if label < 0 else int(label) for label in y],
        np.where(y < 0, "", names),
        [None if label < 0 else name for label, name in zip(y, names, strict=True)],
        pd.Series(np.where(y < 0, None, names)),
        pd.Series(y, dtype="Int64").replace(-1, pd.NA),
    ):
        fitted = logodds.GaussianClassifier(unlabeled="em").fit(X, given)
        assert len(fitted.classes_) == 3
        np.testing.assert_array_equal(fitted.predict_proba(X), expected)


def test_without_the_parameter_every_row_needs_a_label(iris):
    X, y, _ = iris
    with pytest.raises(ValueError, match="NaN"):
        logodds.GaussianClassifier().fit(X, np.where(y < 0, np.nan, y))
    assert len(logodds.GaussianClassifier().fit(X, y).classes_) == 4  # -1 is a class like others


def test_all_labels_give_the_supervised_model(iris):
    X, _, y = iris
    plain, with_em = (
        logodds.GaussianClassifier(covariance="own", unlabeled=u).fit(X, y) for u in ("error", "em")
    )
    np.testing.assert_array_equal(plain.predict_proba(X), with_em.predict_proba(X))
    assert not hasattr(with_em, "em_trace_")


def test_bad_labels_are_refused(iris):
    X, _y, truth = iris
    with pytest.raises(logodds.LogoddsError, match="no row has a label"):
        logodds.GaussianClassifier(unlabeled="em").fit(X, np.full(len(X), -1))
    with pytest.raises(ValueError, match="-1 and 1 alone"):
        logodds.GaussianClassifier(unlabeled="em").fit(X, np.where(truth == 0, -1, 1))
    two = np.where(truth == 0, -1.0, 1.0)
    two[::3] = np.nan
    assert logodds.GaussianClassifier(unlabeled="em").fit(X, two).classes_.tolist() == [-1.0, 1.0]


def test_documents_without_labels_teach_words():
    sport, food = ["goal", "match", "team", "player"], ["salt", "soup", "bread", "oven"]
    rng = np.random.default_rng(2)
    texts, labels = [], []
    for n in range(200):
        words = sport if n % 2 else food
        texts.append(" ".join(rng.choice(words, size=3)) + (" win" if n % 2 else " eat"))
        labels.append(("sport" if n % 2 else "food") if n < 4 else None)
    few = logodds.DocumentClassifier().fit(texts[:4], labels[:4])
    many = logodds.DocumentClassifier(unlabeled="em").fit(texts, labels)
    assert set(many.vocabulary_) > set(few.vocabulary_)
    truth = np.array(["sport" if n % 2 else "food" for n in range(200)])
    assert (many.predict(texts) == truth).all()
    assert many.class_count_.sum() == pytest.approx(200)
    assert len(many.em_trace_) > 2


def test_naive_bayes_of_mixed_columns():
    rng = np.random.default_rng(5)
    truth = rng.integers(2, size=500)
    X = pd.DataFrame(
        {
            "x": rng.normal(truth * 2.0),
            "visits": rng.poisson(1 + 3 * truth),
            "color": np.where(rng.random(500) < 0.2 + 0.6 * truth, "red", "blue"),
        }
    )
    X.loc[::11, "x"] = np.nan
    y = np.where(rng.random(500) < 0.95, -1, truth)
    few = logodds.NaiveBayesClassifier().fit(X[y >= 0], truth[y >= 0])
    model = logodds.NaiveBayesClassifier(unlabeled="em").fit(X, y)
    assert model.score(X, truth) >= few.score(X, truth) - 0.01
    assert model.score(X, truth) > 0.9


def test_more_rows_without_labels(iris):
    X, y, truth = iris
    model = logodds.GaussianClassifier(unlabeled="em", tolerance=1e-12)
    model.partial_fit(X[::2], truth[::2]).partial_fit(X[1::2], y[1::2])
    assert model.class_count_.sum() == pytest.approx(150)
    assert model.score(X, truth) > 0.95
    with pytest.raises(AttributeError):  # the rows of the first call are gone
        _ = model.log_likelihood_
