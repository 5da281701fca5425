"""Posteriors against scikit-learn's, on real data, to 1e-8."""

import logodds
import numpy as np
import pandas as pd
import pytest
from conftest import shared_data
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier


def pima():
    train, test = (pd.read_csv(shared_data(f"mass_pima/Pima.{part}.csv")) for part in ("tr", "te"))
    rows = pd.concat([train, test])
    return rows.drop(columns="type").to_numpy(float), rows["type"].to_numpy()


def letter():
    rows = pd.read_csv(shared_data("letter/letter.csv"))
    return rows.drop(columns="lettr").to_numpy(float), rows["lettr"].to_numpy()


DATA = {
    "iris": lambda: load_iris(return_X_y=True),
    "wine": lambda: load_wine(return_X_y=True),
    "pima": pima,
    "letter": letter,
}
GAUSSIAN = {
    # LDA by least squares pools the covariances of the classes with divisor N, as we do.
    "shared": (
        logodds.GaussianClassifier(),
        LinearDiscriminantAnalysis(solver="lsqr"),
    ),
    "own": (
        logodds.GaussianClassifier(covariance="own"),
        QuadraticDiscriminantAnalysis(),
    ),
    "diagonal": (
        logodds.GaussianClassifier(covariance="diagonal"),
        GaussianNB(var_smoothing=0.0),
    ),
}


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("covariance", GAUSSIAN)
def test_gaussian(covariance, data):
    X, y = DATA[data]()
    ours, theirs = GAUSSIAN[covariance]
    ours.fit(X, y)
    expected = theirs.fit(X, y).predict_proba(X)
    np.testing.assert_allclose(ours.predict_proba(X), expected, rtol=0, atol=1e-8)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def newton_posteriors(X, y, decay):
    """scikit-learn's optimum: it minimises C sum loss + 1/2 |w|^2, so C = 1 / (2 decay)."""
    theirs = LogisticRegression(C=0.5 / decay, tol=1e-12, max_iter=10_000, solver="newton-cholesky")
    return theirs.fit(X, y).predict_proba(X)


@pytest.mark.parametrize("data", ["iris", "wine", "pima"])
@pytest.mark.parametrize("decay", [1e-2, 1.0])
def test_softmax(decay, data):
    X, y = DATA[data]()
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    ours = logodds.SoftmaxClassifier(decay=decay).fit(X, y)
    expected = newton_posteriors(X, y, decay)
    np.testing.assert_allclose(ours.predict_proba(X), expected, rtol=0, atol=1e-8)


@pytest.mark.parametrize("k", [1, 5, 20])
def test_neighbors_without_ties(k):
    """Random rows have no equal distances; of equally many votes each has its own rule."""
    rng = np.random.default_rng(k)
    X, y = rng.normal(size=(2000, 6)), rng.integers(0, 5, size=2000)
    ours = logodds.NeighborsClassifier(k=k).fit(X, y)
    theirs = KNeighborsClassifier(n_neighbors=k, algorithm="brute").fit(X, y)
    queries = rng.normal(size=(500, 6))
    np.testing.assert_allclose(
        ours.predict_proba(queries), theirs.predict_proba(queries), rtol=0, atol=1e-12
    )
    votes = np.sort(theirs.predict_proba(queries), axis=1)
    clear = votes[:, -1] > votes[:, -2] + 1e-9
    assert clear.sum() > 200
    np.testing.assert_array_equal(ours.predict(queries)[clear], theirs.predict(queries)[clear])
