"""Rows held out: which model, which parameters."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logodds import _core
from logodds._classifier import Classifier
from logodds._errors import LogoddsError
from logodds._families import CLASSES, parameters_of
from logodds._features import Features, FrameFeatures, GivenFeatures, read_features
from logodds._labels import Labels, check_lengths, read_labels, read_weights
from logodds._parameters import seed_of
from logodds._sparse import core_rows, is_sparse
from logodds._threads import get_threads

Model = str | Classifier | type[Classifier]


@dataclass(frozen=True)
class Estimate:
    """A mean over held-out rows, with a 95 % interval from the differences between folds."""

    value: float
    standard_error: float
    low: float
    high: float


@dataclass(frozen=True)
class GridPoint:
    """What one combination of parameters came to."""

    params: dict[str, Any]
    error_rate: Estimate
    log_loss: Estimate
    brier: Estimate
    failure: str
    """Why a fold could not be fitted, or empty; the measures are then NaN."""
    folds: list[dict[str, float]]
    """Each fold of each repeat; none of leave-one-out."""
    posteriors: NDArray[np.float64] | None
    """Of every row, under the model that has not seen it; NaN where a row was skipped. Only with
    return_posteriors=True."""


@dataclass(frozen=True)
class CrossValidation:
    """The grid, and what to make of it."""

    grid: list[GridPoint]
    best: GridPoint
    """Least log loss."""
    choice: GridPoint
    """The simplest whose log loss is within one standard error of the best's."""
    estimator: Classifier
    """With the parameters of the choice, not fitted."""
    classes: NDArray[Any]
    rows: int
    rows_skipped: int
    folds: int
    repeats: int
    from_statistics: bool
    """Folds were taken away from statistics; else models were fitted to the rows."""
    notes: list[str]


