"""The words of a benchmark."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


class WrongAnswerError(Exception):
    """A competitor's answer is not what the task expects: its time means nothing."""


@dataclass(frozen=True)
class Entry:
    """One line of a task's table: work that every competitor does alike."""

    name: str
    bytes: float = 0.0  # that must be read or written at least once
    flops: float = 0.0  # that the formula needs, a multiply-add counted as two


@dataclass(frozen=True)
class Run:
    """One competitor's way to do an entry; of several variants the best counts."""

    entry: str
    call: Callable[[], Any]  # timed; its result goes to the task's check
    variant: str = ""
    same_model: bool = True  # False: an estimate that differs on purpose (another divisor, say)
    rounds: int | None = None  # of a slow one: fewer than the task's


@dataclass
class Timing:
    """The times of one run over all rounds, in seconds."""

    competitor: str
    run: Run
    seconds: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def label(self) -> str:
        return f"{self.competitor} ({self.run.variant})" if self.run.variant else self.competitor


@dataclass(frozen=True)
class Verdict:
    """A claim about the times that the task set out to show, and whether it holds here."""

    claim: str
    holds: bool | None = None  # None: nothing was set out, a fact is told
