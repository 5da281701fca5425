"""Rows drawn from a model, and models written by hand."""

import logodds
import numpy as np
import pytest
from scipy import stats

TEXTBOOK = {
    "classes": ["first", "second"],
    "priors": [0.7, 0.3],
    "means": [[2.0, 1.0], [1.0, 2.0]],
    "covariances": [[1.0, 0.2], [0.2, 0.5]],
}


def test_the_textbooks_two_gaussians():
    model = logodds.GaussianClassifier.define(**TEXTBOOK)
    assert model.classes_.tolist() == ["first", "second"]
    assert model.covariance == "shared"
    np.testing.assert_allclose(model.priors_, [0.7, 0.3])
    np.testing.assert_allclose(model.means_, TEXTBOOK["means"])
    np.testing.assert_allclose(model.covariances_, [TEXTBOOK["covariances"]] * 2)
    x = np.array([[1.3, 1.8]])
    densities = [
        prior * stats.multivariate_normal(mean, TEXTBOOK["covariances"]).pdf(x)
        for prior, mean in zip(TEXTBOOK["priors"], TEXTBOOK["means"], strict=True)
    ]
    np.testing.assert_allclose(model.predict_proba(x)[0], densities / np.sum(densities), rtol=1e-10)
    assert model.boundaries_[0].kind == "line"


def test_labels_and_columns_of_a_definition(tmp_path):
    sigmas = [np.eye(2), 2.0 * np.eye(2), np.diag([1.0, 3.0])]
    model = logodds.GaussianClassifier.define(
        [10, 9, 2], [0.2, 0.3, 0.5], np.eye(3)[:, :2], sigmas, columns=["u", "v"]
    )
    assert model.classes_.tolist() == [2, 9, 10]
    assert model.feature_names_in_.tolist() == ["u", "v"]
    assert model.covariance == "own"
    np.testing.assert_allclose(model.priors_, [0.5, 0.3, 0.2])
    np.testing.assert_allclose(model.covariances_[0], sigmas[2])
    model.save(tmp_path / "model")
    X, y = logodds.load(tmp_path / "model").sample(20, random_state=5)
    again = model.sample(20, random_state=5)
    np.testing.assert_array_equal(X, again[0])
    np.testing.assert_array_equal(y, again[1])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"priors": [0.7, 0.7]}, r"sum to 1\.4"),
        ({"priors": [0.7]}, "1 priors for 2 classes"),
        ({"means": [[2.0, 1.0], [1.0]]}, None),
        ({"covariances": [[1.0, 0.2], [0.3, 0.5]]}, "not symmetric"),
        ({"covariances": [[1.0, 2.0], [2.0, 1.0]]}, "not positive definite"),
        ({"classes": ["a", "a"]}, "'a' twice"),
        ({"columns": ["u"]}, "1 names of columns"),
    ],
)
def test_definitions_that_do_not_fit(change, sentence):
    with pytest.raises(ValueError, match=sentence):
        logodds.GaussianClassifier.define(**{**TEXTBOOK, **change})


@pytest.mark.parametrize("structure", ["shared", "own", "diagonal"])
def test_drawn_rows_have_the_models_moments(structure, blobs):
    model = logodds.GaussianClassifier(covariance=structure).fit(*blobs)
    X, y = model.sample(60_000, random_state=1)
    assert X.shape == (60_000, 4)
    shares = np.bincount(y) / len(y)
    np.testing.assert_allclose(shares, model.priors_, atol=0.01)
    for k in range(3):
        drawn = X[y == k]
        np.testing.assert_allclose(drawn.mean(axis=0), model.means_[k], atol=0.04)
        np.testing.assert_allclose(np.cov(drawn.T), model.covariances_[k], atol=0.06)
    levels = model.outlier_pvalue(X)
    assert (levels < 0.01).mean() < 0.012


def test_seeds(blobs):
    model = logodds.GaussianClassifier().fit(*blobs)
    X, y = model.sample(3000, random_state=7)
    logodds.set_threads(1)
    again = model.sample(5000, random_state=7)
    logodds.set_threads(None)
    np.testing.assert_array_equal(again[0][:3000], X)
    np.testing.assert_array_equal(again[1][:3000], y)
    assert not np.array_equal(model.sample(10, random_state=8)[0], X[:10])
    np.testing.assert_array_equal(model.sample(10)[0], model.sample(10, random_state=0)[0])
    for make in (np.random.default_rng, np.random.RandomState):
        np.testing.assert_array_equal(model.sample(10, make(3))[0], model.sample(10, make(3))[0])
    assert not np.array_equal(model.sample(10, None)[0], model.sample(10, None)[0])
    assert model.sample(0)[0].shape == (0, 4)
    with pytest.raises(ValueError, match="negative"):
        model.sample(-1)


def test_components_are_drawn_in_the_columns(blobs):
    X, y = blobs
    model = logodds.GaussianClassifier(components=2).fit(X, y)
    drawn, _ = model.sample(2000)
    assert drawn.shape == (2000, 4)
    off_axes = (drawn - X.mean(axis=0)) @ (np.eye(4) - model.components_.T @ model.components_)
    np.testing.assert_allclose(off_axes, 0.0, atol=1e-9)


def test_a_definition_counts_as_one_row(blobs):
    X, y = blobs
    model = logodds.GaussianClassifier.define(
        [0, 1, 2], [0.5, 0.3, 0.2], np.zeros((3, 4)), np.eye(4)
    )
    model.partial_fit(X, y)
    assert model.class_count_.sum() == pytest.approx(3001.0)
    plain = logodds.GaussianClassifier().fit(X, y)
    np.testing.assert_allclose(model.means_, plain.means_, atol=0.01)
