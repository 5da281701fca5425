"""Runs a task: all competitors in turn, round after round, and checks what they answer."""

from __future__ import annotations

import gc
import sys
import time
from types import ModuleType
from typing import Any

from . import limits
from .loading import load_competitors
from .terms import Timing

SETTLE_SECONDS = 0.2  # worker threads of the one before (OpenBLAS's, say) spin for a while


def timed(timing: Timing) -> Any:
    gc.collect()
    time.sleep(SETTLE_SECONDS)
    start = time.perf_counter()
    answer = timing.run.call()
    timing.seconds.append(time.perf_counter() - start)
    return answer


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def run_task(task: ModuleType, name: str, quick: bool) -> dict[str, Any]:
    """Times every run once a round, in the order of entries; the answers of round one are checked.

    The machine's limits are measured before each round, so that a slow hour slows both.
    """
    data = task.make(quick)
    competitors, absent = load_competitors(name, data)
    timings = [Timing(who, run) for who, runs in competitors.items() for run in runs]
    measured = []
    for number in range(2 if quick else task.ROUNDS):
        say(f"{name}: round {number + 1}")
        measured.append(limits.measure())
        for entry in task.entries(data):
            for timing in timings:
                if timing.run.entry != entry.name or number >= (timing.run.rounds or number + 1):
                    continue
                answer = timed(timing)
                if number == 0:
                    task.check(data, entry, timing.label, timing.run, answer)
                del answer
    return {
        "task": name,
        "title": task.title(data),
        "limits": limits.best(measured),
        "entries": task.entries(data),
        "timings": timings,
        "absent": absent,
        "verdicts": task.verdicts(data, fastest(timings)),
    }


def fastest(timings: list[Timing]) -> dict[tuple[str, str], float]:
    """Median seconds by entry and competitor, of its best variant."""
    found: dict[tuple[str, str], float] = {}
    for timing in timings:
        key = (timing.run.entry, timing.competitor)
        found[key] = min(timing.median, found.get(key, float("inf")))
    return found
