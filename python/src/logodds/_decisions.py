"""Posteriors to decisions: by what they cost, by thresholds, or to no decision at all."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from logodds import _sklearn

if TYPE_CHECKING:
    from sklearn.utils import Tags
    from typing_extensions import Self

LARGEST_COST = 1e150
REJECT = -1
"""The code of a row that is not decided."""


def cost_matrix(cost: Any, classes: NDArray[Any]) -> tuple[NDArray[np.float64], bool]:
    """Classes x decisions, the last column for rows that are not decided where there is one more.

    `cost` is such an array, or a mapping from (truth, decision) to a number, where None stands for
    no decision and other pairs cost 1, right decisions 0.
    """
    count = len(classes)
    if not isinstance(cost, Mapping):
        matrix = np.asarray(cost, dtype=np.float64)
        if matrix.shape not in ((count, count), (count, count + 1)):
            raise ValueError(
                f"cost has the shape {matrix.shape}; give a row and a column for each of the "
                f"{count} classes, and perhaps one more column for rows that are not decided"
            )
    else:
        places = {value: place for place, value in enumerate(classes.tolist())}
        rejects = any(decision is None for _, decision in cost)
        matrix = np.ones((count, count + rejects)) - np.eye(count, count + rejects)
        for (truth, decision), price in cost.items():
            if truth not in places or (decision is not None and decision not in places):
                raise ValueError(f"cost names ({truth!r}, {decision!r}); the classes are {classes}")
            matrix[places[truth], count if decision is None else places[decision]] = price
    if not np.isfinite(matrix).all():
        raise ValueError("cost holds a number that is not finite")
    if np.abs(matrix).max(initial=0.0) > LARGEST_COST:
        raise ValueError("cost holds a number beyond 1e150; divide all costs by a constant")
    return matrix, matrix.shape[1] > count


def threshold_array(thresholds: Mapping[Any, float], classes: NDArray[Any]) -> NDArray[np.float64]:
    """One a class, 0 where there is none."""
    places = {value: place for place, value in enumerate(classes.tolist())}
    limits = np.zeros(len(classes))
    for name, limit in thresholds.items():
        if name not in places:
            raise ValueError(f"thresholds name {name!r}; the classes are {classes}")
        if not 0.0 < limit <= 1.0:
            raise ValueError(f"the threshold {limit!r} is not above 0 and at most 1")
        limits[places[name]] = limit
    return limits


def by_thresholds(posteriors: NDArray[np.float64], limits: NDArray[np.float64]) -> NDArray[np.intp]:
    """A class with a threshold is decided exactly where it is reached, of several the one with the
    largest ratio; elsewhere the likeliest class without one, or none.
    """
    has = limits > 0.0
    ratio = np.where(has & (posteriors >= limits), posteriors / np.where(has, limits, 1.0), -np.inf)
    free = np.where(has, -np.inf, posteriors)
    other = free.argmax(axis=1) if not has.all() else np.full(len(posteriors), REJECT)
    codes: NDArray[np.intp] = np.where(np.isinf(ratio.max(axis=1)), other, ratio.argmax(axis=1))
    return codes


def decide(
    posteriors: NDArray[np.float64],
    classes: NDArray[Any],
    *,
    cost: Any = None,
    thresholds: Mapping[Any, float] | None = None,
    reject_below: float = 0.0,
) -> NDArray[np.intp]:
    """Places in `classes`, or REJECT, as `logodds predict` decides with the same options."""
    if cost is not None and thresholds:
        raise ValueError("cost and thresholds are two ways to decide; give one of them")
    if not 0.0 <= reject_below <= 1.0:
        raise ValueError(f"reject_below={reject_below!r} is not between 0 and 1")
    if cost is not None:
        matrix, _ = cost_matrix(cost, classes)
        codes = (posteriors @ matrix).argmin(axis=1)
        codes = np.where(codes == len(classes), REJECT, codes)
    elif thresholds:
        codes = by_thresholds(posteriors, threshold_array(thresholds, classes))
    else:
        codes = posteriors.argmax(axis=1)
    sure = posteriors[np.arange(len(codes)), codes] >= reject_below
    decided: NDArray[np.intp] = np.where(sure, codes, REJECT)
    return decided


def named(codes: NDArray[np.intp], classes: NDArray[Any]) -> NDArray[Any]:
    """The classes of the codes; with rejected rows an array of objects, None for those."""
    decisions: NDArray[Any] = classes[np.maximum(codes, 0)]
    if (codes == REJECT).any():
        decisions = decisions.astype(object)
        decisions[codes == REJECT] = None
    return decisions


class CostSensitive:
    """A classifier that decides what costs least, or only where it is sure.

    `estimator` is any classifier with posteriors, of logodds or of scikit-learn; fit() fits a copy
    of it, and one that is fitted already can be used as it is.

    cost: an array with a row for every true class and a column for every decision, in the order of
    `classes_`, and perhaps a last column for rows that are not decided; or a mapping from
    (truth, decision) to a number, where None stands for no decision, pairs that are not named cost
    1 and right decisions 0. Negative costs are gains.
    thresholds: a mapping from classes to posteriors; a class is decided exactly where its posterior
    reaches its threshold.
    reject_below: rows whose decision has a posterior below this are not decided.

    Rows that are not decided get None for a class.
    """

    def __init__(
        self,
        estimator: Any,
        *,
        cost: Any = None,
        thresholds: Mapping[Any, float] | None = None,
        reject_below: float = 0.0,
    ) -> None:
        self.estimator = estimator
        self.cost = cost
        self.thresholds = thresholds
        self.reject_below = reject_below

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        names = ("estimator", "cost", "thresholds", "reject_below")
        params = {name: getattr(self, name) for name in names}
        if deep and hasattr(self.estimator, "get_params"):
            inner = self.estimator.get_params().items()
            params.update({f"estimator__{name}": value for name, value in inner})
        return params

    def set_params(self, **params: Any) -> Self:
        for name, value in params.items():
            first, _, rest = name.partition("__")
            if first not in ("estimator", "cost", "thresholds", "reject_below"):
                raise ValueError(f"CostSensitive has no parameter {name!r}")
            if rest:
                self.estimator.set_params(**{rest: value})
            else:
                setattr(self, name, value)
        return self

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fits a copy of the estimator; costs do not change posteriors."""
        self.estimator_ = deepcopy(self.estimator).fit(X, y, **fit_params)
        return self

    @property
    def _fitted(self) -> Any:
        return getattr(self, "estimator_", self.estimator)

    @property
    def classes_(self) -> NDArray[Any]:
        classes: NDArray[Any] = np.asarray(self._fitted.classes_)
        return classes

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The posteriors of the estimator."""
        posteriors: NDArray[np.float64] = np.asarray(self._fitted.predict_proba(X))
        return posteriors

    def _codes(self, posteriors: NDArray[np.float64]) -> NDArray[np.intp]:
        return decide(
            posteriors,
            self.classes_,
            cost=self.cost,
            thresholds=self.thresholds,
            reject_below=self.reject_below,
        )

    def predict(self, X: Any) -> NDArray[Any]:
        """Decisions; ties go to the class that comes first, and to a class before no decision."""
        return named(self._codes(self.predict_proba(X)), self.classes_)

    def _prices(self) -> NDArray[np.float64]:
        """The cost of every decision and, last, of none: 0 where nothing is said of it."""
        cost: Any = {} if self.cost is None else self.cost
        matrix, rejects = cost_matrix(cost, self.classes_)
        return matrix if rejects else np.column_stack([matrix, np.zeros(len(matrix))])

    def expected_cost(self, X: Any) -> NDArray[np.float64]:
        """What the posteriors promise that the decision of every row costs."""
        posteriors = self.predict_proba(X)
        codes = self._codes(posteriors)
        promised: NDArray[np.float64] = (posteriors @ self._prices())[np.arange(len(codes)), codes]
        return promised

    def realized_cost(self, X: Any, y: Any) -> NDArray[np.float64]:
        """What the decision of every row cost, given its label."""
        places = {value: place for place, value in enumerate(self.classes_.tolist())}
        truth = [places[label] for label in np.asarray(y).ravel().tolist()]
        paid: NDArray[np.float64] = self._prices()[truth, self._codes(self.predict_proba(X))]
        return paid

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Minus the mean realized cost, so that more is better."""
        return -float(np.average(self.realized_cost(X, y), weights=sample_weight))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self._fitted, "classes_")

    def __sklearn_tags__(self) -> Tags:
        return _sklearn.classifier_tags()
