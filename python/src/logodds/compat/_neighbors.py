"""KNeighborsClassifier with scikit-learn's parameters and attributes."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from logodds._features import read_numbers
from logodds._labels import read_labels
from logodds._sklearn import warn_column_vector
from logodds._sparse import is_sparse, read_sparse
from logodds.compat._base import SparseCompatClassifier
from logodds.compat._metrics import (
    ByMatrix,
    Nearest,
    Precomputed,
    effective_metric,
    nearest_by,
)
from logodds.compat._sparse_counts import Counts

if TYPE_CHECKING:
    from sklearn.utils import Tags
    from typing_extensions import Self

ALGORITHMS = ("auto", "ball_tree", "kd_tree", "brute")


class KNeighborsClassifier(SparseCompatClassifier):
    """sklearn.neighbors.KNeighborsClassifier, by the exact search of NeighborsClassifier.

    n_neighbors, weights, p, metric, metric_params, n_jobs: as in scikit-learn.
    algorithm, leaf_size: checked, but the index is chosen by trial, as for NeighborsClassifier.

    Neighbors are sorted by their distances, equally near ones by their places; scikit-learn leaves
    their order, and which of them are neighbors, to its algorithm.

    Attributes after fit: `classes_`, `effective_metric_`, `effective_metric_params_`,
    `n_features_in_`, `feature_names_in_`, `n_samples_fit_`, `outputs_2d_`.
    """

    _weighted: ClassVar[tuple[str, ...]] = ("score",)

    classes_: Any
    effective_metric_: Any
    effective_metric_params_: dict[str, Any]
    n_samples_fit_: int
    outputs_2d_: bool
    _y: NDArray[np.intp]
    _index: Nearest
    _fit_X: Any  # noqa: N815 (as scikit-learn calls it)

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        weights: Any = "uniform",
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float = 2,
        metric: Any = "minkowski",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    # -- training ---------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any) -> Self:
        """Keeps the rows of X and their labels y; of a matrix y every column is a target."""
        self._check_parameters()
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None"
            )
        values, names = (read_sparse(X), None) if is_sparse(X) else read_numbers(X)
        classes, codes, two_dimensional = _read_targets(y)
        if values.shape[0] != len(codes):
            raise ValueError(
                "Found input variables with inconsistent numbers of samples: "
                f"{[values.shape[0], len(codes)]}"
            )
        metric, parameters = effective_metric(self.metric, self.p, self.metric_params)
        index = nearest_by(metric, parameters, values, self._threads())
        self.effective_metric_, self.effective_metric_params_ = metric, parameters
        self.__dict__.pop("feature_names_in_", None)
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        self.n_features_in_ = values.shape[1]
        self.n_samples_fit_ = values.shape[0]
        self.outputs_2d_ = two_dimensional
        self.classes_ = classes if two_dimensional else classes[0]
        self._y = codes if two_dimensional else codes[:, 0]
        self._index, self._fit_X = index, values
        return self

    def _check_parameters(self) -> None:
        _check_count("n_neighbors", self.n_neighbors)
        _check_count("leaf_size", self.leaf_size)
        if self.algorithm not in ALGORITHMS:
            raise ValueError(f"algorithm={self.algorithm!r} is none of {', '.join(ALGORITHMS)}")
        named = self.weights is None or self.weights in ("uniform", "distance")
        if not callable(self.weights) and not named:
            raise ValueError(
                f"weights={self.weights!r} is neither 'uniform' nor 'distance', nor a function"
            )
        if self.algorithm == "kd_tree" and callable(self.metric):
            raise ValueError(f"kd_tree does not support callable metric {self.metric!r}")
        power = (self.metric_params or {}).get("p", self.p)
        if self.metric == "minkowski" and power is not None and 0 < power < 1:
            self._check_semimetric()

    def _check_semimetric(self) -> None:
        if self.algorithm in ("kd_tree", "ball_tree"):
            raise ValueError(
                f'algorithm="{self.algorithm}" does not support 0 < p < 1 for the Minkowski '
                'metric. To resolve this problem either set p >= 1 or algorithm="brute".'
            )
        warnings.warn(
            "Mind that for 0 < p < 1, Minkowski metrics are not distance metrics. Continuing the "
            "execution with `algorithm='brute'`.",
            UserWarning,
            stacklevel=4,
        )

    def _threads(self) -> int | None:
        if self.n_jobs is None:
            return None
        import os

        cores = os.cpu_count() or 1
        return max(1, self.n_jobs if self.n_jobs > 0 else cores + 1 + self.n_jobs)

    @property
    def _fit_method(self) -> str:
        """What scikit-learn would have taken, as far as it shows."""
        return "brute" if isinstance(self._index, (ByMatrix, Precomputed)) else self.algorithm

    # -- neighbors --------------------------------------------------------------------------------

    def kneighbors(
        self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True
    ) -> Any:
        """Distances and places of the nearest training rows; without X those of every training row,
        itself left out.
        """
        self._check_fitted()
        count = self.n_neighbors if n_neighbors is None else n_neighbors
        if not isinstance(count, Integral):
            raise TypeError(f"n_neighbors does not take {type(count)} value, enter integer value")
        if count <= 0:
            raise ValueError(f"Expected n_neighbors > 0. Got {count}")
        if X is None:
            found = self._others(int(count))
        else:
            rows = self._queries(X)
            self._check_size(int(count), self.n_samples_fit_, rows.shape[0], "<=")
            found = self._index.nearest(rows, int(count), self._threads())
        return found if return_distance else found[1]

    def _check_size(self, count: int, most: int, rows: int, sign: str) -> None:
        if count > most:
            raise ValueError(
                f"Expected n_neighbors {sign} n_samples_fit, but n_neighbors = {count}, "
                f"n_samples_fit = {self.n_samples_fit_}, n_samples = {rows}"
            )

    def _others(self, count: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Of more equal rows than are asked for, the first goes in the place of the row itself."""
        rows = self.n_samples_fit_
        self._check_size(count, rows - 1, rows, "<")
        distances, places = self._index.nearest(self._fit_X, count + 1, self._threads())
        others = places != np.arange(rows)[:, np.newaxis]
        others[others.all(axis=1), 0] = False
        return distances[others].reshape(rows, count), places[others].reshape(rows, count)

    def _queries(self, X: Any) -> Any:
        if self.effective_metric_ != "precomputed":
            return self._finite(X)
        return read_numbers(X)[0] if not is_sparse(X) else read_sparse(X).toarray()

    def kneighbors_graph(
        self, X: Any = None, n_neighbors: int | None = None, mode: str = "connectivity"
    ) -> Any:
        """A sparse matrix with a row a row of X and a column a training row: 1, or with
        mode='distance' the distance, where the one is among the nearest of the other.
        """
        if mode not in ("connectivity", "distance"):
            raise ValueError(
                'Unsupported mode, must be one of "connectivity", or "distance" but got '
                f'"{mode}" instead'
            )
        distances, places = self.kneighbors(X, n_neighbors)
        values = np.ones(places.size) if mode == "connectivity" else distances.ravel()
        starts = np.arange(0, places.size + 1, places.shape[1])
        return Counts(starts, places.ravel(), values).matrix(self.n_samples_fit_, np.float64)

    # -- prediction -------------------------------------------------------------------------------

    def predict_proba(self, X: Any) -> Any:
        """Shares of the votes; a list of such arrays for a y of several columns."""
        votes = self._votes(X)
        for table in votes:
            table /= table.sum(axis=1, keepdims=True)
        return votes if self.outputs_2d_ else votes[0]

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with most votes; ties go to the class that comes first."""
        votes = self._votes(X)
        classes = self.classes_ if self.outputs_2d_ else [self.classes_]
        decided = [of[table.argmax(axis=1)] for of, table in zip(classes, votes, strict=True)]
        return np.stack(decided, axis=1) if self.outputs_2d_ else decided[0]

    def predict_log_proba(self, X: Any) -> Any:
        """Logarithms of the shares; -inf where one is 0."""
        shares = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return [np.log(table) for table in shares] if self.outputs_2d_ else np.log(shares)

    def _votes(self, X: Any) -> list[NDArray[np.float64]]:
        """One table a target, rows x classes."""
        distances, places = self.kneighbors(X)
        weights = _weights(distances, self.weights)
        codes = self._y if self.outputs_2d_ else self._y[:, np.newaxis]
        classes = self.classes_ if self.outputs_2d_ else [self.classes_]
        rows = np.arange(len(places))
        tables = []
        for target, labels in enumerate(classes):
            table = np.zeros((len(places), len(labels)))
            for i in range(places.shape[1]):
                table[rows, codes[places[:, i], target]] += weights[:, i]
            tables.append(table)
        return tables

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy; without X that of every training row, decided by the others."""
        decided = self.predict(X)
        right = decided == np.asarray(y).reshape(decided.shape)
        return float(np.average(right, weights=sample_weight))

    # -- scikit-learn -----------------------------------------------------------------------------

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_index")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.classifier_tags.multi_label = True
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.input_tags.positive_only = tags.input_tags.pairwise
        return tags


