"""MultinomialNB, ComplementNB and BernoulliNB: scores that are linear in the counted columns."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from logodds import _core
from logodds._sparse import is_sparse
from logodds._threads import get_threads
from logodds.compat._base import Rows
from logodds.compat._discrete import DiscreteNB, Matrix, Record
from logodds.compat._sparse import binarized

if TYPE_CHECKING:
    from sklearn.utils import Tags

CHUNK_ROWS = 4096
"""Rows that are scored at a time, so that what is made of them stays in the cache."""


class CountingNB(DiscreteNB):
    """Base of the classes that sum columns by class."""

    feature_count_: Matrix
    feature_log_prob_: Matrix

    @property
    def _threshold(self) -> float | None:
        """Values above it count 1, others 0; None: they count as they are."""
        return None

    def _count(self, rows: Rows, weights: NDArray[np.float64] | None) -> Record:
        if is_sparse(rows.values):
            return _sparse_sums(rows, weights, self._threshold)
        return _core.class_sums(rows.values, rows.codes, weights, self._threshold, get_threads())

    def _start_counts(self, classes: int, features: int) -> None:
        self.feature_count_ = np.zeros((classes, features))

    def _add_counts(self, found: Record, places: NDArray[np.intp]) -> None:
        self.feature_count_[places] += found["sums"]

    def _linear(self) -> tuple[Matrix, Matrix]:
        """Coefficients, one row a class, and intercepts."""
        return self.feature_log_prob_, self.class_log_prior_

    def _scores(self, values: Any) -> Matrix:
        coefficients, intercepts = self._linear()
        scores = self._products(values, _finite(coefficients))
        scores += intercepts
        extreme = np.isinf(coefficients)
        if extreme.any():  # 0 ln 0 is 0, and ln 0 alone is infinite
            touched = self._products(values, extreme.astype(np.float64)) > 0.0
            scores[touched] = np.inf if (coefficients == np.inf).any() else -np.inf
        return scores

    def _products(self, values: Any, coefficients: Matrix) -> Matrix:
        columns = np.ascontiguousarray(coefficients.T)
        if is_sparse(values):
            rows = values if self._threshold is None else binarized(values, self._threshold)
            product: Matrix = np.asarray(rows @ columns)
            return product
        out = np.empty((len(values), columns.shape[1]))
        for first in range(0, len(values), CHUNK_ROWS):
            chunk = values[first : first + CHUNK_ROWS]
            if self._threshold is not None:
                chunk = (chunk > self._threshold).astype(np.float64)
            np.matmul(chunk, columns, out=out[first : first + CHUNK_ROWS])
        return out


class _PositiveNB(CountingNB):
    """Of values that are counts, or like counts."""

    def _count(self, rows: Rows, weights: NDArray[np.float64] | None) -> Record:
        found = super()._count(rows, weights)
        self._refuse_negative(found["least"])
        return found

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


class MultinomialNB(_PositiveNB):
    """sklearn.naive_bayes.MultinomialNB: ln p(x | class) = sum_j x_j ln p_j up to a constant.

    alpha: added to every count; a number, or one a feature. force_alpha: False raises an alpha
    below 1e-10 to that. fit_prior: priors are the shares of the classes, else uniform;
    class_prior: these priors instead.

    Attributes after fit: `feature_count_`, `class_count_`, `feature_log_prob_`,
    `class_log_prior_`, `classes_`, `n_features_in_`, `feature_names_in_`.
    """

    def __init__(
        self,
        *,
        alpha: float | ArrayLike = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _update_feature_log_prob(self, alpha: Any) -> None:
        counts = self.feature_count_ + alpha
        self.feature_log_prob_ = np.log(counts) - np.log(counts.sum(axis=1, keepdims=True))


class ComplementNB(_PositiveNB):
    """sklearn.naive_bayes.ComplementNB (Rennie et al. 2003): weights from the other classes.

    norm: divide the weights of a class by their sum. The other parameters and the attributes are
    MultinomialNB's, and `feature_all_`, the sums over all classes; priors count with one class
    only.
    """

    feature_all_: Matrix

    def __init__(
        self,
        *,
        alpha: float | ArrayLike = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        norm: bool = False,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.norm = norm

    def _add_counts(self, found: Record, places: NDArray[np.intp]) -> None:
        super()._add_counts(found, places)
        self.feature_all_ = self.feature_count_.sum(axis=0)

    def _update_feature_log_prob(self, alpha: Any) -> None:
        others = self.feature_all_ + alpha - self.feature_count_
        logs = np.log(others / others.sum(axis=1, keepdims=True))
        self.feature_log_prob_ = logs / logs.sum(axis=1, keepdims=True) if self.norm else -logs

    def _linear(self) -> tuple[Matrix, Matrix]:
        one_class = len(self.classes_) == 1
        return self.feature_log_prob_, self.class_log_prior_ if one_class else np.zeros(1)

    def _normalizable(self, scores: Matrix) -> Matrix:
        """With alpha=0 a feature that only one class has is infinitely strong evidence for it."""
        certain = scores == np.inf
        if not certain.any():
            return scores
        settled = certain.any(axis=1)
        scores[settled] = np.where(certain[settled], 0.0, -np.inf)
        return scores


class BernoulliNB(CountingNB):
    """sklearn.naive_bayes.BernoulliNB: ln p(x | class) = sum_j x_j ln p_j + (1 - x_j) ln(1 - p_j).

    binarize: values above this are 1, others 0; None: they are 0 and 1 already. The other
    parameters and the attributes are MultinomialNB's.
    """

    def __init__(
        self,
        *,
        alpha: float | ArrayLike = 1.0,
        force_alpha: bool = True,
        binarize: float | None = 0.0,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.binarize = binarize
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    @property
    def _threshold(self) -> float | None:
        return None if self.binarize is None else float(self.binarize)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        given = self.binarize
        if given is not None and not (isinstance(given, Real) and float(given) >= 0.0):
            raise ValueError(
                "The 'binarize' parameter of BernoulliNB must be None or a number from 0 on. Got "
                f"{given!r} instead."
            )

    def _update_feature_log_prob(self, alpha: Any) -> None:
        rows = self.class_count_[:, np.newaxis] + 2.0 * alpha
        self.feature_log_prob_ = np.log(self.feature_count_ + alpha) - np.log(rows)

    def _scores(self, values: Any) -> Matrix:
        with np.errstate(divide="ignore"):
            absent = np.log1p(-np.exp(self.feature_log_prob_))
        present = self.feature_log_prob_
        sure, never = np.isneginf(absent), np.isneginf(present)
        scores = self._products(values, _finite(present) - _finite(absent))
        scores += self.class_log_prior_ + _finite(absent).sum(axis=1)
        if not (sure.any() or never.any()):
            return scores
        contradictions = self._products(values, never.astype(np.float64) - sure) + sure.sum(axis=1)
        scores[contradictions > 0.5] = -np.inf
        return scores


def _finite(logs: Matrix) -> Matrix:
    """0 in the place of infinities, and of what a class without rows has no value for."""
    return np.where(np.isfinite(logs), logs, 0.0)


def _sparse_sums(
    rows: Rows, weights: NDArray[np.float64] | None, threshold: float | None
) -> Record:
    matrix: Any = rows.values
    values = matrix if threshold is None else binarized(matrix, threshold)
    classes = 0 if rows.classes is None else len(rows.classes)
    members = np.zeros((len(rows.codes), classes))
    members[np.arange(len(rows.codes)), rows.codes] = 1.0 if weights is None else weights
    return {
        "labels": [str(k) for k in range(classes)],
        "weights": members.sum(axis=0),
        "least": float(min(matrix.data.min(initial=0.0), 0.0)),
        "sums": np.asarray((values.T @ members).T),
    }
