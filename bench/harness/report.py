"""A result as a table on the terminal and as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .limits import REPOSITORY, least_seconds
from .terms import Timing

FOLDER = REPOSITORY / "build" / "bench-results"
HEADER = ("entry", "competitor", "ms", "spread", "ratio", "limit ms", "reached")
MARKS = {True: "yes", False: "NO ", None: "   "}  # of verdicts


def rows(result: dict[str, Any]) -> list[dict[str, Any]]:
    """One record a timing; `ratio` is its median over that of logodds (1 is as fast)."""
    records = []
    for entry in result["entries"]:
        timings = [t for t in result["timings"] if t.run.entry == entry.name]
        own = min((t.median for t in timings if t.competitor == "logodds"), default=None)
        least = least_seconds(entry, result["limits"])
        records += [record(entry.name, timing, own, least) for timing in timings]
    return records


def record(entry: str, timing: Timing, own: float | None, least: float) -> dict[str, Any]:
    return {
        "entry": entry,
        "competitor": timing.label,
        "median_seconds": timing.median,
        "seconds": timing.seconds,
        "ratio": timing.median / own if own else None,
        "limit_seconds": least or None,
        "reached": least / timing.median if least else None,
    }


def cells(line: dict[str, Any]) -> tuple[str, ...]:
    seconds = line["seconds"]
    spread = (max(seconds) - min(seconds)) / line["median_seconds"]
    return (
        line["entry"],
        line["competitor"],
        f"{line['median_seconds'] * 1e3:.1f}",
        f"{spread:.0%}",
        f"{line['ratio']:.2f}" if line["ratio"] else "-",
        f"{line['limit_seconds'] * 1e3:.1f}" if line["limit_seconds"] else "-",
        f"{line['reached']:.0%}" if line["reached"] else "-",
    )


def table(lines: list[tuple[str, ...]]) -> str:
    """Aligned columns: the first two are text, the others numbers."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    aligned = [
        [
            c.ljust(w) if i < 2 else c.rjust(w)
            for i, (c, w) in enumerate(zip(l, widths, strict=True))
        ]
        for l in lines
    ]
    return "\n".join("  ".join(line) for line in aligned)


def show(result: dict[str, Any]) -> None:
    limits = result["limits"]
    print(f"\n{result['task']}: {result['title']}")
    print(
        f"this machine: read {limits['read_gb_per_second_1']:.1f} GB/s with 1 thread, "
        f"{limits['read_gb_per_second']:.1f} with {limits['threads']:.0f}; multiply-add "
        f"{limits['gflop_per_second_1']:.0f} and {limits['gflop_per_second']:.0f} GFLOP/s\n"
    )
    print(table([HEADER, *(cells(line) for line in rows(result))]))
    for name, reason in result["absent"].items():
        print(f"absent: {name}: {reason}")
    for verdict in result["verdicts"]:
        print(f"{MARKS[verdict.holds]}  {verdict.claim}")


def save(result: dict[str, Any]) -> Path:
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{result['task']}.json"
    content = {
        "task": result["task"],
        "title": result["title"],
        "limits": result["limits"],
        "rows": rows(result),
        "absent": result["absent"],
        "verdicts": [vars(verdict) for verdict in result["verdicts"]],
    }
    path.write_text(json.dumps(content, indent=1) + "\n")
    return path
