"""Documents of the shared data."""

import lzma
import re
from pathlib import Path

ESCAPES = {r"\\": "\\", r"\t": "\t", r"\n": "\n", r"\r": "\r", r"\0": "\0"}


def _unescape(cell: str) -> str:
    return re.sub(r"\\[\\tnr0]", lambda found: ESCAPES[found.group()], cell)


def read_rows(path: Path) -> list[list[str]]:
    """Rows of a compressed TSV file, its escapes undone, without the header."""
    with lzma.open(path, "rt", encoding="utf-8", newline="\n") as file:
        next(file)
        return [[_unescape(cell) for cell in line[:-1].split("\t")] for line in file]


def read_documents(path: Path) -> list[str]:
    """The last column."""
    return [row[-1] for row in read_rows(path)]
