"""Labelled rows from ten correlated Gaussians, their exact posteriors, and checks of answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars

from .limits import REPOSITORY
from .terms import WrongAnswerError

FOLDER = REPOSITORY / "build" / "bench-data"
FEATURES = 32
CLASSES = 10
CHECKED_ROWS = 2000
TOLERANCE = 1e-8  # of posteriors


@dataclass
class Gaussians:
    """`X` (row-major) and `y`; every value has 6 decimals, so that the CSV file says the same."""

    X: np.ndarray
    y: np.ndarray
    csv: Path

    @property
    def n(self) -> int:
        return len(self.y)

    @cached_property
    def posteriors(self) -> dict[str, np.ndarray]:
        """By covariance structure: p(class | x) of the first rows, maximum likelihood on all."""
        means = np.stack([self.X[self.y == k].mean(0) for k in range(CLASSES)])
        own = np.stack([np.cov(self.X[self.y == k].T, bias=True) for k in range(CLASSES)])
        priors = np.bincount(self.y, minlength=CLASSES) / self.n
        structures = {
            "shared": np.broadcast_to(np.einsum("k,kij->ij", priors, own), own.shape),
            "own": own,
            "diagonal": own * np.eye(FEATURES),
        }
        rows = self.X[:CHECKED_ROWS]
        return {name: posterior(rows, means, s, priors) for name, s in structures.items()}

    def first_rows(self, model: Any) -> Any:
        """The rows to be checked, with column names where the model was fitted with them."""
        rows = self.X[:CHECKED_ROWS]
        names = getattr(model, "feature_names_in_", None)
        return rows if names is None else pandas.DataFrame(rows, columns=names)

    def check(self, structure: str, who: str, posteriors: np.ndarray) -> None:
        """`posteriors` of at least the first rows, as scikit-learn lays them out."""
        found = np.asarray(posteriors)[:CHECKED_ROWS]
        error = np.abs(found - self.posteriors[structure]).max()
        if not error <= TOLERANCE:
            raise WrongAnswerError(f"{who}, {structure}: a posterior is off by {error:.2g}")


def posterior(x: np.ndarray, means: np.ndarray, covs: np.ndarray, priors: np.ndarray) -> np.ndarray:
    """By Cholesky factors and log-sum-exp, one class after the other."""
    scores = []
    for mean, covariance, prior in zip(means, covs, priors, strict=True):
        factor = np.linalg.cholesky(covariance)
        z = np.linalg.solve(factor, (x - mean).T)
        scores.append(np.log(prior) - np.log(np.diag(factor)).sum() - 0.5 * (z**2).sum(0))
    shifted = np.stack(scores, 1)
    shifted -= shifted.max(1, keepdims=True)
    return np.exp(shifted) / np.exp(shifted).sum(1, keepdims=True)


def draw(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Overlapping classes (about one row in five is misclassified), each with its covariance."""
    random = np.random.default_rng(20240229)
    y = random.integers(0, CLASSES, n)
    X = random.standard_normal((n, FEATURES))
    for k in range(CLASSES):
        mixing = np.eye(FEATURES) + 0.12 * random.standard_normal((FEATURES, FEATURES))
        center = 0.35 * random.standard_normal(FEATURES)
        X[y == k] = X[y == k] @ mixing + center
    return np.round(X, 6), y


def make(n: int, with_csv: bool) -> Gaussians:
    """The rows from the cache, or newly drawn and put there."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    arrays = FOLDER / f"gaussians-{n}.npz"
    csv = FOLDER / f"gaussians-{n}.csv"
    if not arrays.exists():
        X, y = draw(n)
        np.savez(arrays, X=X, y=y)
    stored = np.load(arrays)
    data = Gaussians(np.ascontiguousarray(stored["X"]), stored["y"], csv)
    if with_csv and not csv.exists():
        write_csv(data, csv)
    return data


def write_csv(data: Gaussians, path: Path) -> None:
    frame = polars.DataFrame(data.X, schema=[f"x{i}" for i in range(FEATURES)])
    frame = frame.with_columns(polars.Series("class", data.y))
    partial = path.with_suffix(".partial")
    frame.write_csv(partial, float_precision=6)
    partial.rename(path)
