"""Rows that come and go: what is left is the model of the rows that are left."""

import warnings

import logodds
import numpy as np
import pandas as pd
import polars as pl
import pytest
from conftest import model_bytes
from logodds._features import select_columns

STRUCTURES = ["shared", "own", "diagonal", "spherical"]


def assert_same(model, expected, X, rtol=1e-10):
    np.testing.assert_array_equal(model.classes_, expected.classes_)
    assert model.classes_.dtype == expected.classes_.dtype
    np.testing.assert_allclose(model.class_count_, expected.class_count_, rtol=1e-12)
    np.testing.assert_allclose(model.means_, expected.means_, rtol=rtol, atol=rtol)
    np.testing.assert_allclose(model.covariances_, expected.covariances_, rtol=rtol, atol=rtol)
    np.testing.assert_allclose(
        model.predict_proba(X), expected.predict_proba(X), rtol=1e-8, atol=1e-10
    )


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("weighted", [False, True])
def test_pieces_make_the_whole(structure, weighted, blobs):
    X, y = blobs
    weights = np.random.default_rng(5).uniform(0.5, 2.0, len(y)) if weighted else None
    whole = logodds.GaussianClassifier(covariance=structure).fit(X, y, sample_weight=weights)
    online = logodds.GaussianClassifier(covariance=structure)
    parts = []
    for rows in np.array_split(np.arange(len(y)), 7):
        some = None if weights is None else weights[rows]
        assert online.partial_fit(X[rows], y[rows], sample_weight=some) is online
        parts.append(logodds.GaussianClassifier(covariance=structure).fit(X[rows], y[rows], some))
    assert_same(online, whole, X)
    before = model_bytes(parts[0])
    merged = parts[0].merge(*parts[1:])
    assert_same(merged, whole, X)
    assert model_bytes(parts[0]) == before
    assert merged.get_params() == whole.get_params()
    last = np.array_split(np.arange(len(y)), 7)[-1]
    some = None if weights is None else weights[last]
    assert merged.forget(X[last], y[last], some) is merged
    assert_same(merged, parts[0].merge(*parts[1:6]), X)


@pytest.mark.parametrize(
    "parameters",
    [
        {"priors": "uniform"},
        {"shrinkage": "ledoit-wolf"},
        {"shrinkage": "oas", "covariance": "own"},
        {"blend": (0.3, 0.1)},
        {"wishart": 4.0, "ridge": 0.1, "ridge_relative": 0.1},
        {"components": 2},
        {"divisor": "n-1", "covariance": "own"},
        {"priors": {0: 0.2, 1: 0.3, 2: 0.5}},
    ],
)
def test_every_estimator_can_be_updated(parameters, blobs):
    X, y = blobs
    whole = logodds.GaussianClassifier(**parameters).fit(X, y)
    online = logodds.GaussianClassifier(**parameters).partial_fit(X[:999], y[:999])
    online.partial_fit(X[999:], y[999:])
    np.testing.assert_allclose(online.predict_proba(X), whole.predict_proba(X), atol=1e-9)
    online.forget(X[:500], y[:500])
    rest = logodds.GaussianClassifier(**parameters).fit(X[500:], y[500:])
    np.testing.assert_allclose(online.predict_proba(X), rest.predict_proba(X), atol=1e-8)


def test_classes_join_and_go(blobs):
    X, codes = blobs
    y = np.array(["left", "middle", "right-hand"])[codes]
    model = logodds.GaussianClassifier().fit(X[codes < 2], y[codes < 2])
    assert model.classes_.tolist() == ["left", "middle"]
    model.partial_fit(X[codes == 2], y[codes == 2])
    assert_same(model, logodds.GaussianClassifier().fit(X, y), X)
    model.forget(X[codes == 0], y[codes == 0])
    assert model.classes_.tolist() == ["middle", "right-hand"]
    assert set(model.predict(X)) == {"middle", "right-hand"}


