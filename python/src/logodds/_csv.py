"""How a CSV file is read: the keywords that fit_csv() and predict_csv() share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypedDict

from logodds._threads import get_threads


class CsvOptions(TypedDict, total=False):
    """Keywords of fit_csv(), predict_csv() and predict_proba_csv(); each may be left out."""

    missing_tokens: Iterable[str]
    """Further words for a missing value."""
    delimiter: str | None
    """One character; None: the one that the first line suggests."""
    header: bool
    """Whether the first line holds the names of the columns."""
    missing: str | None
    """What becomes of rows that lack a value: 'skip', 'error', or None: what the model can do."""
    threads: int | None
    """None: what get_threads() says."""


class CsvReading(NamedTuple):
    """The options as the core takes them, in its order."""

    missing_tokens: list[str]
    delimiter: str
    header: bool
    missing: str
    threads: int


def csv_reading(
    *,
    missing: str | None = None,
    missing_tokens: Iterable[str] = (),
    delimiter: str | None = None,
    header: bool = True,
    threads: int | None = None,
) -> CsvReading:
    return CsvReading(
        list(missing_tokens), delimiter or "", header, missing or "", threads or get_threads()
    )
