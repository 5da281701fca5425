"""Parameters about documents to the text of options, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import numpy as np

from logodds._errors import LogoddsError
from logodds._parameters import option_text

Lengths: TypeAlias = tuple[int, int] | int | str | None
Terms: TypeAlias = Iterable[str] | str | None


def lengths_text(lengths: Lengths) -> str:
    """'1-2' of (1, 2); nothing of None."""
    if lengths is None:
        return ""
    if isinstance(lengths, (tuple, list)):
        return "-".join(str(length) for length in lengths)
    return str(lengths)


def limit_text(limit: Any) -> str:
    """A number of documents, or a share of them where it is a float."""
    if isinstance(limit, (float, np.floating)):
        text = repr(float(limit))
        return text if "." in text or float(limit) < 1.0 else f"{text}.0"
    return option_text(limit)


def terms_text(terms: Terms) -> str:
    """One term a line; nothing of None."""
    if terms is None or isinstance(terms, str):
        return terms or ""
    listed = list(terms)
    for term in listed:
        if not isinstance(term, str):
            raise LogoddsError(f"terms are str, not {type(term).__name__}: {term!r}")
        if "\n" in term or not term:
            raise LogoddsError(f"{term!r} is no term: terms are not empty and hold no line break")
    return "\n".join(listed)


def vocabulary_text(terms: Terms) -> str:
    text = terms_text(terms)
    if terms is not None and not text:
        raise LogoddsError("the vocabulary is empty: give terms, or None")
    return text


def count_text(count: Any) -> str:
    return "0" if count is None else option_text(count)


TEXTS = {
    "ngrams": lengths_text,
    "chars": lengths_text,
    "min_df": limit_text,
    "max_df": limit_text,
    "vocabulary": vocabulary_text,
    "stop_words": terms_text,
    "hash_bits": count_text,
    "max_vocabulary": count_text,
}


def _lengths(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    return int(first), int(last or first)


def _limit(text: str) -> float:
    return int(text) if text.isdigit() else float(text)


def _terms(text: str) -> list[str]:
    return text.split("\n")


VALUES: dict[str, Callable[[str], Any]] = {
    "ngrams": _lengths,
    "chars": _lengths,
    "min_df": _limit,
    "max_df": _limit,
    "vocabulary": _terms,
    "stop_words": _terms,
}
"""What an option's text is in Python, where it is not the default."""
