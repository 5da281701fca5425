"""How often a model of class densities errs on rows of its own making."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from logodds._parameters import seed_of
from logodds._threads import get_threads

if TYPE_CHECKING:
    from logodds._generative import GenerativeClassifier


@dataclass(frozen=True)
class PairError:
    """Two classes as if there were no others, their priors scaled to sum 1."""

    classes: tuple[Any, Any]
    error: float
    """The sum of the next two."""
    first_as_second: float
    """P(x in R_2 | C_1) P(C_1)"""
    second_as_first: float
    """P(x in R_1 | C_2) P(C_2)"""
    standard_error: float
    """0 where the error is computed, not drawn."""
    bhattacharyya: float | None
    """An upper bound of the error; None where the densities have none in closed form."""
    chernoff: float | None
    """The best bound of that kind."""


@dataclass(frozen=True)
class Misclassification:
    """P(error) = sum_k P(C_k) P(x outside of R_k | C_k), and what it consists of."""

    error: float
    method: str
    exact: bool
    """Whether it is computed, to `bound`; else rows were drawn, and `standard_error` tells."""
    bound: float
    standard_error: float
    draws: int
    by_class: NDArray[np.float64]
    """P(x outside of R_k | C_k), in the order of `classes_`."""
    pairs: list[PairError]
    boundaries: NDArray[np.float64]
    """Of one column: where the decision changes."""
    threshold_error: float | None
    """The error of deciding by `threshold`."""


def misclassification_probability(
    model: GenerativeClassifier,
    *,
    standard_error: float = 1e-4,
    draws: int = 100_000_000,
    threshold: float | None = None,
    random_state: Any = 0,
) -> Misclassification:
    """How often a fitted model errs on rows drawn from its own densities.

    Exact for two Gaussian classes and for any number of them in one column. Of other models rows
    are drawn until the standard error of the error is at most `standard_error`, or `draws` rows are
    drawn. threshold: of two Gaussian classes in one column, also the error of deciding by this
    number, the class of the smaller mean below it. For other priors: model.set_priors().
    """
    model._check_fitted()
    found = model._model.misclassification(
        float(standard_error), int(draws), threshold, seed_of(random_state), get_threads()
    )
    places = getattr(model, "_places", None)
    classes = model.classes_ if places is None else model.classes_[places]
    pairs = [
        PairError((classes[pair.pop("first")], classes[pair.pop("second")]), **pair)
        for pair in found.pop("pairs")
    ]
    by_class = np.asarray(found.pop("by_class"))
    boundaries = np.asarray(found.pop("boundaries"))
    return Misclassification(by_class=by_class, pairs=pairs, boundaries=boundaries, **found)
