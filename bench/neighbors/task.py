"""The 5 nearest of 100,000 rows for 10,000 queries, in 32 and in 3 columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from harness import Entry, Run, Verdict, WrongAnswerError

ROUNDS = 5
K = 5
CHECKED = 200  # queries whose neighbors are compared with a plain computation
FAISS = "faiss"
SCIKIT_LEARN = "scikit-learn"
SCIPY = "SciPy"
# How many times as fast logodds is to be, as each that is named.
GOALS = {
    "32 columns": {FAISS: 1.3, SCIKIT_LEARN: 1.3, "scikit-learn-intelex": 1.3},
    "3 columns": {SCIKIT_LEARN: 3, SCIPY: 3},
}


@dataclass
class Problem:
    """Rows; timed are index and queries together, and queries of an index that is there."""

    name: str
    X: np.ndarray
    queries: np.ndarray

    @property
    def step(self) -> int:
        """Every so many queries are checked."""
        return len(self.queries) // CHECKED

    @cached_property
    def nearest(self) -> tuple[np.ndarray, np.ndarray]:
        """Distances and places for the checked queries, by all distances, column after column."""
        sums = np.zeros((CHECKED, len(self.X)))
        for i in range(self.X.shape[1]):
            sums += (self.queries[:: self.step, i, None][:CHECKED] - self.X[:, i]) ** 2
        places = np.argsort(sums, axis=1, kind="stable")[:, :K]
        return np.sqrt(np.take_along_axis(sums, places, axis=1)), places

    @property
    def whole(self) -> str:
        return f"{self.name}: index and queries"

    @property
    def asked(self) -> str:
        return f"{self.name}: queries"


def make(quick: bool) -> list[Problem]:
    rng = np.random.default_rng(8)
    rows, queries = (10_000, 1_000) if quick else (100_000, 10_000)
    return [
        Problem(f"{d} columns", rng.normal(size=(rows, d)), rng.normal(size=(queries, d)))
        for d in (32, 3)
    ]


def title(data: list[Problem]) -> str:
    rows, queries = len(data[0].X), len(data[0].queries)
    return f"{K} nearest of {rows:,} rows for {queries:,} queries, float64"


def entries(data: list[Problem]) -> list[Entry]:
    found = []
    for problem in data:
        # Every pair of 32 columns; of 3 columns what a tree cannot do without reading.
        pairs = len(problem.X) * len(problem.queries)
        flops = 2.0 * pairs * 32 if problem.X.shape[1] == 32 else 0.0
        for name in (problem.whole, problem.asked):
            found.append(Entry(name, problem.X.nbytes + problem.queries.nbytes, flops))
    return found


def check(data: list[Problem], entry: Entry, who: str, run: Run, answer: Any) -> None:
    """Exact answers are the neighbors of a plain computation; of float32 the distances are about
    right.
    """
    problem = next(p for p in data if entry.name.startswith(p.name + ":"))
    distances, places = answer
    step = problem.step
    least, expected = problem.nearest
    rounding = 1e-9 if run.same_model else 1e-3
    if not np.allclose(distances[::step][:CHECKED], least, rtol=rounding, atol=0):
        raise WrongAnswerError(f"{entry.name}: {who} finds other distances")
    if run.same_model and not (places[::step][:CHECKED] == expected).all():
        raise WrongAnswerError(f"{entry.name}: {who} finds other rows")


def verdicts(data: list[Problem], medians: dict[tuple[str, str], float]) -> list[Verdict]:
    found = []
    for problem in data:
        for entry in (problem.whole, problem.asked):
            for other, wanted in GOALS[problem.name].items():
                if (entry, other) in medians:
                    times = medians[entry, other] / medians[entry, "logodds"]
                    claim = f"{entry}: {times:.1f} times as fast as {other}, wanted {wanted}"
                    found.append(Verdict(claim, times >= wanted))
    return found
