"""How good decisions and probabilities are, every measure with its interval.

docs/measures.md says what each measure is and where its interval comes from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from logodds import _core
from logodds._labels import check_lengths, read_sound_weights
from logodds._parameters import seed_of
from logodds._threads import get_threads

__all__ = [
    "CalibrationBin",
    "ClassMeasures",
    "Estimate",
    "Evaluation",
    "RocCurve",
    "Scorer",
    "average_precision",
    "evaluate",
    "roc_auc",
    "roc_curve",
    "scorer",
]

ROUNDING = 1e-6


class Estimate(NamedTuple):
    """A number and its interval; NaN where the rows do not determine it."""

    value: float
    lower: float
    upper: float
    method: str
    """'exact', 'delong', 'mover', 'jackknife', 'bootstrap', or 'none'."""

    def __float__(self) -> float:
        return self.value


class CalibrationBin(NamedTuple):
    """Rows whose probability is above `start` and at most `end`."""

    start: float
    end: float
    rows: int
    weight: float
    mean_probability: float
    share: Estimate
    """Of the rows for which it came true."""


@dataclass(frozen=True)
class ClassMeasures:
    """One class against all others."""

    label: Any
    weight: float
    """Of the rows that are of the class."""
    decided: float
    """Of the rows decided for it."""
    precision: Estimate
    recall: Estimate
    f1: Estimate
    auc: Estimate
    average_precision: Estimate
    brier: Estimate
    """Mean of (p - [the class is true])^2."""
    expected_calibration_error: Estimate
    calibration: list[CalibrationBin]


@dataclass(frozen=True)
class Evaluation:
    """Measures of probabilities, and of deciding for the largest."""

    classes: NDArray[Any]
    rows: int
    weight: float
    level: float
    """Of the intervals."""
    error_rate: Estimate
    accuracy: Estimate
    balanced_accuracy: Estimate
    macro_f1: Estimate
    matthews: Estimate
    kappa: Estimate
    auc: Estimate
    """Mean over the classes, each against the others."""
    average_precision: Estimate
    log_loss: Estimate
    brier: Estimate
    """Mean of the sum over classes: from 0 to 2."""
    brier_reliability: Estimate
    brier_resolution: Estimate
    brier_uncertainty: Estimate
    brier_within_bins: Estimate
    expected_calibration_error: Estimate
    """Of the probability of what is decided for."""
    by_class: list[ClassMeasures]
    confusion: NDArray[np.float64]
    """Weights; rows are the truth, columns the decision."""
    calibration: list[CalibrationBin]
    rows_ruled_out: int
    """Rows whose true class had probability 0."""

    @property
    def confusion_rates(self) -> NDArray[np.float64]:
        """Shares of each true class; NaN where it has no rows."""
        rates = np.full_like(self.confusion, np.nan)
        sums = self.confusion.sum(axis=1, keepdims=True)
        np.divide(self.confusion, sums, out=rates, where=sums > 0)
        return rates


class RocCurve(NamedTuple):
    """Of the rows that score at least `thresholds`, from none to all of them."""

    false_positive_rates: NDArray[np.float64]
    true_positive_rates: NDArray[np.float64]
    precisions: NDArray[np.float64]
    thresholds: NDArray[np.float64]


def evaluate(
    y: ArrayLike,
    probabilities: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    classes: ArrayLike | None = None,
    bins: int = 10,
    floor: float = 1e-15,
    level: float = 0.95,
    bootstrap: int = 0,
    random_state: Any = 0,
) -> Evaluation:
    """Every measure of `probabilities`, rows x classes, or those of the second of two classes.

    classes: what the columns are, as a model's `classes_`; by default the values of y in order.
    floor: smaller probabilities of the truth count as this in the log loss. bootstrap: samples for
    the intervals that are neither exact nor DeLong's, instead of the jackknife.
    """
    truths = np.asarray(y)
    if truths.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {truths.shape} instead.")
    posteriors = _matrix(probabilities)
    check_lengths(len(posteriors), len(truths))
    labels, codes = _coded(truths, classes, posteriors.shape[1])
    weights = read_sound_weights(sample_weight, len(truths))
    _check_rows(posteriors)
    if bins < 1:
        raise ValueError(f"bins must be at least 1, got {bins}")
    found = _core.measure_rows(
        codes,
        posteriors,
        weights,
        int(bins),
        float(floor),
        float(level),
        int(bootstrap),
        seed_of(random_state),
        get_threads(),
    )
    return Evaluation(
        classes=labels,
        rows=found["rows"],
        weight=found["weight"],
        level=float(level),
        by_class=[_of_class(*one) for one in zip(labels, found["by_class"], strict=True)],
        confusion=found["confusion"],
        calibration=_curve(found["calibration"]),
        rows_ruled_out=found["rows_ruled_out"],
        **{key: Estimate(*value) for key, value in found["overall"].items()},
    )


def roc_auc(
    y: ArrayLike,
    scores: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    positive: Any = None,
    level: float = 0.95,
) -> Estimate:
    """P(a positive row scores above a negative one), ties half, with DeLong's interval.

    y holds two values; the larger one is positive unless `positive` says otherwise.
    """
    return Estimate(*_core.roc_auc(*_scores(y, scores, sample_weight, positive), level, _threads()))


def average_precision(
    y: ArrayLike,
    scores: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    positive: Any = None,
    level: float = 0.95,
) -> Estimate:
    """sum_n (R_n - R_(n-1)) P_n over the thresholds; arguments as of roc_auc()."""
    found = _core.average_precision(*_scores(y, scores, sample_weight, positive), level, _threads())
    return Estimate(*found)


def roc_curve(
    y: ArrayLike,
    scores: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    positive: Any = None,
) -> RocCurve:
    """A point for every different score; arguments as of roc_auc()."""
    return RocCurve(*_core.roc_curve(*_scores(y, scores, sample_weight, positive), _threads()))


LOSSES = {
    "error_rate",
    "log_loss",
    "brier",
    "brier_reliability",
    "expected_calibration_error",
}
GAINS = {
    "accuracy",
    "balanced_accuracy",
    "macro_f1",
    "matthews",
    "kappa",
    "auc",
    "average_precision",
    "brier_resolution",
}


class Scorer:
    """What scikit-learn takes as `scoring`: larger is better, so losses are negative."""

    def __init__(self, measure: str) -> None:
        if measure not in LOSSES | GAINS:
            known = ", ".join(sorted(LOSSES | GAINS))
            raise ValueError(f"there is no measure {measure!r}; they are {known}")
        self.measure = measure

    def __repr__(self) -> str:
        return f"Scorer({self.measure!r})"

    def __call__(
        self, estimator: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        found = evaluate(
            y,
            estimator.predict_proba(X),
            sample_weight=sample_weight,
            classes=estimator.classes_,
        )
        value = float(getattr(found, self.measure).value)
        return -value if self.measure in LOSSES else value


def scorer(measure: str) -> Scorer:
    """A scorer for cross_val_score and its like: scorer('log_loss'), scorer('auc'), ..."""
    return Scorer(measure)


def _threads() -> int:
    return get_threads()


def _of_class(label: Any, found: dict[str, Any]) -> ClassMeasures:
    weight, decided = found.pop("weight"), found.pop("decided")
    calibration = _curve(found.pop("calibration"))
    estimates = {key: Estimate(*value) for key, value in found.items()}
    return ClassMeasures(
        label=label, weight=weight, decided=decided, calibration=calibration, **estimates
    )


def _curve(bins: list[tuple[Any, ...]]) -> list[CalibrationBin]:
    return [
        CalibrationBin(start, end, rows, weight, mean, Estimate(*share))
        for start, end, rows, weight, mean, share in bins
    ]


def _matrix(probabilities: ArrayLike) -> NDArray[np.float64]:
    given = np.asarray(probabilities, dtype=np.float64)
    if given.ndim == 1:
        given = np.column_stack([1.0 - given, given])
    if given.ndim != 2:
        raise ValueError(
            f"probabilities should be rows x classes, got an array of shape {given.shape} instead."
        )
    return np.ascontiguousarray(given)


def _check_rows(posteriors: NDArray[np.float64]) -> None:
    if len(posteriors) == 0:
        raise ValueError("there are no rows to measure")
    with np.errstate(invalid="ignore"):
        wrong = ~((posteriors >= 0.0) & (posteriors <= 1.0 + ROUNDING))
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise ValueError(
            f"row {row}, column {column}: {posteriors[row, column]} is no probability; they are "
            "from 0 to 1"
        )
    sums = posteriors.sum(axis=1)
    wrong_sums = np.abs(sums - 1.0) > ROUNDING
    if wrong_sums.any():
        row = int(np.argmax(wrong_sums))
        raise ValueError(
            f"row {row}: the probabilities sum to {sums[row]:.6g}, not to 1; divide each row by "
            "its sum, or give the columns of all classes"
        )


def _coded(
    truths: NDArray[Any], classes: ArrayLike | None, columns: int
) -> tuple[NDArray[Any], NDArray[np.int32]]:
    if classes is None:
        labels, codes = np.unique(truths, return_inverse=True)
        if len(labels) != columns:
            raise ValueError(
                f"y holds {len(labels)} classes, but the probabilities are of {columns}; tell "
                "with classes= what the columns are"
            )
        return labels, codes.astype(np.int32)
    labels = np.asarray(classes)
    if labels.shape != (columns,):
        raise ValueError(f"classes names {labels.size} classes, but there are {columns} columns")
    order = np.argsort(labels, kind="stable")
    places = np.searchsorted(labels, truths, sorter=order).clip(max=columns - 1)
    codes = order[places]
    unknown = labels[codes] != truths
    if np.any(unknown):
        row = int(np.argmax(unknown))
        raise ValueError(f"row {row}: {truths[row]!r} is not one of the classes {labels.tolist()}")
    return labels, codes.astype(np.int32)


def _scores(
    y: ArrayLike, scores: ArrayLike, sample_weight: ArrayLike | None, positive: Any
) -> tuple[NDArray[np.float64], NDArray[np.uint8], NDArray[np.float64] | None]:
    values = np.ascontiguousarray(scores, dtype=np.float64)
    truths = np.asarray(y)
    if values.ndim != 1 or truths.ndim != 1:
        raise ValueError(
            f"y and scores should be 1d arrays, got shapes {truths.shape} and {values.shape}"
        )
    check_lengths(len(values), len(truths))
    weights = read_sound_weights(sample_weight, len(values))
    flags = _positive(truths, positive)
    if weights is not None and not weights.all():
        there = weights > 0.0
        values, flags, weights = values[there], flags[there], weights[there]
    if flags.all() or not flags.any():
        raise ValueError("all rows are of one class; a ranking needs rows of both")
    return values, flags.view(np.uint8), weights


def _positive(truths: NDArray[Any], positive: Any) -> NDArray[np.bool_]:
    if positive is not None:
        return np.ascontiguousarray(truths == positive)
    if len(truths) == 0:
        raise ValueError("there are no rows to measure")
    if truths.dtype.kind in "biuf":  # np.unique() would sort ten million numbers for two
        low, high = truths.min(), truths.max()
        flags = truths == high
        if not (flags | (truths == low)).all():
            raise ValueError("y holds more than two values; say with positive= which one counts")
        return np.ascontiguousarray(flags)
    labels, codes = np.unique(truths, return_inverse=True)
    if len(labels) > 2:
        raise ValueError(
            f"y holds {len(labels)} values; say with positive= which one counts as positive"
        )
    return np.ascontiguousarray(codes == len(labels) - 1)
