"""Nearest rows by the metrics of scikit-learn: those that are Euclidean or Manhattan in some
coordinates, and the cosine, by the core; the others by SciPy, in chunks.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logodds import _core
from logodds._sparse import core_rows, is_sparse
from logodds._threads import get_threads

Found = tuple[NDArray[np.float64], NDArray[np.int64]]
NAMES = {
    "euclidean": "euclidean",
    "l2": "euclidean",
    "sqeuclidean": "euclidean",
    "manhattan": "manhattan",
    "l1": "manhattan",
    "cityblock": "manhattan",
}
"""What the core calls a metric."""
CHUNK = 2**24
"""Distances that are computed at a time."""


def effective_metric(
    metric: Any, p: Any, params: dict[str, Any] | None
) -> tuple[Any, dict[str, Any]]:
    """`effective_metric_` and `effective_metric_params_`, as scikit-learn has them."""
    parameters = dict(params or {})
    if "p" in parameters and p is not None:
        warnings.warn(
            "Parameter p is found in metric_params. The corresponding parameter from __init__ is "
            "ignored.",
            SyntaxWarning,
            stacklevel=3,
        )
    if metric != "minkowski":
        return metric, parameters
    power = parameters.pop("p", p)
    weights = parameters.pop("w", None)
    if power is None or not power > 0:
        raise ValueError(f"p={power!r} is not above 0")
    plain = {1: "manhattan", 2: "euclidean", np.inf: "chebyshev"}
    if weights is None and power in plain:
        return plain[power], parameters
    return "minkowski", {**parameters, "p": power, "w": weights}


class Nearest(ABC):
    """An index of training rows."""

    @abstractmethod
    def nearest(self, rows: Any, count: int, threads: int | None) -> Found:
        """Distances and places, nearest first, equally near ones by their place."""


class InCore(Nearest):
    """By the core, in coordinates that `change` makes of a row."""

    def __init__(
        self,
        values: Any,
        metric: str,
        threads: int | None,
        change: Callable[[Any], Any] | None = None,
        squared: bool = False,
    ) -> None:
        self._change, self._squared = change, squared
        rows = values if change is None else change(values)
        labels = np.zeros(rows.shape[0], dtype=np.int64)
        names: list[str] = []
        arguments = (labels, names, None, threads or get_threads())
        options = {"metric": metric}
        if is_sparse(rows):
            given = core_rows(rows, False)
            self._model, _ = _core.fit_given("neighbors", options, given, *arguments)
        else:
            self._model, _ = _core.fit_array("neighbors", options, rows, [], *arguments)

    def nearest(self, rows: Any, count: int, threads: int | None) -> Found:
        rows = rows if self._change is None else self._change(rows)
        threads = threads or get_threads()
        if is_sparse(rows):
            found = self._model.neighbors_given(core_rows(rows, False), count, threads)
        else:
            found = self._model.neighbors_array(rows, count, threads)
        return np.square(found[0]) if self._squared else found[0], found[1]


class ByMatrix(Nearest):
    """From all distances, a chunk of rows at a time."""

    def __init__(self, values: Any, distances: Callable[[Any, Any], NDArray[Any]]) -> None:
        self._values = dense(values)
        self._distances = distances

    def nearest(self, rows: Any, count: int, threads: int | None) -> Found:
        rows = dense(rows)
        step = max(1, CHUNK // len(self._values))
        parts = []
        for first in range(0, max(1, len(rows)), step):
            parts.append(smallest(self._distances(rows[first : first + step], self._values), count))
        return np.vstack([part[0] for part in parts]), np.vstack([part[1] for part in parts])


class Precomputed(Nearest):
    """A row holds the distances from all training rows."""

    def __init__(self, values: Any) -> None:
        rows, columns = values.shape
        if rows != columns:
            raise ValueError(
                f"Precomputed matrix must be square. Input is a {rows}x{columns} matrix."
            )

    def nearest(self, rows: Any, count: int, threads: int | None) -> Found:
        distances = dense(rows)
        if (distances < 0).any():
            raise ValueError("Negative values in data passed to precomputed distance matrix.")
        return smallest(distances, count)


def smallest(distances: NDArray[Any], count: int) -> Found:
    places = np.argsort(distances, axis=1, kind="stable")[:, :count].astype(np.int64)
    return np.take_along_axis(distances, places, axis=1).astype(np.float64), places


def dense(rows: Any) -> NDArray[Any]:
    values: NDArray[Any] = rows.toarray() if is_sparse(rows) else rows
    return values


def nearest_by(
    metric: Any, parameters: dict[str, Any], values: Any, threads: int | None
) -> Nearest:
    """The index of the rows `values`. Raises ValueError for a metric that there is not."""
    if isinstance(metric, str) and metric in NAMES:
        return InCore(values, NAMES[metric], threads, squared=metric == "sqeuclidean")
    if metric == "precomputed":
        return Precomputed(values)
    if metric == "cosine":
        return ByMatrix(values, _cosine) if _has_zeros(values) else Cosine(values, threads)
    change = _coordinates(metric, parameters, values)
    if change is not None:
        name = "manhattan" if parameters.get("p") == 1 else "euclidean"
        return InCore(values, name, threads, change)
    return ByMatrix(values, _by_scipy(metric, parameters, values))


class Cosine(InCore):
    """A row of zeros is at distance 1 from all others, as scikit-learn has it."""

    def __init__(self, values: Any, threads: int | None) -> None:
        super().__init__(values, "cosine", threads)

    def nearest(self, rows: Any, count: int, threads: int | None) -> Found:
        zero = _zeros(rows)
        if not zero.any():
            return super().nearest(rows, count, threads)
        found = (
            np.ones((rows.shape[0], count)),
            np.tile(np.arange(count, dtype=np.int64), (rows.shape[0], 1)),
        )
        if not zero.all():
            for table, part in zip(
                found, super().nearest(rows[~zero], count, threads), strict=True
            ):
                table[~zero] = part
        return found


def _zeros(rows: Any) -> NDArray[np.bool_]:
    if is_sparse(rows):
        lengths: NDArray[Any] = np.asarray(abs(rows).sum(axis=1)).ravel()
        none: NDArray[np.bool_] = lengths == 0
        return none
    zeros: NDArray[np.bool_] = ~rows.any(axis=1)
    return zeros


def _has_zeros(rows: Any) -> bool:
    return bool(_zeros(rows).any())


def _cosine(rows: NDArray[Any], values: NDArray[Any]) -> NDArray[Any]:
    def unit(x: NDArray[Any]) -> NDArray[Any]:
        lengths = np.linalg.norm(x, axis=1, keepdims=True)
        return x / np.where(lengths == 0, 1.0, lengths)

    distances: NDArray[Any] = np.clip(1.0 - unit(rows) @ unit(values).T, 0.0, 2.0)
    return distances


def _coordinates(
    metric: Any, parameters: dict[str, Any], values: Any
) -> Callable[[Any], Any] | None:
    """Rows to coordinates in which the metric is Euclidean, or Manhattan for p = 1."""
    if metric == "seuclidean":
        given = parameters.get("V")
        variances = dense(values).var(axis=0, ddof=1) if given is None else np.asarray(given)
        deviations = np.sqrt(np.asarray(variances, dtype=np.float64))
        return partial(_scaled, scale=1.0 / deviations)
    if metric == "mahalanobis":
        inverse = _inverse_covariance(parameters, values)
        factor = np.linalg.cholesky(inverse).astype(np.float64)
        return partial(_turned, factor=factor)
    if metric == "minkowski" and parameters["p"] in (1, 2):
        weights = np.asarray(parameters["w"], dtype=np.float64)
        if weights.shape != (values.shape[1],) or (weights < 0).any():
            raise ValueError("w must be one weight a column, none of them negative")
        scale = weights ** (1.0 / parameters["p"])
        return partial(_scaled, scale=scale)
    return None


def _scaled(rows: Any, scale: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.ascontiguousarray(dense(rows) * scale)


def _turned(rows: Any, factor: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.ascontiguousarray(dense(rows) @ factor)


def _inverse_covariance(parameters: dict[str, Any], values: Any) -> NDArray[np.float64]:
    if parameters.get("VI") is not None:
        return np.asarray(parameters["VI"], dtype=np.float64)
    covariance = parameters.get("V")
    if covariance is None:
        covariance = np.cov(dense(values).T)
    return np.linalg.inv(np.atleast_2d(np.asarray(covariance, dtype=np.float64)))


def _by_scipy(
    metric: Any, parameters: dict[str, Any], values: Any
) -> Callable[[Any, Any], NDArray[Any]]:
    known = {name: value for name, value in parameters.items() if value is not None}
    distances = partial(_scipy_distances, metric=metric, parameters=known)
    try:
        distances(dense(values[:1]), dense(values[:1]))
    except (ValueError, TypeError) as error:
        raise ValueError(f"Metric {metric!r} not valid: {error}") from error
    return distances


def _scipy_distances(
    rows: Any, others: Any, metric: Any, parameters: dict[str, Any]
) -> NDArray[Any]:
    from scipy.spatial.distance import cdist  # type: ignore[import-untyped]

    distances: NDArray[Any] = cdist(rows, others, metric, **parameters)
    return distances
