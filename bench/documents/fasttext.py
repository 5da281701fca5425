"""fastText's supervised mode as it starts: it learns vectors of words in five passes."""

import random
import shutil
import subprocess
from pathlib import Path

from harness import Run

NAME = "fastText"
LABEL = "__label__"
ROUNDS = 2  # each takes a hundred times as long as the others'


def runs(data):
    program = shutil.which("fasttext")
    if program is None:
        raise FileNotFoundError("no program fasttext (Debian package fasttext)")
    train, test = with_labels(data.train, shuffled=True), with_labels(data.test)
    model = train.with_suffix("")

    def learn():
        command = [program, "supervised", "-input", train, "-output", model, "-verbose", "0"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return decisions

    def decisions():
        command = [program, "predict", f"{model}.bin", test]
        found = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return [label.removeprefix(LABEL) for label in found.splitlines()]

    return [Run("train", learn, same_model=False, rounds=ROUNDS)]


def with_labels(path: Path, shuffled: bool = False) -> Path:
    """The same lines as fastText wants them; shuffled, or it unlearns one class after the other."""
    own = path.with_suffix(".fasttext.txt")
    if not own.exists():
        lines = path.read_bytes().splitlines(keepends=True)
        if shuffled:
            random.Random(20250606).shuffle(lines)
        partial = path.with_suffix(".partial")
        partial.write_bytes(b"".join(LABEL.encode() + l.replace(b"\t", b" ", 1) for l in lines))
        partial.rename(own)
    return own
