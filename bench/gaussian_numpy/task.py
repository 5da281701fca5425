"""Gaussian classifiers on 1,000,000 x 32 doubles in memory: fit, predict_proba and predict."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import Entry, Run, Verdict, WrongAnswerError, gaussians
from harness.gaussians import CLASSES, FEATURES, Gaussians

ROUNDS = 5
STRUCTURES = ("shared", "own", "diagonal")
# How many times as fast as scikit-learn each entry is to be; 1 where nothing is named.
WANTED = {
    "diagonal fit": 30,
    "diagonal predict_proba": 50,
    "shared fit": 20,
    "shared predict_proba": 5,
    "shared predict": 4,
    "own fit": 25,
    "own predict_proba": 12,
}


def make(quick: bool) -> Gaussians:
    return gaussians.make(100_000 if quick else 1_000_000, with_csv=False)


def title(data: Gaussians) -> str:
    return f"{data.n:,} x {FEATURES} doubles from NumPy, {CLASSES} classes"


def entries(data: Gaussians) -> list[Entry]:
    """Fit reads rows and labels once; prediction reads rows and writes posteriors or labels."""
    n, d, k = data.n, FEATURES, CLASSES
    fit_flops = {"shared": n * d * (d + 1), "own": n * d * (d + 1), "diagonal": 4 * n * d}
    score_flops = {
        "shared": 2 * n * d * k,
        "own": n * k * d * (d + 3),
        "diagonal": 4 * n * d * k,
    }
    labelled, scored = data.X.nbytes + data.y.nbytes, data.X.nbytes + 8 * n * k
    return [
        entry
        for s in STRUCTURES
        for entry in (
            Entry(f"{s} fit", labelled, fit_flops[s]),
            Entry(f"{s} predict_proba", scored, score_flops[s]),
            Entry(f"{s} predict", labelled, score_flops[s]),
        )
    ]


def check(data: Gaussians, entry: Entry, who: str, run: Run, answer: Any) -> None:
    """The answer of fit is the model, those of the others are all posteriors or all labels."""
    structure, step = entry.name.split()
    if step != "predict" and run.same_model:
        posteriors = answer.predict_proba(data.first_rows(answer)) if step == "fit" else answer
        data.check(structure, who, posteriors)
    if step != "fit":
        labels = answer if step == "predict" else np.asarray(answer).argmax(1)
        check_errors(data, structure, who, labels, exact=run.same_model)


def check_errors(data: Gaussians, structure: str, who: str, y: np.ndarray, exact: bool) -> None:
    """The same error count for all who fit the same model; nearly the same for the others."""
    known = data.__dict__.setdefault("known_errors", {})
    errors = int(np.count_nonzero(y != data.y))
    allowed = 0 if exact else 1e-4 * data.n
    if abs(errors - known.setdefault(structure, errors)) > allowed:
        raise WrongAnswerError(f"{who}, {structure}: {errors} errors, others {known[structure]}")


def verdicts(data: Gaussians, medians: dict[tuple[str, str], float]) -> list[Verdict]:
    found = []
    for (entry, who), seconds in medians.items():
        other = medians.get((entry, "scikit-learn"))
        if who != "logodds" or other is None:
            continue
        wanted, times = WANTED.get(entry, 1), other / seconds
        claim = f"{entry}: {times:.1f} times as fast as scikit-learn, wanted {wanted}"
        found.append(Verdict(claim, times >= wanted))
    return found
