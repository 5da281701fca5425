"""Softmax regression at C = 1: rows to coefficients, whose objective is compared."""

from __future__ import annotations

from typing import Any

from harness import Entry, Run, Verdict, WrongAnswerError, regressions
from harness.regressions import Answer, Problem

ROUNDS = 3
SCIKIT_LEARN = "scikit-learn"
INTELEX = "scikit-learn-intelex"
# How many times as fast logodds is to be, as the best solver of each.
GOALS = {
    ("10 classes", SCIKIT_LEARN): 8,
    ("10 classes", INTELEX): 20,
    ("two classes", SCIKIT_LEARN): 8,
    ("MNIST", SCIKIT_LEARN): 5,
    ("20newsgroups", SCIKIT_LEARN): 5,
}
ROUNDING = 1e-10  # of an objective, as a share: what sums in another order may differ by


def make(quick: bool) -> list[Problem]:
    return regressions.make(quick)


def title(data: list[Problem]) -> str:
    sizes = [f"{p.name} {p.X.shape[0]:,} x {p.X.shape[1]:,}" for p in data]
    return f"softmax regression, C = 1: {', '.join(sizes)}"


def entries(data: list[Problem]) -> list[Entry]:
    return [Entry(problem.name, problem.bytes, problem.flops) for problem in data]


def check(data: list[Problem], entry: Entry, who: str, run: Run, answer: Any) -> None:
    """logodds, which comes first, has at most the objective of each of the others."""
    problem = next(p for p in data if p.name == entry.name)
    if not run.same_model:  # one against the rest: another objective
        return
    found = regressions.assess(problem, answer.coef_, answer.intercept_)
    problem.found[who] = found
    if who == "logodds":
        problem.iterations = int(max(1, answer.n_iter_))
    ours = problem.found["logodds"]
    if not ours.objective <= found.objective * (1 + ROUNDING):
        raise WrongAnswerError(
            f"{entry.name}: the objective of {who} is {found.objective}, ours {ours.objective}"
        )


def verdicts(data: list[Problem], medians: dict[tuple[str, str], float]) -> list[Verdict]:
    found = []
    for (entry, other), wanted in GOALS.items():
        if {(entry, other), (entry, "logodds")} <= medians.keys():
            times = medians[entry, other] / medians[entry, "logodds"]
            claim = f"{entry}: {times:.1f} times as fast as {other}, wanted {wanted}"
            found.append(Verdict(claim, times >= wanted))
    return [*found, *(verdict for problem in data for verdict in answers(problem))]


def answers(problem: Problem) -> list[Verdict]:
    ours = problem.found["logodds"]

    def claim(who: str, answer: Answer) -> str:
        return (
            f"{problem.name}, {who}: objective {answer.objective - ours.objective:+.3g} against "
            f"{ours.objective:.10g}, gradient {answer.gradient:.2g} against {ours.gradient:.2g}"
        )

    return [
        Verdict(claim(who, answer), ours.gradient <= answer.gradient)
        for who, answer in problem.found.items()
        if who != "logodds"
    ]
