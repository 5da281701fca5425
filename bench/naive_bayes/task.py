"""Naive Bayes on mixed columns: file to model, fit and predict_proba from a polars frame."""

from __future__ import annotations

import gzip
import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars
from harness import Entry, Run, Verdict, WrongAnswerError
from harness.limits import REPOSITORY
from harness.mixed import Mixed
from harness.running import say

ROUNDS = 5
FOLDER = REPOSITORY / "build" / "bench-data"
SHARED = Path(os.environ.get("LOGODDS_SHARED_DATA", REPOSITORY.parent / "shared" / "data"))
REAL_TABLES = {
    "kddcup99": ("kddcup99_10pct/kddcup99_10pct.csv.gz", "label"),
    "covertype": ("covertype_subset/covtype_92962.csv.gz", "Cover_Type"),
}
CLASSES = 5
LEVELS = (2, 3, 4, 6, 8, 12, 18, 26, 36, 50)
REAL, COUNTS, BINARY = 10, 6, 6
MISSING_SHARE = 0.05
READING_ONLY = "polars, reading only"
SHARE_OF_READING = {"mixed": 0.6}  # 1 where nothing is named
# How many times as fast fit and predict_proba are to be on the mixed table; elsewhere 1.
ENCODED = {"scikit-learn": 20, "polars + scikit-learn": 1}


def make(quick: bool) -> list[Mixed]:
    FOLDER.mkdir(parents=True, exist_ok=True)
    return [generated(100_000 if quick else 1_000_000), *real_tables(quick)]


def generated(n: int) -> Mixed:
    csv = FOLDER / f"mixed-{n}.csv"
    if not csv.exists():
        partial = csv.with_suffix(".partial")
        draw(n).write_csv(partial)
        partial.rename(csv)
    return Mixed("mixed", csv, "class", polars.read_csv(csv), typical=True)


def draw(n: int) -> polars.DataFrame:
    """Overlapping classes (about one row in ten is misclassified)."""
    random = np.random.default_rng(20250505)
    y = random.integers(0, CLASSES, n)
    columns: dict[str, Any] = {}
    for i in range(REAL):
        means, spreads = random.normal(0, 0.35, CLASSES), random.uniform(0.7, 1.3, CLASSES)
        columns[f"real{i}"] = np.round(random.normal(means[y], spreads[y]) * 10 ** (i % 4), 4)
    for i, levels in enumerate(LEVELS):
        shares = random.dirichlet(np.full(levels, 8.0), CLASSES).cumsum(1)
        codes = (random.random(n)[:, None] > shares[y]).sum(1).clip(max=levels - 1)
        columns[f"word{i}"] = np.array(words(random, levels))[codes]
    for i in range(COUNTS):
        rates = 0.5 * 2.0**i * random.uniform(0.8, 1.25, CLASSES)
        columns[f"count{i}"] = random.poisson(rates[y])
    for i in range(BINARY):
        columns[f"flag{i}"] = (random.random(n) < random.uniform(0.3, 0.7, CLASSES)[y]).astype(int)
    frame = polars.DataFrame(columns).with_columns(
        polars.when(polars.Series(random.random(n) >= MISSING_SHARE)).then(polars.col(name))
        .alias(name)
        for name in columns
    )  # fmt: skip
    return frame.with_columns(polars.Series("class", np.array(list("abcde"))[y]))


def words(random: np.random.Generator, count: int) -> list[str]:
    """So many different ones, of 3 to 12 letters."""
    found: set[str] = set()
    while len(found) < count:
        letters = random.integers(ord("a"), ord("z") + 1, random.integers(3, 13))
        found.add("".join(map(chr, letters)))
    return sorted(found)


def real_tables(quick: bool) -> Iterator[Mixed]:
    for name, (path, target) in REAL_TABLES.items():
        if not (SHARED / path).exists():
            say(f"naive_bayes: {name} is left out: there is no {path} in the shared data folder")
            continue
        csv = FOLDER / f"{name}{'-tenth' if quick else ''}.csv"
        if not csv.exists():
            unpack(SHARED / path, csv, every=10 if quick else 1)
        frame = polars.read_csv(csv, infer_schema_length=None)
        yield Mixed(name, csv, target, frame, typical=False)


def unpack(path: Path, csv: Path, every: int) -> None:
    partial = csv.with_suffix(".partial")
    with gzip.open(path) as packed, partial.open("wb") as plain:
        plain.write(next(packed))
        plain.writelines(itertools.islice(packed, 0, None, every))
    partial.rename(csv)


def title(data: list[Mixed]) -> str:
    shapes = [f"{t.name} {t.n:,} x {t.features.width}, {len(t.classes)} classes" for t in data]
    return "numbers, words, counts and flags; " + "; ".join(shapes)


def entries(data: list[Mixed]) -> list[Entry]:
    return [entry for table in data for entry in entries_of(table)]


def entries_of(table: Mixed) -> list[Entry]:
    """Scores: (a x + b) x + c of a Gaussian, a x + b of a count, a sum for the rest, n K times."""
    k, n = len(table.classes), table.n
    real, count = len(table.named("real")), len(table.named("count"))
    features = table.features.estimated_size()
    labelled, scored = features + table.labels.estimated_size(), features + 8 * n * k
    score_flops = n * k * (4 * real + count + table.features.width)
    return [
        Entry(f"{table.name} csv", table.csv.stat().st_size),
        Entry(f"{table.name} fit", labelled, n * 4 * (real + count)),
        Entry(f"{table.name} predict_proba", scored, score_flops),
    ]


def check(data: list[Mixed], entry: Entry, who: str, run: Run, answer: Any) -> None:
    """Of csv and fit a model or what loads it, or the shape of the table; else all posteriors."""
    name, step = entry.name.split()
    table = next(t for t in data if t.name == name)
    if isinstance(answer, tuple):
        if answer != table.frame.shape:
            raise WrongAnswerError(f"{who} read {answer[0]} rows and {answer[1]} columns")
        return
    if step == "predict_proba":
        posteriors = np.asarray(answer)[table.places]
    else:
        model = answer() if callable(answer) else answer
        posteriors = model.predict_proba(table.checked_rows())
    (table.check if run.same_model else table.check_other_model)(who, posteriors)


def verdicts(data: list[Mixed], medians: dict[tuple[str, str], float]) -> list[Verdict]:
    found = []
    for (entry, who), seconds in medians.items():
        name = entry.split()[0]
        reading = medians.get((entry, READING_ONLY))
        if who.startswith("logodds") and reading is not None:
            share, wanted = seconds / reading, SHARE_OF_READING.get(name, 1)
            claim = f"{entry}: {who} trains in {share:.2f} of polars' reading time, wanted {wanted}"
            found.append(Verdict(claim, share <= wanted))
        elif who == "logodds":
            found += [
                verdict(medians, entry, other) for other in ENCODED if (entry, other) in medians
            ]
    return found


def verdict(medians: dict[tuple[str, str], float], entry: str, other: str) -> Verdict:
    times = medians[(entry, other)] / medians[(entry, "logodds")]
    wanted = ENCODED[other] if entry.startswith("mixed") else 1
    return Verdict(
        f"{entry}: {times:.1f} times as fast as {other}, wanted {wanted}", times >= wanted
    )
