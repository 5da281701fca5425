"""Gaussian classifiers on 1,000,000 x 32 doubles in memory, 10 classes: fit and predict_proba."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import Entry, Run, Verdict, WrongAnswerError, gaussians
from harness.gaussians import CLASSES, FEATURES, Gaussians

ROUNDS = 5
STRUCTURES = ("shared", "own", "diagonal")


def make(quick: bool) -> Gaussians:
    return gaussians.make(100_000 if quick else 1_000_000, with_csv=False)


def title(data: Gaussians) -> str:
    return f"{data.n:,} x {FEATURES} doubles from NumPy, {CLASSES} classes"


def entries(data: Gaussians) -> list[Entry]:
    """Fit reads the rows and labels once; predict_proba reads rows and writes posteriors."""
    n, d, k = data.n, FEATURES, CLASSES
    fit_flops = {"shared": n * d * (d + 1), "own": n * d * (d + 1), "diagonal": 4 * n * d}
    proba_flops = {
        "shared": 2 * n * d * k,
        "own": n * k * d * (d + 3),
        "diagonal": 4 * n * d * k,
    }
    fit_bytes, proba_bytes = data.X.nbytes + data.y.nbytes, data.X.nbytes + 8 * n * k
    return [
        entry
        for s in STRUCTURES
        for entry in (
            Entry(f"{s} fit", fit_bytes, fit_flops[s]),
            Entry(f"{s} predict_proba", proba_bytes, proba_flops[s]),
        )
    ]


def check(data: Gaussians, entry: Entry, who: str, run: Run, answer: Any) -> None:
    """The answer of fit is the model, that of predict_proba all posteriors."""
    structure, step = entry.name.split()
    posteriors = answer.predict_proba(data.first_rows(answer)) if step == "fit" else answer
    if run.same_model:
        data.check(structure, who, posteriors)
    if step == "predict_proba":
        check_errors(data, structure, who, posteriors, exact=run.same_model)


def check_errors(data: Gaussians, structure: str, who: str, p: np.ndarray, exact: bool) -> None:
    """The same error count for all who fit the same model; nearly the same for the others."""
    known = data.__dict__.setdefault("known_errors", {})
    errors = data.errors(p)
    if errors != known.setdefault(structure, errors) and exact:
        raise WrongAnswerError(f"{who}, {structure}: {errors} errors, others {known[structure]}")
    if abs(errors - known[structure]) > 1e-4 * data.n:
        raise WrongAnswerError(f"{who}, {structure}: {errors} errors, others {known[structure]}")


def verdicts(medians: dict[tuple[str, str], float]) -> list[Verdict]:
    pairs = [
        (e, seconds, medians[(e, "scikit-learn")])
        for (e, who), seconds in medians.items()
        if who == "logodds" and (e, "scikit-learn") in medians
    ]
    return [
        Verdict(f"{e}: {other / own:.1f} times as fast as scikit-learn", own <= other)
        for e, own, other in pairs
    ]
