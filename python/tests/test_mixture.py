"""Gaussian mixtures: against scikit-learn from the same start, known values, and conventions."""

import inspect
import warnings

import logodds
import numpy as np
import pandas as pd
import pytest
from conftest import shared_data
from logodds import _core
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture as Peer

STRUCTURES = {
    "own": "full",
    "shared": "tied",
    "diagonal": "diag",
    "spherical": "spherical",
}


def three_heaps(n=900, d=4, seed=3):
    """Rows of three overlapping densities with covariances of their own."""
    rng = np.random.default_rng(seed)
    means = rng.normal(scale=2.0, size=(3, d))
    shapes = rng.normal(size=(3, d, d)) / np.sqrt(d) + np.eye(d)
    heap = rng.choice(3, size=n, p=[0.5, 0.3, 0.2])
    return means[heap] + np.einsum("nij,nj->ni", shapes[heap], rng.normal(size=(n, d)))


def shares(n, k, seed=0):
    given = np.random.default_rng(seed).dirichlet(np.full(k, 0.3), size=n)
    return given / given.sum(axis=1, keepdims=True)


def peer(X, given, structure, steps, ridge=0.0):
    """scikit-learn's mixture after so many steps from the estimates by given shares."""

    class Started(Peer):
        def _initialize_parameters(self, X, random_state, xp=None):
            self._initialize(X, given)

    model = Started(given.shape[1], covariance_type=structure, reg_covar=ridge, tol=0.0)
    model.max_iter = steps
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X)


def full(model, k, d):
    """scikit-learn's covariances as matrices."""
    sigma = model.covariances_
    if model.covariance_type == "tied":
        return np.broadcast_to(sigma, (k, d, d))
    if model.covariance_type == "diag":
        return np.stack([np.diag(row) for row in sigma])
    if model.covariance_type == "spherical":
        return np.stack([np.eye(d) * s for s in sigma])
    return sigma


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("ridge", [0.0, 0.25])
@pytest.mark.parametrize("structure", STRUCTURES)
def test_the_same_steps_as_scikit_learn(structure, ridge):
    X = three_heaps()
    given = shares(len(X), 3)
    theirs = peer(X, given, STRUCTURES[structure], 25, ridge)
    ours = logodds.GaussianMixture(
        3, covariance=structure, ridge=ridge, init=given, max_iter=25, tol=0.0
    ).fit(X)
    assert ours.n_iter_ == 25 and not ours.converged_
    np.testing.assert_allclose(ours.weights_, theirs.weights_, atol=1e-9)
    np.testing.assert_allclose(ours.means_, theirs.means_, atol=1e-8)
    np.testing.assert_allclose(ours.covariances_, full(theirs, 3, X.shape[1]), atol=1e-8)
    np.testing.assert_allclose(ours.score_samples(X), theirs.score_samples(X), atol=1e-8)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-8)
    assert (ours.predict(X) == theirs.predict(X)).all()
    assert ours.score(X) == pytest.approx(theirs.score(X), abs=1e-10)
    assert ours.lower_bound_ == pytest.approx(theirs.score(X), abs=1e-10)
    assert ours.bic(X) == pytest.approx(theirs.bic(X), abs=1e-6)
    assert ours.aic(X) == pytest.approx(theirs.aic(X), abs=1e-6)


