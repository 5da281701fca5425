"""Labelled rows for softmax regression, and how good an answer is: objective and gradient."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

from . import corpora, gaussians
from .running import say

MNIST = corpora.SHARED / "mnist"
DECAY = 0.5  # times the sum of squared coefficients: scikit-learn's C = 1
CHUNK = 8192  # rows, so that the posteriors of all of them are never in memory together


@dataclass
class Problem:
    """Rows and labels 0, 1, ...; `X` is dense, row-major, or a CSR matrix."""

    name: str
    X: Any
    y: np.ndarray
    iterations: int = 0  # of logodds, once it has been run
    found: dict[str, Answer] = field(default_factory=dict)  # by competitor

    @property
    def classes(self) -> int:
        return int(self.y.max()) + 1

    @cached_property
    def nonzeros(self) -> int:
        return self.X.nnz if scipy.sparse.issparse(self.X) else self.X.size

    @property
    def bytes(self) -> int:
        values = 12 * self.nonzeros if scipy.sparse.issparse(self.X) else self.X.nbytes
        return values + self.y.nbytes

    @property
    def flops(self) -> int:
        """Scores and gradient, a multiply-add each, at every iteration that logodds took.

        Two classes have one score.
        """
        scores = self.classes if self.classes > 2 else 1
        return 4 * self.nonzeros * scores * max(1, self.iterations)


@dataclass(frozen=True)
class Answer:
    """Both by NumPy, at the coefficients that somebody found."""

    objective: float
    gradient: float  # length of the vector


def assess(problem: Problem, coefficients: np.ndarray, intercepts: np.ndarray) -> Answer:
    """Coefficients and intercepts as scikit-learn lays them out: of two classes those of the
    second alone, the first having zeros."""
    theta, bias = np.atleast_2d(coefficients), np.ravel(intercepts)
    if len(theta) == 1:
        theta, bias = np.vstack([0 * theta, theta]), np.array([0.0, bias[0]])
    value = DECAY * np.sum(theta**2)
    slope, bias_slope = 2 * DECAY * theta, np.zeros(problem.classes)
    for start in range(0, len(problem.y), CHUNK):
        x, y = problem.X[start : start + CHUNK], problem.y[start : start + CHUNK]
        scores = np.asarray(x @ theta.T) + bias
        scores -= scores.max(1, keepdims=True)
        sums = np.exp(scores).sum(1)
        value += np.sum(np.log(sums) - scores[np.arange(len(y)), y])
        residuals = np.exp(scores) / sums[:, None]
        residuals[np.arange(len(y)), y] -= 1
        slope += np.asarray(x.T @ residuals).T
        bias_slope += residuals.sum(0)
    if problem.classes == 2:
        slope, bias_slope = slope[1], bias_slope[1]
    return Answer(float(value), float(np.sqrt(np.sum(slope**2) + np.sum(bias_slope**2))))


def make(quick: bool) -> list[Problem]:
    share = 10 if quick else 1
    ten = gaussians.make(200_000 // share, with_csv=False)
    million = gaussians.make(1_000_000 // share, with_csv=False)
    problems = [
        Problem("10 classes", ten.X, ten.y),
        Problem("two classes", million.X, (million.y >= gaussians.CLASSES // 2).astype(int)),
    ]
    for make_one in (mnist, newsgroups):
        try:
            problems.append(make_one(share))
        except FileNotFoundError as error:
            say(f"softmax: {error.filename} is not there: left out")
    return problems


def mnist(share: int) -> Problem:
    """Gray levels from 0 to 1."""
    images, labels = (
        idx(MNIST / f"train-{part}-ubyte.gz") for part in ("images-idx3", "labels-idx1")
    )
    rows = len(labels) // share
    pixels = images[:rows].reshape(rows, -1) / 255.0
    return Problem("MNIST", np.ascontiguousarray(pixels), labels[:rows].astype(int))


def idx(path: Path) -> np.ndarray:
    """The file's header: two zeros, the type (8: bytes), the number of dimensions, and these."""
    content = gzip.decompress(path.read_bytes())
    dimensions = content[3]
    shape = np.frombuffer(content, ">u4", dimensions, 4)
    return np.frombuffer(content, np.uint8, offset=4 + 4 * dimensions).reshape(shape)


def newsgroups(share: int) -> Problem:
    """Sparse rows: tf-idf of the words of at least two documents."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    source = corpora.SHARED / corpora.NEWSGROUPS["train"]
    source.stat()  # or FileNotFoundError
    path = corpora.FOLDER / "newsgroups-train.txt"
    corpora.FOLDER.mkdir(parents=True, exist_ok=True)
    corpora.write(path, lambda: corpora.newsgroups(source))
    labels, documents = corpora.read_lines(path)
    rows = TfidfVectorizer(min_df=2).fit_transform(documents[::share]).tocsr()
    return Problem("20newsgroups", rows, np.unique(labels[::share], return_inverse=True)[1])
