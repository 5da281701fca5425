"""cross_validate and compare, against models fitted to the other folds."""

import logodds
import numpy as np
import pytest
from logodds import GaussianClassifier, NaiveBayesClassifier, SoftmaxClassifier


@pytest.fixture
def rows():
    random = np.random.default_rng(5)
    y = random.integers(0, 3, 150)
    X = random.normal(size=(150, 4)) + 0.8 * y[:, None] * np.array([1, -1, 0.5, 0])
    return X, y


def test_posteriors_of_rows_left_out(rows):
    X, y = rows
    for model in (GaussianClassifier(covariance="own", ridge=0.1), NaiveBayesClassifier()):
        found = logodds.cross_validate(X, y, model, leave_one_out=True, return_posteriors=True)
        assert found.folds == found.rows == 150
        for r in range(0, 150, 7):
            rest = np.arange(150) != r
            fitted = type(model)(**model.get_params()).fit(X[rest], y[rest])
            np.testing.assert_allclose(
                found.grid[0].posteriors[r], fitted.predict_proba(X[r : r + 1])[0], atol=1e-9
            )


def test_measures_are_those_of_the_posteriors(rows):
    X, y = rows
    weights = np.random.default_rng(1).uniform(0.5, 2, 150)
    found = logodds.cross_validate(
        X, y, "gaussian", sample_weight=weights, folds=5, return_posteriors=True
    )
    posteriors = found.choice.posteriors
    np.testing.assert_allclose(posteriors.sum(1), 1)
    loss = -np.log(posteriors[np.arange(150), y])
    assert found.choice.log_loss.value == pytest.approx(np.average(loss, weights=weights))
    wrong = posteriors.argmax(1) != y
    assert found.choice.error_rate.value == pytest.approx(np.average(wrong, weights=weights))
    off = ((posteriors - np.eye(3)[y]) ** 2).sum(1)
    assert found.choice.brier.value == pytest.approx(np.average(off, weights=weights))
    assert len(found.choice.folds) == 5


def test_a_grid_and_its_choice(rows):
    X, y = rows
    grid = {"covariance": ["own", "shared"], "blend": [(0.0, 0.0), (0.5, 0.25)]}
    found = logodds.cross_validate(X, y, GaussianClassifier(ridge=0.01), grid)
    assert [p.params for p in found.grid] == [
        {"covariance": c, "blend": b} for c in grid["covariance"] for b in grid["blend"]
    ]
    assert found.best.log_loss.value == min(p.log_loss.value for p in found.grid)
    limit = found.best.log_loss.value + found.best.log_loss.standard_error
    assert found.choice.log_loss.value <= limit
    assert isinstance(found.estimator, GaussianClassifier)
    assert found.estimator.ridge == 0.01
    assert {name: getattr(found.estimator, name) for name in grid} == found.choice.params
    found.estimator.fit(X, y)
    alone = logodds.cross_validate(X, y, found.estimator)
    assert alone.best.log_loss.value == pytest.approx(found.choice.log_loss.value, rel=1e-12)


def test_labels_keep_their_values(rows):
    X, y = rows
    names = np.array(["one", "three", "two"])[y]
    found = logodds.cross_validate(X, names, NaiveBayesClassifier)
    assert found.classes.tolist() == ["one", "three", "two"]
    assert found.best.log_loss == logodds.cross_validate(X, y).best.log_loss


