"""Inside scikit-learn's tools: pipelines, searches, cross-validation, calibration."""

import logodds
import numpy as np
import pandas as pd
import pytest
from conftest import CLASSES
from sklearn import config_context
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris
from sklearn.ensemble import BaggingClassifier, VotingClassifier
from sklearn.metrics import log_loss
from sklearn.model_selection import (
    GridSearchCV,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_html_repr

X, Y = load_iris(return_X_y=True)
NAMED = load_iris(as_frame=True).data


def accuracy(cls, usual: float) -> float:
    """What is asked of a family on iris. Least squares on indicators mask the middle class."""
    return 0.6 if cls is logodds.IndicatorClassifier else usual


@pytest.mark.parametrize("cls", CLASSES)
def test_pipeline_and_cross_validation(cls):
    scaled = make_pipeline(StandardScaler(), cls())
    assert cross_val_score(scaled, X, Y).mean() > accuracy(cls, 0.93)
    posteriors = cross_val_predict(scaled, X, Y, method="predict_proba")
    assert log_loss(Y, posteriors) < 1.0
    assert "StandardScaler" in estimator_html_repr(scaled)
    assert type(scaled[-1]).__name__ in repr(scaled)


def test_output_setting_of_a_pipeline_does_not_matter():
    scaled = make_pipeline(StandardScaler(), logodds.GaussianClassifier())
    plain = scaled.fit(NAMED, Y).predict_proba(NAMED)
    scaled.set_output(transform="pandas").fit(NAMED, Y)
    assert scaled[-1].feature_names_in_.tolist() == list(NAMED.columns)
    np.testing.assert_allclose(scaled.predict_proba(NAMED), plain, rtol=1e-12, atol=1e-300)
    scaled.set_output(transform="polars").fit(NAMED, Y)
    np.testing.assert_allclose(scaled.predict_proba(NAMED), plain, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize(
    ("estimator", "grid"),
    [
        (logodds.GaussianClassifier(), {"covariance": ["shared", "own"], "ridge": [0.0, 0.1]}),
        (logodds.SoftmaxClassifier(), {"decay": [1e-3, 1e-1]}),
        (logodds.NeighborsClassifier(), {"k": np.arange(1, 8, 3)}),
    ],
)
def test_grid_search(estimator, grid):
    search = GridSearchCV(estimator, grid, scoring="neg_log_loss").fit(X, Y)
    assert set(search.best_params_) == set(grid)
    assert search.best_estimator_.score(X, Y) > 0.95


@pytest.mark.parametrize("cls", CLASSES)
def test_calibration_with_weights(cls):
    weights = np.random.default_rng(0).integers(1, 4, size=len(Y)).astype(float)
    calibrated = CalibratedClassifierCV(cls()).fit(X, Y, sample_weight=weights)
    assert calibrated.score(X, Y) > accuracy(cls, 0.9)


@pytest.mark.parametrize("cls", CLASSES)
def test_metadata_routing(cls):
    """Weights reach fit and score inside a search, and only when they are asked for."""
    weights = (Y != 2).astype(float)
    grid = {"ridge": [0.1]} if cls is logodds.GaussianClassifier else {}
    with config_context(enable_metadata_routing=True):
        silent = GridSearchCV(cls(), grid)
        with pytest.raises(ValueError, match="sample_weight"):
            silent.fit(X, Y, sample_weight=weights)
        asked = cls().set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
        search = GridSearchCV(asked, grid, cv=StratifiedKFold()).fit(X, Y, sample_weight=weights)
        assert search.best_estimator_.classes_.tolist() == [0, 1]


@pytest.mark.parametrize("cls", CLASSES)
def test_ensembles(cls):
    votes = VotingClassifier([("a", cls()), ("b", cls())], voting="soft").fit(X, Y)
    np.testing.assert_allclose(
        votes.predict_proba(X), cls().fit(X, Y).predict_proba(X), rtol=1e-12, atol=1e-300
    )
    bagged = BaggingClassifier(cls(), n_estimators=3, random_state=0).fit(X, Y)
    assert bagged.score(X, Y) > accuracy(cls, 0.9)


def test_columns_of_words_after_a_transformer():
    frame = pd.DataFrame({"size": [1.0, 2.0, 3.0, 4.5], "color": ["r", "g", "r", "g"]})
    keep = ColumnTransformer([("scale", StandardScaler(), ["size"])], remainder="passthrough")
    keep.set_output(transform="pandas")
    model = make_pipeline(keep, logodds.NeighborsClassifier(k=1)).fit(frame, list("abab"))
    assert model.predict(frame).tolist() == list("abab")
