"""Counts of terms as SciPy's sparse matrices, and the counting that only Python can do."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from logodds import _core
from logodds._threads import get_threads
from logodds.compat._native_text import NativeText, NotNativeError, batches, without_surrogates
from logodds.compat._text_steps import TextSteps


class Counts(NamedTuple):
    """Rows in SciPy's compressed form."""

    indptr: NDArray[Any]
    indices: NDArray[Any]
    data: NDArray[Any]

    def matrix(self, width: int, dtype: Any) -> Any:
        """A CSR matrix, or array where scikit-learn is set to give arrays."""
        sparse = import_module("scipy.sparse")
        sklearn = sys.modules.get("sklearn")
        config = sklearn.get_config() if sklearn is not None else {}
        modern = config.get("sparse_interface", "spmatrix") == "sparray"
        make = sparse.csr_array if modern else sparse.csr_matrix
        data = self.data.astype(dtype, copy=False)
        shape = (len(self.indptr) - 1, width)
        return make((data, self.indices, self.indptr), shape=shape, copy=False)


def joined(parts: list[Counts]) -> Counts:
    """The rows of all parts."""
    if len(parts) == 1:
        return parts[0]
    starts = np.cumsum([0, *(len(part.indices) for part in parts)])
    wide = index_dtype(int(starts[-1]))
    indptr = [part.indptr[1:] + start for part, start in zip(parts, starts[:-1], strict=True)]
    return Counts(
        np.concatenate([np.zeros(1, dtype=wide), *indptr]).astype(wide, copy=False),
        np.concatenate([part.indices for part in parts]).astype(wide, copy=False),
        np.concatenate([part.data for part in parts]),
    )


def index_dtype(entries: int) -> type[np.integer[Any]]:
    return np.int64 if entries > np.iinfo(np.int32).max else np.int32


# -- by the core ----------------------------------------------------------------------------------


def count_batches(
    documents: list[Any], native: NativeText, steps: TextSteps, count: Callable[[list[str]], Any]
) -> list[Any]:
    """What count() makes of the documents; its last item says how many words were too long."""
    found = []
    for batch in batches(documents, native, steps):
        try:
            counted = count(batch)
        except UnicodeEncodeError:
            counted = count(without_surrogates(batch, native))
        if (counted if isinstance(counted, int) else counted[-1]) > 0:
            raise NotNativeError
        found.append(counted)
    return found


def count_new(documents: list[Any], native: NativeText, steps: TextSteps) -> _core.TermCounts:
    """Counts of all terms, whose vocabulary they make."""
    counts = _core.TermCounts()
    count_batches(
        documents, native, steps, lambda batch: counts.add(batch, native.rules, get_threads())
    )
    return counts


def count_known(
    documents: list[Any], native: NativeText, steps: TextSteps, terms: _core.TermIndex
) -> Counts:
    def count(batch: list[str]) -> Any:
        return _core.count_known(batch, native.rules, terms, get_threads())

    return joined([Counts(*part[:3]) for part in count_batches(documents, native, steps, count)])


def count_hashed(
    documents: list[Any], native: NativeText, steps: TextSteps, features: int, signs: bool
) -> Counts:
    def count(batch: list[str]) -> Any:
        return _core.count_hashed(batch, native.rules, features, signs, get_threads())

    return joined([Counts(*part[:3]) for part in count_batches(documents, native, steps, count)])


# -- in Python ------------------------------------------------------------------------------------


def count_plainly(
    documents: list[Any], analyze: Callable[[Any], Iterable[Any]], known: dict[Any, int] | None
) -> tuple[dict[Any, int], Counts]:
    """Counts of any hashable terms. Without a known vocabulary one in the order of appearance."""
    vocabulary: dict[Any, int] = {} if known is None else known
    indptr, indices, data = array("q", [0]), array("q"), array("q")
    for document in documents:
        counts: dict[int, int] = {}
        for term in analyze(document):
            place = vocabulary.get(term)
            if place is None:
                if known is not None:
                    continue
                place = vocabulary[term] = len(vocabulary)
            counts[place] = counts.get(place, 0) + 1
        indices.extend(sorted(counts))
        data.extend(counts[place] for place in sorted(counts))
        indptr.append(len(indices))
    wide = index_dtype(len(indices))
    return vocabulary, Counts(
        np.array(indptr, dtype=wide), np.array(indices, dtype=wide), np.array(data, dtype=np.int64)
    )


def hash_plainly(
    documents: list[Any], analyze: Callable[[Any], Iterable[Any]], features: int, signs: bool
) -> Counts:
    """Hashed counts of terms that are str or bytes."""
    vocabulary, counts = count_plainly(documents, analyze, None)
    for term in vocabulary:
        if not isinstance(term, (str, bytes)):
            raise TypeError("feature names must be strings")
    hashes = _core.term_hashes(list(vocabulary)).astype(np.int64)
    columns = (np.abs(hashes) % features)[counts.indices]
    values = counts.data * np.where(signs & (hashes < 0), -1, 1)[counts.indices]
    shape = (len(counts.indptr) - 1, features)
    rows = import_module("scipy.sparse").csr_array(
        (values, columns, counts.indptr.copy()), shape=shape
    )
    rows.sum_duplicates()
    wide = counts.indptr.dtype
    return Counts(
        rows.indptr.astype(wide, copy=False), rows.indices.astype(wide, copy=False), rows.data
    )
