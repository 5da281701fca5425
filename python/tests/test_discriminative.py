"""What the estimators of p(class | x) tell: coefficients, weights, traces, warm starts, seeds."""

import logodds
import numpy as np
import pandas as pd
import pytest
from conftest import model_bytes
from logodds import (
    BinaryClassifier,
    IndicatorClassifier,
    NeuralClassifier,
    NoisyOrClassifier,
    PerceptronClassifier,
    SoftmaxClassifier,
)
from scipy.special import expit, log_softmax, ndtr, softmax
from scipy.stats import norm


@pytest.fixture
def two(blobs):
    """600 rows in two of the classes."""
    X, y = blobs
    chosen = np.flatnonzero(y < 2)[:600]
    return X[chosen], y[chosen]


@pytest.fixture
def causes():
    """Rows of a noisy-OR with a leak, and its probabilities."""
    rng = np.random.default_rng(5)
    X = (rng.random((2000, 3)) < 0.4).astype(float)
    alpha, leak = np.array([0.2, 0.9, 0.5]), 0.95
    return X, (rng.random(2000) > leak * np.prod(alpha**X, axis=1)).astype(int), alpha, leak


# -- linear scores --------------------------------------------------------------------------------


def test_three_classes_have_three_rows_of_coefficients(blobs):
    X, y = blobs
    model = SoftmaxClassifier(decay=0.5).fit(X, y)
    assert model.coef_.shape == (3, 4) and model.intercept_.shape == (3,)
    scores = X @ model.coef_.T + model.intercept_
    np.testing.assert_allclose(model.predict_proba(X), softmax(scores, axis=1), atol=1e-12)
    assert model.decision_function(X).shape == (3000, 3)
    np.testing.assert_allclose(
        log_softmax(model.decision_function(X), axis=1), model.predict_log_proba(X), atol=1e-9
    )
    np.testing.assert_allclose(model.coef_.sum(axis=0), 0.0, atol=1e-9)  # the decay centers them


def test_two_classes_have_one_row(two):
    X, y = two
    model = SoftmaxClassifier(decay=0.5).fit(X, y)
    assert model.coef_.shape == (1, 4) and model.intercept_.shape == (1,)
    odds = X @ model.coef_[0] + model.intercept_[0]
    np.testing.assert_allclose(model.decision_function(X), odds, atol=1e-10)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], expit(odds), atol=1e-12)


LINKS = {"logit": expit, "probit": ndtr, "cloglog": lambda eta: -np.expm1(-np.exp(eta))}


@pytest.mark.parametrize("link", LINKS)
def test_links(link, two):
    X, y = two
    model = BinaryClassifier(link=link, decay=0.0).fit(X, y)
    eta = X @ model.coef_[0] + model.intercept_[0]
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], LINKS[link](eta), atol=1e-12)
    p = model.predict_proba(X)
    np.testing.assert_allclose(model.decision_function(X), np.log(p[:, 1] / p[:, 0]), atol=1e-9)
    if link == "logit":
        softer = SoftmaxClassifier(decay=0.0).fit(X, y)
        np.testing.assert_allclose(model.coef_, softer.coef_, rtol=1e-6)


def test_binary_takes_two_classes(blobs):
    with pytest.raises(ValueError, match="Only binary classification"):
        BinaryClassifier().fit(*blobs)


@pytest.mark.parametrize("make", [SoftmaxClassifier, BinaryClassifier])
def test_table_of_coefficients(make, two):
    """Errors against the inverse Fisher information, in NumPy."""
    X, y = two
    model = make(decay=0).fit(X, y)
    table = pd.DataFrame(model.coefficients(level=0.9))
    assert list(table["feature"]) == ["(intercept)", "x1", "x2", "x3", "x4"]
    assert set(table["class"]) == {1}
    design = np.column_stack([np.ones(len(X)), X])
    p = model.predict_proba(X)[:, 1]
    errors = np.sqrt(np.diag(np.linalg.inv(design.T @ (design * (p * (1 - p))[:, None]))))
    estimates = np.concatenate([model.intercept_, model.coef_[0]])
    np.testing.assert_allclose(table["estimate"], estimates, rtol=1e-9)
    np.testing.assert_allclose(table["standard_error"], errors, rtol=1e-6)
    np.testing.assert_allclose(table["z"], estimates / errors, rtol=1e-6)
    p_values = 2.0 * norm.sf(np.abs(estimates / errors))
    np.testing.assert_allclose(table["p_value"], p_values, rtol=1e-5)
    half = norm.ppf(0.95) * errors
    columns = table["feature"] != "(intercept)"
    upper = np.exp(estimates + half)[columns]
    np.testing.assert_allclose(table["odds_ratio"][columns], np.exp(estimates)[columns], rtol=1e-6)
    np.testing.assert_allclose(table["upper"][columns], upper, rtol=1e-6)
    assert table["identifiable"].all()
    with pytest.raises(ValueError, match="level"):
        model.coefficients(level=1.0)


