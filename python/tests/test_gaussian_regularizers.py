"""Regularized covariances against scikit-learn and against formulas in NumPy."""

import logodds
import numpy as np
import pytest
from sklearn.covariance import OAS, ledoit_wolf, shrunk_covariance
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)

WINE = load_wine(return_X_y=True)
IRIS = load_iris(return_X_y=True)
FEW = (WINE[0][::6], WINE[1][::6])  # 30 rows of 13 columns


def class_covariances(X, y):
    return [np.cov(X[y == k].T, bias=True) for k in np.unique(y)]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("ledoit-wolf", {"shrinkage": "auto"}),
        ("oas", {"covariance_estimator": OAS()}),
        (0.3, {"shrinkage": 0.3}),
        ("none", {}),
    ],
)
@pytest.mark.parametrize("data", [WINE, IRIS, FEW], ids=["wine", "iris", "few"])
def test_shared_shrinkage_is_that_of_scikit_learn(ours, theirs, data):
    X, y = data
    model = logodds.GaussianClassifier(shrinkage=ours).fit(X, y)
    reference = LinearDiscriminantAnalysis(solver="lsqr", **theirs).fit(X, y)
    np.testing.assert_allclose(model.covariances_[0], reference.covariance_, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(
        model.predict_proba(X), reference.predict_proba(X), rtol=1e-6, atol=1e-8
    )


def test_own_shrinkage_is_class_by_class():
    X, y = WINE
    expected = {
        "oas": lambda rows: OAS().fit(rows).covariance_,
        0.3: lambda rows: shrunk_covariance(np.cov(rows.T, bias=True), 0.3),
        "ledoit-wolf": lambda rows: (
            ledoit_wolf((rows - rows.mean(0)) / rows.std(0))[0] * np.outer(rows.std(0), rows.std(0))
        ),
    }
    for shrinkage, covariance_of in expected.items():
        model = logodds.GaussianClassifier(covariance="own", shrinkage=shrinkage).fit(X, y)
        for k in range(3):
            np.testing.assert_allclose(
                model.covariances_[k], covariance_of(X[y == k]), rtol=1e-8, atol=1e-10
            )


def test_wishart_scale_gives_reg_param_where_classes_are_equal():
    """(S + nu I) / (n + nu) is (1 - r) S / n + r I with r = nu / (n + nu), and iris has n = 50."""
    X, y = IRIS
    share = 0.2
    pseudo_count = 50 * share / (1 - share)
    model = logodds.GaussianClassifier(
        covariance="own", wishart=pseudo_count, wishart_scale=np.eye(4)
    ).fit(X, y)
    reference = QuadraticDiscriminantAnalysis(reg_param=share).fit(X, y)
    np.testing.assert_allclose(
        model.predict_proba(X), reference.predict_proba(X), rtol=1e-9, atol=1e-13
    )


def test_wishart_and_ridges():
    X, y = WINE
    counts = np.bincount(y)
    pooled = np.tensordot(counts / counts.sum(), class_covariances(X, y), axes=1)
    unit = np.trace(pooled) / 13
    identity = np.eye(13)
    expected = {
        (("ridge", 0.5),): pooled + 0.5 * identity,
        (("ridge_relative", 0.1),): pooled + 0.1 * unit * identity,
        (("wishart", 20.0),): (178 * pooled + 20 * unit * identity) / 198,
        (("wishart", 20.0), ("ridge", 0.5), ("ridge_relative", 0.1)): (
            (178 * pooled + 20 * unit * identity) / 198 + (0.5 + 0.1 * unit) * identity
        ),
        (("divisor", "n-1"),): pooled * 178 / 175,
    }
    for parameters, covariance in expected.items():
        model = logodds.GaussianClassifier(**dict(parameters)).fit(X, y)
        np.testing.assert_allclose(model.covariances_[0], covariance, rtol=1e-10, atol=1e-12)


def regularized_posteriors(X, y, mixed, simple, target):
    """Friedman's regularized discriminant analysis: scatters and counts are blended alike."""
    counts = np.bincount(y)
    scatters = np.stack(class_covariances(X, y)) * counts[:, np.newaxis, np.newaxis]
    joint = []
    for k, n in enumerate(counts):
        divisor = (1 - mixed) * n + mixed * counts.sum()
        sigma = ((1 - mixed) * scatters[k] + mixed * scatters.sum(axis=0)) / divisor
        diagonal = np.diag(np.diag(sigma))
        if target == "spherical":
            diagonal = np.eye(len(sigma)) * np.trace(sigma) / len(sigma)
        sigma = (1 - simple) * sigma + simple * diagonal
        off = X - X[y == k].mean(axis=0)
        squares = (off @ np.linalg.inv(sigma) * off).sum(axis=1)
        joint.append(np.log(n) - 0.5 * (squares + np.linalg.slogdet(sigma)[1]))
    joint = np.column_stack(joint)
    return np.exp(joint - np.logaddexp.reduce(joint, axis=1)[:, np.newaxis])


@pytest.mark.parametrize("target", ["diagonal", "spherical"])
@pytest.mark.parametrize("blend", [(0.0, 0.5), (0.3, 0.1), (1.0, 0.0), (1.0, 1.0), (0.6, 0.0)])
def test_blends_are_friedmans(blend, target):
    X, y = IRIS
    model = logodds.GaussianClassifier(blend=blend, blend_target=target).fit(X, y)
    assert model.blend_ == blend
    np.testing.assert_allclose(
        model.predict_proba(X), regularized_posteriors(X, y, *blend, target), rtol=1e-8, atol=1e-12
    )


def test_blend_auto_tells_what_it_tried():
    X, y = WINE
    model = logodds.GaussianClassifier(blend="auto").fit(X, y)
    losses = {
        (float(row[0]), float(column.removeprefix("gamma "))): loss
        for row in model.blend_table_["rows"]
        for column, loss in zip(model.blend_table_["columns"][1:], row[1:], strict=True)
    }
    assert len(losses) == 20
    finite = {pair: loss for pair, loss in losses.items() if not isinstance(loss, str)}
    assert model.blend_ == min(finite, key=finite.get)
    chosen = logodds.GaussianClassifier(blend=model.blend_).fit(X, y)
    np.testing.assert_array_equal(chosen.predict_proba(X), model.predict_proba(X))
    assert not hasattr(chosen, "blend_table_")
    assert logodds.GaussianClassifier().fit(X, y).blend_ is None


def test_a_column_in_other_units_changes_nothing():
    """Iris with one column times a million: scikit-learn's naive Bayes falls to .727."""
    X, y = IRIS
    scaled = X * [1.0, 1e6, 1.0, 1.0] + [0.0, 0.0, 1e8, 0.0]
    for structure in ("diagonal", "shared", "own"):
        plain = logodds.GaussianClassifier(covariance=structure).fit(X, y).predict_proba(X)
        other = logodds.GaussianClassifier(covariance=structure).fit(scaled, y)
        np.testing.assert_allclose(other.predict_proba(scaled), plain, rtol=0, atol=1e-6)