def _check_count(name: str, value: Any) -> None:
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name}={value!r} is not a whole number of at least 1")


def _read_targets(y: Any) -> tuple[list[NDArray[Any]], NDArray[np.intp], bool]:
    """Classes and codes of each column, and whether there are several."""
    values = y.toarray() if is_sparse(y) else np.asarray(y)
    if values.ndim == 2 and values.shape[1] == 1:
        warn_column_vector()
    two_dimensional = values.ndim == 2 and values.shape[1] > 1
    columns = values.T if two_dimensional else [values.reshape(len(values), -1)[:, 0]]
    if values.ndim > 2 or (two_dimensional and values.shape[1] == 0):
        raise ValueError(f"y should be a 1d or 2d array, got an array of shape {values.shape}")
    classes, codes = [], []
    for column in columns:
        read_labels(column)  # refuses what are no labels
        found, places = np.unique(column, return_inverse=True)
        classes.append(found)
        codes.append(places)
    return classes, np.stack(codes, axis=1).astype(np.intp), two_dimensional


def _weights(distances: NDArray[np.float64], weights: Any) -> NDArray[np.float64]:
    if callable(weights):
        found: NDArray[np.float64] = np.asarray(weights(distances), dtype=np.float64)
        if (found == 0).all(axis=1).any():
            raise ValueError(
                "All neighbors of some sample is getting zero weights. Please modify 'weights' to "
                "avoid this case if you are using a user-defined function."
            )
        return found
    if weights != "distance":
        return np.ones_like(distances)
    with np.errstate(divide="ignore"):
        inverse = 1.0 / distances
    infinite = np.isinf(inverse)
    rows = infinite.any(axis=1)
    inverse[rows] = infinite[rows]
    return inverse
