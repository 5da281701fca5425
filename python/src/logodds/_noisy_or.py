"""Noisy-OR. The signature repeats the registry's options, and a test compares them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from logodds._classifier import Fitted, TrainingRows
from logodds._errors import LogoddsError
from logodds._iterative import IterativeClassifier

if TYPE_CHECKING:
    from sklearn.utils import Tags


class NoisyOrClassifier(IterativeClassifier):
    """Noisy-OR: p(first class | x) is leak times the product of alpha_i to the power of x_i.

    optimizer: 'em', 'newton' (projected), or 'auto'.
    leak: 'on' or 'off', or a bool: whether the second class may come without any cause.
    tolerance, max_iterations: where to stop.
    basis: 'none', 'polynomial:DEGREE', 'spline:KNOTS' or 'interactions'.
    warm_start: fit() starts from the alphas of the fit before.

    The columns are causes that are there or not, or how many there are; none is negative.
    Attributes after fit, besides `classes_` and so on: `alpha_`, `leak_`, `objective_`, `n_iter_`,
    `trace_`.
    """

    _family = "noisy-or"
    _two_classes: ClassVar[bool] = True
    _sparse_as: ClassVar[str | None] = "numbers"

    def __init__(
        self,
        optimizer: str = "auto",
        leak: str | bool = "on",
        tolerance: float = 1e-08,
        max_iterations: int = 10000,
        basis: str = "none",
        *,
        warm_start: bool = False,
    ) -> None:
        self.optimizer = optimizer
        self.leak = leak
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.basis = basis
        self.warm_start = warm_start

    def _train(self, rows: TrainingRows, options: dict[str, str]) -> Fitted:
        if len(np.unique(rows.labels.codes)) == 1:
            raise LogoddsError(
                f"{type(self).__name__} needs rows of two classes, and y has one class; add rows "
                "of the other class"
            )
        try:
            return super()._train(rows, options)
        except LogoddsError as error:
            if " is negative" not in str(error):
                raise
            name = type(self).__name__
            raise LogoddsError(f"Negative values in data passed to {name}: {error}") from None

    @property
    def alpha_(self) -> NDArray[np.float64]:
        """Cause i alone fails to switch the second class on with probability alpha_i."""
        return self._fitted_array("alpha")

    @property
    def leak_(self) -> float:
        """Without any cause it is the first class with this probability; 1 without a leak."""
        return float(self._fitted_array("leak_alpha")[0])

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.classifier_tags.poor_score = True  # no cause can speak for the first class
        return tags
