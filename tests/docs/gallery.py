"""The pictures of docs/gallery, drawn by the commands of its page and compared with those there."""

import re
import shutil
from pathlib import Path

from pages import ROOT, blocks_of
from transcript import run_shell

FOLDER = ROOT / "docs" / "gallery"
PAGE = FOLDER / "README.md"
# A hundredth of a unit is the last digit that is written; vector levels may round it otherwise.
TOLERANCE = 0.05

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
_PIXELS = re.compile(r"(?<=base64,)[A-Za-z0-9+/=]+")


def kinds() -> list[str]:
    """The names of all kinds of pictures there are."""
    text = (ROOT / "src" / "plots" / "kinds.def").read_text()
    return re.findall(r"^LOGODDS_PLOT\((\w+)\)", text, re.MULTILINE)


def draw(folder: Path, ending: str = "svg") -> dict[str, Path]:
    """Runs the commands of the page in a fresh folder; the pictures by name."""
    (folder / "data").symlink_to(ROOT / "data")
    for block in blocks_of(PAGE):
        script = block.text.replace(".svg", f".{ending}")
        status, answer = run_shell("set -euo pipefail\n" + script, folder)
        assert status == 0, f"{block}: status {status}: " + "\n".join(answer)
    return {path.stem: path for path in sorted(folder.glob(f"*.{ending}"))}


def difference(old: str, new: str) -> str:
    """What is not the same but for the last digit of a number, and for the pixels of images."""
    old, new = (_PIXELS.sub("", text) for text in (old, new))
    old_words, new_words = _NUMBER.split(old), _NUMBER.split(new)
    for before, after in zip(old_words, new_words, strict=False):
        if before != after:
            return f"{before!r} is {after!r} now"
    if len(old_words) != len(new_words):
        return f"{len(old_words)} numbers are {len(new_words)} now"
    for before, after in zip(_NUMBER.findall(old), _NUMBER.findall(new), strict=True):
        if abs(float(before) - float(after)) > TOLERANCE:
            return f"{before} is {after} now"
    return ""


def update(drawn_in: Path) -> None:
    """Puts the pictures that a run of the page left in a folder where the page shows them."""
    drawn = sorted(drawn_in.glob("*.svg"))
    for stale in {path.name for path in FOLDER.glob("*.svg")} - {path.name for path in drawn}:
        (FOLDER / stale).unlink()
        print(f"gallery/{stale}: removed")
    for path in drawn:
        stored = FOLDER / path.name
        if not stored.exists() or stored.read_text() != path.read_text():
            shutil.copy(path, stored)
            print(f"gallery/{path.name}: updated")
