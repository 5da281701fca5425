"""CategoricalNB with scikit-learn's parameters and attributes."""

from __future__ import annotations

from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from logodds import _core
from logodds._threads import get_threads
from logodds.compat._base import Rows
from logodds.compat._discrete import DiscreteNB, Matrix, Record

if TYPE_CHECKING:
    from sklearn.utils import Tags


class CategoricalNB(DiscreteNB):
    """sklearn.naive_bayes.CategoricalNB: categories coded 0, 1, 2, ... in every column.

    alpha, force_alpha, fit_prior, class_prior: as for MultinomialNB, alpha a number.
    min_categories: at least so many categories in every column, or in each; None: those that the
    rows have.

    Attributes after fit: `category_count_` and `feature_log_prob_` (one table a column, classes x
    categories), `n_categories_`, `class_count_`, `class_log_prior_`, `classes_`,
    `n_features_in_`, `feature_names_in_`.
    """

    _takes_sparse: ClassVar[bool] = False

    category_count_: list[Matrix]
    n_categories_: NDArray[np.int64]
    feature_log_prob_: list[Matrix]

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
        min_categories: int | ArrayLike | None = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.min_categories = min_categories

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if not isinstance(self.alpha, Real):
            raise ValueError(
                "The 'alpha' parameter of CategoricalNB must be a number from 0 on. Got "
                f"{self.alpha!r} instead."
            )
        least = self.min_categories
        if isinstance(least, Integral) and int(least) < 1:
            raise ValueError(
                "The 'min_categories' parameter of CategoricalNB must be None, a whole number from "
                f"1 on, or an array-like. Got {least!r} instead."
            )

    # -- training ---------------------------------------------------------------------------------

    def _count(self, rows: Rows, weights: NDArray[np.float64] | None) -> Record:
        found = _core.category_counts(rows.values, rows.codes, weights, get_threads())
        self._refuse_negative(found["least"])
        widths = np.array([table.shape[1] for table in found["counts"]], dtype=np.int64)
        if weights is not None and not weights.all():
            # Rows of weight 0 count nothing, and yet show which categories there are.
            self._refuse_negative(float(np.trunc(rows.values).min()))
            widths = np.trunc(rows.values).max(axis=0).astype(np.int64) + 1
        found["widths"] = self._at_least(widths)
        return found

    def _at_least(self, widths: NDArray[np.int64]) -> NDArray[np.int64]:
        if self.min_categories is None:
            return widths
        least = np.array(self.min_categories)
        if not np.issubdtype(least.dtype, np.signedinteger):
            raise ValueError(
                f"'min_categories' should have integral type. Got {least.dtype} instead."
            )
        if least.ndim and least.shape != widths.shape:
            raise ValueError(
                f"'min_categories' should have shape ({len(widths)},) when an array-like is "
                f"provided. Got {least.shape} instead."
            )
        wide: NDArray[np.int64] = np.maximum(widths, least, dtype=np.int64)
        return wide

    def _start_counts(self, classes: int, features: int) -> None:
        self.category_count_ = [np.zeros((classes, 0)) for _ in range(features)]

    def _add_counts(self, found: Record, places: NDArray[np.intp]) -> None:
        for column, table in enumerate(found["counts"]):
            before = self.category_count_[column]
            width = max(before.shape[1], int(found["widths"][column]))
            counts = np.zeros((len(self.classes_), width))
            counts[:, : before.shape[1]] = before
            counts[places, : table.shape[1]] += table
            self.category_count_[column] = counts
        widths = [counts.shape[1] for counts in self.category_count_]
        self.n_categories_ = np.array(widths, dtype=np.int64)

    def _update_feature_log_prob(self, alpha: Any) -> None:
        smoothed = [counts + alpha for counts in self.category_count_]
        self.feature_log_prob_ = [
            np.log(counts) - np.log(counts.sum(axis=1, keepdims=True)) for counts in smoothed
        ]

    # -- prediction -------------------------------------------------------------------------------

    def _checked_scores(self, X: Any) -> Matrix:
        tables = [np.ascontiguousarray(logs.T) for logs in self.feature_log_prob_]
        return _core.category_scores(self._rows(X), tables, self.class_log_prior_, get_threads())

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.positive_only = True
        return tags
