"""K-means on 500,000 x 32 doubles: 50 steps of 50 centers, all from the same rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from harness import Entry, Run, Verdict, WrongAnswerError, gaussians
from harness.gaussians import FEATURES

ROUNDS = 5
CLUSTERS = 50
STEPS = 50
WANTED = 3  # times as fast as scikit-learn
TOLERANCE = 1e-9  # of a center's coordinate
IN_FLOATS = 1e-3  # of E, as a share, of those who compute in floats


@dataclass
class Rows:
    """Rows of ten overlapping Gaussians, and the centers to start from."""

    X: np.ndarray
    start: np.ndarray
    exact: np.ndarray | None = None  # the centers that the first found who computes in doubles
    in_floats: dict[str, np.ndarray] = field(default_factory=dict)  # of others, till then


def make(quick: bool) -> Rows:
    X = gaussians.make(50_000 if quick else 500_000, with_csv=False).X
    return Rows(X, X[:CLUSTERS].copy())


def title(data: Rows) -> str:
    return f"{len(data.X):,} x {FEATURES} doubles, {CLUSTERS} centers, {STEPS} steps"


def entries(data: Rows) -> list[Entry]:
    """All distances of all steps, a multiply-add for each number; the rows read once a step."""
    flops = 2.0 * STEPS * CLUSTERS * data.X.size
    return [Entry("50 steps", STEPS * data.X.nbytes, flops)]


def squared_error(X: np.ndarray, centers: np.ndarray) -> float:
    """E, by NumPy, some rows at a time."""
    total, norms = 0.0, (centers**2).sum(1)
    for start in range(0, len(X), 8192):
        x = X[start : start + 8192]
        total += float(((norms - 2 * x @ centers.T).min(1) + (x**2).sum(1)).sum())
    return total


def check(data: Rows, entry: Entry, who: str, run: Run, answer: Any) -> None:
    """`answer` are the centers; the first to come of those in doubles tells where they are."""
    centers = np.asarray(answer, dtype=np.float64)
    if not run.same_model:
        data.in_floats[who] = centers
    else:
        data.exact = centers if data.exact is None else data.exact
        error = float(np.abs(centers - data.exact).max())
        if not error <= TOLERANCE:
            raise WrongAnswerError(f"{who}: a center is off by {error:.2g}")
    while data.exact is not None and data.in_floats:
        other, found = data.in_floats.popitem()
        ours, theirs = (squared_error(data.X, c) for c in (data.exact, found))
        if not abs(theirs - ours) <= IN_FLOATS * ours:
            raise WrongAnswerError(f"{other}: E is {theirs}, not {ours}")


def verdicts(data: Rows, medians: dict[tuple[str, str], float]) -> list[Verdict]:
    found = []
    ours = medians["50 steps", "logodds"]
    for (_, who), seconds in medians.items():
        if who == "logodds":
            continue
        wanted = WANTED if who == "scikit-learn" else 1
        claim = f"{seconds / ours:.1f} times as fast as {who}, wanted {wanted}"
        found.append(Verdict(claim, seconds >= wanted * ours))
    return found
