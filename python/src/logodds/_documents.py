"""Documents as the core takes them: a list of str in place, or a column of an Arrow stream."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from logodds import _core
from logodds._features import FrameFeatures, GivenFeatures, column_names, is_frame

TEXT_COLUMN = "text"
"""What the column of documents is called that have no name."""


def read_documents(X: Any, column: str = TEXT_COLUMN) -> FrameFeatures | GivenFeatures:
    """A sequence of str, an array, a series of pandas or polars, an Arrow array, or a table of one
    column. None and NaN are missing documents.
    """
    if isinstance(X, (str, bytes)):
        raise ValueError("Iterable over raw text documents expected, string object received.")
    frame = _one_column(X, column)
    if frame is not None:
        return FrameFeatures(frame, dict.fromkeys(column_names(frame), "text"))
    return GivenFeatures(_document_rows(_as_list(X), column))


def _one_column(X: Any, column: str) -> Any:
    """X as a table where it is one, or a series or array in Arrow's memory; else None."""
    pandas, polars, pyarrow = (sys.modules.get(n) for n in ("pandas", "polars", "pyarrow"))
    if polars is not None and isinstance(X, polars.Series):
        return X.cast(polars.String).rename(column).to_frame()
    if pyarrow is not None and isinstance(X, (pyarrow.Array, pyarrow.ChunkedArray)):
        return pyarrow.table({column: X.cast(pyarrow.large_string())})
    if pandas is not None and isinstance(X, pandas.Series):
        in_arrow = getattr(X.dtype, "storage", "") == "pyarrow"
        return X.reset_index(drop=True).to_frame(column) if in_arrow else None
    if not is_frame(X) or not hasattr(X, "columns"):
        return None
    if len(column_names(X)) != 1:
        raise ValueError(
            f"documents are one column, but X has {len(column_names(X))}; give one of them, or use "
            "NaiveBayesClassifier for a table with other columns"
        )
    return X


def _as_list(X: Any) -> list[Any]:
    if isinstance(X, np.ndarray):
        if X.ndim != 1 and not (X.ndim == 2 and X.shape[1] == 1):
            raise ValueError(f"documents are one column, but X has the shape {X.shape}")
        return list(X.ravel().tolist())
    return X if type(X) is list else list(X)


def _document_rows(documents: list[Any], column: str) -> _core.DocumentRows:
    if not documents:
        raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
    if _core.first_non_text(documents) < len(documents):
        documents = [_document(item, place) for place, item in enumerate(documents)]
    try:
        return _core.DocumentRows(documents, column)
    except UnicodeEncodeError:  # half of a surrogate pair, which no file can hold
        valid = [d if d is None else d.encode("utf-8", "replace").decode() for d in documents]
        return _core.DocumentRows(valid, column)


def _document(item: Any, place: int) -> str | None:
    if isinstance(item, str):
        return item
    if isinstance(item, bytes):
        return item.decode("utf-8", "replace")
    if item is None or (isinstance(item, float) and item != item) or str(item) == "<NA>":
        return None
    raise TypeError(f"document {place} is no str but of type {type(item).__name__}")
