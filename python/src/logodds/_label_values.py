"""Labels as Python has them and as the core has them: values and texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logodds import _core


def label_text(value: Any) -> str:
    """The core's name of a label: whole floats are named like integers."""
    if isinstance(value, (bool, np.bool_)):
        return str(value)
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def escaped(label: Any) -> str:
    """The name of a class or column where commas, plus signs and equals signs have a meaning."""
    return re.sub(r"([\\,+=])", r"\\\1", label_text(label))


def texts_of(classes: Iterable[Any]) -> list[str]:
    return [label_text(value) for value in classes]


def values_by_text(*arrays: NDArray[Any]) -> dict[str, Any]:
    """Values of several arrays of classes by the core's names; a later array changes nothing."""
    values: dict[str, Any] = {}
    for array in arrays:
        for value in array:
            values.setdefault(label_text(value), value)
    return values


def common_dtype(*arrays: NDArray[Any]) -> np.dtype[Any]:
    """Of labels that are to be told apart by their values; numbers and texts do not mix."""
    kinds = {_kind(array.dtype) for array in arrays} - {"objects"}
    if len(kinds) > 1:
        raise ValueError(
            f"the labels are {' here, '.join(sorted(kinds))} there; give them one type"
        )
    return np.result_type(*(array.dtype for array in arrays))


def _kind(dtype: np.dtype[Any]) -> str:
    names = {"b": "booleans", "O": "objects", "i": "numbers", "u": "numbers", "f": "numbers"}
    return names.get(dtype.kind, "texts")


def ordered_classes(values: Mapping[str, Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """The values in the order of the core: numbers by value, then texts by bytes."""
    texts = list(values)
    ordered = [values[texts[place]] for place in _core.label_order(texts)]
    classes = np.empty(len(ordered), dtype=dtype)
    classes[:] = ordered
    return classes
