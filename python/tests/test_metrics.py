"""logodds.metrics against scikit-learn, with ties and weights."""

import math

import numpy as np
import pytest
from logodds import GaussianClassifier, metrics
from sklearn import config_context
from sklearn import metrics as reference
from sklearn.calibration import calibration_curve
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score

CASES = 1000


def random_case(seed):
    """Labels, probabilities that often tie, weights: all classes are there."""
    random = np.random.default_rng(seed)
    classes = 2 + seed % 5 // 3  # more often two: scikit-learn takes its time
    rows = int(random.integers(3 * classes, 60))
    y = np.concatenate([np.arange(classes), random.integers(0, classes, rows - classes)])
    grid = 4 if seed % 2 else 1000
    counts = random.integers(1, grid + 1, (rows, classes)).astype(float)
    counts[np.arange(rows), y] += grid * random.random()
    counts = np.ceil(counts)
    weights = random.integers(1, 9, rows) / 4 if seed % 3 else None
    return y, counts / counts.sum(axis=1, keepdims=True), weights


def close(found, expected):
    assert abs(float(found) - expected) <= 1e-12 * max(1.0, abs(expected)), (found, expected)


def check_decisions(found, y, decided, weights):
    options = {"sample_weight": weights}
    close(found.accuracy, reference.accuracy_score(y, decided, **options))
    close(found.error_rate, reference.zero_one_loss(y, decided, **options))
    close(found.balanced_accuracy, reference.balanced_accuracy_score(y, decided, **options))
    close(found.matthews, reference.matthews_corrcoef(y, decided, **options))
    close(found.kappa, reference.cohen_kappa_score(y, decided, **options))
    table = reference.confusion_matrix(y, decided, **options)
    assert np.abs(found.confusion - table).max() <= 1e-12 * table.sum()
    assert np.abs(found.confusion_rates - table / table.sum(axis=1, keepdims=True)).max() <= 1e-12
    parts = reference.precision_recall_fscore_support(y, decided, zero_division=np.nan, **options)
    for k, one in enumerate(found.by_class):
        close(one.recall, parts[1][k])
        close(one.f1, parts[2][k])
        if one.decided > 0:
            close(one.precision, parts[0][k])
        else:
            assert math.isnan(one.precision.value)
    close(found.macro_f1, parts[2].mean())


def check_probabilities(found, y, p, weights):
    options = {"sample_weight": weights}
    w = np.ones(len(y)) if weights is None else weights
    close(found.log_loss, reference.log_loss(y, p, **options))
    truth = y[:, None] == np.arange(p.shape[1])
    close(found.brier, np.average(((p - truth) ** 2).sum(axis=1), weights=w))
    aucs, precisions = [], []
    for k, one in enumerate(found.by_class):
        close(one.brier, reference.brier_score_loss(truth[:, k], p[:, k], **options))
        aucs.append(reference.roc_auc_score(truth[:, k], p[:, k], **options))
        precisions.append(reference.average_precision_score(truth[:, k], p[:, k], **options))
        close(one.auc, aucs[-1])
        close(one.average_precision, precisions[-1])
    close(found.auc, np.mean(aucs))
    close(found.average_precision, np.mean(precisions))


def check_calibration(found, y, p, weights):
    decided = p.argmax(axis=1)
    confidence = p[np.arange(len(y)), decided]
    w = np.ones(len(y)) if weights is None else weights
    places = np.searchsorted(np.linspace(0, 1, 11)[1:-1], confidence)
    gaps = np.bincount(places, w * (confidence - (decided == y)), minlength=10)
    close(found.expected_calibration_error, np.abs(gaps).sum() / w.sum())
    close(
        found.brier,
        found.brier_reliability.value
        - found.brier_resolution.value
        + found.brier_uncertainty.value
        + found.brier_within_bins.value,
    )
    if weights is not None:
        return
    for k, one in enumerate(found.by_class):
        share, mean = calibration_curve(y == k, p[:, k], n_bins=10)
        there = [b for b in one.calibration if b.rows > 0]
        assert np.abs(np.array([b.share.value for b in there]) - share).max() <= 1e-12
        assert np.abs(np.array([b.mean_probability for b in there]) - mean).max() <= 1e-12


@pytest.mark.slow
def test_a_thousand_random_cases_as_scikit_learn():
    with config_context(assume_finite=True, skip_parameter_validation=True):
        for seed in range(CASES):
            y, p, weights = random_case(seed)
            found = metrics.evaluate(y, p, sample_weight=weights)
            check_decisions(found, y, p.argmax(axis=1), weights)
            check_probabilities(found, y, p, weights)
            check_calibration(found, y, p, weights)


def test_roc_curve_as_scikit_learn():
    y, p, weights = random_case(4)
    truth = y == 1
    curve = metrics.roc_curve(truth, p[:, 1], sample_weight=weights)
    false, true, thresholds = reference.roc_curve(
        truth, p[:, 1], sample_weight=weights, drop_intermediate=False
    )
    assert np.allclose(curve.false_positive_rates, false, atol=1e-12)
    assert np.allclose(curve.true_positive_rates, true, atol=1e-12)
    assert np.array_equal(curve.thresholds, thresholds)


