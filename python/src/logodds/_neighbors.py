"""k nearest neighbors. The signature repeats the registry's options, and a test compares them."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from logodds import _core
from logodds._classifier import Classifier
from logodds._features import FrameFeatures, GivenFeatures, warn
from logodds._threads import get_threads


class NeighborsClassifier(Classifier):
    """k nearest neighbors, exact; posteriors are shares of votes.

    k: votes cast by the nearest rows; rows tied at the last distance share what is left. A range
    such as '3-20', or 'auto' for '1-50': the k of least leave-one-out error in it.
    metric: 'euclidean', 'manhattan', 'cosine' or 'mahalanobis' (by the pooled covariance inside the
    classes).
    vote: 'majority', or 'distance': a vote weighs 1 / distance, and rows at distance 0 leave
    nothing to others.
    standardize: columns around their mean in units of their standard deviation.
    condense: keep only so many rows that every training row is decided as by all of them.

    Of classes with equally many votes the one with the nearest row wins, then the first.

    Attributes after fit, besides `classes_` and so on: `k_` (the k in use), `k_table_` (after a
    range, the errors of each k), `index_` ('brute force' or 'k-d tree') and `n_samples_fit_` (the
    rows that can be neighbors).
    """

    _family = "neighbors"
    _sparse_as: ClassVar[str | None] = "numbers"

    k_: int
    k_table_: dict[str, Any]
    index_: str
    n_samples_fit_: int

    def __init__(
        self,
        k: int | str = 5,
        metric: str = "euclidean",
        vote: str = "majority",
        standardize: bool = False,
        condense: bool = False,
    ) -> None:
        self.k = k
        self.metric = metric
        self.vote = vote
        self.standardize = standardize
        self.condense = condense

    def _after_fit(self, report: _core.FitReport | None) -> None:
        super()._after_fit(report)
        facts = self._model.facts()
        self.k_ = int(self._model.options["k"])
        self.index_ = facts["index"]
        self.n_samples_fit_ = facts["rows"]
        self._keep_table("k_table_", report, "k:")

    def kneighbors(
        self, X: Any, n_neighbors: int | None = None, return_distance: bool = True
    ) -> Any:
        """The nearest training rows of every row of X: distances, and places in the rows that fit()
        was given, from 0; nearest first, and equally near ones by their place.

        n_neighbors: how many; None: as many as vote.
        return_distance: False for the places alone.
        """
        self._check_fitted()
        count = min(self.k_, self.n_samples_fit_) if n_neighbors is None else n_neighbors
        distances, places = self._nearest(X, count)
        return (distances, places) if return_distance else places

    def _nearest(self, X: Any, count: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)):
            raise TypeError(f"n_neighbors is a whole number, not {type(count).__name__}")
        if not 1 <= count <= self.n_samples_fit_:
            raise ValueError(f"n_neighbors={count}: there are 1 to {self.n_samples_fit_}")
        rows = self._rows(X)
        if isinstance(rows, FrameFeatures):
            found = self._model.neighbors_arrow(rows.stream(), int(count), get_threads())
        elif isinstance(rows, GivenFeatures):
            found = self._model.neighbors_given(rows.rows, int(count), get_threads())
        else:
            found = self._model.neighbors_array(rows, int(count), get_threads())
        for note in found[2]:
            warn(note)
        return found[0], found[1]
