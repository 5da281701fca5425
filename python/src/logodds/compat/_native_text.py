"""Which documents the core can cut into terms itself, and how they reach it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from logodds import _core
from logodds.compat._text_steps import WORDS, TextSteps

OWN_STEPS = (
    "build_analyzer",
    "build_tokenizer",
    "_word_ngrams",
    "_char_ngrams",
    "_char_wb_ngrams",
)
"""Methods that the core does the work of, unless a subclass has its own."""
BATCH_CHARACTERS = 1 << 24
"""Documents that are made here, by decoding or preprocessing, are handed over in such batches."""


class NotNativeError(Exception):
    """A document that the core does not cut as Python would."""


class NativeText(NamedTuple):
    """Rules for the core, and what is done to a document before."""

    rules: _core.TermRules
    prepare: Callable[[Any], Any] | None
    """None: a str is taken as it is."""
    lossless: bool
    """Whether half of a surrogate pair can be part of a term."""


def native_text(steps: TextSteps) -> NativeText | None:
    """None where only Python can cut the documents."""
    kind = type(steps)
    if any(getattr(kind, name) is not getattr(TextSteps, name) for name in OWN_STEPS):
        return None
    if steps.analyzer not in ("word", "char", "char_wb") or not _counts_from_one(steps):
        return None
    stop_words = _word_rules(steps) if steps.analyzer == "word" else []
    if stop_words is None:
        return None
    plain = steps.preprocessor is None and not steps.strip_accents
    plain = plain and kind.build_preprocessor is TextSteps.build_preprocessor
    as_is = plain and kind.decode is TextSteps.decode and steps.input == "content"
    rules = _core.TermRules(
        steps.analyzer, *steps.ngram_range, not (plain and steps.lowercase), stop_words
    )
    prepare = _prepare(steps, None if plain else steps.build_preprocessor())
    return NativeText(rules, None if as_is else prepare, steps.analyzer != "word")


def _counts_from_one(steps: TextSteps) -> bool:
    return all(isinstance(n, (int, np.integer)) and n >= 1 for n in steps.ngram_range)


def _word_rules(steps: TextSteps) -> list[str] | None:
    """The stop words, or None where words are not the core's words."""
    if steps.tokenizer is not None or steps.token_pattern not in (WORDS, WORDS[4:]):
        return None
    stop_words = list(steps.get_stop_words() or ())
    if not all(isinstance(word, str) for word in stop_words):
        return None
    steps._check_stop_words_consistency(
        frozenset(stop_words), steps.build_preprocessor(), steps.build_tokenizer()
    )
    return [word for word in stop_words if _encodable(word)]


def _encodable(word: str) -> bool:
    return not any("\ud800" <= c <= "\udfff" for c in word)


def _prepare(steps: TextSteps, preprocess: Callable[[Any], Any] | None) -> Callable[[Any], Any]:
    def prepare(doc: Any) -> Any:
        text = steps.decode(doc)
        return text if preprocess is None else preprocess(text)

    return prepare


def document_list(documents: Any, steps: TextSteps) -> list[Any]:
    """The documents as a list that can be read twice."""
    if isinstance(documents, str):
        raise ValueError("Iterable over raw text documents expected, string object received.")
    if isinstance(documents, np.ndarray) and documents.ndim == 1:
        return list(documents.tolist())
    return documents if type(documents) is list else list(documents)


def batches(documents: list[Any], native: NativeText, steps: TextSteps) -> Iterator[list[str]]:
    """The documents as lists of str; NotNativeError for one that Python has to cut."""
    if native.prepare is None:
        if _core.first_non_text(documents) == len(documents):
            yield documents
            return
        native = native._replace(prepare=_prepare(steps, None))
    batch: list[str] = []
    size = 0
    for place, document in enumerate(documents):
        text = _text(native, document, place, steps)
        batch.append(text)
        size += len(text)
        if size > BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    yield batch


def _text(native: NativeText, document: Any, place: int, steps: TextSteps) -> str:
    assert native.prepare is not None
    text = native.prepare(document)
    if isinstance(text, str):
        return text
    name = type(text).__name__
    if steps.lowercase and steps.preprocessor is None:
        raise AttributeError(f"document {place}: '{name}' object has no attribute 'lower'")
    raise TypeError(f"document {place}: expected string, got '{name}'")


def without_surrogates(documents: list[str], native: NativeText) -> list[str]:
    """Half of a surrogate pair is no word character: any other such character serves as well."""
    if native.lossless:
        raise NotNativeError
    return [document.encode("utf-8", "replace").decode() for document in documents]