def test_delong_by_its_definition():
    random = np.random.default_rng(3)
    y = random.random(300) < 0.4
    scores = np.round(random.normal(size=300) + y, 1)
    won = (scores[y][:, None] > scores[~y]) + 0.5 * (scores[y][:, None] == scores[~y])
    ones, others = won.mean(axis=1), won.mean(axis=0)
    error = math.sqrt(ones.var(ddof=1) / len(ones) + others.var(ddof=1) / len(others))
    found = metrics.roc_auc(y, scores)
    close(found.value, won.mean())
    close(found.lower, won.mean() - 1.959963984540054 * error)
    assert found.method == "delong"


def test_labels_may_be_anything_that_has_an_order():
    y, p, _ = random_case(3)
    plain = metrics.evaluate(y, p)
    names = np.array(["ant", "bee", "cat", "dog"])
    named = metrics.evaluate(names[y], p)
    assert named.accuracy == plain.accuracy
    assert [one.label for one in named.by_class] == names[: p.shape[1]].tolist()
    turned = metrics.evaluate(names[y], p[:, ::-1], classes=names[: p.shape[1]][::-1])
    assert turned.log_loss.value == plain.log_loss.value  # decisions differ: ties go to the first
    assert turned.by_class[0].label == names[p.shape[1] - 1]
    assert metrics.roc_auc(names[y] == "ant", p[:, 0]).value == plain.by_class[0].auc.value


def test_two_classes_by_the_probability_of_the_second():
    y, p = np.array([0, 1, 1, 0, 1]), np.array([0.2, 0.7, 0.4, 0.5, 0.9])
    assert metrics.evaluate(y, p) is not None
    both = np.column_stack([1 - p, p])
    assert metrics.evaluate(y, p).log_loss == metrics.evaluate(y, both).log_loss


def test_rows_of_weight_zero_are_not_there():
    y, p, _ = random_case(2)
    weights = np.where(np.arange(len(y)) < 10, 1.0, 0.0)
    classes = np.arange(p.shape[1])
    part = metrics.evaluate(y[:10], p[:10], classes=classes)
    assert metrics.evaluate(y, p, sample_weight=weights, classes=classes).log_loss == part.log_loss
    kept = metrics.roc_auc(y[:10] == 0, p[:10, 0])
    assert metrics.roc_auc(y == 0, p[:, 0], sample_weight=weights) == kept


def test_bootstrap_is_seeded():
    y, p, weights = random_case(7)
    once = metrics.evaluate(y, p, sample_weight=weights, bootstrap=30, random_state=1)
    assert once.kappa.method == "bootstrap"
    again = metrics.evaluate(y, p, sample_weight=weights, bootstrap=30, random_state=1)
    assert again.kappa == once.kappa


@pytest.mark.parametrize("measure", ["accuracy", "log_loss", "auc", "brier"])
def test_scorers_in_cross_validation(measure):
    X, y = load_iris(return_X_y=True)
    scoring = {
        "accuracy": "accuracy",
        "log_loss": "neg_log_loss",
        "auc": "roc_auc_ovr",
        "brier": "neg_brier_score",
    }[measure]
    model = GaussianClassifier()
    found = cross_val_score(model, X, y, scoring=metrics.scorer(measure))
    expected = cross_val_score(model, X, y, scoring=scoring)
    assert np.allclose(found, expected, atol=1e-12)


def test_wrong_input_is_named():
    y = np.array([0, 1, 0])
    p = np.array([[0.5, 0.5], [0.2, 0.9], [1.0, 0.0]])
    with pytest.raises(ValueError, match=r"row 1: the probabilities sum to 1\.1"):
        metrics.evaluate(y, p)
    with pytest.raises(ValueError, match=r"row 0, column 1: -0\.5 is no probability"):
        metrics.evaluate(y, [[1.0, -0.5]] * 3)
    with pytest.raises(ValueError, match="y holds 2 classes, but the probabilities are of 3"):
        metrics.evaluate(y, np.full((3, 3), 1 / 3))
    with pytest.raises(ValueError, match="row 1: .*1.* is not one of the classes"):
        metrics.evaluate(y, np.full((3, 2), 0.5), classes=[0, 2])
    with pytest.raises(ValueError, match="all rows are of one class"):
        metrics.roc_auc([1, 1], [0.1, 0.2])
    with pytest.raises(ValueError, match="row 2 is not a number"):
        metrics.roc_auc([1, 0], [0.1, np.nan])
    with pytest.raises(ValueError, match="there is no measure 'acuracy'"):
        metrics.scorer("acuracy")
    with pytest.raises(ValueError, match="row 1: weight -1"):
        metrics.evaluate(y, np.full((3, 2), 0.5), sample_weight=[1, -1, 1])
