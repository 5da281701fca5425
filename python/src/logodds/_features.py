"""Features as the core takes them: an array of float32 or float64 in place, or an Arrow stream."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from logodds import _core
from logodds._columns import ArrayColumns

FloatArray: TypeAlias = NDArray[np.float32] | NDArray[np.float64]


class ArrayFeatures(NamedTuple):
    """Rows of numbers, and the names of the columns where there are any."""

    values: FloatArray
    names: list[str] | None

    @property
    def named(self) -> bool:
        """Whether the columns have names that the user gave them."""
        return self.names is not None


class FrameFeatures(NamedTuple):
    """A data frame whose columns are read through the Arrow C stream interface."""

    frame: Any
    kinds: dict[str, str] | None = None
    """Kinds of columns, where they are given."""

    def stream(self) -> object:
        """A fresh capsule; it can be read once."""
        return _without_index(self.frame).__arrow_c_stream__()

    @property
    def named(self) -> bool:
        return self.frame.named if isinstance(self.frame, ArrayColumns) else True


class GivenFeatures(NamedTuple):
    """Documents or sparse rows, which the core opens itself."""

    rows: _core.GivenRows

    @property
    def named(self) -> bool:
        return False


Features: TypeAlias = ArrayFeatures | FrameFeatures | GivenFeatures


def _without_index(frame: Any) -> Any:
    """pandas sends an index along as a column, unless it just counts the rows."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(frame, pandas.DataFrame):
        return frame
    return frame if isinstance(frame.index, pandas.RangeIndex) else frame.reset_index(drop=True)


def read_features(X: Any) -> Features:
    """Arrays and pandas frames of plain numbers in place; other frames through Arrow."""
    if is_numeric_pandas(X):
        return ArrayFeatures(
            _finish(X.to_numpy(dtype=_common_float(X.dtypes))), numeric_pandas_names(X)
        )
    if is_frame(X):
        return FrameFeatures(X)
    return ArrayFeatures(read_array(X), None)


def is_frame(X: Any) -> bool:
    return hasattr(X, "__arrow_c_stream__") and not isinstance(X, np.ndarray)


def is_numeric_pandas(X: Any) -> bool:
    """True when pandas can hand over the whole frame as one array without loss."""
    pandas = sys.modules.get("pandas")
    return (
        pandas is not None
        and isinstance(X, pandas.DataFrame)
        and all(isinstance(kind, np.dtype) and kind.kind in "fiub" for kind in X.dtypes)
    )


def _common_float(dtypes: Sequence[np.dtype[Any]]) -> type[np.floating[Any]]:
    return np.float32 if {np.dtype(kind) for kind in dtypes} == {np.dtype("f4")} else np.float64


def numeric_pandas_names(X: Any) -> list[str] | None:
    """scikit-learn's rule: all names are strings, or none is and there are no names."""
    texts = [isinstance(name, str) for name in X.columns]
    if any(texts) and not all(texts):
        raise TypeError(
            "Feature names are only supported if all input features have string names; rename the "
            "columns with X.columns = X.columns.astype(str)."
        )
    return list(X.columns) if texts and all(texts) else None


def read_array(X: Any) -> FloatArray:
    """A two-dimensional array of float32 or float64; what is one already is not copied."""
    if type(X).__module__.startswith("scipy.sparse"):
        raise TypeError(
            "Sparse data was passed, but dense data is required. Use '.toarray()' to convert it."
        )
    values = np.asarray(X)
    if values.dtype.kind == "c":
        raise ValueError("Complex data not supported: X holds complex numbers.")
    if values.dtype not in (np.dtype(np.float32), np.dtype(np.float64)):
        values = values.astype(np.float64)
    return _finish(values)


def _finish(values: NDArray[Any]) -> FloatArray:
    if values.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {values.ndim}D array instead. Reshape your data either using "
            "array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if it "
            "contains a single sample."
        )
    for count, what in zip(values.shape, ("sample", "feature"), strict=True):
        if count == 0:
            raise ValueError(
                f"Found array with 0 {what}(s) (shape={values.shape}) while a minimum of 1 is "
                "required."
            )
    if any(stride % values.itemsize for stride in values.strides) or not values.flags.aligned:
        values = values.copy()  # fields of structured arrays do not lie on a grid of their type
    return values


def pick_columns(X: Any, names: Sequence[str], estimator: str) -> FloatArray:
    """Columns of a numeric pandas frame by name: other order is fine, others are ignored."""
    given = list(X.columns)
    lacking = [name for name in names if name not in given]
    if lacking:
        raise ValueError(
            "The feature names should match those that were passed during fit.\n"
            "Feature names seen at fit time, yet now missing:\n"
            + "".join(f"- {name}\n" for name in lacking)
        )
    extra = [str(name) for name in given if name not in set(names)]
    if extra:
        warn(f"{estimator} ignores columns that it was not fitted with: {', '.join(extra)}")
    chosen = X if given == list(names) else X[list(names)]
    return _finish(chosen.to_numpy(dtype=_common_float(chosen.dtypes)))


def column_names(frame: Any) -> list[str]:
    """Of pandas, polars, pyarrow, or columns of an array."""
    return list(getattr(frame, "column_names", None) or frame.columns)


def integer_columns(frame: Any) -> list[str]:
    """The columns of a frame whose type is one of integers (pandas, polars, pyarrow)."""
    types = frame.dtypes if hasattr(frame, "dtypes") else frame.schema.types
    return [
        name
        for name, kind in zip(column_names(frame), types, strict=True)
        if str(kind).lower().startswith(("int", "uint"))
    ]


def select_columns(frame: Any, names: Sequence[str]) -> Any:
    """These columns of a frame in this order (pandas, polars, pyarrow)."""
    columns = list(names)
    given = column_names(frame)
    if given == columns:
        return frame
    lacking = [name for name in columns if name not in given]
    if lacking:
        raise ValueError(
            "The feature names should match those that were passed during fit.\n"
            "Feature names seen at fit time, yet now missing:\n"
            + "".join(f"- {name}\n" for name in lacking)
        )
    return frame.select(columns) if hasattr(frame, "select") else frame[columns]


def read_numbers(X: Any) -> tuple[FloatArray, list[str] | None]:
    """An array, or a table of numbers as one, and the names of its columns if they have any."""
    features = read_features(X)
    if isinstance(features, ArrayFeatures):
        return features.values, features.names
    return read_array(to_numpy(X)), [str(name) for name in column_names(X)]


def to_numpy(frame: Any) -> Any:
    """Of a table of numbers; pyarrow's tables go by way of their columns."""
    if hasattr(frame, "to_numpy"):
        return frame.to_numpy()
    return np.column_stack([np.asarray(column) for column in frame.columns])


def mean_variance(features: Features, weights: NDArray[np.float64] | None) -> float:
    """The mean of the variances of the columns of numbers of an array or a frame."""
    assert not isinstance(features, GivenFeatures)
    if isinstance(features, FrameFeatures):
        return _core.arrow_variance(features.stream(), weights)
    return _core.array_variance(features.values, weights)


def warn(message: str) -> None:
    """A warning that points at the caller of the estimator's method."""
    warnings.warn(message, UserWarning, stacklevel=5)
