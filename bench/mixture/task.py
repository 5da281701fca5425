"""A Gaussian mixture with a covariance a component: 50 steps of EM from the same start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from harness import Entry, Run, Verdict, WrongAnswerError
from numpy.typing import NDArray

ROUNDS = 2
WANTED = 10
COMPONENTS = 10
FEATURES = 16
STEPS = 50
CHECKED_ROWS = 2000
TOLERANCE = 1e-8


@dataclass
class Heaps:
    """Rows of overlapping densities, and where to start."""

    X: NDArray[np.float64]
    shares: NDArray[np.float64]
    """Of the rows in the components: each row begins with the nearest of ten rows."""
    weights: NDArray[np.float64]
    """What these shares estimate, for those who start from estimates: with means and precisions."""
    means: NDArray[np.float64]
    precisions: NDArray[np.float64]
    answers: dict[str, tuple[float, NDArray[np.float64]]]
    """By competitor: the mean log-likelihood, and the posteriors of some rows."""
    steps: int = STEPS

    @property
    def n(self) -> int:
        return len(self.X)


def make(quick: bool) -> Heaps:
    n, d, k = 20_000 if quick else 200_000, FEATURES, COMPONENTS
    rng = np.random.default_rng(8)
    means = rng.normal(scale=1.5, size=(k, d))
    shapes = rng.normal(size=(k, d, d)) / np.sqrt(d) + 0.5 * np.eye(d)
    heap = rng.integers(k, size=n)
    X = means[heap] + np.einsum("nij,nj->ni", shapes[heap], rng.normal(size=(n, d)))
    centers = X[rng.choice(n, k, replace=False)]
    nearest = ((centers**2).sum(axis=1) - 2.0 * X @ centers.T).argmin(axis=1)
    rows = [X[nearest == c] for c in range(k)]
    return Heaps(
        X=np.ascontiguousarray(X),
        shares=np.eye(k)[nearest],
        weights=np.bincount(nearest) / n,
        means=np.stack([part.mean(axis=0) for part in rows]),
        precisions=np.stack([np.linalg.inv(np.cov(part.T, bias=True)) for part in rows]),
        answers={},
    )


def title(data: Heaps) -> str:
    return (
        f"{data.n:,} x {FEATURES} doubles, {COMPONENTS} components with covariances of their own, "
        f"{STEPS} steps of EM"
    )


def entries(data: Heaps) -> list[Entry]:
    """A step reads the rows once; a score and a scatter are d (d + 1) operations each."""
    d = FEATURES
    flops = STEPS * data.n * COMPONENTS * 2 * d * (d + 1)
    return [Entry("fit", STEPS * data.X.nbytes, flops)]


def check(data: Heaps, entry: Entry, who: str, run: Run, answer: Any) -> None:
    """All end with the same likelihood and the same posteriors."""
    found = float(answer.score(data.X)), answer.predict_proba(data.X[:CHECKED_ROWS])
    data.answers[who] = found
    first = next(iter(data.answers.values()))
    if abs(found[0] - first[0]) > TOLERANCE or np.abs(found[1] - first[1]).max() > TOLERANCE:
        raise WrongAnswerError(f"{who}: mean log-likelihood {found[0]!r}, others {first[0]!r}")


def verdicts(data: Heaps, medians: dict[tuple[str, str], float]) -> list[Verdict]:
    if ("fit", "logodds") not in medians or ("fit", "scikit-learn") not in medians:
        return []
    times = medians[("fit", "scikit-learn")] / medians[("fit", "logodds")]
    claim = f"fit: {times:.0f} times as fast as scikit-learn, wanted {WANTED}"
    return [Verdict(claim, times >= WANTED)]
