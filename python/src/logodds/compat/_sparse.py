"""What the counting classes do to sparse rows."""

from __future__ import annotations

from typing import Any

import numpy as np


def binarized(rows: Any, threshold: float) -> Any:
    """1 where a value is above the threshold, which is not negative, so that zeros stay zeros."""
    ones = rows.copy()
    ones.data = (rows.data > threshold).astype(np.float64)
    ones.eliminate_zeros()
    return ones
