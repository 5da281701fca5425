"""A program that stays, and answers every line with a line: its start is not timed."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path


class Worker:
    def __init__(self, command: Sequence[str | Path], first: str = "") -> None:
        """`first` is written at once, as the program that an interpreter runs."""
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        if first:
            self._write(first)

    def _write(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(text + "\n")
        self._process.stdin.flush()

    def ask(self, line: str) -> str:
        assert self._process.stdout is not None
        self._write(line)
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"{self._process.args} ended with {self._process.wait()} at {line}")
        return answer.strip()
