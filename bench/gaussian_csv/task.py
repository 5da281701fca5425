"""The same rows as a CSV file: from the file to a trained model."""

from __future__ import annotations

from typing import Any

from harness import Entry, Run, Verdict, WrongAnswerError, gaussians
from harness.gaussians import CLASSES, FEATURES, Gaussians

ROUNDS = 5
READING_ONLY = "polars, reading only"


def make(quick: bool) -> Gaussians:
    return gaussians.make(100_000 if quick else 1_000_000, with_csv=True)


def title(data: Gaussians) -> str:
    size = data.csv.stat().st_size / 1e6
    return f"{data.n:,} x {FEATURES} numbers, {CLASSES} classes, {size:.0f} MB of CSV to a model"


def entries(data: Gaussians) -> list[Entry]:
    size = data.csv.stat().st_size
    return [Entry("shared", size), Entry("diagonal", size)]


def check(data: Gaussians, entry: Entry, who: str, run: Run, answer: Any) -> None:
    """The answer is a model or what loads it; of one who only reads, the shape of the table."""
    if isinstance(answer, tuple):
        if answer != (data.n, FEATURES + 1):
            raise WrongAnswerError(f"{who} read {answer[0]} rows and {answer[1]} columns")
        return
    model = answer() if callable(answer) else answer
    data.check(entry.name, who, model.predict_proba(data.first_rows(model)))


def verdicts(data: Gaussians, medians: dict[tuple[str, str], float]) -> list[Verdict]:
    found = []
    for (entry, who), seconds in medians.items():
        reading = medians.get((entry, READING_ONLY))
        if who.startswith("logodds") and reading is not None:
            claim = f"{entry}: {who} trains in {seconds / reading:.2f} of polars' reading time"
            found.append(Verdict(claim, seconds <= reading))
    return found
