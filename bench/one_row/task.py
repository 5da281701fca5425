"""The posteriors of a single row, call after call: what a service pays for each request."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import Entry, Run, Verdict, gaussians
from harness.gaussians import CLASSES, FEATURES, Gaussians

ROUNDS = 5
CALLS = 1000  # in one timing, of so many different rows
WANTED = 10


def make(quick: bool) -> Gaussians:
    return gaussians.make(100_000, with_csv=False)


def title(data: Gaussians) -> str:
    return f"predict_proba of one row of {FEATURES} doubles, {CLASSES} classes, {CALLS} times"


def entries(data: Gaussians) -> list[Entry]:
    return [Entry("shared"), Entry("own"), Entry("diagonal")]


def runs_of(models: dict[str, Any], data: Gaussians) -> list[Run]:
    """The first `CALLS` rows, each alone in an array, one after the other through each model."""
    rows = [np.ascontiguousarray(data.X[r : r + 1]) for r in range(CALLS)]
    return [
        Run(structure, lambda m=model: [m.predict_proba(row) for row in rows])
        for structure, model in models.items()
    ]


def check(data: Gaussians, entry: Entry, who: str, run: Run, answer: Any) -> None:
    found = np.array(data.posteriors[entry.name])
    found[:CALLS] = np.vstack(answer)
    data.check(entry.name, who, found)


def verdicts(data: Gaussians, medians: dict[tuple[str, str], float]) -> list[Verdict]:
    found = []
    for (entry, who), seconds in medians.items():
        if who != "logodds" or (entry, "scikit-learn") not in medians:
            continue
        times = medians[(entry, "scikit-learn")] / seconds
        claim = (
            f"{entry}: {seconds / CALLS * 1e6:.1f} microseconds a row, "
            f"{times:.1f} times as fast as scikit-learn, wanted {WANTED}"
        )
        found.append(Verdict(claim, times >= WANTED))
    return found