def test_old_faithful_has_two_components():
    """The two components that R's mclust (model VVV) and scikit-learn find."""
    X = pd.read_csv(shared_data("old_faithful/faithful.csv"))
    model = logodds.GaussianMixture(2, tol=1e-12).fit(X)
    order = np.argsort(model.weights_)
    np.testing.assert_allclose(model.weights_[order], [0.355873, 0.644127], atol=1e-5)
    means = [[2.036388, 54.478517], [4.289662, 79.968115]]
    np.testing.assert_allclose(model.means_[order], means, atol=1e-4)
    sigmas = [
        [[0.069168, 0.435168], [0.435168, 33.697282]],
        [[0.169968, 0.940609], [0.940609, 36.046211]],
    ]
    np.testing.assert_allclose(model.covariances_[order], sigmas, atol=2e-3)
    assert model.log_likelihood_ == pytest.approx(-1130.264, abs=1e-3)
    assert model.n_parameters_ == 11
    assert list(model.feature_names_in_) == ["eruptions", "waiting"]
    theirs = Peer(2, tol=1e-12, max_iter=10000, reg_covar=0.0, random_state=0).fit(X)
    assert model.bic(X) == pytest.approx(theirs.bic(X.to_numpy()), abs=1e-6)


def test_parameters_are_the_registrys():
    record = next(r for r in _core.clusterings() if r["name"] == "mixture")
    names = {
        "k": "n_components",
        "restarts": "n_init",
        "max-iterations": "max_iter",
        "tolerance": "tol",
    }
    expected = [names.get(o["name"], o["name"].replace("-", "_")) for o in record["options"]]
    parameters = inspect.signature(logodds.GaussianMixture).parameters
    assert list(parameters) == [*expected, "random_state"]
    for name, option in zip(expected[1:], record["options"][1:], strict=True):
        assert parameters[name].default == option["default"]


@pytest.mark.parametrize("init", ["k-means", "random"])
def test_starts_depend_on_the_seed_alone(init):
    X = three_heaps()
    fits = [logodds.GaussianMixture(3, init=init, random_state=seed).fit(X) for seed in (1, 1, 2)]
    np.testing.assert_array_equal(fits[0].means_, fits[1].means_)
    assert (fits[0].means_ != fits[2].means_).any()
    best = logodds.GaussianMixture(3, init=init, n_init=4, random_state=1).fit(X)
    assert best.log_likelihood_ >= fits[0].log_likelihood_


def test_units_of_the_columns_change_nothing_but_the_units():
    X = three_heaps()
    scale = np.array([1.0, 1000.0, 1e-3, 7.0])
    plain = logodds.GaussianMixture(3, tol=1e-10).fit(X)
    scaled = logodds.GaussianMixture(3, tol=1e-10).fit(X * scale + 5.0)
    np.testing.assert_allclose(
        plain.predict_proba(X), scaled.predict_proba(X * scale + 5.0), atol=1e-7
    )


def test_centers_and_shares_start_where_they_say():
    X = three_heaps()
    centers = np.array([X[5], X[60], X[700]])
    z = (X - X.mean(axis=0)) / X.std(axis=0)
    y = (centers - X.mean(axis=0)) / X.std(axis=0)
    nearest = ((z[:, None] - y[None]) ** 2).sum(axis=2).argmin(axis=1)
    from_centers = logodds.GaussianMixture(3, init=centers).fit(X)
    from_shares = logodds.GaussianMixture(3, init=np.eye(3)[nearest]).fit(X)
    np.testing.assert_array_equal(from_centers.means_, from_shares.means_)


def test_weights_count_as_repeated_rows():
    X = three_heaps(300)
    weights = np.arange(300) % 3
    given = shares(300, 2)
    repeated = np.repeat(np.arange(300), weights)
    a = logodds.GaussianMixture(2, init=given, tol=1e-9).fit(X, sample_weight=weights)
    b = logodds.GaussianMixture(2, init=given[repeated], tol=1e-9).fit(X[repeated])
    np.testing.assert_allclose(a.means_, b.means_, atol=1e-9)
    assert a.log_likelihood_ == pytest.approx(b.log_likelihood_)


def test_missing_values_are_integrated_out():
    X = three_heaps(400, 3)
    gaps = X.copy()
    gaps[np.random.default_rng(1).random(X.shape) < 0.1] = np.nan
    model = logodds.GaussianMixture(3, tol=1e-7).fit(gaps)
    assert np.diff(model.em_trace_).min() > -1e-6
    assert (model.predict(gaps) == model.predict(X)).mean() > 0.9
    with pytest.raises(logodds.LogoddsError, match="x1|x2|x3"):
        logodds.GaussianMixture(3, missing="error").fit(gaps)


