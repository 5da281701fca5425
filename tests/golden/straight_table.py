"""A CSV file as columns of numbers or words, by the rules of docs/data.md and nothing else."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

MISSING_WORDS = {"", "NA", "?"}
Extended = np.longdouble  # 64 bits of mantissa where the processor has them


@dataclass
class Column:
    """`present` says where there is a value. Numbers as such, words as places in `levels`."""

    name: str
    kind: str  # real, count, binary or categorical
    levels: list[str] | None  # None: numbers
    values: np.ndarray
    present: np.ndarray


@dataclass
class Table:
    columns: list[Column]
    labels: list[str]  # of the classes, in their order
    classes: np.ndarray  # of the rows, as places in `labels`
    weights: np.ndarray


def read_rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def is_missing(text: str) -> bool:
    return text.strip() in MISSING_WORDS or text.strip().lower() == "nan"


def as_number(text: str) -> float | None:
    try:
        number = float(text.strip().replace("_", "x"))
    except ValueError:
        return None
    return number if np.isfinite(number) else None


def label_order(text: str) -> tuple:
    """Numbers by value, then words by their bytes."""
    number = as_number(text)
    return (1, 0.0, text.encode()) if number is None else (0, number, text.encode())


def number_kind(numbers: list[float]) -> str:
    if all(x in (0, 1) for x in numbers):
        return "binary"
    return "count" if all(x >= 0 and x == int(x) for x in numbers) else "real"


def column_of(name: str, texts: list[str], given: str | None) -> Column:
    """Kind and levels as training infers them; `given` overrules the kind."""
    values = [text for text in texts if not is_missing(text)]
    numbers = [as_number(text) for text in values]
    if given != "categorical" and None not in numbers:
        return like(Column(name, given or number_kind(numbers), None, None, None), texts)
    levels = sorted(set(values), key=label_order)
    kind = given or ("binary" if len(levels) == 2 else "categorical")
    return like(Column(name, kind, levels, None, None), texts)


def like(model: Column, texts: list[str]) -> Column:
    """Other rows of the same column; a level that it has not is -1."""
    present = np.array([not is_missing(text) for text in texts])
    if model.levels is None:
        values = [0.0 if is_missing(text) else float(text) for text in texts]
        coded = np.array(values).astype(Extended)
    else:
        places = {level: place for place, level in enumerate(model.levels)}
        coded = np.array([places.get(text, -1) for text in texts])
    return Column(model.name, model.kind, model.levels, coded, present)


def training_table(
    rows: list[dict[str, str]],
    target: str,
    ignore: tuple[str, ...] = (),
    weights: str | None = None,
    kinds: dict[str, str] | None = None,
) -> Table:
    """Rows of weight 0 are not there."""
    if weights is not None:
        rows = [row for row in rows if float(row[weights]) > 0]
    names = [name for name in rows[0] if name not in {target, weights, *ignore}]
    kinds = kinds or {}
    labels = sorted({row[target] for row in rows}, key=label_order)
    places = {label: place for place, label in enumerate(labels)}
    return Table(
        [column_of(name, [row[name] for row in rows], kinds.get(name)) for name in names],
        labels,
        np.array([places[row[target]] for row in rows]),
        np.array([1.0 if weights is None else float(row[weights]) for row in rows], Extended),
    )
