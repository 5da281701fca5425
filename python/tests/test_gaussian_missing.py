"""Missing values: exact marginals in prediction, EM in training, against plain loops in NumPy."""

import logodds
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats


@pytest.fixture
def gaps():
    """Correlated rows of three classes, one value in five missing, some rows without any."""
    rng = np.random.default_rng(11)
    y = rng.integers(0, 3, size=240)
    mix = np.array([[1.0, 0.6, -0.3], [0.0, 0.8, 0.4], [0.0, 0.0, 0.5]])
    X = rng.normal(size=(240, 3)) @ mix + np.array([[0, 0, 0], [2, 1, 0], [0, 2, 2]])[y]
    X[rng.random(X.shape) < 0.2] = np.nan
    X[:2] = np.nan
    return X, y


def marginal_log_joint(model, x):
    """ln pi_k + ln N(x_observed; mu_observed, Sigma_observed)."""
    seen = ~np.isnan(x)
    if not seen.any():
        return np.log(model.priors_)
    return np.array(
        [
            np.log(prior)
            + stats.multivariate_normal(mean[seen], sigma[np.ix_(seen, seen)]).logpdf(x[seen])
            for prior, mean, sigma in zip(
                model.priors_, model.means_, model.covariances_, strict=True
            )
        ]
    )


@pytest.mark.parametrize("structure", ["shared", "own", "diagonal", "shared-spherical"])
def test_prediction_integrates_missing_values_out(structure, gaps):
    X, y = gaps
    model = logodds.GaussianClassifier(covariance=structure).fit(X, y)
    joint = np.array([marginal_log_joint(model, x) for x in X])
    np.testing.assert_allclose(model.log_joint(X), joint, rtol=1e-9, atol=1e-10)
    posteriors = np.exp(joint - np.logaddexp.reduce(joint, axis=1)[:, np.newaxis])
    np.testing.assert_allclose(model.predict_proba(X), posteriors, rtol=1e-8, atol=1e-12)
    np.testing.assert_array_equal(model.predict(X), joint.argmax(axis=1))
    np.testing.assert_allclose(model.predict_proba(X)[0], model.priors_, rtol=1e-12)
    assert model.outlier_pvalue(X)[0] == 1.0
    for name in ("log_density", "outlier_pvalue", "decision_function"):
        assert np.isfinite(getattr(model, name)(X)).all()
    assert np.isnan(model.transform(X)).any(axis=1).tolist() == np.isnan(X).any(axis=1).tolist()


def expectation_maximization(X, y, own, steps=3000):
    """EM row by row, as in the textbook."""
    classes, d = np.unique(y), X.shape[1]
    means = np.array([np.nanmean(X[y == k], axis=0) for k in classes])
    sigmas = np.array([np.eye(d)] * len(classes))
    for _ in range(steps):
        new_means, scatters = [], []
        for k in classes:
            filled, extra = [], np.zeros((d, d))
            for x in X[y == k]:
                seen, lost = ~np.isnan(x), np.isnan(x)
                full = means[k].copy()
                full[seen] = x[seen]
                conditional = sigmas[k][np.ix_(lost, lost)]
                if seen.any() and lost.any():
                    gain = np.linalg.solve(
                        sigmas[k][np.ix_(seen, seen)], sigmas[k][np.ix_(seen, lost)]
                    )
                    full[lost] += gain.T @ (x[seen] - means[k][seen])
                    conditional = conditional - sigmas[k][np.ix_(lost, seen)] @ gain
                extra[np.ix_(lost, lost)] += conditional
                filled.append(full)
            filled = np.array(filled)
            new_means.append(filled.mean(axis=0))
            off = filled - new_means[-1]
            scatters.append(off.T @ off + extra)
        counts = np.bincount(y)
        pooled = [sum(scatters) / len(y)] * len(classes)
        new = np.array([s / n for s, n in zip(scatters, counts, strict=True)] if own else pooled)
        change = max(np.abs(new - sigmas).max(), np.abs(np.array(new_means) - means).max())
        means, sigmas = np.array(new_means), new
        if change < 1e-11:
            break
    return means, sigmas


@pytest.mark.parametrize("structure", ["shared", "own"])
def test_training_by_em(structure, gaps):
    X, y = gaps
    model = logodds.GaussianClassifier(covariance=structure).fit(X, y)
    means, sigmas = expectation_maximization(X, y, own=structure == "own")
    np.testing.assert_allclose(model.means_, means, rtol=0, atol=1e-6)
    np.testing.assert_allclose(model.covariances_, sigmas, rtol=0, atol=1e-6)
    trace = np.array(model.em_trace_)
    assert len(trace) > 3
    assert (np.diff(trace) >= -1e-9 * np.abs(trace[0])).all()
    observed = np.array([marginal_log_joint(model, x) for x in X])[np.arange(len(y)), y].sum()
    assert model.log_likelihood_ == pytest.approx(observed, rel=1e-9)
    assert model.aic(X, y) == pytest.approx(model.aic(), rel=1e-9)