def test_declared_classes_are_there_from_the_start(blobs):
    X, y = blobs
    model = logodds.GaussianClassifier(covariance="own")
    model.partial_fit(X[y != 1], y[y != 1], classes=[0, 1, 2])
    assert model.classes_.tolist() == [0, 1, 2]
    posteriors = model.predict_proba(X)
    assert posteriors.shape == (3000, 3)
    assert (posteriors[:, 1] == 0.0).all()
    two = logodds.GaussianClassifier(covariance="own").fit(X[y != 1], y[y != 1])
    np.testing.assert_array_equal(posteriors[:, [0, 2]], two.predict_proba(X))
    np.testing.assert_array_equal(model.predict(X), two.predict(X))
    assert model.decision_function(X).shape == (3000, 3)
    assert (model.decision_function(X)[:, 1] == -np.inf).all()
    assert model.priors_[1] == model.class_count_[1] == 0.0
    assert np.isnan(model.means_[1]).all()
    assert [(b.first, b.second) for b in model.boundaries_] == [(0, 2)]
    assert set(model.sample(100)[1]) == {0, 2}
    assert model.aic(X[y != 1], y[y != 1]) == pytest.approx(two.aic(), rel=1e-10)
    with pytest.raises(ValueError, match="do not exist in the initial classes"):
        model.partial_fit(X[:5], [7] * 5)
    with pytest.raises(ValueError, match="not the same as on last call"):
        model.partial_fit(X, y, classes=[0, 1])
    model.partial_fit(X[y == 1], y[y == 1], classes=[0, 1, 2])
    assert_same(model, logodds.GaussianClassifier(covariance="own").fit(X, y), X)
    model.fit(X[y != 1], y[y != 1])
    assert model.classes_.tolist() == [0, 2]


def test_priors_for_declared_classes(blobs):
    X, y = blobs
    for priors in ([0.2, 0.3, 0.5], {0: 0.2, 1: 0.3, 2: 0.5}):
        model = logodds.GaussianClassifier(priors=priors)
        model.partial_fit(X[y != 1], y[y != 1], classes=[0, 1, 2])
        np.testing.assert_allclose(model.priors_, [0.2 / 0.7, 0.0, 0.5 / 0.7], rtol=1e-12)
        model.partial_fit(X[y == 1], y[y == 1])
        np.testing.assert_allclose(model.priors_, [0.2, 0.3, 0.5], rtol=1e-12)


def test_rows_that_were_never_there_are_refused(blobs):
    X, y = blobs
    model = logodds.GaussianClassifier().fit(X[:100], y[:100])
    before = model_bytes(model)
    with pytest.raises(logodds.LogoddsError, match="class '9'"):
        model.forget(X[:2], [9, 9])
    with pytest.raises(logodds.LogoddsError):
        model.forget(X, y)
    with pytest.raises(logodds.LogoddsError):
        model.forget(X[:1] + 1000.0, y[:1])
    with pytest.raises(logodds.LogoddsError, match="nothing is left"):
        model.forget(X[:100], y[:100])
    assert model_bytes(model) == before
    assert model.classes_.tolist() == [0, 1, 2]


def test_set_priors_is_a_refit(blobs):
    X, y = blobs
    for priors in ("uniform", "smoothed:50", {0: 0.2, 1: 0.3, 2: 0.5}, [0.6, 0.3, 0.1]):
        model = logodds.GaussianClassifier(covariance="own").fit(X, y)
        assert model.set_priors(priors) is model
        refit = logodds.GaussianClassifier(covariance="own", priors=priors).fit(X, y)
        np.testing.assert_array_equal(model.predict_proba(X), refit.predict_proba(X))
        np.testing.assert_array_equal(model.priors_, refit.priors_)
        assert model.get_params() == refit.get_params()
    before = model_bytes(model)
    with pytest.raises(logodds.LogoddsError, match="sums to"):
        model.set_priors([0.5, 0.6, 0.1])
    assert model_bytes(model) == before
    assert model.priors == [0.6, 0.3, 0.1]


def test_the_ridge_of_a_small_start_goes(blobs):
    """The first rows do not determine the covariance; with the others they do."""
    X, y = blobs
    model = logodds.GaussianClassifier(covariance="own")
    with pytest.warns(logodds.CovarianceWarning, match="singular"):
        model.partial_fit(X[:9], y[:9])
    assert model.ridge_ == pytest.approx(1e-3 * X[:9].var(axis=0).mean())
    with pytest.warns(logodds.CovarianceWarning, match="singular"):
        model.partial_fit(X[9:14], y[9:14])
    assert model.ridge_ == pytest.approx(1e-3 * X[:14].var(axis=0).mean())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.partial_fit(X[14:], y[14:])
    assert model.ridge_ == 0.0
    whole = logodds.GaussianClassifier(covariance="own").fit(X, y)
    assert_same(model, whole, X)
    with pytest.warns(logodds.CovarianceWarning, match="singular"):
        model.forget(X[14:], y[14:])
    assert model.ridge_ == pytest.approx(1e-3 * X[:14].var(axis=0).mean(), rel=1e-6)


