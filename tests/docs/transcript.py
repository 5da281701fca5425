"""A session in a shell as a text: what was typed after `$ `, and what was answered."""

import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pages import COMMAND

TIMEOUT_SECONDS = 120
RELATIVE_TOLERANCE = 1e-5  # the command shows six digits; vector levels may differ in the last
ABSOLUTE_TOLERANCE = 1e-9
WILDCARD = "..."  # alone on a line: any number of lines

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.]*\w)")
_DURATION = re.compile(r'(seconds"?:? +)[\d.e-]+| *\b[\d.]+ (m?s)\b')


@dataclass
class Step:
    command: str  # may hold several lines, each but the last ending in a backslash
    answer: list[str]

    @property
    def fails(self) -> bool:
        """An answer that ends in the command's complaint is one of status 2."""
        return bool(self.answer) and self.answer[-1].startswith("logodds: ")


def read_steps(text: str) -> list[Step]:
    steps: list[Step] = []
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("$ "):
            steps.append(Step(_with_continuation(line.removeprefix("$ "), lines), []))
        elif not steps:
            raise AssertionError(
                f"a transcript begins with a command after '$ ', not with {line!r}"
            )
        else:
            steps[-1].answer.append(line)
    return steps


def _with_continuation(line: str, rest: Iterator[str]) -> str:
    command = line
    while line.endswith("\\"):
        line = next(rest)
        command += "\n" + line
    return command


def write_steps(steps: list[Step]) -> str:
    return "".join("\n".join([f"$ {step.command}", *step.answer]) + "\n" for step in steps)


def environment() -> dict[str, str]:
    """The command under test comes first on the path."""
    return os.environ | {"PATH": f"{COMMAND.parent}:{os.environ['PATH']}", "NO_COLOR": "1"}


def run_shell(command: str, folder: Path) -> tuple[int, list[str]]:
    """Status and answer: standard output and standard error as a terminal mixes them."""
    result = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    return result.returncode, result.stdout.splitlines()


def same_line(expected: str, actual: str) -> bool:
    """Durations may differ, numbers agree to a few digits, the rest is the same."""
    expected, actual = (_DURATION.sub(r"\1TIME \2", line).rstrip() for line in (expected, actual))
    if _NUMBER.sub("0", expected) != _NUMBER.sub("0", actual):
        return expected == actual
    pairs = zip(_NUMBER.findall(expected), _NUMBER.findall(actual), strict=True)
    return all(_close(float(left), float(right)) for left, right in pairs)


def _close(left: float, right: float) -> bool:
    return abs(left - right) <= ABSOLUTE_TOLERANCE + RELATIVE_TOLERANCE * abs(left)


def same_lines(expected: list[str], actual: list[str]) -> bool:
    if not expected:
        return not actual
    first, *rest = expected
    if first.strip() == WILDCARD:
        return any(same_lines(rest, actual[skipped:]) for skipped in range(len(actual) + 1))
    return bool(actual) and same_line(first, actual[0]) and same_lines(rest, actual[1:])


def abridged(expected: list[str], actual: list[str]) -> list[str]:
    """The actual answer, cut where the expected one was cut."""
    places = [i for i, line in enumerate(expected) if line.strip() == WILDCARD]
    if not places:
        return actual
    tail = len(expected) - places[-1] - 1
    return [*actual[: places[0]], expected[places[0]], *actual[len(actual) - tail :]]