def test_complete_rows_need_no_em(blobs):
    X, y = blobs
    model = logodds.GaussianClassifier().fit(X, y)
    assert not hasattr(model, "em_trace_")
    for missing in ("available", "skip", "error"):
        other = logodds.GaussianClassifier(missing=missing).fit(X, y)
        np.testing.assert_array_equal(other.predict_proba(X), model.predict_proba(X))


def test_skipping_and_refusing(gaps):
    X, y = gaps
    complete = ~np.isnan(X).any(axis=1)
    skipping = logodds.GaussianClassifier(missing="skip").fit(X, y)
    alone = logodds.GaussianClassifier().fit(X[complete], y[complete])
    np.testing.assert_allclose(skipping.means_, alone.means_, rtol=1e-12)
    np.testing.assert_allclose(skipping.covariances_, alone.covariances_, rtol=1e-12)
    with pytest.raises(ValueError, match=r"row 1, column 'x1'.*contains NaN"):
        logodds.GaussianClassifier(missing="error").fit(X, y)
    refusing = logodds.GaussianClassifier(missing="error").fit(X[complete], y[complete])
    for method in ("predict", "predict_proba", "log_density", "transform"):
        with pytest.raises(ValueError, match="contains NaN"):
            getattr(refusing, method)(X)
    with pytest.raises(ValueError, match="contains NaN"):
        refusing.partial_fit(X, y)


def test_available_values_give_naive_moments(gaps):
    X, y = gaps
    model = logodds.GaussianClassifier(covariance="diagonal", missing="available").fit(X, y)
    for k in range(3):
        np.testing.assert_allclose(model.means_[k], np.nanmean(X[y == k], axis=0), rtol=1e-10)
        np.testing.assert_allclose(
            np.diag(model.covariances_[k]), np.nanvar(X[y == k], axis=0), rtol=1e-9
        )


def test_frames_with_nulls(gaps):
    X, y = gaps
    model = logodds.GaussianClassifier().fit(X, y)
    columns = {name: X[:, i] for i, name in enumerate("abc")}
    nulls = pl.DataFrame(columns).fill_nan(None)
    for frame in (pd.DataFrame(columns), nulls, nulls.to_arrow()):
        other = logodds.GaussianClassifier().fit(frame, y)
        np.testing.assert_allclose(other.means_, model.means_, rtol=1e-9)
        np.testing.assert_allclose(
            other.predict_proba(frame), model.predict_proba(X), rtol=1e-8, atol=1e-12
        )
        np.testing.assert_allclose(other.log_density(frame), model.log_density(X), rtol=1e-9)
    with pytest.raises(ValueError, match=r"missing \(null or NaN\)"):
        logodds.GaussianClassifier(missing="error").fit(nulls, y)


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinities_are_never_missing_values(value, gaps):
    X, y = gaps
    model = logodds.GaussianClassifier().fit(X, y)
    X = X.copy()
    X[100, 1] = value
    for refused in (
        lambda: logodds.GaussianClassifier().fit(X, y),
        lambda: model.partial_fit(X, y),
        lambda: model.predict(X),
        lambda: model.log_density(X),
    ):
        with pytest.raises(ValueError, match=r"row 101, column 'x2'.*infinity"):
            refused()


def test_files_with_gaps(gaps, tmp_path):
    X, y = gaps
    table = pd.DataFrame(X, columns=list("abc")).assign(y=y)
    table.to_csv(tmp_path / "rows.csv", index=False)
    model = logodds.GaussianClassifier().fit_csv(tmp_path / "rows.csv", target="y")
    expected = logodds.GaussianClassifier().fit(table[list("abc")], y)
    np.testing.assert_allclose(model.means_, expected.means_, rtol=1e-9)
    np.testing.assert_allclose(
        model.predict_proba_csv(tmp_path / "rows.csv"),
        expected.predict_proba(table[list("abc")]),
        rtol=1e-8,
        atol=1e-12,
    )
    skipped = model.predict_proba_csv(tmp_path / "rows.csv", missing="skip")
    np.testing.assert_array_equal(np.isnan(skipped[:, 0]), np.isnan(X).any(axis=1))
    with pytest.raises(logodds.LogoddsError, match="line 2"):
        model.predict_csv(tmp_path / "rows.csv", missing="error")
    left_out = logodds.GaussianClassifier().fit_csv(
        tmp_path / "rows.csv", target="y", missing="skip"
    )
    assert left_out.class_count_.sum() == (~np.isnan(X).any(axis=1)).sum()
