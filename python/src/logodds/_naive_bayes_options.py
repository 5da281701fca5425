"""Parameters of the naive Bayes family to the text of options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np

from logodds import _text_options as text_options
from logodds._gaussian_options import priors_text
from logodds._label_values import escaped
from logodds._parameters import option_text

Families: TypeAlias = str | Mapping[Any, str] | None
Smoothing: TypeAlias = float | str | Mapping[Any, float]
Blocks: TypeAlias = str | Iterable[Iterable[Any]] | None


def column_text(column: Any) -> str:
    """The name of a column, or of the column at a place where columns have no names."""
    if isinstance(column, (int, np.integer)) and not isinstance(column, bool):
        return f"x{int(column) + 1}"
    return escaped(column)


def families_text(families: Families) -> str:
    """'age=kernel,count=poisson', or a mapping of columns and kinds."""
    if families is None or isinstance(families, str):
        return families or ""
    return ",".join(f"{column_text(column)}={family}" for column, family in families.items())


def smoothing_text(smoothing: Smoothing) -> str:
    """A number, '1,visits=0.5', or a mapping of columns, None or 'default' for all others."""
    if not isinstance(smoothing, Mapping):
        return option_text(smoothing)
    overall = [option_text(alpha) for column, alpha in smoothing.items() if _is_default(column)]
    columns = [
        f"{column_text(column)}={option_text(alpha)}"
        for column, alpha in smoothing.items()
        if not _is_default(column)
    ]
    return ",".join([*(overall or ["1"]), *columns])


def _is_default(column: Any) -> bool:
    return column is None or (isinstance(column, str) and column == "default")


def blocks_text(blocks: Blocks) -> str:
    """'a+b,c+d', 'auto', or lists of columns."""
    if blocks is None or isinstance(blocks, str):
        return blocks or ""
    return ",".join("+".join(map(column_text, block)) for block in blocks)


TEXTS = text_options.TEXTS | {
    "families": families_text,
    "smoothing": smoothing_text,
    "blocks": blocks_text,
    "structure": lambda structure: structure or "naive",
    "priors": priors_text,
}


def naive_bayes_options(parameters: Mapping[str, Any]) -> dict[str, str]:
    """Every parameter as the command line would have it; the core checks what it says."""
    return {
        name.replace("_", "-"): TEXTS.get(name, option_text)(value)
        for name, value in parameters.items()
        if name != "kinds"
    }
