"""Noisy-OR. The signature repeats the registry's options, and a test compares them."""

from __future__ import annotations

from typing import ClassVar

from logodds._iterative import IterativeClassifier


class NoisyOrClassifier(IterativeClassifier):
    """Noisy-OR: p(first class | x) = leak x product of alpha_i to the power of x_i.

    optimizer: 'em', 'newton' (projected), or 'auto'.
    leak: 'on' or 'off', or a bool: whether the second class may come without any cause.
    tolerance, max_iterations: where to stop.
    basis: 'none', 'polynomial:DEGREE', 'spline:KNOTS' or 'interactions'.

    The columns are causes that are there or not, or counts of them; none is negative. Attributes
    after fit, besides `classes_` and so on: `alpha_` (cause i alone fails to switch the second
    class on with probability alpha_i), `leak_`, `n_iter_`, `trace_`.
    """

    _family = "noisy-or"
    _two_classes: ClassVar[bool] = True
    _sparse_as: ClassVar[str | None] = "numbers"
    _keeps_sparse: ClassVar[bool] = True

    def __init__(
        self,
        optimizer: str = "auto",
        leak: str | bool = "on",
        tolerance: float = 1e-08,
        max_iterations: int = 10000,
        basis: str = "none",
    ) -> None:
        self.optimizer = optimizer
        self.leak = leak
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.basis = basis
