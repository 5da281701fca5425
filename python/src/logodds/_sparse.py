"""Rows in SciPy's sparse matrices, by their own methods: SciPy itself is not imported."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from logodds import _core
from logodds._errors import LogoddsError


def is_sparse(X: Any) -> bool:
    return type(X).__module__.startswith("scipy.sparse")


def read_sparse(X: Any) -> Any:
    """X in rows (CSR) of real numbers, refused where a dense array would be."""
    if X.ndim != 2:
        raise ValueError(f"Expected 2D input, got input with shape {X.shape}.")
    for count, what in zip(X.shape, ("sample", "feature"), strict=True):
        if count == 0:
            raise ValueError(
                f"Found array with 0 {what}(s) (shape={X.shape}) while a minimum of 1 is required."
            )
    if X.dtype.kind == "c":
        raise ValueError("Complex data not supported: X holds complex numbers.")
    rows = X.tocsr()
    if rows.dtype not in (np.dtype(np.float32), np.dtype(np.float64)):
        rows = rows.astype(np.float64)
    if not np.isfinite(rows.data).all():
        raise ValueError("Input X contains NaN or infinity.")
    return rows


def core_rows(X: Any, pairs: bool) -> _core.SparseMatrix:
    """Columns of numbers, made dense block by block, or documents of pairs COLUMN:VALUE."""
    rows = read_sparse(X)
    indices = rows.indices
    return _core.SparseMatrix(
        np.ascontiguousarray(rows.indptr, dtype=np.int64),
        np.ascontiguousarray(indices, dtype=np.int64 if indices.dtype.itemsize > 4 else np.int32),
        np.ascontiguousarray(rows.data, dtype=np.float64),
        rows.shape[1],
        pairs,
    )


def refuse_if_too_large(X: Any, name: str) -> None:
    """Raises LogoddsError where the rows, dense, would not fit into the memory that is free."""
    needed, free = 8 * X.shape[0] * X.shape[1], _free_memory()
    if needed > free:
        raise LogoddsError(
            f"{name} trains on dense rows: {X.shape[0]} x {X.shape[1]} numbers take "
            f"{needed / 1e9:.1f} GB, and {free / 1e9:.1f} GB are free; choose fewer columns, or "
            "use DocumentClassifier or NaiveBayesClassifier, which keep sparse rows sparse"
        )


def _free_memory() -> float:
    """Bytes; infinity where the system does not tell."""
    with suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text().splitlines()
        line = next(line for line in lines if line.startswith("MemAvailable:"))
        return 1024.0 * int(line.split()[1])
    with suppress(AttributeError, OSError, ValueError):
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    return float("inf")
