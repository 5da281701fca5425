"""The non-decreasing function nearest to ten million points, beside sorting them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from harness import Entry, Run, Verdict, WrongAnswerError
from harness.gaussians import FOLDER
from harness.limits import REPOSITORY
from harness.worker import Worker
from numpy.typing import NDArray

ROUNDS = 5
WANTED = 2
TOLERANCE = 1e-12
PROGRAM = REPOSITORY / "build" / "bin" / "logodds_isotonic"


@dataclass
class Points:
    """Posteriors `x` and whether they were right, `y`; the same in a file for the program."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    file: Path

    @cached_property
    def worker(self) -> Worker:
        """Has read the points."""
        if not PROGRAM.exists():
            raise FileNotFoundError(f"no program {PROGRAM}")
        return Worker([PROGRAM, self.file])


def make(quick: bool) -> Points:
    """Posteriors that are too sure, as calibration meets them."""
    rows = 1_000_000 if quick else 10_000_000
    random = np.random.default_rng(0)
    true = random.normal(scale=2.0, size=rows)
    y = (random.random(rows) < 1.0 / (1.0 + np.exp(-true))).astype(float)
    x = 1.0 / (1.0 + np.exp(-1.7 * true - 0.2))
    FOLDER.mkdir(parents=True, exist_ok=True)
    file = FOLDER / f"isotonic-{rows}.bin"
    np.concatenate([x, y]).tofile(file)
    return Points(x, y, file)


def title(data: Points) -> str:
    return f"isotonic regression of {len(data.x):,} points"


def entries(data: Points) -> list[Entry]:
    return [Entry("fit", data.x.nbytes + data.y.nbytes), Entry("sort", data.x.nbytes)]


def _fitted(data: Points, line: NDArray[np.float64]) -> NDArray[np.float64]:
    """At the points in their order; `line` has knots and values."""
    return np.interp(np.sort(data.x), *line)


def check(data: Points, entry: Entry, who: str, run: Run, answer: Any) -> None:
    """The fit is the one where the residuals of every level sum to 0, no level below the one
    before, and the sums of residuals up to any point are 0 or more (Robertson, Wright & Dykstra,
    Order Restricted Statistical Inference, theorem 1.3.2), which is the optimum alone.
    """
    found = answer()
    if entry.name == "sort":
        if not (np.diff(found) >= 0).all():
            raise WrongAnswerError(f"{who}: not sorted")
        return
    order = np.argsort(data.x, kind="stable")
    fitted = _fitted(data, found)
    sums = np.cumsum(data.y[order] - fitted) / len(order)
    steps = np.flatnonzero(np.diff(fitted) > 0)
    if not ((np.diff(fitted) >= 0).all() and sums.min() >= -TOLERANCE):
        raise WrongAnswerError(f"{who}: not the least squares under the order")
    if not np.abs(sums[[*steps, -1]]).max() <= TOLERANCE:
        raise WrongAnswerError(f"{who}: a level is not the mean of its points")


def verdicts(data: Points, medians: dict[tuple[str, str], float]) -> list[Verdict]:
    if ("sort", "std::sort") not in medians:
        return []
    found = []
    own = medians[("fit", "logodds")]
    for who in ("std::sort", "NumPy"):
        if ("sort", who) in medians:
            times = own / medians[("sort", who)]
            claim = f"{times:.2f} of the time of sorting by {who}"
            wanted = who == "std::sort"
            found.append(
                Verdict(f"{claim}, wanted {WANTED}" if wanted else claim,
                        times <= WANTED if wanted else None)
            )  # fmt: skip
    return found