@dataclass(frozen=True)
class Difference:
    """Loss minus that of the best, with Nadeau & Bengio's 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class McNemar:
    """Rows that only one of the two decides rightly, and how likely so uneven a split is."""

    only_best_right: int
    only_this_right: int
    p_value: float


@dataclass(frozen=True)
class ComparedModel:
    """One model of a comparison."""

    title: str
    family: str
    failure: str
    """Why there is no result, or empty; the rest then means nothing."""
    applies: bool
    """False: the family is not made for such rows."""
    log_loss: Estimate
    error_rate: Estimate
    brier: Estimate
    train_log_loss: float
    """Of the model of all rows on these rows: far below log_loss, it has learnt them by heart."""
    train_error_rate: float
    log_likelihood: float | None
    """Mean of ln p(x, class) over held-out rows, of models with densities: to be compared among
    these alone."""
    log_loss_difference: Difference
    error_rate_difference: Difference
    mcnemar: McNemar
    seconds: float


@dataclass(frozen=True)
class Comparison:
    """Models in the order of their log loss, those that failed last."""

    models: list[ComparedModel]
    winner: Classifier
    """The best, fitted to all rows."""
    rows: int
    rows_skipped: int
    """Rows that some model could not score for want of a value: they count for none."""
    folds: int
    repeats: int
    notes: list[str]


def cross_validate(
    X: Any,
    y: Any,
    model: Model = "naive-bayes",
    grid: Mapping[str, Sequence[Any]] | None = None,
    *,
    folds: int = 10,
    leave_one_out: bool = False,
    repeats: int = 1,
    sample_weight: Any = None,
    random_state: Any = 0,
    return_posteriors: bool = False,
) -> CrossValidation:
    """How well a model predicts rows that it has not seen, for every combination of parameters.

    model: an estimator, whose parameters count, a class, or the name of a family ('gaussian').
    grid: parameters and the values to try, from the most flexible model to the simplest.

    Models in closed form (Gaussian, naive Bayes, tables) are not fitted again: the statistics of
    every fold are summed once and taken away from those of all rows.
    """
    estimator = _estimator(model)
    axes = _axes(estimator, grid or {})
    features = estimator._features(X)
    labels = read_labels(y)
    options = _changed_options(estimator)
    for name, _ in axes:
        options.pop(name, None)
    missing = _core.takes_missing(estimator._family, options)
    found = _core.cross_validate(
        _rows(features, labels, sample_weight, missing),
        estimator._family,
        options,
        axes,
        int(folds),
        bool(leave_one_out),
        int(repeats),
        bool(return_posteriors),
        seed_of(random_state),
        get_threads(),
    )
    params = [
        dict(zip(grid or {}, values, strict=True))
        for values in itertools.product(*(grid or {}).values())
    ]
    points = [
        GridPoint(params=params[i], **_with_estimates(_of_all_rows(point, sample_weight)))
        for i, point in enumerate(found.pop("grid"))
    ]
    best, choice = points[found.pop("best")], points[found.pop("chosen")]
    return CrossValidation(
        grid=points,
        best=best,
        choice=choice,
        estimator=_copy(estimator).set_params(**choice.params),
        classes=labels.classes_of(found.pop("labels")),
        **found,
    )


def compare(
    X: Any,
    y: Any,
    models: Iterable[Model] | None = None,
    *,
    folds: int = 10,
    repeats: int = 1,
    sample_weight: Any = None,
    random_state: Any = 0,
) -> Comparison:
    """Which model predicts rows like these best: all that apply, on the same folds.

    models: estimators, classes or names of families; None: every family that can be fitted to the
    rows.
    """
    chosen = None if models is None else [_estimator(model) for model in models]
    if chosen is not None and not chosen:
        raise LogoddsError("models: name at least one, or None for all that apply")
    features = GivenFeatures(core_rows(X, False)) if is_sparse(X) else read_features(X)
    labels = read_labels(y)
    candidates = [(e._family, _changed_options(e)) for e in chosen or []]
    found = _core.compare(
        _rows(features, labels, sample_weight, True),
        candidates,
        int(folds),
        int(repeats),
        seed_of(random_state),
        get_threads(),
    )
    found.pop("labels")
    records = found.pop("models")
    fitted = found.pop("winner")
    winner = _winner(records[0], candidates, chosen)
    winner._adopt(fitted, None, labels.classes_of(fitted.labels), features.named)
    return Comparison(models=[_compared(record) for record in records], winner=winner, **found)


def _estimator(model: Model) -> Classifier:
    """A copy of the estimator, or one with the parameters that the class or family has."""
    if isinstance(model, Classifier):
        return _copy(model)
    if isinstance(model, type) and issubclass(model, Classifier):
        return model()
    if isinstance(model, str) and model in CLASSES:
        return CLASSES[model]()
    raise LogoddsError(
        f"{model!r} is no model; give an estimator of logodds, its class, or one of "
        f"{', '.join(CLASSES)}"
    )


def _copy(estimator: Classifier) -> Classifier:
    return type(estimator)(**estimator.get_params())


def _changed_options(estimator: Classifier) -> dict[str, str]:
    """The options that are not as they are by default."""
    family = estimator._family
    defaults = _core.canonical_options(family, {})
    options = _core.canonical_options(family, estimator._options())
    return {name: text for name, text in options.items() if text != defaults[name]}


def _axes(estimator: Classifier, grid: Mapping[str, Sequence[Any]]) -> list[tuple[str, list[str]]]:
    """Parameters and values as the options that they are."""
    known = estimator._get_param_names()
    axes = []
    for name, values in grid.items():
        if name not in known:
            raise LogoddsError(
                f"grid: {type(estimator).__name__} has no parameter {name!r}; it has "
                f"{', '.join(known)}"
            )
        option = name.replace("_", "-")
        texts = [
            _copy(estimator).set_params(**{name: value})._options()[option] for value in values
        ]
        axes.append((option, texts))
        if not texts:
            raise LogoddsError(f"grid: {name} has no values to try; give at least one")
    return axes


def _rows(
    features: Features, labels: Labels, sample_weight: Any, missing: bool
) -> _core.LabelledRows:
    weights = read_weights(sample_weight, len(labels.codes))
    given = (labels.codes, labels.names, weights, missing)
    if isinstance(features, FrameFeatures):
        return _core.labelled_arrow(features.stream(), features.kinds or {}, *given)
    if isinstance(features, GivenFeatures):
        check_lengths(len(features.rows), len(labels.codes))
        return _core.labelled_given(features.rows, *given)
    check_lengths(len(features.values), len(labels.codes))
    return _core.labelled_array(features.values, features.names or [], *given)


def _of_all_rows(record: dict[str, Any], sample_weight: Any) -> dict[str, Any]:
    """The core leaves rows of weight 0 out: their posteriors are NaN."""
    found = record.get("posteriors")
    if found is None or sample_weight is None:
        return record
    weights = np.asarray(sample_weight, dtype=np.float64).ravel()
    posteriors = np.full((len(weights), found.shape[1]), np.nan)
    posteriors[weights > 0.0] = found
    return record | {"posteriors": posteriors}


def _with_estimates(record: dict[str, Any]) -> dict[str, Any]:
    names = ("error_rate", "log_loss", "brier")
    return record | {name: Estimate(**record[name]) for name in names}


def _compared(record: dict[str, Any]) -> ComparedModel:
    record = _with_estimates(record)
    del record["options"]
    for name in ("log_loss_difference", "error_rate_difference"):
        record[name] = Difference(*record[name])
    record["mcnemar"] = McNemar(*record["mcnemar"])
    return ComparedModel(**record)


def _winner(
    record: dict[str, Any],
    candidates: list[tuple[str, dict[str, str]]],
    given: list[Classifier] | None,
) -> Classifier:
    if given is not None:
        return given[candidates.index((record["family"], record["options"]))]
    family = record["family"]
    return CLASSES[family](**parameters_of(family, record["options"]))
