"""Principal axes of 1,000,000 x 32 doubles, from the array to eigenvalues and loadings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from harness import Entry, Run, Verdict, WrongAnswerError, gaussians
from harness.gaussians import FEATURES

ROUNDS = 9
WANTED = 2  # times as fast as scikit-learn's quickest solver
TOLERANCE = 1e-10  # of the largest eigenvalue; of a loading, relative to the gaps between them


@dataclass
class Rows:
    """Rows of ten overlapping Gaussians."""

    X: np.ndarray

    @cached_property
    def expected(self) -> tuple[np.ndarray, np.ndarray]:
        """Eigenvalues, largest first, and axes, by LAPACK from centered products."""
        centered = self.X - self.X.mean(0)
        values, axes = np.linalg.eigh(centered.T @ centered / (len(self.X) - 1))
        return values[::-1], axes.T[::-1]


def make(quick: bool) -> Rows:
    return Rows(gaussians.make(100_000 if quick else 1_000_000, with_csv=False).X)


def title(data: Rows) -> str:
    return f"{len(data.X):,} x {FEATURES} doubles, all principal axes"


def entries(data: Rows) -> list[Entry]:
    """The rows are read once; half of the products of a symmetric matrix are enough."""
    return [Entry("fit", data.X.nbytes, data.X.size * (FEATURES + 1))]


def check(data: Rows, entry: Entry, who: str, run: Run, answer: Any) -> None:
    """Variances to a share of the largest; axes up to their sign."""
    values, axes = data.expected
    error = float(np.abs(answer.explained_variance_ - values).max()) / values[0]
    if not error <= TOLERANCE:
        raise WrongAnswerError(f"{who}: a variance is off by {error:.2g} of the largest")
    gap = np.abs(np.diff(values)).min() / values[0]
    turned = float((1 - np.abs((answer.components_ * axes).sum(1))).max())
    if not turned <= TOLERANCE / gap:
        raise WrongAnswerError(f"{who}: an axis is turned, 1 - |cosine| = {turned:.2g}")


def verdicts(data: Rows, medians: dict[tuple[str, str], float]) -> list[Verdict]:
    found = []
    for (_, who), seconds in medians.items():
        if who != "logodds":
            times = seconds / medians["fit", "logodds"]
            wanted = WANTED if who == "scikit-learn" else 1
            claim = f"fit: {times:.1f} times as fast as {who}, wanted {wanted}"
            found.append(Verdict(claim, times >= wanted))
    return found
