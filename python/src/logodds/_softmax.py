"""Regressions of the class. The signatures repeat the registry's options, and a test compares
them.
"""

from __future__ import annotations

from typing import Any, ClassVar

from logodds import _core
from logodds._iterative import IterativeClassifier, LinearClassifier


class SoftmaxClassifier(LinearClassifier, IterativeClassifier):
    """Softmax (multinomial logistic) regression.

    decay: this times the sum of squared coefficients, intercepts excluded, is added to minus the
    log-likelihood; 'auto' for the one that cross-validation likes best. scikit-learn's C is
    1 / (2 decay).
    l1: this times the sum of absolute coefficients is added, too.
    standardize: the penalties act on the coefficients of standardized columns.
    intercept: 'on' or 'off', or a bool.
    optimizer: 'auto' picks by size; 'gradient-descent', 'line-search', 'sgd', 'iis', 'bfgs',
    'lbfgs', 'newton', 'irls'.
    tolerance: largest component of the gradient, per unit of weight, at which to stop.
    max_iterations: at which to stop anyway, with a note.
    step: of 'gradient-descent' and 'sgd'; batch, passes: of 'sgd'.
    basis: 'none', 'polynomial:DEGREE', 'spline:KNOTS' or 'interactions'.
    warm_start: fit() starts from the coefficients of the fit before.
    random_state: seed of all that is drawn.

    Attributes after fit, besides `classes_` and so on: `coef_` and `intercept_` (of two classes one
    row, that of the second), `objective_`, `n_iter_`, `trace_` (one record an iteration), `decay_`
    (the decay in use) and `decay_table_` (after decay='auto', the log loss of each decay tried).
    """

    _family = "softmax"
    _sparse_as: ClassVar[str | None] = "numbers"

    decay_: float
    decay_table_: dict[str, Any]

    def __init__(
        self,
        decay: float | str = 1e-06,
        l1: float = 0.0,
        standardize: bool = False,
        intercept: str | bool = "on",
        optimizer: str = "auto",
        tolerance: float = 1e-08,
        max_iterations: int = 10000,
        step: float = 0.1,
        batch: int = 32,
        passes: int = 50,
        basis: str = "none",
        *,
        warm_start: bool = False,
        random_state: Any = 0,
    ) -> None:
        self.decay = decay
        self.l1 = l1
        self.standardize = standardize
        self.intercept = intercept
        self.optimizer = optimizer
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.step = step
        self.batch = batch
        self.passes = passes
        self.basis = basis
        self.warm_start = warm_start
        self.random_state = random_state

    def _after_fit(self, report: _core.FitReport | None) -> None:
        super()._after_fit(report)
        self.decay_ = float(self._model.options["decay"])
        self._keep_table("decay_table_", report, "decay")


class BinaryClassifier(LinearClassifier, IterativeClassifier):
    """Regression of one of two classes: p(second class | x) = g(theta.x + theta_0).

    link: what the linear score goes through: 'logit', 'probit' or 'cloglog' (complementary
    log-log).
    decay: this times the sum of squared coefficients, intercept excluded, is added to minus the
    log-likelihood.
    standardize, intercept, tolerance, max_iterations, basis, warm_start: as for SoftmaxClassifier.

    Attributes after fit, besides `classes_` and so on: `coef_` (1 x D) and `intercept_` of the
    linear score of the second class, `objective_`, `n_iter_`, `trace_`.
    """

    _family = "binary"
    _two_classes: ClassVar[bool] = True

    def __init__(
        self,
        link: str = "logit",
        decay: float = 1e-06,
        standardize: bool = False,
        intercept: str | bool = "on",
        tolerance: float = 1e-08,
        max_iterations: int = 10000,
        basis: str = "none",
        *,
        warm_start: bool = False,
    ) -> None:
        self.link = link
        self.decay = decay
        self.standardize = standardize
        self.intercept = intercept
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.basis = basis
        self.warm_start = warm_start
