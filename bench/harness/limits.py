"""The machine's own limits, measured between the rounds of a task."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from .terms import Entry

REPOSITORY = Path(__file__).resolve().parent.parent.parent
PROGRAM = REPOSITORY / "build" / "bin" / "logodds_limits"
SPLITTER = REPOSITORY / "build" / "bin" / "logodds_split"  # words of a file, see limits/split.cpp


def build() -> None:
    """Builds the small programs that measure them, and those of tasks."""
    if not (REPOSITORY / "build" / "build.ninja").exists():
        subprocess.run(["cmake", "--preset", "release"], cwd=REPOSITORY, check=True)
    command = ["cmake", "--build", "--preset", "release", "--target"]
    command += [PROGRAM.name, SPLITTER.name, "logodds_isotonic"]
    subprocess.run(command, cwd=REPOSITORY, check=True, stdout=subprocess.DEVNULL)


def measure() -> dict[str, float]:
    answer = subprocess.run([PROGRAM], check=True, capture_output=True, text=True)
    return json.loads(answer.stdout)


def best(measurements: list[dict[str, float]]) -> dict[str, float]:
    return {key: max(m[key] for m in measurements) for key in measurements[0]}


def least_seconds(entry: Entry, limits: dict[str, float]) -> float:
    """No program can be faster here: all bytes at full bandwidth, all flops at the peak."""
    bandwidth = max(limits["read_gb_per_second"], limits["read_gb_per_second_1"])
    peak = max(limits["gflop_per_second"], limits["gflop_per_second_1"])
    return max(entry.bytes / (bandwidth * 1e9), entry.flops / (peak * 1e9))
