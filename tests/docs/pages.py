"""The pages of the documentation and the fenced blocks in them."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMAND = Path(os.environ.get("LOGODDS", ROOT / "build" / "bin" / "logodds")).resolve()
PAGES = [
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "docs").glob("**/*.md")),
]
# Run: sh, console, python. Compared with a file of the repository: cpp, cmake. Parsed: json.
# Only shown: text, unless it follows a python block directly: then it is what that block prints.
LANGUAGES = {"sh", "console", "python", "cpp", "cmake", "json", "text"}

_FENCED = re.compile(r"^```(\S*)[^\n]*\n(.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Block:
    page: Path
    language: str
    text: str
    begin: int  # of the text, in the page
    end: int
    line: int  # number of the first line of the text, from 1
    follows: bool  # nothing but blank lines since the block before

    def __str__(self) -> str:
        return f"{self.page.name}, line {self.line}"


def blocks_of(page: Path) -> list[Block]:
    content = page.read_text()
    blocks = []
    last_end = 0
    for found in _FENCED.finditer(content):
        follows = bool(blocks) and not content[last_end : found.start()].strip()
        line = content.count("\n", 0, found.start(2)) + 1
        place = (found.start(2), found.end(2), line, follows)
        blocks.append(Block(page, found[1], found[2], *place))
        last_end = found.end()
    return blocks
