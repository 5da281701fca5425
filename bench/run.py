#!/usr/bin/env python3
"""Runs the benchmarks: every task, or those named, and prints a table for each.

Exit status 1: a competitor gave a wrong answer (slowness is reported, not punished).
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
MODULES = {  # of other names
    "faiss-cpu": "faiss",
    "scikit-learn": "sklearn",
    "scikit-learn-intelex": "sklearnex",
}


def install_missing() -> None:
    """Installs, by name, the packages of requirements.txt that this Python lacks."""
    wanted = (HERE / "requirements.txt").read_text().split()
    missing = [p for p in wanted if importlib.util.find_spec(MODULES.get(p, p)) is None]
    if missing:
        print(f"installing {', '.join(missing)}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *missing], check=True)


def main() -> int:
    install_missing()
    from harness import WrongAnswerError, limits, loading, report, running

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--task", action="append", choices=loading.task_names())
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows, two rounds")
    arguments = parser.parse_args()
    limits.build()
    status = 0
    for name in arguments.task or loading.task_names():
        try:
            result = running.run_task(loading.load_task(name), name, arguments.quick)
        except WrongAnswerError as error:
            print(f"\n{name}: wrong answer: {error}", file=sys.stderr)
            status = 1
            continue
        report.show(result)
        print(f"saved {report.save(result).relative_to(HERE.parent)}")
    return status


if __name__ == "__main__":
    sys.exit(main())
