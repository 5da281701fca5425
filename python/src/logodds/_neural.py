"""A net with one hidden layer. The signature repeats the registry's options, and a test compares
them.
"""

from __future__ import annotations

from typing import Any

from logodds._iterative import IterativeClassifier


class NeuralClassifier(IterativeClassifier):
    """A neural net: one hidden layer, softmax outputs.

    hidden: units of the hidden layer.
    activation: 'tanh', 'sigmoid', 'linear' or 'relu'.
    skip: weights from the inputs straight to the outputs, too.
    decay: this times the sum of squared weights is added to the loss. Columns are standardized
    inside.
    optimizer: 'lbfgs' (all rows at a time), 'adam' (batches), or 'auto' by size.
    restarts: fits from so many random starts; the one with the smallest objective is kept.
    validation: share of the rows that is held out, and on which 'adam' stops early; patience:
    after so many passes without progress.
    batch, passes, step: of 'adam'; tolerance, max_iterations: of 'lbfgs'.
    basis: 'none', 'polynomial:DEGREE', 'spline:KNOTS' or 'interactions'.
    warm_start: fit() starts from the weights of the fit before.
    random_state: seed of starts, batches and held-out rows.

    Attributes after fit, besides `classes_` and so on: `coefs_` and `intercepts_` (inputs to
    hidden units, hidden units to outputs), `skip_coefs_`, `n_iter_`, `trace_`, and `restarts_`,
    the objectives that the restarts ended with.
    """

    _family = "neural"

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
