"""Naive Bayes straight from the formulas, independent of the library that it checks.

p(x, C_k) = pi_k prod_i p(x_i | C_k); a missing value takes its factor out of the product.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from straight_columns import DEFAULTS, FAMILIES, Law, Rule, Sample, log, log_sum, mean_of
from straight_table import Column, Table, like


def default_family(kind: str, sample: Sample) -> str:
    """A count whose variance within the classes is 10 times its mean, or a tenth, is a number."""
    if kind == "count":
        within = sum(
            (w * (x - mean_of(x, w)) ** 2).sum()
            for k in set(sample.classes)
            for x, w in [sample.of_class(k)]
        )
        ratio = within / (sample.weights * sample.x).sum()
        kind = "count" if 0.1 <= ratio <= 10 else "real"
    return DEFAULTS[kind]


@dataclass
class NaiveBayes:
    """`families` by column, or by kind; `smoothing` by column, with "" for all others."""

    families: dict[str, str] = field(default_factory=dict)
    smoothing: dict[str, float] = field(default_factory=dict)
    floor: float = 1e-9

    def fit(self, table: Table) -> NaiveBayes:
        self.labels = table.labels
        self.columns = table.columns
        self.laws = [self.law(column, table) for column in table.columns]
        classes = range(len(table.labels))
        totals = [table.weights[table.classes == k].sum() for k in classes]
        self.log_priors = log(np.array(totals) / table.weights.sum())
        return self

    def law(self, column: Column, table: Table) -> Law:
        sample = Sample(
            column.values[column.present],
            table.classes[column.present],
            table.weights[column.present],
            len(table.labels),
            None if column.levels is None else len(column.levels),
        )
        if (sample.x == sample.x[0]).all():  # constant: says nothing
            return lambda x: np.zeros((len(x), sample.class_count))
        by_kind = self.families.get(column.kind, default_family(column.kind, sample))
        family = self.families.get(column.name, by_kind)
        alpha = self.smoothing.get(column.name, self.smoothing.get("", 1.0))
        return FAMILIES[family](sample, Rule(alpha, self.floor))

    def terms(self, rows: list[dict[str, str]]) -> np.ndarray:
        """ln p(x_i | C_k): columns x rows x classes, 0 where a value is missing."""
        found = []
        for column, law in zip(self.columns, self.laws, strict=True):
            new = like(column, [row[column.name] for row in rows])
            part = np.zeros((len(rows), len(self.labels)), np.longdouble)
            if new.present.any():
                values, places = np.unique(new.values[new.present], return_inverse=True)
                part[new.present] = law(values)[places]
            found.append(part)
        return np.array(found)

    def posteriors(self, rows: list[dict[str, str]]) -> tuple[np.ndarray, np.ndarray]:
        """p(C_k | x), and ln p(x).

        Of classes that cannot have brought forth the row those stay in which the fewest columns
        are impossible; the other columns decide among them.
        """
        terms = self.terms(rows)
        impossible = np.isneginf(terms)
        count = impossible.sum(axis=0)
        fewest = count.min(axis=1, keepdims=True)
        joint = np.where(impossible, 0, terms).sum(axis=0) + self.log_priors
        joint = np.where(count == fewest, joint, -np.inf)
        total = log_sum(joint)
        density = np.where(fewest[:, 0] == 0, total, -np.inf)
        return np.exp(joint - total[:, None]).astype(float), density.astype(float)
