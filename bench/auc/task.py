"""The area under the ROC curve of ten million scores of two classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from harness import Entry, Run, Verdict, WrongAnswerError
from numpy.typing import NDArray

ROUNDS = 3
WANTED = 5
TOLERANCE = 1e-10


@dataclass(frozen=True)
class Scores:
    y: NDArray[np.int64]
    different: NDArray[np.float64]
    tied: NDArray[np.float64]
    """Probabilities of three digits."""


def make(quick: bool) -> Scores:
    random = np.random.default_rng(0)
    rows = 1_000_000 if quick else 10_000_000
    y = random.integers(0, 2, rows)
    scores = 1.0 / (1.0 + np.exp(-(random.normal(size=rows) + y)))
    return Scores(y, scores, np.round(scores, 3))


def title(data: Scores) -> str:
    return f"AUC of {len(data.y):,} scores"


def entries(data: Scores) -> list[Entry]:
    return [Entry(name, data.y.nbytes + data.different.nbytes) for name in ("different", "tied")]


def runs_of(measure: Any, data: Scores) -> list[Run]:
    scores = {"different": data.different, "tied": data.tied}
    return [Run(name, lambda s=values: measure(data.y, s)) for name, values in scores.items()]


def _by_ranks(y: NDArray[np.int64], scores: NDArray[np.float64]) -> float:
    """Mann & Whitney: counts of the positives at or below each different score."""
    values, places = np.unique(scores, return_inverse=True)
    ones = np.bincount(places, y, len(values))
    others = np.bincount(places, 1 - y, len(values))
    below = np.cumsum(others) - others
    return float((ones * (below + 0.5 * others)).sum() / (ones.sum() * others.sum()))


def check(data: Scores, entry: Entry, who: str, run: Run, answer: Any) -> None:
    expected = _by_ranks(data.y, getattr(data, entry.name))
    if abs(float(answer) - expected) > TOLERANCE:
        raise WrongAnswerError(f"{entry.name}, {who}: AUC {float(answer)}, not {expected}")


def verdicts(data: Scores, medians: dict[tuple[str, str], float]) -> list[Verdict]:
    found = []
    for (entry, who), seconds in medians.items():
        if who != "logodds" or (entry, "scikit-learn") not in medians:
            continue
        times = medians[(entry, "scikit-learn")] / seconds
        claim = (
            f"{entry}: {times:.1f} times as fast as scikit-learn, with DeLong's interval, "
            f"wanted {WANTED}"
        )
        found.append(Verdict(claim, times >= WANTED))
    return found