def test_errors_are_unknown_under_a_penalty(two):
    model = SoftmaxClassifier(decay=1.0).fit(*two)
    assert np.isnan(model.coefficients()["standard_error"]).all()
    assert model.coefficient_notes_


def test_indicator_is_least_squares(blobs):
    X, y = blobs
    model = IndicatorClassifier().fit(X, y)
    design = np.column_stack([np.ones(len(X)), X])
    expected = np.linalg.lstsq(design, np.eye(3)[y], rcond=None)[0].T
    np.testing.assert_allclose(model.intercept_, expected[:, 0], atol=1e-9)
    np.testing.assert_allclose(model.coef_, expected[:, 1:], atol=1e-9)
    np.testing.assert_array_equal(model.predict(X), np.argmax(design @ expected.T, axis=1))


def test_lasso_has_zeros(blobs):
    X, y = blobs
    X = np.column_stack([X, np.random.default_rng(0).normal(size=(len(X), 3))])
    dense, lean = (SoftmaxClassifier(l1=l1).fit(X, y).coef_ for l1 in (0.0, 60.0))
    assert (dense != 0.0).all()
    assert (lean[:, 4:] == 0.0).all() and (lean[:, :4] != 0.0).any()


def test_decay_by_cross_validation(blobs, tmp_path):
    X, y = blobs[0][:150], blobs[1][:150]
    model = SoftmaxClassifier(decay="auto").fit(X, y)
    rows = model.decay_table_["rows"]
    assert [row[0] for row in rows if row[2] == "taken"] == [model.decay_]
    assert model.decay_ == min(rows, key=lambda row: row[1])[0]
    assert model.decay == "auto"
    chosen = SoftmaxClassifier(decay=model.decay_).fit(X, y)
    assert chosen.decay_ == model.decay_
    assert not hasattr(chosen, "decay_table_")
    np.testing.assert_allclose(chosen.coef_, model.coef_, rtol=1e-5)
    path = tmp_path / "rows.csv"
    pd.DataFrame(X, columns=list("abcd")).assign(y=y).to_csv(path, index=False)
    read = SoftmaxClassifier(decay="auto").fit_csv(path, target="y")
    assert (read.decay_, read.decay_table_) == (model.decay_, model.decay_table_)
    assert not hasattr(read.set_params(decay=0.5).fit_csv(path, target="y"), "decay_table_")
    model.save(tmp_path / "model")
    assert logodds.load(tmp_path / "model").decay_ == model.decay_


# -- optimizers -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "estimator",
    [SoftmaxClassifier(), BinaryClassifier(), NeuralClassifier(hidden=3), NoisyOrClassifier()],
    ids=lambda estimator: type(estimator).__name__,
)
def test_trace(estimator, two, tmp_path):
    X, y = two
    model = estimator.fit(np.abs(X), y)
    objectives = [step["objective"] for step in model.trace_]
    assert list(model.trace_[0])[:2] == ["iteration", "objective"]
    assert model.n_iter_ == model.trace_[-1]["iteration"] >= 1
    assert objectives[-1] <= objectives[0]
    assert model.objective_ == pytest.approx(objectives[-1], rel=1e-6)
    model.save(tmp_path / "model")
    again = logodds.load(tmp_path / "model")
    assert type(again) is type(model)
    assert again.trace_ is None
    assert (again.n_iter_, again.objective_) == (model.n_iter_, model.objective_)


