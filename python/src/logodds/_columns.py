"""Arrays whose columns have kinds: what is categorical goes to the core as levels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from logodds import _core
from logodds._errors import LogoddsError
from logodds._label_values import label_text

Kinds: TypeAlias = Mapping[Any, str] | Sequence[str | None] | None
Numbers: TypeAlias = NDArray[np.float64]


class ArrayColumns:
    """The columns of an array, with an Arrow stream as a data frame has one."""

    def __init__(
        self, names: list[str], values: list[Numbers], levels: list[list[str]], named: bool
    ) -> None:
        self.columns = names
        self.named = named
        """Whether the user gave the columns their names."""
        self._values = values
        self._levels = levels

    def __len__(self) -> int:
        return len(self._values[0])

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return _core.column_stream(self.columns, self._values, self._levels)


def core_names(columns: int) -> list[str]:
    """What the core calls columns that have no names."""
    return [f"x{i + 1}" for i in range(columns)]


def read_cells(X: Any) -> NDArray[Any]:
    """X as a two-dimensional array of any type."""
    if type(X).__module__.startswith("scipy.sparse"):
        raise TypeError(
            "Sparse data was passed, but dense data is required. Use '.toarray()' to convert it."
        )
    cells = np.asarray(X)
    if cells.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {cells.ndim}D array instead. Reshape your data either using "
            "array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if it "
            "contains a single sample."
        )
    for count, what in zip(cells.shape, ("sample", "feature"), strict=True):
        if count == 0:
            raise ValueError(
                f"Found array with 0 {what}(s) (shape={cells.shape}) while a minimum of 1 is "
                "required."
            )
    return cells


def array_columns(
    columns: Iterable[NDArray[Any]], names: list[str], coded: set[str], named: bool
) -> ArrayColumns:
    """`coded`: names of the columns whose values are levels."""
    values: list[Numbers] = []
    levels: list[list[str]] = []
    for name, column in zip(names, columns, strict=True):
        codes, texts = _coded(column) if name in coded else (_numbers(column, name), [])
        values.append(np.ascontiguousarray(codes, dtype=np.float64))
        levels.append(texts)
    return ArrayColumns(names, values, levels, named)


def holds_words(column: NDArray[Any]) -> bool:
    if column.dtype.kind == "O":
        return any(isinstance(value, str) for value in column)
    return column.dtype.kind in "US"


def whole_columns(columns: Iterable[NDArray[Any]], names: list[str]) -> list[str]:
    """The columns of whole numbers, some of which may be missing."""
    return [name for name, column in zip(names, columns, strict=True) if _is_whole(column)]


def _is_whole(column: NDArray[Any]) -> bool:
    if holds_words(column) or column.dtype.kind == "c":
        return False
    if column.dtype.kind in "iub":
        return True
    values = _numbers(column, "")
    there = values[~np.isnan(values)]
    return bool(np.isfinite(there).all() and (there == np.floor(there)).all())


def _numbers(column: NDArray[Any], name: str) -> Numbers:
    if column.dtype.kind == "c":
        raise ValueError("Complex data not supported: X holds complex numbers.")
    try:
        return column.astype(np.float64)
    except ValueError as error:
        raise LogoddsError(
            f"column '{name}' holds a value that is no number ({error}); say "
            "kinds={...: 'categorical'} for this column"
        ) from error


def _coded(column: NDArray[Any]) -> tuple[Numbers, list[str]]:
    """Places in a list of texts, NaN where a value is missing."""
    if column.dtype.kind in "fiub":
        return _coded_numbers(column)
    places: dict[str, int] = {}
    codes = np.full(len(column), np.nan)
    for row, value in enumerate(column):
        if not _is_missing(value):
            codes[row] = places.setdefault(_level_text(value), len(places))
    return codes, list(places) or [""]


def _coded_numbers(column: NDArray[Any]) -> tuple[Numbers, list[str]]:
    if column.dtype.kind == "b":
        return column.astype(np.float64), ["False", "True"]
    values = column.astype(np.float64)
    found, codes = np.unique(values, return_inverse=True)
    coded = codes.astype(np.float64)
    coded[np.isnan(values)] = np.nan
    return coded, _core.number_texts(found)


def _level_text(value: Any) -> str:
    if isinstance(value, (float, np.floating)):
        return _core.number_texts(np.array([value], dtype=np.float64))[0]
    return label_text(value)


def _is_missing(value: Any) -> bool:
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):  # pandas.NA has no truth value
        return True


def kinds_by_name(kinds: Kinds, names: Sequence[str]) -> dict[str, str]:
    """Kinds of columns that are given by name, by place, or for all of them in order."""
    if kinds is None:
        return {}
    if isinstance(kinds, str):
        raise LogoddsError(f"kinds={kinds!r}: give one kind a column, or a mapping of columns")
    if isinstance(kinds, Mapping):
        return {_column_name(column, names): str(kind) for column, kind in kinds.items()}
    given = list(kinds)
    if len(given) != len(names):
        raise LogoddsError(f"kinds has {len(given)} entries, but X has {len(names)} columns")
    return {name: str(kind) for name, kind in zip(names, given, strict=True) if kind is not None}


def _column_name(column: Any, names: Sequence[str]) -> str:
    if isinstance(column, (int, np.integer)) and not isinstance(column, bool):
        if not 0 <= column < len(names):
            raise LogoddsError(f"kinds names column {column}, but X has {len(names)} columns")
        return names[int(column)]
    return str(column)
