"""Merely finding the words between white space, which is less than anybody else does."""

import subprocess

from harness import Run
from harness.limits import SPLITTER

NAME = "splitting at white space"


def runs(data):
    if not SPLITTER.exists():
        raise FileNotFoundError(f"{SPLITTER}: bench/run.py builds it")

    def split(path, threads):
        answer = subprocess.run([SPLITTER, path, str(threads)], check=True, capture_output=True)
        return int(answer.stdout)

    return [
        Run(entry, lambda p=path, t=threads: split(p, t), variant=f"threads: {threads}")
        for entry, path in (("train", data.train), ("train large", data.large))
        for threads in (1, 2)
    ]
