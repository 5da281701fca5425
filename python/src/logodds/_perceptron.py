"""Perceptron and indicator regression. The signatures repeat the registry's options, and a test
compares them.
"""

from __future__ import annotations

from typing import Any, ClassVar

from logodds._iterative import IterativeClassifier, LinearClassifier


class PerceptronClassifier(LinearClassifier, IterativeClassifier):
    """The perceptron: whenever a row is decided wrongly, it is added to the weights of its class.

    variant: 'plain' (the last weights), 'averaged', 'voted' (every set of weights votes for as
    long as it lasted), or 'auto'.
    kernel: 'linear', 'polynomial' or 'rbf'; degree: of 'polynomial'; gamma: a number or 'auto'.
    passes: over the rows, at most.
    basis: 'none', 'polynomial:DEGREE', 'spline:KNOTS' or 'interactions'.
    random_state: seed of the order of the rows.

    Attributes after fit, besides `classes_` and so on: `n_iter_` (passes), `mistakes_` (of each
    pass), and of linear weights that do not vote `coef_` and `intercept_`.
    """

    _family = "perceptron"
    _sparse_as: ClassVar[str | None] = "numbers"

    def __init__(
        self,
        variant: str = "auto",
        kernel: str = "linear",
        degree: int = 3,
        gamma: float | str = "auto",
        passes: int = 10,
        basis: str = "none",
        *,
        random_state: Any = 0,
    ) -> None:
        self.variant = variant
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.passes = passes
        self.basis = basis
        self.random_state = random_state

    @property
    def n_iter_(self) -> int:
        """Passes over the rows."""
        return int(self._fact("passes"))

    @property
    def mistakes_(self) -> list[int] | None:
        """Of each pass; None after load()."""
        self._check_fitted()
        steps = self.trace_
        return None if steps is None else [int(step["objective"]) for step in steps]


class IndicatorClassifier(LinearClassifier):
    """Least squares on an indicator matrix: a column a class, 1 where a row is of it, else 0.

    ridge: this times the sum of squared coefficients, intercepts excluded, is added to the sum of
    squares.
    basis: 'none', 'polynomial:DEGREE', 'spline:KNOTS' or 'interactions'.

    Attributes after fit, besides `classes_` and so on: `coef_` and `intercept_` of the outputs (of
    two classes one row, second less first). `notes_` tells where outputs leave [0, 1] and which
    class is masked.
    """

    _family = "indicator"

    def __init__(self, ridge: float = 0.0, basis: str = "none") -> None:
        self.ridge = ridge
        self.basis = basis