def test_a_saved_mixture_is_a_gaussian_model(tmp_path):
    X = three_heaps()
    model = logodds.GaussianMixture(3).fit(X)
    model.save(tmp_path / "m")
    loaded = logodds.load(tmp_path / "m")
    assert isinstance(loaded, logodds.GaussianClassifier)
    assert loaded.classes_.tolist() == [1, 2, 3]
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert loaded.log_likelihood_ == model.log_likelihood_
    np.testing.assert_allclose(loaded.log_density(X), model.score_samples(X), atol=1e-12)


def test_drawn_rows_look_like_the_rows():
    X = three_heaps(5000, 2)
    model = logodds.GaussianMixture(3, random_state=4).fit(X)
    drawn, component = model.sample(20000)
    np.testing.assert_allclose(drawn.mean(axis=0), X.mean(axis=0), atol=0.08)
    np.testing.assert_allclose(np.bincount(component) / 20000, model.weights_, atol=0.02)
    np.testing.assert_array_equal(model.sample(20000)[0], drawn)
    assert (model.sample(20000, random_state=5)[0] != drawn).any()


def test_frames_and_levels():
    X = pd.DataFrame(three_heaps(300, 2), columns=["a", "b"])
    model = logodds.GaussianMixture(2).fit(X)
    assert list(model.feature_names_in_) == ["a", "b"]
    np.testing.assert_array_equal(model.predict(X[["b", "a"]]), model.predict(X))
    X["color"] = np.where(X["a"] > 0, "red", "blue")
    X.loc[::7, "color"] = "green"
    levels = logodds.GaussianMixture(2, ridge=0.01).fit(X)
    assert levels.means_.shape == (2, 5)
    assert levels.fit_predict(X).shape == (300,)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"n_components": 31}, "30 rows, too few for 31 components"),
        ({"n_components": 0}, "n_components=0"),
        ({"n_init": 0}, "n_init=0"),
        ({"tol": -1.0}, "negative"),
        ({"init": "kmeans"}, "neither 'k-means' nor 'random'"),
        ({"init": np.zeros((7, 2))}, "shape"),
        ({"n_components": 2, "init": np.full((30, 2), 0.7)}, "sum to 1"),
        ({"n_components": 2, "blend": "auto"}, "LAMBDA,GAMMA"),
        ({"covariance": "ful"}, "ful"),
    ],
)
def test_bad_parameters_are_refused(parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        logodds.GaussianMixture(**parameters).fit(three_heaps(30, 2))


def test_a_component_that_collapses_gets_a_ridge_with_a_warning():
    X = np.vstack([three_heaps(50, 2), np.full((5, 2), 40.0)])
    with pytest.warns(logodds.CovarianceWarning, match="class '.'"):
        mended = logodds.GaussianMixture(2).fit(X)
    assert mended.ridge_ == pytest.approx(1e-3 * X.var(axis=0).mean())
    with pytest.raises(logodds.LogoddsError, match="different point"):
        logodds.GaussianMixture(2).fit(np.ones((5, 2)))
    model = logodds.GaussianMixture(2, ridge=0.01).fit(X)
    assert model.ridge_ == 0.01
    assert model.converged_ and min(model.weights_) == pytest.approx(5 / 55, abs=1e-6)


def test_the_same_bits_for_any_number_of_threads():
    X = three_heaps(5000)
    means = []
    before = logodds.get_threads()
    try:
        for threads in (1, 2, 7):
            logodds.set_threads(threads)
            means.append(logodds.GaussianMixture(3, tol=1e-9).fit(X).means_)
    finally:
        logodds.set_threads(before)
    np.testing.assert_array_equal(means[0], means[1])
    np.testing.assert_array_equal(means[0], means[2])
