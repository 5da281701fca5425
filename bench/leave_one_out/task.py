"""Leave-one-out posteriors of one shared covariance, in closed form."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import Entry, Run, Verdict, WrongAnswerError, gaussians
from harness.gaussians import CLASSES, Gaussians

ROUNDS = 5
FEATURES = 16
TOLERANCE = 1e-9  # of posteriors
CHECKED_ROWS = 20  # that are really left out


def make(quick: bool) -> Gaussians:
    """The first columns of the rows of other tasks."""
    data = gaussians.make(2_000 if quick else 20_000, with_csv=False)
    return Gaussians(np.ascontiguousarray(data.X[:, :FEATURES]), data.y, data.csv)


def title(data: Gaussians) -> str:
    return f"leave-one-out posteriors of {data.n:,} x {FEATURES} doubles, {CLASSES} classes"


def entries(data: Gaussians) -> list[Entry]:
    """A row is whitened, and compared with every class."""
    flops = data.n * (CLASSES * 4 * FEATURES + FEATURES * FEATURES)
    return [Entry("shared", data.X.nbytes + data.y.nbytes, flops)]


def left_out(data: Gaussians, row: int) -> np.ndarray:
    """From the other rows, with the shares of all rows for priors, as MASS has them."""
    rest = np.arange(data.n) != row
    X, y = data.X[rest], data.y[rest]
    means = np.stack([X[y == k].mean(0) for k in range(CLASSES)])
    residuals = X - means[y]
    covariance = residuals.T @ residuals / (len(y) - CLASSES)
    covariances = np.broadcast_to(covariance, (CLASSES, FEATURES, FEATURES))
    priors = np.bincount(data.y, minlength=CLASSES) / data.n
    return gaussians.posterior(data.X[row : row + 1], means, covariances, priors)[0]


def check(data: Gaussians, entry: Entry, who: str, run: Run, answer: Any) -> None:
    posteriors = answer()
    if posteriors.shape != (data.n, CLASSES):
        raise WrongAnswerError(f"{who}: {posteriors.shape} posteriors")
    for row in range(0, data.n, data.n // CHECKED_ROWS):
        error = np.abs(posteriors[row] - left_out(data, row)).max()
        if not error <= TOLERANCE:
            raise WrongAnswerError(f"{who}: a posterior of row {row} is off by {error:.2g}")


def verdicts(data: Gaussians, medians: dict[tuple[str, str], float]) -> list[Verdict]:
    if ("shared", "R") not in medians or ("shared", "logodds") not in medians:
        return []
    times = medians[("shared", "R")] / medians[("shared", "logodds")]
    return [Verdict(f"{times:.1f} times as fast as R's lda(CV = TRUE)", times > 1)]
