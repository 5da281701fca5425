"""A net of 64 tanh units, trained by L-BFGS and by Adam: time to the same training loss."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import Entry, Run, Verdict, WrongAnswerError

ROUNDS = 3
FEATURES = 64
HIDDEN = 64
CLASSES = 10
ALPHA = 0.002  # scikit-learn's penalty: half of this times the squared weights
WANTED = 3
SLACK = 0.005  # of the loss of a row: the starts are random, and each draws its own
ITERATIONS = {"lbfgs": 100, "adam": 20}


class Rows:
    """Rows, classes, and the training losses that were reached, by entry and competitor."""

    def __init__(self, X: np.ndarray, y: np.ndarray) -> None:
        self.X, self.y = X, y
        self.losses: dict[str, dict[str, float]] = {}


def make(quick: bool) -> Rows:
    """Classes by a net of 32 units, with noise: there is something to learn, and not too easily."""
    n, teacher = 6_000 if quick else 60_000, 32
    random = np.random.default_rng(5)
    X = random.standard_normal((n, FEATURES))
    hidden = np.tanh(X @ random.standard_normal((FEATURES, teacher)) / 4)
    scores = hidden @ random.standard_normal((teacher, CLASSES))
    y = (scores + 0.5 * random.gumbel(size=scores.shape)).argmax(1)
    return Rows(X, y)


def title(data: Rows) -> str:
    return (
        f"{len(data.X):,} x {FEATURES} doubles, {CLASSES} classes, {HIDDEN} tanh units: "
        f"{ITERATIONS['lbfgs']} iterations of L-BFGS, {ITERATIONS['adam']} passes of Adam"
    )


def entries(data: Rows) -> list[Entry]:
    """Forth, and back twice but for the inputs, which want no gradient."""
    products = 2 * FEATURES * HIDDEN + 3 * HIDDEN * CLASSES
    flops = 2.0 * len(data.X) * products
    return [Entry(name, count * data.X.nbytes, count * flops) for name, count in ITERATIONS.items()]


def check(data: Rows, entry: Entry, who: str, run: Run, answer: Any) -> None:
    """The training loss is as low as the other's, and far below that of the class shares."""
    p = np.asarray(answer.predict_proba(data.X))
    loss = float(-np.log(p[np.arange(len(p)), data.y]).mean())
    shares = np.bincount(data.y) / len(data.y)
    if not loss < -0.5 * (shares * np.log(shares)).sum():
        raise WrongAnswerError(f"{who}, {entry.name}: a training loss of {loss:.4f}")
    losses = data.losses.setdefault(entry.name, {})
    losses[who] = loss
    ours, theirs = losses.get("logodds"), losses.get("scikit-learn")
    if ours is not None and theirs is not None and ours > theirs + SLACK:
        raise WrongAnswerError(f"{entry.name}: a loss of {ours:.4f}, scikit-learn's {theirs:.4f}")


def verdicts(data: Rows, medians: dict[tuple[str, str], float]) -> list[Verdict]:
    found = []
    for name, losses in data.losses.items():
        ours, theirs = (medians.get((name, who)) for who in ("logodds", "scikit-learn"))
        if ours is None or theirs is None:
            continue
        times = theirs / ours
        told = ", ".join(f"{who} {loss:.4f}" for who, loss in losses.items())
        claim = (
            f"{name}: {times:.1f} times as fast as MLPClassifier, wanted {WANTED} (loss: {told})"
        )
        found.append(Verdict(claim, times >= WANTED))
    return found
