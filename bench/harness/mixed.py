"""Tables of mixed columns with missing values, their exact posteriors, and checks of answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars

from .terms import WrongAnswerError

CHECKED_ROWS = 2000
TOLERANCE = 1e-8  # of posteriors
VARIANCE_FLOOR = 1e-9  # of the column's variance


@dataclass
class Mixed:
    """`frame` is what polars makes of the file `csv`; `target` is its label column."""

    name: str
    csv: Path
    target: str
    frame: polars.DataFrame
    typical: bool  # True: all models of the columns fit, so that all competitors decide alike

    @property
    def n(self) -> int:
        return self.frame.height

    @cached_property
    def features(self) -> polars.DataFrame:
        return self.frame.drop(self.target)

    @cached_property
    def labels(self) -> polars.Series:
        return self.frame[self.target]

    @cached_property
    def classes(self) -> np.ndarray:
        return np.unique(self.labels.to_numpy())

    @cached_property
    def y(self) -> np.ndarray:
        return np.searchsorted(self.classes, self.labels.to_numpy())

    @cached_property
    def kinds(self) -> dict[str, str]:
        """words, binary, count or real: what is in a column."""
        return {name: kind_of(self.features[name], self.y) for name in self.features.columns}

    def named(self, *kinds: str) -> list[str]:
        return [name for name, kind in self.kinds.items() if kind in kinds]

    @cached_property
    def posteriors(self) -> np.ndarray:
        """p(class | x) of rows spread over the table, by naive Bayes with pseudo-count 1."""
        weights = np.bincount(self.y)
        scores = np.tile(np.log(weights / self.n).astype(np.longdouble), (len(self.places), 1))
        for name, kind in self.kinds.items():
            scores += column_scores(self.features[name], kind, self.y, self.places)
        scores -= scores.max(1, keepdims=True)
        return (np.exp(scores) / np.exp(scores).sum(1, keepdims=True)).astype(float)

    @cached_property
    def places(self) -> np.ndarray:
        return np.linspace(0, self.n - 1, CHECKED_ROWS).astype(int)

    def checked_rows(self) -> polars.DataFrame:
        return self.features[self.places]

    def check(self, who: str, found: np.ndarray) -> None:
        """`found`: the posteriors of checked_rows()."""
        error = np.abs(np.asarray(found) - self.posteriors).max()
        if not error <= TOLERANCE:
            raise WrongAnswerError(f"{who}, {self.name}: a posterior is off by {error:.2g}")

    def check_other_model(self, who: str, found: np.ndarray) -> None:
        """Of one who imputes: posteriors all the same, and nearly as many right decisions."""
        if not np.abs(np.asarray(found).sum(1) - 1).max() <= TOLERANCE:
            raise WrongAnswerError(f"{who}, {self.name}: posteriors do not sum to 1")
        truth = self.y[self.places]
        right, expected = ((p.argmax(1) == truth).mean() for p in (found, self.posteriors))
        if self.typical and abs(right - expected) > 0.03:
            raise WrongAnswerError(f"{who}, {self.name}: {right:.3f} right, others {expected:.3f}")


def kind_of(column: polars.Series, y: np.ndarray) -> str:
    """Whole numbers are counts unless their spread is nothing like that of counts."""
    if column.dtype == polars.String:
        return "words"
    values, classes = column.drop_nulls().to_numpy(), y[column.is_not_null().to_numpy()]
    if np.isin(values, (0, 1)).all():
        return "binary"
    if (values < 0).any() or (values != np.floor(values)).any():
        return "real"
    groups = [values[classes == k] for k in np.unique(classes)]
    spread = sum(len(group) * group.var() for group in groups) / values.sum()
    return "count" if 0.1 <= spread <= 10 else "real"


def column_scores(column: polars.Series, kind: str, y: np.ndarray, places: np.ndarray) -> Any:
    """ln p(x | class) up to what classes have in common; 0 where x is missing."""
    classes = y.max() + 1
    there = column.is_not_null().to_numpy()
    if column.n_unique() - (not there.all()) < 2:
        return 0.0
    scored = there[places]
    if kind == "words":
        codes = column.cast(polars.Categorical).to_physical().fill_null(0).to_numpy()
        found = level_scores(codes, y, there, classes)[:, codes[places]].T
    else:
        x = column.fill_null(0).to_numpy().astype(np.longdouble)
        found = number_scores(kind, x[there], y[there], classes)(x[places][:, None])
    return np.where(scored[:, None], found, 0.0)


def level_scores(codes: np.ndarray, y: np.ndarray, there: np.ndarray, classes: int) -> np.ndarray:
    levels = codes[there].max() + 1
    places = y[there] * levels + codes[there]
    counts = np.bincount(places, minlength=classes * levels).reshape(classes, levels)
    present = (counts.sum(0) > 0).sum()
    return np.log((counts + 1) / (counts.sum(1, keepdims=True) + present).astype(np.longdouble))


def number_scores(kind: str, x: np.ndarray, y: np.ndarray, classes: int) -> Any:
    """A function of x, a column vector, that gives a row for each x and a column for each class."""
    groups = [x[y == k] for k in range(classes)]
    counts = np.array([len(group) for group in groups], np.longdouble)
    sums = np.array([group.sum() for group in groups])
    if kind == "binary":
        q = (sums + 1) / (counts + 2)
        return lambda x: np.where(x == 1, np.log(q), np.log1p(-q))
    if kind == "count":
        rates = (sums + x.mean()) / (counts + 1)
        return lambda x: x * np.log(rates) - rates
    least = VARIANCE_FLOOR * x.var()
    variances = np.array([max(group.var(), least) for group in groups])
    return lambda x: -((x - sums / counts) ** 2) / (2 * variances) - np.log(variances) / 2
