"""Runs the blocks of a page, top to bottom, in one folder and one Python namespace."""

import contextlib
import io
import os
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from pages import ROOT, Block, blocks_of
from transcript import Step, abridged, environment, read_steps, run_shell, same_lines, write_steps


@dataclass
class Finding:
    """A block whose text should be another, or that failed."""

    block: Block
    problem: str
    better: str | None = None  # what the block should say

    def __str__(self) -> str:
        return f"{self.block}: {self.problem}"


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def run_page(page: Path, folder: Path) -> list[Finding]:
    """`folder` is fresh; the shipped data is linked into it."""
    (folder / "data").symlink_to(ROOT / "data")
    findings: list[Finding] = []
    namespace: dict[str, object] = {"__name__": "__main__"}
    printed = ""
    for block in blocks_of(page):
        if block.language == "sh":
            findings += run_script(block, folder)
        elif block.language == "console":
            findings += run_transcript(block, folder)
        elif block.language == "python":
            printed, problems = run_python(block, folder, namespace)
            findings += problems
        elif block.language == "text" and block.follows and printed:
            findings += compare_text(block, printed)
        printed = printed if block.language == "python" else ""
    return findings


def missing_targets(command: str) -> list[str]:
    """Words after `make` that are no targets of the Makefile."""
    words = [word for word in command.partition("#")[0].split()[1:] if "=" not in word]
    return [word for word in words if word not in make_targets()]


def run_script(block: Block, folder: Path) -> list[Finding]:
    """`make` is not run, because the tests are part of it: its targets must exist."""
    lines = block.text.splitlines()
    makes = [line for line in lines if line.split()[:1] == ["make"]]
    absent = [target for line in makes for target in missing_targets(line)]
    if absent:
        return [Finding(block, f"the Makefile has no target {', '.join(absent)}")]
    script = "set -euo pipefail\n" + "\n".join(line for line in lines if line not in makes)
    status, answer = run_shell(script, folder)
    return [Finding(block, f"status {status}: " + "\n".join(answer))] if status else []


def run_transcript(block: Block, folder: Path) -> list[Finding]:
    steps = read_steps(block.text)
    better: list[Step] = []
    problems = []
    for step in steps:
        status, answer = run_shell(step.command, folder)
        if status != (2 if step.fails else 0):
            problems.append(f"$ {step.command}\nends with status {status}")
        if same_lines(step.answer, answer):
            better.append(step)
        else:
            problems.append("\n".join([f"$ {step.command}", "answers", *answer]))
            better.append(Step(step.command, abridged(step.answer, answer)))
    if not problems:
        return []
    return [Finding(block, "\n".join(problems), write_steps(better))]


def run_python(block: Block, folder: Path, namespace: dict) -> tuple[str, list[Finding]]:
    output = io.StringIO()
    source = "\n" * (block.line - 1) + block.text  # so that a traceback names the page's line
    try:
        with (
            contextlib.chdir(folder),
            mock.patch.dict(os.environ, environment()),
            warnings.catch_warnings(action="error", category=UserWarning),
            contextlib.redirect_stdout(output),
        ):
            exec(compile(source, str(block.page), "exec"), namespace)
    except Exception as error:
        return "", [Finding(block, f"{type(error).__name__}: {error}")]
    return output.getvalue(), []


def compare_text(block: Block, printed: str) -> list[Finding]:
    expected, actual = block.text.splitlines(), printed.splitlines()
    if same_lines(expected, actual):
        return []
    better = "\n".join(abridged(expected, actual)) + "\n"
    return [Finding(block, f"the block before it prints\n{printed}", better)]
