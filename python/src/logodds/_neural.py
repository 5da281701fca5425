"""A net with one hidden layer. The signature repeats the registry's options, and a test compares
them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from logodds import _core
from logodds._classifier import records, report_table
from logodds._iterative import IterativeClassifier


class NeuralClassifier(IterativeClassifier):
    """A neural net: one hidden layer, softmax outputs.

    hidden: units of the hidden layer.
    activation: 'tanh', 'sigmoid', 'linear' or 'relu'.
    skip: weights from the inputs straight to the outputs, too.
    decay: this times the sum of squared weights, of standardized columns and without the biases of
    the outputs, is added to minus the log-likelihood.
    optimizer: 'lbfgs' (all rows at a time), 'adam' (batches), or 'auto' by size.
    restarts: fits from so many random starts; the one with the smallest objective is kept, with
    `validation` the one with the lowest held-out log loss.
    validation: share of the rows that is held out; training ends when their log loss has not
    fallen for `patience` iterations or passes, and the weights of its lowest value are kept.
    batch, passes, step: of 'adam'; max_iterations: of 'lbfgs'.
    tolerance: 'lbfgs' ends when no component of the gradient, per unit of weight, is larger, 'adam'
    when the objective, per unit of weight, has fallen by less for `patience` passes.
    basis: 'none', 'polynomial:DEGREE', 'spline:KNOTS' or 'interactions'.
    warm_start: fit() starts from the weights of the fit before.
    random_state: seed of starts, batches and held-out rows.

    Attributes after fit, besides `classes_` and so on: `coefs_` and `intercepts_` (inputs to
    hidden units, hidden units to outputs), `skip_coefs_`, `objective_`, `n_iter_`, `trace_`, and
    `restarts_`: how each restart ended, or None where there was one start.
    """

    _family = "neural"

    restarts_: list[dict[str, Any]] | None

    def __init__(
        self,
        hidden: int = 10,
        activation: str = "tanh",
        skip: bool = False,
        decay: float = 0.001,
        optimizer: str = "auto",
        restarts: int = 1,
        validation: float = 0.0,
        patience: int = 10,
        batch: int = 200,
        passes: int = 200,
        step: float = 0.001,
        tolerance: float = 1e-06,
        max_iterations: int = 1000,
        basis: str = "none",
        *,
        warm_start: bool = False,
        random_state: Any = 0,
    ) -> None:
        self.hidden = hidden
        self.activation = activation
        self.skip = skip
        self.decay = decay
        self.optimizer = optimizer
        self.restarts = restarts
        self.validation = validation
        self.patience = patience
        self.batch = batch
        self.passes = passes
        self.step = step
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.basis = basis
        self.warm_start = warm_start
        self.random_state = random_state

    def _after_fit(self, report: _core.FitReport | None) -> None:
        super()._after_fit(report)
        self.restarts_ = records(report_table(report, "restarts"))

    @property
    def coefs_(self) -> list[NDArray[np.float64]]:
        """Weights from the D columns to the H hidden units, D x H, and from these to the K classes,
        H x K.
        """
        return [self._fitted_array("hidden_weights"), self._fitted_array("output_weights")]

    @property
    def intercepts_(self) -> list[NDArray[np.float64]]:
        """Biases of the hidden units, H, and of the outputs, K."""
        return [self._fitted_array("hidden_bias"), self._fitted_array("output_bias")]

    @property
    def skip_coefs_(self) -> NDArray[np.float64]:
        """With `skip`, the weights from the columns straight to the classes, D x K."""
        return self._fitted_array("skip_weights")
