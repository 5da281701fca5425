"""What the classes share: reading rows and labels as scikit-learn does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from logodds import _core
from logodds._estimator import Estimator
from logodds._features import (
    FloatArray,
    FrameFeatures,
    GivenFeatures,
    read_array,
    read_numbers,
    select_columns,
    to_numpy,
)
from logodds._labels import read_labels
from logodds._sparse import is_sparse, read_sparse

if TYPE_CHECKING:
    from sklearn.utils import Tags


class Rows(NamedTuple):
    """Numbers, the names of their columns if they have any, and integer labels."""

    values: FloatArray
    names: list[str] | None
    codes: NDArray[np.int64]
    classes: NDArray[Any] | None
    """What the codes are the places of; None: they are the labels themselves."""
    dtype: np.dtype[Any]
    """Of the labels."""

    def classes_of(self, labels: list[str]) -> NDArray[Any]:
        """The values of labels that are codes."""
        numbers = np.array([int(label) for label in labels], dtype=np.int64)
        if self.classes is None:
            return numbers.astype(self.dtype)
        return self.classes[numbers]


class CompatClassifier(Estimator):
    """Base of the classes with scikit-learn's names.

    What the core has no model for, a class whose prior is 0 or that no row has had, and a singular
    covariance, is scored in NumPy.
    """

    _weighted: ClassVar[tuple[str, ...]] = ("score",)
    _nan_is_missing: ClassVar[bool] = False
    _in_core: bool = False
    """Whether `_model` has the densities."""
    _dtype: np.dtype[Any] = np.dtype(np.float64)
    """Of the training rows: scikit-learn keeps float32."""

    def _read(self, X: Any, y: Any) -> Rows:
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None"
            )
        values, names = read_numbers(X)
        labels = read_labels(y)
        if len(values) != len(labels.codes):
            raise ValueError(
                "Found input variables with inconsistent numbers of samples: "
                f"{[len(values), len(labels.codes)]}"
            )
        if not labels.names:
            return Rows(values, names, labels.codes, None, np.asarray(y).dtype)
        classes, codes = np.unique(np.asarray(y).ravel(), return_inverse=True)
        return Rows(values, names, codes.astype(np.int64), classes, classes.dtype)

    def _rows(self, X: Any) -> FloatArray:
        """The rows of X as an array, columns in the order of the training rows."""
        rows = super()._rows(X)
        assert not isinstance(rows, GivenFeatures)  # these classes read sparse rows themselves
        if isinstance(rows, FrameFeatures):
            return read_array(to_numpy(select_columns(rows.frame, list(self.feature_names_in_))))
        return rows

    def _in_dtype(self, values: Any) -> Any:
        return np.asarray(values).astype(self._dtype, copy=False)

    # -- the fitted model -------------------------------------------------------------------------

    def _take(self, model: _core.Model | None, classes: NDArray[Any], rows: Rows) -> None:
        self.__dict__.pop("_model", None)
        self.__dict__.pop("feature_names_in_", None)
        self._in_core = model is not None
        if model is not None:
            self._model = model
        self.classes_ = classes
        self.n_features_in_ = rows.values.shape[1]
        self._dtype = rows.values.dtype
        if rows.names is not None:
            self.feature_names_in_ = np.array(rows.names, dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "classes_")

    def _has_levels(self) -> bool:
        return False

    # -- prediction -------------------------------------------------------------------------------

    def _scores(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """ln p(class | x) up to a constant of the row, in NumPy."""
        raise NotImplementedError

    def _finite(self, X: Any) -> FloatArray:
        values = self._rows(X)
        if not np.isfinite(values).all():
            raise ValueError("Input X contains NaN or infinity.")
        return values

    def _checked_scores(self, X: Any) -> NDArray[np.float64]:
        return self._scores(self._finite(X))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Posteriors, one row a row of X, one column a class in the order of `classes_`."""
        self._check_fitted()
        if self._in_core:
            return super().predict_proba(X)
        posteriors: NDArray[np.float64] = np.exp(log_posteriors(self._checked_scores(X)))
        return posteriors

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with the largest posterior; ties go to the class that comes first."""
        self._check_fitted()
        return super().predict(X) if self._in_core else self._decide(self._checked_scores(X))


class SparseCompatClassifier(CompatClassifier):
    """Base of the classes that take SciPy's sparse matrices, too."""

    _takes_sparse: ClassVar[bool] = True

    def _read(self, X: Any, y: Any) -> Rows:
        if not (self._takes_sparse and is_sparse(X)) or y is None:
            return super()._read(X, y)
        values, labels = read_sparse(X), read_labels(y)
        if values.shape[0] != len(labels.codes):
            raise ValueError(
                "Found input variables with inconsistent numbers of samples: "
                f"{[values.shape[0], len(labels.codes)]}"
            )
        classes, codes = np.unique(np.asarray(y).ravel(), return_inverse=True)
        return Rows(values, None, codes.astype(np.int64), classes, classes.dtype)

    def _rows(self, X: Any) -> Any:
        if not (self._takes_sparse and is_sparse(X)):
            return super()._rows(X)
        self._check_fitted()
        rows = read_sparse(X)
        self._check_width(rows.shape[1])
        return rows

    def _finite(self, X: Any) -> Any:
        rows = self._rows(X)
        if not is_sparse(rows) and not np.isfinite(rows).all():
            raise ValueError("Input X contains NaN or infinity.")
        return rows

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._takes_sparse
        return tags


def log_posteriors(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores of each row less the logarithm of the sum of their exponentials."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    logs: NDArray[np.float64] = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return logs
