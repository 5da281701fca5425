"""logodds.compat.PCA next to scikit-learn's: parameters, attributes, coordinates, densities."""

import inspect
import pickle

import numpy as np
import pandas as pd
import pytest
from logodds import compat
from numpy.testing import assert_allclose
from sklearn import decomposition
from sklearn.base import clone
from sklearn.datasets import load_digits, load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

RNG = np.random.default_rng(11)
DATA = {
    "wine": load_wine().data,
    "digits": load_digits().data[:400, 2:30],
    "wide": RNG.normal(size=(25, 70)) @ RNG.normal(size=(70, 70)),
    "square": RNG.normal(size=(30, 30)),
    "one column": RNG.normal(size=(20, 1)),
}
ATTRIBUTES = [
    "explained_variance_",
    "explained_variance_ratio_",
    "singular_values_",
    "mean_",
    "noise_variance_",
]


def fitted(cls, X, **parameters):
    return cls(svd_solver="full", **parameters).fit(X)


def test_the_signature_is_scikit_learns():
    theirs = inspect.signature(decomposition.PCA).parameters
    ours = inspect.signature(compat.PCA).parameters
    assert [(p.name, p.default, p.kind) for p in ours.values()] == [
        (p.name, p.default, p.kind) for p in theirs.values()
    ]


@pytest.mark.parametrize("whiten", [False, True])
@pytest.mark.parametrize("n_components", [None, 1, 0.7, "mle", 0])
@pytest.mark.parametrize("name", DATA)
def test_attributes_and_coordinates(name, n_components, whiten):
    X = DATA[name]
    if n_components == "mle" and (X.shape[0] < X.shape[1] or X.shape[1] == 1):
        pytest.skip("'mle' needs more rows than columns, of which there are two")
    ours = fitted(compat.PCA, X, n_components=n_components, whiten=whiten)
    theirs = fitted(decomposition.PCA, X, n_components=n_components, whiten=whiten)
    assert (ours.n_components_, ours.n_samples_) == (theirs.n_components_, theirs.n_samples_)
    largest = fitted(decomposition.PCA, X).explained_variance_[0]
    for attribute in ATTRIBUTES:
        close = {"rtol": 1e-9, "atol": 1e-13 * max(largest, 1.0)}
        if attribute == "singular_values_":
            close["atol"] = 1e-7 * np.sqrt(largest)  # of an axis without variance it is rounding
        assert_allclose(getattr(ours, attribute), getattr(theirs, attribute), **close)
    varying = theirs.explained_variance_ > 1e-12 * largest
    assert_allclose(ours.components_[varying], theirs.components_[varying], atol=1e-8)
    assert_allclose(
        ours.transform(X)[:, varying], theirs.transform(X)[:, varying], atol=1e-7 * largest**0.5
    )
    if n_components == 0:
        return
    rebuilt = ours.inverse_transform(ours.transform(X))
    assert_allclose(rebuilt, theirs.inverse_transform(theirs.transform(X)), atol=1e-7)


@pytest.mark.parametrize("whiten", [False, True])
def test_densities(whiten):
    X = DATA["wine"]
    ours = fitted(compat.PCA, X, n_components=5, whiten=whiten)
    theirs = fitted(decomposition.PCA, X, n_components=5, whiten=whiten)
    assert_allclose(ours.get_covariance(), theirs.get_covariance(), rtol=1e-7, atol=1e-9)
    assert_allclose(ours.score_samples(X), theirs.score_samples(X), rtol=1e-7)
    assert ours.score(X) == pytest.approx(theirs.score(X))


def test_float32_stays_float32():
    X = DATA["digits"].astype(np.float32)
    ours = compat.PCA(3).fit(X)
    for value in (ours.components_, ours.explained_variance_, ours.mean_, ours.transform(X)):
        assert value.dtype == np.float32
    assert ours.transform(X.astype(np.float64)).dtype == np.float64


@pytest.mark.parametrize(
    "parameters",
    [
        {"n_components": 14},
        {"n_components": -1},
        {"n_components": 1.5},
        {"n_components": "all"},
        {"n_components": 13, "svd_solver": "arpack"},
        {"n_components": 0.5, "svd_solver": "arpack"},
        {"n_components": "mle", "svd_solver": "randomized"},
        {"svd_solver": "lapack"},
        {"tol": -1.0},
        {"power_iteration_normalizer": "qr"},
    ],
)
def test_what_scikit_learn_refuses(parameters):
    with pytest.raises(ValueError):  # noqa: PT011
        decomposition.PCA(**parameters).fit(DATA["wine"])
    with pytest.raises(ValueError, match=r"n_components|svd_solver|tol|normalizer"):
        compat.PCA(**parameters).fit(DATA["wine"])


def test_in_a_pipeline_with_names():
    frame = pd.DataFrame(DATA["wine"]).rename(columns=lambda i: f"c{i}")
    pipeline = make_pipeline(StandardScaler(), compat.PCA(2)).set_output(transform="pandas")
    z = pipeline.fit_transform(frame)
    assert list(z.columns) == ["pca0", "pca1"]
    theirs = make_pipeline(StandardScaler(), decomposition.PCA(2)).fit_transform(DATA["wine"])
    assert_allclose(z, theirs, atol=1e-10)
    model = compat.PCA(2).fit(frame)
    assert_allclose(pickle.loads(pickle.dumps(model)).transform(frame), model.transform(frame))
    assert clone(model).get_params() == model.get_params()
