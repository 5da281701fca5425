"""Rows in SciPy's sparse matrices, by their own methods: SciPy itself is not imported."""

from __future__ import annotations

from typing import Any

import numpy as np


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


def binarized(rows: Any, threshold: float) -> Any:
    """1 where a value is above the threshold, which is not negative, so that zeros stay zeros."""
    ones = rows.copy()
    ones.data = (rows.data > threshold).astype(np.float64)
    ones.eliminate_zeros()
    return ones