def test_small_parts_can_be_merged(blobs):
    X, y = blobs
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", logodds.CovarianceWarning)
        parts = [
            logodds.GaussianClassifier(covariance="own").fit(X[i::500], y[i::500])
            for i in range(500)
        ]
    merged = parts[0].merge(*parts[1:])
    assert merged.ridge_ == 0.0
    assert_same(merged, logodds.GaussianClassifier(covariance="own").fit(X, y), X)


def test_missing_values_online(blobs):
    X, y = blobs[0][:600].copy(), blobs[1][:600]
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    whole = logodds.GaussianClassifier().fit(X, y)
    online = (
        logodds.GaussianClassifier().partial_fit(X[:250], y[:250]).partial_fit(X[250:], y[250:])
    )
    np.testing.assert_allclose(online.means_, whole.means_, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(online.covariances_, whole.covariances_, rtol=1e-6, atol=1e-8)
    assert len(online.em_trace_) > 1
    online.forget(X[:250], y[:250])
    rest = logodds.GaussianClassifier().fit(X[250:], y[250:])
    np.testing.assert_allclose(online.means_, rest.means_, rtol=1e-6, atol=1e-8)


def test_frames_online(blobs):
    X, y = blobs
    words = np.where(X[:, 0] > 0, "p", np.where(X[:, 1] > 0, "q", "r"))
    table = pd.DataFrame(X, columns=list("abcd")).assign(word=words)
    polars = pl.DataFrame({name: table[name].to_numpy() for name in table})
    for frame in (table, polars, polars.to_arrow()):
        whole = logodds.GaussianClassifier().fit(frame, y)
        first, rest = frame[:1000], select_columns(frame[1000:], ["word", "d", "b", "a", "c"])
        model = logodds.GaussianClassifier().partial_fit(first, y[:1000])
        model.partial_fit(rest, y[1000:])
        assert model.feature_names_in_.tolist() == ["a", "b", "c", "d", "word"]
        np.testing.assert_allclose(
            model.predict_proba(frame), whole.predict_proba(frame), rtol=1e-8, atol=1e-12
        )
        model.forget(first, y[:1000])
        assert model.class_count_.sum() == 2000
        with pytest.raises(ValueError, match="now missing:\n- word"):
            model.partial_fit(select_columns(frame, list("abcd")), y)
    numbers = table[list("abcd")]
    model = logodds.GaussianClassifier().fit(numbers[:1000], y[:1000])
    model.partial_fit(numbers[list("dcba")][1000:], y[1000:])
    assert_same(model, logodds.GaussianClassifier().fit(numbers, y), numbers)


def test_other_columns_and_labels_are_refused(blobs):
    X, y = blobs
    model = logodds.GaussianClassifier().fit(X, y)
    with pytest.raises(ValueError, match="3 features, but GaussianClassifier is expecting 4"):
        model.partial_fit(X[:, :3], y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.partial_fit(X, y[:-1])
    with pytest.raises(ValueError, match="give them one type"):
        model.partial_fit(X, np.array(["0", "1", "2"])[y])
    other = logodds.GaussianClassifier().fit(pd.DataFrame(X, columns=list("abcd")), y)
    with pytest.raises(logodds.LogoddsError, match="'x1'"):
        model.merge(other)
    with pytest.raises(ValueError, match="give them one type"):
        model.merge(logodds.GaussianClassifier().fit(X, np.array(["0", "1", "2"])[y]))
    with pytest.raises(ValueError, match="not fitted"):
        model.merge(logodds.GaussianClassifier())


def test_a_chosen_blend_stays(blobs):
    X, y = blobs
    model = logodds.GaussianClassifier(blend="auto").partial_fit(X[:1000], y[:1000])
    pair = model.blend_
    model.partial_fit(X[1000:], y[1000:])
    assert model.blend_ == pair
    whole = logodds.GaussianClassifier(blend=pair).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), whole.predict_proba(X), atol=1e-10)


def test_parameters_changed_in_between_count(blobs):
    X, y = blobs
    model = logodds.GaussianClassifier().fit(X[:1000], y[:1000])
    model.set_params(ridge=0.5).partial_fit(X[1000:], y[1000:])
    assert_same(model, logodds.GaussianClassifier(ridge=0.5).fit(X, y), X)