def test_comparison_agrees_with_cross_validation(rows):
    X, y = rows
    models = [GaussianClassifier(), GaussianClassifier(covariance="own"), "naive-bayes"]
    found = logodds.compare(X, y, models, folds=5)
    losses = [m.log_loss.value for m in found.models]
    assert losses == sorted(losses)
    by_title = {m.title: m for m in found.models}
    assert set(by_title) == {"gaussian", "gaussian (covariance own)", "naive-bayes"}
    own = logodds.cross_validate(X, y, models[1], folds=5)
    assert by_title["gaussian (covariance own)"].log_loss.value == pytest.approx(
        own.best.log_loss.value, rel=1e-12
    )
    assert found.winner.predict_proba(X).shape == (150, 3)
    again = type(found.winner)(**found.winner.get_params()).fit(X, y)
    np.testing.assert_allclose(again.predict_proba(X), found.winner.predict_proba(X), atol=1e-12)
    trained = -np.log(found.winner.predict_proba(X)[np.arange(150), y]).mean()
    assert found.models[0].train_log_loss == pytest.approx(trained)
    for model in found.models:
        assert model.log_loss_difference.value == pytest.approx(
            model.log_loss.value - losses[0], abs=1e-12
        )
        assert isinstance(model.log_likelihood, float)


def test_everything_that_applies_to_a_frame():
    pandas = pytest.importorskip("pandas")
    random = np.random.default_rng(8)
    y = random.integers(0, 2, 120)
    frame = pandas.DataFrame(
        {
            "size": random.normal(size=120) + y,
            "color": np.where(random.random(120) < 0.3 + 0.4 * y, "red", "blue"),
        }
    )
    found = logodds.compare(frame, y, folds=4)
    done = {m.family for m in found.models if not m.failure}
    assert {"gaussian", "naive-bayes", "softmax", "binary", "neural"} <= done
    assert found.winner.feature_names_in_.tolist() == ["size", "color"]
    assert {m.family for m in found.models if not m.applies} >= {"table"}


def test_rows_with_gaps(rows):
    X, y = rows
    X = X.copy()
    X[::9, 1] = np.nan
    found = logodds.cross_validate(X, y, "gaussian", folds=3)
    assert found.rows == 150
    with pytest.raises(logodds.LogoddsError, match="NaN"):
        logodds.cross_validate(X, y, SoftmaxClassifier())
    both = logodds.compare(X, y, ["gaussian", "softmax"], folds=3)
    assert both.rows_skipped == len(range(0, 150, 9))


def test_documents():
    texts = ["good day", "win money", "nice day", "free money"] * 10
    y = [0, 1, 0, 1] * 10
    found = logodds.cross_validate(
        texts, y, logodds.DocumentClassifier(), {"smoothing": [0.1, 1.0]}, folds=5
    )
    assert found.from_statistics
    assert found.choice.error_rate.value == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"folds": 100}, "too few for 100 folds"),
        ({"folds": 1}, "at least 2"),
        ({"model": "gausian"}, "is no model"),
        ({"model": 3}, "is no model"),
        ({"grid": {"rigde": [1]}}, "no parameter 'rigde'"),
        ({"grid": {"ridge": []}}, "no values"),
        ({"grid": {"ridge": [-1.0]}}, "ridge"),
    ],
)
def test_what_does_not_fit_is_told(arguments, sentence, rows):
    with pytest.raises(logodds.LogoddsError, match=sentence):
        logodds.cross_validate(*rows, **{"model": "gaussian", **arguments})


def test_seeds(rows):
    one = logodds.cross_validate(*rows, "gaussian", random_state=1)
    assert (
        one.best.log_loss == logodds.cross_validate(*rows, "gaussian", random_state=1).best.log_loss
    )
    assert (
        one.best.log_loss != logodds.cross_validate(*rows, "gaussian", random_state=2).best.log_loss
    )


def test_rows_of_weight_0_have_a_place_among_the_posteriors(rows):
    X, y = rows
    weights = np.ones(150)
    weights[::5] = 0.0
    found = logodds.cross_validate(
        X, y, "gaussian", sample_weight=weights, leave_one_out=True, return_posteriors=True
    ).choice.posteriors
    assert found.shape == (150, 3)
    assert (np.isnan(found).all(axis=1) == (weights == 0.0)).all()
    kept = weights > 0.0
    kept[7] = False
    expected = GaussianClassifier().fit(X[kept], y[kept]).predict_proba(X[7:8])[0]
    np.testing.assert_allclose(found[7], expected, atol=1e-9)
