"""Labels and weights as the core takes them: 64-bit integers, names, and doubles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from logodds._sklearn import warn_column_vector

LARGEST_EXACT_FLOAT = 2.0**53
LEAST_WEIGHT, LARGEST_WEIGHT = 1e-100, 1e100
NO_LABEL = np.iinfo(np.int64).min
"""The core's mark of a row without a label."""


class Labels(NamedTuple):
    """`codes` are indices into `names`, or the labels themselves when there are no names."""

    codes: NDArray[np.int64]
    names: list[str]
    classes_of: Callable[[list[str]], NDArray[Any]]
    """Turns the model's labels, which are texts, into values like those of y."""


def read_labels(y: Any) -> Labels:
    """Integers go to the core as they are, which codes them in its pass over the rows."""
    values = _one_dimensional(np.asarray(y))
    if values.dtype.kind == "c":
        raise ValueError("Complex data not supported: y holds complex numbers.")
    if values.dtype.kind == "f":
        return _read_floats(values)
    if values.dtype.kind == "b":
        return _named(np.array([False, True]), values)
    if values.dtype.kind == "i" or (values.dtype.kind == "u" and values.dtype.itemsize < 8):
        return _integers(values)
    return _read_others(values)


def read_some_labels(y: Any) -> Labels:
    """The same of labels that may be missing: None, NaN, NA or '', and -1 among integers."""
    values = _one_dimensional(np.asarray(y))
    there = _labelled(values)
    if there.all():
        return read_labels(values)
    known = read_labels(
        np.asarray(values[there].tolist() if values.dtype == object else values[there])
    )
    codes = np.full(len(values), NO_LABEL, dtype=np.int64)
    codes[there] = known.codes
    return known._replace(codes=codes)


def _labelled(values: NDArray[Any]) -> NDArray[np.bool_]:
    if values.dtype.kind in "fc":
        given: NDArray[np.bool_] = ~np.isnan(values)
        return given
    if values.dtype.kind == "O":
        return np.array([not (_is_missing(value) or _is_empty(value)) for value in values], bool)
    if values.dtype.kind == "U":
        written: NDArray[np.bool_] = np.not_equal(values, "")
        return written
    if values.dtype.kind != "i":
        return np.ones(len(values), dtype=bool)
    there: NDArray[np.bool_] = np.not_equal(values, -1)
    if not there.all() and there.any() and (values[there] == 1).all():
        raise ValueError(
            "y holds -1 and 1 alone: with unlabeled='em' an integer -1 is a row without a label; "
            "where -1 is a class, give floats, and NaN for rows without a label"
        )
    return there


def _is_empty(value: object) -> bool:
    return isinstance(value, str) and not value


def _one_dimensional(values: NDArray[Any]) -> NDArray[Any]:
    if values.ndim == 2 and values.shape[1] == 1:
        warn_column_vector()
        return values.ravel()
    if values.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {values.shape} instead.")
    return values


def _integers(values: NDArray[Any]) -> Labels:
    dtype = values.dtype

    def classes_of(labels: list[str]) -> NDArray[Any]:
        return np.array([int(label) for label in labels], dtype=np.int64).astype(dtype)

    return Labels(np.ascontiguousarray(values, dtype=np.int64), [], classes_of)


def _read_floats(values: NDArray[Any]) -> Labels:
    """Labels that happen to be stored as floats, and never a continuous target."""
    if np.isnan(values).any():
        raise ValueError("Input y contains NaN.")
    if not (np.abs(values) < LARGEST_EXACT_FLOAT).all():
        raise ValueError("Input y contains infinity or a value too large for a label.")
    if (values != np.floor(values)).any():
        raise ValueError(
            "Unknown label type: continuous. Maybe you are trying to fit a classifier, which "
            "expects discrete classes, on a regression target with continuous values."
        )
    return _integers(values)


def _read_others(values: NDArray[Any]) -> Labels:
    if values.dtype.kind == "O" and any(_is_missing(value) for value in values):
        raise ValueError("Input y contains NaN or None: every row needs a label.")
    try:
        classes, codes = np.unique(values, return_inverse=True)
    except TypeError as error:
        raise ValueError(
            f"Unknown label type: y mixes values that have no order ({error})"
        ) from error
    return _named(classes, codes)


def _is_missing(value: object) -> bool:
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):  # pandas.NA has no truth value
        return True


def _named(classes: NDArray[Any], codes: NDArray[Any]) -> Labels:
    names = [str(value) for value in classes]

    def classes_of(labels: list[str]) -> NDArray[Any]:
        return classes[[names.index(label) for label in labels]]

    return Labels(np.ascontiguousarray(codes, dtype=np.int64), names, classes_of)


def classes_of_file(labels: list[str]) -> NDArray[Any]:
    """Classes of a model that comes from a file: integers when every label is one, booleans when
    every label is 'False' or 'True', which is how fit() has named them; else texts.
    """
    if labels and set(labels) <= {"False", "True"}:
        return np.array([label == "True" for label in labels])
    try:
        numbers = [int(label) for label in labels]
    except ValueError:
        return np.array(labels)
    as_written = [str(number) for number in numbers] == labels
    in_range = all(-(2**63) <= number < 2**63 for number in numbers)
    return np.array(numbers, dtype=np.int64) if as_written and in_range else np.array(labels)


def read_weights(sample_weight: Any, rows: int) -> NDArray[np.float64] | None:
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, dtype=np.float64, order="C")
    if weights.ndim == 0:
        weights = np.full(rows, weights)
    if weights.shape != (rows,):
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(rows,)}!")
    if not weights.any():
        raise ValueError("sample_weight must contain at least one weight that is not zero.")
    return weights


def read_sound_weights(sample_weight: Any, rows: int) -> NDArray[np.float64] | None:
    """The same where the core does not look at them, of a size that can be squared and summed."""
    weights = read_weights(sample_weight, rows)
    if weights is None:
        return None
    sound = (weights >= 0.0) & np.isfinite(weights)
    if not sound.all():
        row = int(np.argmin(sound))
        raise ValueError(f"row {row}: weight {weights[row]} is not a number from 0 on")
    near = (weights == 0.0) | ((weights >= LEAST_WEIGHT) & (weights <= LARGEST_WEIGHT))
    if not near.all():
        row = int(np.argmin(near))
        raise ValueError(
            f"row {row}: weight {weights[row]} is not between {LEAST_WEIGHT} and {LARGEST_WEIGHT}; "
            "multiply all weights by a constant that brings them near 1"
        )
    return weights


def check_lengths(rows: int, labels: int) -> None:
    if rows != labels:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: {[rows, labels]}"
        )
