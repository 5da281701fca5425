"""Documents as files of lines (label, tab, document), and the decisions that are right."""

from __future__ import annotations

import lzma
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from .limits import REPOSITORY
from .running import say
from .terms import WrongAnswerError

FOLDER = REPOSITORY / "build" / "bench-data"
SHARED = Path(os.environ.get("LOGODDS_SHARED_DATA", REPOSITORY.parent / "shared" / "data"))
NEWSGROUPS = {part: f"20newsgroups/20news-bydate-{part}.tsv.xz" for part in ("train", "test")}
NEWSGROUPS_ACCURACY = 0.772836  # of CountVectorizer and MultinomialNB(alpha=1)
SMS = REPOSITORY / "data" / "sms_spam.txt"
SMS_TRAINING_LINES = 4000
SMS_COPIES = 60  # as large as the newsgroups
ALTERED_SHARE = 1 / 20  # of the words of a copy
WHITE_SPACE = re.compile(r"[\t\n\v\f\r]")
ESCAPE = re.compile(r"\\(.)")
ESCAPED = {"t": "\t", "r": "\r", "n": "\n", "0": "\0"}


@dataclass
class Corpus:
    """`large`: many copies of `train`, some words of each altered."""

    name: str
    train: Path
    test: Path
    large: Path
    accuracy: float | None  # that is known from elsewhere

    @cached_property
    def training(self) -> tuple[list[str], list[str]]:
        """Labels and documents."""
        return read_lines(self.train)

    @cached_property
    def tests(self) -> tuple[list[str], list[str]]:
        return read_lines(self.test)

    @cached_property
    def decisions(self) -> np.ndarray:
        """Of scikit-learn on the test documents."""
        model = make_pipeline(CountVectorizer(), MultinomialNB())
        labels, documents = self.training
        return model.fit(documents, labels).predict(self.tests[1])

    def check(self, who: str, found: object) -> None:
        """`found`: decisions on the test documents, which must be the same one by one."""
        different = int((np.asarray(found) != self.decisions).sum())
        if different:
            raise WrongAnswerError(f"{who}: {different} documents are decided otherwise")
        if self.accuracy is not None and abs(self.share_of(found) - self.accuracy) > 5e-7:
            raise WrongAnswerError(f"{who}: accuracy {self.share_of(found)}, not {self.accuracy}")

    def check_other_model(self, who: str, found: object) -> None:
        """Of one that learns otherwise: twice as often right as one who guesses."""
        share, least = self.share_of(found), 2 / len(set(self.tests[0]))
        if not share >= min(least, 0.8):
            raise WrongAnswerError(f"{who}: accuracy {share:.3f}")

    def share_of(self, found: object) -> float:
        return float(np.mean(np.asarray(found) == np.asarray(self.tests[0])))


def read_lines(path: Path) -> tuple[list[str], list[str]]:
    with path.open(encoding="utf-8", newline="\n") as file:
        pairs = [line.rstrip("\n").split("\t", 1) for line in file]
    return [label for label, _ in pairs], [document for _, document in pairs]


def make(quick: bool) -> Corpus:
    """The newsgroups where the shared data folder is there, else short messages, repeated."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    copies = 5 if quick else 50
    if all((SHARED / path).exists() for path in NEWSGROUPS.values()):
        name, accuracy = "newsgroups", NEWSGROUPS_ACCURACY
        parts = {part: lambda p=path: newsgroups(SHARED / p) for part, path in NEWSGROUPS.items()}
    else:
        say("documents: no 20newsgroups in the shared data folder: copies of data/sms_spam.txt")
        name, accuracy = "messages", None
        parts = {"train": training_messages, "test": test_messages}
    paths = {part: FOLDER / f"{name}-{part}.txt" for part in parts}
    for part, lines in parts.items():
        write(paths[part], lines)
    large = FOLDER / f"{name}-times-{copies}.txt"
    write(large, lambda: altered_copies(paths["train"].read_bytes(), copies))
    return Corpus(name, paths["train"], paths["test"], large, accuracy)


def write(path: Path, pieces) -> None:
    """Unless it is there; never half of it."""
    if path.exists():
        return
    partial = path.with_suffix(".partial")
    with partial.open("wb") as file:
        file.writelines(pieces())
    partial.rename(path)


def newsgroups(path: Path) -> Iterator[bytes]:
    """White space becomes spaces, character by character."""
    with lzma.open(path, "rt", encoding="utf-8", newline="\n") as file:
        names = next(file).rstrip("\n").split("\t")
        for line in file:
            row = dict(zip(names, line.rstrip("\n").split("\t"), strict=True))
            text = ESCAPE.sub(lambda found: ESCAPED.get(found[1], found[1]), row["text"])
            yield f"{row['label']}\t{WHITE_SPACE.sub(' ', text)}\n".encode()


def training_messages() -> Iterator[bytes]:
    lines = SMS.read_bytes().splitlines(keepends=True)
    return altered_copies(b"".join(lines[:SMS_TRAINING_LINES]), SMS_COPIES)


def test_messages() -> Iterator[bytes]:
    lines = SMS.read_bytes().splitlines(keepends=True)
    return altered_copies(b"".join(lines[SMS_TRAINING_LINES:]), SMS_COPIES)


def altered_copies(lines: bytes, copies: int) -> Iterator[bytes]:
    """Some words of each copy get two letters of its own: the vocabulary grows as of new text."""
    content = np.frombuffer(lines, np.uint8)
    ends = word_ends(content)
    for copy in range(copies):
        random = np.random.default_rng([20250606, copy])
        chosen = ends[random.random(len(ends)) < ALTERED_SHARE]
        suffix = np.frombuffer(bytes([ord("a") + copy // 26 % 26, ord("a") + copy % 26]), np.uint8)
        places = np.repeat(chosen, len(suffix))
        yield np.insert(content, places, np.tile(suffix, len(chosen))).tobytes()


def word_ends(content: np.ndarray) -> np.ndarray:
    """Places behind the words of two or more ASCII letters, but for those of labels."""
    letter = ((content | 32) >= ord("a")) & ((content | 32) <= ord("z"))
    in_document = np.cumsum(content == ord("\t")) > np.cumsum(content == ord("\n"))
    ends = letter[:-2] & letter[1:-1] & ~letter[2:] & in_document[:-2]
    return np.flatnonzero(ends) + 2
