"""What the tests of documents share: the shipped messages, and the command beside the formulas."""

import sys
from pathlib import Path

from support import ROOT, ok, posteriors, read_csv

sys.path.insert(0, str(ROOT / "tests" / "golden"))
from straight_documents import Documents
from straight_terms import Rules

SMS = ROOT / "data" / "sms_spam.txt"
LINES = ["--format", "lines"]
Pairs = list[tuple[str, str]]  # label and document


def messages(begin: int = 0, end: int | None = None) -> Pairs:
    with SMS.open(encoding="utf-8", newline="\n") as file:
        lines = [line.rstrip("\n").split("\t", 1) for line in file]
    return [(label, text) for label, text in lines[begin:end]]


def write_lines(path: Path, pairs: Pairs) -> Path:
    path.write_bytes("".join(f"{label}\t{text}\n" for label, text in pairs).encode())
    return path


def train(path: Path, model: Path, *options) -> Path:
    ok("train", path, *LINES, "--quiet", "-o", model, *options)
    return model


def trained(folder: Path, pairs: Pairs, *options, name: str = "m") -> Path:
    return train(write_lines(folder / f"{name}.txt", pairs), folder / f"{name}.model", *options)


def predicted(model: Path, path: Path, labels: list[str], *options) -> list[list[float]]:
    text = ok("predict", model, path, *LINES, "--proba", "--quiet", *options).stdout
    return posteriors(text, labels)


def decisions(model: Path, path: Path, *options) -> list[str]:
    text = ok("predict", model, path, *LINES, "--quiet", *options).stdout
    return [row["prediction"] for row in read_csv(text)]


def straight(pairs: Pairs, rules: Rules) -> Documents:
    return Documents(rules).fit(
        [{"text": text} for _, text in pairs], [label for label, _ in pairs]
    )


def expected(model: Documents, pairs: Pairs) -> list[list[float]]:
    return [model.posteriors({"text": text}) for _, text in pairs]
