"""How long until something can begin: the command, and the import of the package."""

from __future__ import annotations

from typing import Any

from harness import Entry, Run, Verdict, WrongAnswerError

ROUNDS = 20
COMMAND_SECONDS = 0.020
IMPORT_SECONDS = 0.150


def make(quick: bool) -> None:
    return None


def title(data: None) -> str:
    return "processes from start to end"


def entries(data: None) -> list[Entry]:
    return [Entry("command"), Entry("import")]


def check(data: None, entry: Entry, who: str, run: Run, answer: Any) -> None:
    if answer.returncode != 0:
        raise WrongAnswerError(f"{who}, {entry.name}: exit status {answer.returncode}")


def verdicts(data: None, medians: dict[tuple[str, str], float]) -> list[Verdict]:
    found = []
    command = medians.get(("command", "logodds"))
    if command is not None:
        claim = f"logodds models: {command * 1e3:.1f} ms, wanted under {COMMAND_SECONDS * 1e3:.0f}"
        found.append(Verdict(claim, command < COMMAND_SECONDS))
    package = medians.get(("import", "logodds"))
    if package is not None:
        beyond = package - medians[("import", "numpy")]
        wanted = f"wanted under {IMPORT_SECONDS * 1e3:.0f}"
        claim = f"import logodds: {beyond * 1e3:.0f} ms beyond NumPy, {wanted}"
        found.append(Verdict(claim, beyond < IMPORT_SECONDS))
    return found
