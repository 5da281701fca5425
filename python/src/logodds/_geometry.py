"""Boundaries, distances and canonical axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from logodds._generative import GenerativeClassifier
from logodds._output import OutputMixin


@dataclass(frozen=True, eq=False)
class Boundary:
    """Where two classes are equally likely: x.Qx + w.x + w_0 = 0, positive where `second` is the
    likelier.
    """

    first: Any
    """Label of one class."""
    second: Any
    """Label of the other."""
    kind: str
    """'line', 'hyperplane', 'ellipse', 'parabola', 'hyperbola', 'quadric', ..."""
    normal: NDArray[np.float64]
    """w, one number a column of `design_columns_`."""
    offset: float
    """w_0."""
    quadratic: NDArray[np.float64] | None
    """Q, symmetric; None when the boundary is linear."""
    distance_from_origin: float | None
    """-w_0 / |w| of a linear boundary."""
    _center: NDArray[np.float64]
    _center_normal: NDArray[np.float64]
    _center_value: float

    @property
    def linear(self) -> bool:
        return self.quadratic is None

    def value(self, X: ArrayLike) -> NDArray[np.float64]:
        """Log odds of `second` against `first` at the rows of X, taken around a point between the
        classes, so that columns far from 0 cost no digits.
        """
        rows = np.atleast_2d(np.asarray(X, dtype=np.float64))
        normal, offset = self.normal, self.offset
        if len(self._center):
            rows, normal, offset = rows - self._center, self._center_normal, self._center_value
        values: NDArray[np.float64] = rows @ normal + offset
        return (
            values if self.quadratic is None else values + ((rows @ self.quadratic) * rows).sum(1)
        )


class GeometricClassifier(OutputMixin, GenerativeClassifier):
    """Base of the estimators whose boundaries are known in closed form."""

    @property
    def design_columns_(self) -> list[str]:
        """What the coordinates of boundaries are: columns of numbers, then indicators of levels."""
        self._check_fitted()
        return self._model.design_columns

    @property
    def boundaries_(self) -> list[Boundary]:
        """One Boundary for each pair of classes (0, 1), (0, 2), ..., (1, 2), ..."""
        if not self.__sklearn_is_fitted__():
            raise AttributeError(f"{type(self).__name__} has no boundaries_ before fit()")
        seen = self.classes_ if self._places is None else self.classes_[self._places]
        return [
            Boundary(
                first=seen[record["first"]],
                second=seen[record["second"]],
                kind=record["kind"],
                normal=record["normal"],
                offset=record["offset"],
                quadratic=record["quadratic"],
                distance_from_origin=record["distance_from_origin"],
                _center=record["center"],
                _center_normal=record["center_normal"],
                _center_value=record["center_value"],
            )
            for record in self._model.boundaries()
        ]

    def signed_distances(self, X: Any) -> NDArray[np.float64]:
        """(w.x + w_0) / |w| for every row and every linear boundary, in the order of
        `boundaries_`: positive on the side of its second class.
        """
        return self._row_numbers("distances", X)

    def transform(self, X: Any, axes: int | None = None) -> Any:
        """Coordinates on the canonical (Fisher) axes: the directions that separate the class means
        best in units of the spread inside the classes, at most one less than there are classes.

        axes: how many; None for all. The result is an array, or what set_output() asked for.
        """
        self._check_fitted()
        count = self._model.axis_count
        if axes is not None and not 1 <= axes <= count:
            raise ValueError(f"axes={axes}: the model has {count} axes")
        coordinates = self._row_numbers("projection", X, count if axes is None else axes)
        return self._contained(coordinates, X)

    def fit_transform(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """fit(X, y), then transform(X)."""
        return self.fit(X, y, sample_weight).transform(X)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns of transform(): gaussianclassifier0, ..."""
        self._check_fitted()
        prefix = type(self).__name__.lower()
        names = [f"{prefix}{axis}" for axis in range(self._model.axis_count)]
        return np.array(names, dtype=object)
