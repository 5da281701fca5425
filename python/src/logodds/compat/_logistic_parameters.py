"""What the parameters of LogisticRegression say: penalties, weights, and what cannot be."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from contextlib import suppress
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

OPTIMIZERS = {
    "lbfgs": "auto",
    "liblinear": "auto",
    "newton-cg": "newton",
    "newton-cholesky": "newton",
    "sag": "auto",
    "saga": "auto",
}
"""What each solver is here; all of them end in the same optimum."""
REACHED = "The max_iter was reached which means the coef_ did not converge"
UNCONVERGED = {
    "lbfgs": "lbfgs failed to converge after {} iteration(s)",
    "liblinear": "Liblinear failed to converge, increase the number of iterations.",
    "newton-cg": "newton-cg failed to converge after {} iterations. Increase the number of "
    "iterations.",
    "newton-cholesky": "Newton solver did not converge after {} iterations",
    "sag": REACHED,
    "saga": REACHED,
}
"""scikit-learn's sentences, which some programs look for."""


class Penalty(NamedTuple):
    """C (f(b) + ...) of scikit-learn as f(b) + decay |b|^2 + l1 |b|_1."""

    decay: float
    l1: float


def checked_penalty(model: Any) -> Penalty:
    """Of an estimator's parameters; raises and warns as scikit-learn does."""
    _check_ranges(model)
    name = _penalty_name(model)
    _check_solver(model.solver, name, model.dual)
    _warn_of_contradictions(model, name)
    if name is None or math.isinf(model.C):
        return Penalty(0.0, 0.0)
    share = {"l1": 1.0, "l2": 0.0}.get(name)
    share = float(model.l1_ratio) if share is None else share
    C = float(model.C)
    return Penalty((1.0 - share) / (2.0 * C), share / C)


def _check_ranges(model: Any) -> None:
    name = type(model).__name__

    def demand(good: bool, parameter: str, wanted: str) -> None:
        if not good:
            value = getattr(model, parameter)
            raise ValueError(
                f"The '{parameter}' parameter of {name} must be {wanted}. Got {value!r} instead."
            )

    ratio = model.l1_ratio
    demand(isinstance(model.C, Real) and float(model.C) > 0.0, "C", "a number above 0")
    demand(ratio is None or 0.0 <= ratio <= 1.0, "l1_ratio", "a number from 0 to 1")
    demand(isinstance(model.tol, Real) and float(model.tol) >= 0.0, "tol", "a number from 0 on")
    whole = isinstance(model.max_iter, Integral)
    demand(whole and int(model.max_iter) >= 0, "max_iter", "an integer from 0 on")
    demand(model.intercept_scaling > 0.0, "intercept_scaling", "a number above 0")
    demand(model.solver in OPTIMIZERS, "solver", f"one of {', '.join(OPTIMIZERS)}")
    penalties = ("deprecated", "l1", "l2", "elasticnet", None)
    demand(model.penalty in penalties, "penalty", "'l1', 'l2', 'elasticnet' or None")
    weights = model.class_weight
    known = weights is None or isinstance(weights, Mapping) or weights == "balanced"
    demand(known, "class_weight", "a mapping of classes, 'balanced' or None")


def _penalty_name(model: Any) -> str | None:
    if model.penalty != "deprecated":
        warnings.warn(
            "'penalty' was deprecated in version 1.8 of scikit-learn and will be removed in 1.10. "
            "Use l1_ratio=0 instead of penalty='l2', l1_ratio=1 instead of penalty='l1', a number "
            "between instead of penalty='elasticnet', and C=np.inf instead of penalty=None.",
            FutureWarning,
            stacklevel=4,
        )
        given: str | None = model.penalty
        return given
    if math.isinf(model.C):
        return None
    if model.l1_ratio is None:
        warnings.warn(
            "'l1_ratio=None' was deprecated in version 1.8 of scikit-learn. Use 0<=l1_ratio<=1 "
            "instead.",
            FutureWarning,
            stacklevel=4,
        )
    if not model.l1_ratio:
        return "l2"
    return "l1" if model.l1_ratio == 1 else "elasticnet"


def _check_solver(solver: str, penalty: str | None, dual: bool) -> None:
    if solver not in ("liblinear", "saga") and penalty not in ("l2", None):
        raise ValueError(
            f"Solver {solver} supports only 'l2' or None penalties, got {penalty} penalty."
        )
    if solver != "liblinear" and dual:
        raise ValueError(f"Solver {solver} supports only dual=False, got dual={dual}")
    if penalty == "elasticnet" and solver != "saga":
        raise ValueError(f"Only 'saga' solver supports elasticnet penalty, got solver={solver}.")
    if solver == "liblinear" and penalty is None:
        raise ValueError(
            "C=np.inf as well as penalty=None is not supported for the liblinear solver"
        )


def _warn_of_contradictions(model: Any, penalty: str | None) -> None:
    ratio = model.l1_ratio
    if penalty == "elasticnet" and ratio is None:
        raise ValueError("l1_ratio must be specified when penalty is elasticnet.")
    sentences = []
    if penalty != "elasticnet" and ratio is not None and 0 < ratio < 1:
        sentences.append(
            f"l1_ratio parameter is only used when penalty is 'elasticnet'. Got (penalty={penalty})"
        )
    if (model.penalty == "l2" and ratio != 0) or (model.penalty == "l1" and ratio != 1):
        sentences.append(
            f"Inconsistent values: penalty={model.penalty} with l1_ratio={ratio}. penalty is "
            "deprecated. Please use l1_ratio only."
        )
    if model.penalty is None and model.C != 1.0:
        sentences.append("Setting penalty=None will ignore the C and l1_ratio parameters")
    for sentence in sentences:
        warnings.warn(sentence, UserWarning, stacklevel=4)
    if model.n_jobs is not None:
        warnings.warn(
            "'n_jobs' has no effect since 1.8 of scikit-learn and will be removed in 1.10. You "
            f"provided 'n_jobs={model.n_jobs}'; logodds.set_threads() sets the threads.",
            FutureWarning,
            stacklevel=4,
        )


def class_weights(
    given: Any, classes: NDArray[Any], places: NDArray[Any], weights: NDArray[np.float64] | None
) -> NDArray[np.float64] | None:
    """The weight of each class; None where they are all 1. `places`: of the rows' classes."""
    if given is None or len(given) == 0:
        return None
    if isinstance(given, str):
        counts = np.bincount(places, weights=weights, minlength=len(classes))
        with np.errstate(divide="ignore"):
            return np.where(counts > 0.0, counts.sum() / (len(classes) * counts), 0.0)
    found = np.ones(len(classes))
    lacking = []
    for place, label in enumerate(classes):
        if label in given:
            found[place] = given[label]
        else:
            lacking.append(label)
    if lacking and len(classes) - len(lacking) != len(given):
        names = np.array(lacking).tolist()
        raise ValueError(f"The classes, {names}, are not in class_weight")
    return found


def warn_unconverged(solver: str, iterations: int) -> None:
    category: type[Warning] = UserWarning
    with suppress(ImportError):
        from sklearn.exceptions import ConvergenceWarning

        category = ConvergenceWarning
    sentence = UNCONVERGED[solver].format(iterations)
    advice = "Raise max_iter, or scale the data; C below infinity bounds coefficients."
    warnings.warn(f"{sentence}\n{advice}", category, stacklevel=4)