@pytest.mark.parametrize(
    "estimator",
    [
        SoftmaxClassifier(decay=0.1, optimizer="lbfgs"),
        BinaryClassifier(decay=0.1),
        NeuralClassifier(hidden=2, decay=0.1),
        NoisyOrClassifier(),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_warm_start(estimator, two):
    X, y = np.abs(two[0]), two[1]
    cold = estimator.fit(X, y)
    first = cold.n_iter_
    warm = cold.set_params(warm_start=True).fit(X, y)
    assert warm.n_iter_ < first
    np.testing.assert_allclose(warm.predict_proba(X), cold.predict_proba(X), atol=1e-4)
    assert estimator.set_params(warm_start=False).fit(X, y).n_iter_ == first


def test_attributes_wait_for_fit():
    for name in ("coef_", "intercept_", "n_iter_", "objective_"):
        assert not hasattr(SoftmaxClassifier(), name)
    assert not hasattr(NeuralClassifier(), "coefs_")
    assert not hasattr(NoisyOrClassifier(), "alpha_")


@pytest.mark.parametrize(
    "estimator",
    [SoftmaxClassifier(optimizer="sgd", passes=2), NeuralClassifier(hidden=2, optimizer="adam")],
    ids=lambda estimator: type(estimator).__name__,
)
def test_seeds(estimator, two):
    one, same, other = (
        model_bytes(type(estimator)(**{**estimator.get_params(), "random_state": seed}).fit(*two))
        for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other


def test_switches_take_a_bool(two):
    X, y = two
    off = SoftmaxClassifier(intercept=False, decay=0.1).fit(X, y)
    assert model_bytes(off) == model_bytes(SoftmaxClassifier(intercept="off", decay=0.1).fit(X, y))
    assert off.intercept_[0] == 0.0


# -- a net, causes, mistakes ----------------------------------------------------------------------

UNITS = {
    "tanh": np.tanh,
    "sigmoid": expit,
    "linear": lambda sums: sums,
    "relu": lambda sums: np.maximum(sums, 0.0),
}


@pytest.mark.parametrize("activation", UNITS)
@pytest.mark.parametrize("skip", [False, True])
def test_net_is_its_weights(activation, skip, blobs):
    X, y = blobs[0][:300], blobs[1][:300]
    net = NeuralClassifier(
        hidden=3, activation=activation, skip=skip, decay=0.1, max_iterations=20
    ).fit(X, y)
    (inner, outer), (hidden, outputs) = net.coefs_, net.intercepts_
    assert inner.shape == (4, 3) and outer.shape == (3, 3)
    scores = UNITS[activation](X @ inner + hidden) @ outer + outputs
    if skip:
        scores += X @ net.skip_coefs_
    else:
        assert not hasattr(net, "skip_coefs_")
    np.testing.assert_allclose(net.predict_proba(X), softmax(scores, axis=1), atol=1e-9)


def test_restarts(two):
    net = NeuralClassifier(hidden=2, restarts=3).fit(*two)
    ends = [restart["objective"] for restart in net.restarts_]
    assert len(ends) == 3
    assert net.objective_ == pytest.approx(min(ends))
    assert NeuralClassifier(hidden=2).fit(*two).restarts_ is None


@pytest.mark.parametrize("optimizer", ["em", "newton"])
def test_causes(optimizer, causes):
    X, y, alpha, leak = causes
    model = NoisyOrClassifier(optimizer=optimizer).fit(X, y)
    np.testing.assert_allclose(model.alpha_, alpha, atol=0.1)
    assert model.leak_ == pytest.approx(leak, abs=0.05)
    off = model.leak_ * np.prod(model.alpha_**X, axis=1)
    np.testing.assert_allclose(model.predict_proba(X)[:, 0], off, atol=1e-9)
    with pytest.raises(ValueError, match="Negative values in data.*is negative"):
        model.fit(X - 1.0, y)


def test_perceptron_counts_mistakes(two):
    X, y = two
    model = PerceptronClassifier(passes=4).fit(X, y)
    assert model.n_iter_ == len(model.mistakes_) <= 4
    assert 0 < model.mistakes_[-1] < 300
    assert model.coef_.shape == (1, 4)
    assert model.score(X, y) > 0.7
    assert PerceptronClassifier(kernel="rbf", passes=2).fit(X, y).score(X, y) > 0.7
