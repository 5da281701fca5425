"""scikit-learn's CountVectorizer, counted by the core."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from logodds import _core, _sklearn
from logodds._sparse import is_sparse
from logodds._threads import get_threads
from logodds.compat._native_text import NotNativeError, document_list, native_text
from logodds.compat._sparse_counts import Counts, count_known, count_new, count_plainly
from logodds.compat._text_steps import WORDS, TextSteps
from logodds.compat._vectorizer_checks import (
    COUNT,
    ITERABLE,
    NOTHING,
    SHARE,
    check_parameters,
)

if TYPE_CHECKING:
    from sklearn.utils import Tags
    from sklearn.utils.metadata_routing import MetadataRequest
    from typing_extensions import Self

RULES = {
    "max_df": [SHARE, COUNT],
    "min_df": [SHARE, COUNT],
    "max_features": [COUNT, NOTHING],
    "vocabulary": [ITERABLE, NOTHING],
}


class CountVectorizer(TextSteps):
    """Documents to sparse rows of counts, with scikit-learn's parameters.

    Attributes after fit: `vocabulary_`, terms to columns, which is not to be changed in place, and
    `fixed_vocabulary_`, whether it was given.
    """

    vocabulary_: dict[Any, Any]
    fixed_vocabulary_: bool
    _index: tuple[dict[Any, Any], int, _core.TermIndex]
    """The vocabulary for lookups, and what it was made of."""

    def __init__(
        self,
        *,
        input: str = "content",
        encoding: str = "utf-8",
        decode_error: str = "strict",
        strip_accents: Any = None,
        lowercase: bool = True,
        preprocessor: Callable[[Any], Any] | None = None,
        tokenizer: Callable[[Any], Any] | None = None,
        stop_words: Any = None,
        token_pattern: str | None = WORDS,
        ngram_range: tuple[int, int] = (1, 1),
        analyzer: Any = "word",
        max_df: float = 1.0,
        min_df: float = 1,
        max_features: int | None = None,
        vocabulary: Any = None,
        binary: bool = False,
        dtype: Any = np.int64,
    ) -> None:
        self.input = input
        self.encoding = encoding
        self.decode_error = decode_error
        self.strip_accents = strip_accents
        self.preprocessor = preprocessor
        self.tokenizer = tokenizer
        self.analyzer = analyzer
        self.lowercase = lowercase
        self.token_pattern = token_pattern
        self.stop_words = stop_words
        self.max_df = max_df
        self.min_df = min_df
        self.max_features = max_features
        self.ngram_range = ngram_range
        self.vocabulary = vocabulary
        self.binary = binary
        self.dtype = dtype

    # -- training ---------------------------------------------------------------------------------

    def fit(self, raw_documents: Any, y: Any = None) -> Self:
        """Learns the vocabulary."""
        self.fit_transform(raw_documents)
        return self

    def fit_transform(self, raw_documents: Any, y: Any = None) -> Any:
        """Learns the vocabulary, and gives a sparse row of counts for each document."""
        check_parameters(self, RULES)
        documents = document_list(raw_documents, self)
        self._validate_ngram_range()
        self._warn_for_unused_params()
        self._validate_vocabulary()
        if self.fixed_vocabulary_:
            self._warn_of_upper_case()
            return self._known_matrix(documents)
        native = native_text(self)
        if native is not None:
            try:
                return self._take(count_new(documents, native, self))
            except NotNativeError:
                pass
        return self._take_plain(*count_plainly(documents, self.build_analyzer(), None))

    def _validate_vocabulary(self) -> None:
        self.fixed_vocabulary_ = self.vocabulary is not None
        if not self.fixed_vocabulary_:
            return
        vocabulary = self.vocabulary
        if isinstance(vocabulary, Mapping):
            places = set(vocabulary.values())
            if len(places) != len(vocabulary):
                raise ValueError("Vocabulary contains repeated indices.")
            for place in range(len(vocabulary)):
                if place not in places:
                    raise ValueError(
                        f"Vocabulary of size {len(vocabulary)} doesn't contain index {place}."
                    )
        else:
            terms = sorted(vocabulary) if isinstance(vocabulary, set) else vocabulary
            vocabulary = {}
            for place, term in enumerate(terms):
                if vocabulary.setdefault(term, place) != place:
                    raise ValueError(f"Duplicate term in vocabulary: {term!r}")
        if not vocabulary:
            raise ValueError("empty vocabulary passed to fit")
        self.vocabulary_ = dict(vocabulary)

    def _warn_of_upper_case(self) -> None:
        if self.lowercase and any(any(map(str.isupper, term)) for term in self.vocabulary):
            warnings.warn(
                "Upper case characters found in vocabulary while 'lowercase' is True. These "
                "entries will not be matched with any documents",
                stacklevel=3,
            )

    def _document_limits(self, terms: int, documents: int) -> tuple[float, float]:
        if terms == 0:
            raise ValueError("empty vocabulary; perhaps the documents only contain stop words")
        low = self.min_df if isinstance(self.min_df, Integral) else self.min_df * documents
        high = self.max_df if isinstance(self.max_df, Integral) else self.max_df * documents
        if high < low:
            raise ValueError("max_df corresponds to < documents than min_df")
        return float(low), float(high)

    def _most_frequent(self, totals: NDArray[np.int64]) -> NDArray[np.bool_] | None:
        """Which columns max_features leaves; None: all. Ties fall as NumPy's sort has them."""
        if self.max_features is None or len(totals) <= self.max_features:
            return None
        kept = np.zeros(len(totals), dtype=bool)
        summed = np.zeros(1, dtype=self.dtype).sum().dtype
        kept[np.argsort(-totals.astype(summed))[: self.max_features]] = True
        return kept

    def _take(self, counts: _core.TermCounts) -> Any:
        low, high = self._document_limits(counts.terms, counts.documents)
        counts.set_columns(low, high)
        if self.max_features is not None:
            kept = self._most_frequent(counts.totals(self.binary))
            if kept is not None:
                counts.keep_columns(kept.view(np.uint8))
        vocabulary, rows = counts.finish(get_threads())
        self._adopt(vocabulary)
        if counts.width == counts.terms:
            self._index = self.vocabulary_, counts.terms, counts.index()
        return self._matrix(Counts(*rows[:3]))

    def _take_plain(self, vocabulary: dict[Any, int], counts: Counts) -> Any:
        low, high = self._document_limits(len(vocabulary), len(counts.indptr) - 1)
        order = np.array([vocabulary[term] for term in sorted(vocabulary)])
        documents = np.bincount(counts.indices, minlength=len(order))[order]
        order = order[(low <= documents) & (documents <= high)]
        X = counts.matrix(len(vocabulary), np.int64)[:, order]
        X.sort_indices()
        if self.binary:
            X.data.fill(1)
        kept = self._most_frequent(np.asarray(X.sum(axis=0)).ravel())
        if kept is not None:
            X, order = X[:, np.flatnonzero(kept)], order[kept]
        places = np.full(len(vocabulary), -1)
        places[order] = np.arange(len(order))
        known = zip(vocabulary, places[list(vocabulary.values())].tolist(), strict=True)
        self._adopt({term: place for term, place in known if place >= 0})
        return self._matrix(Counts(X.indptr, X.indices, X.data))

    def _adopt(self, vocabulary: dict[Any, Any]) -> None:
        if not vocabulary:
            raise ValueError(
                "After pruning, no terms remain. Try a lower min_df or a higher max_df."
            )
        if self.max_features is not None:  # scikit-learn's integers are then NumPy's
            vocabulary = {term: np.int64(place) for term, place in vocabulary.items()}
        self.vocabulary_ = vocabulary

    # -- use --------------------------------------------------------------------------------------

    def transform(self, raw_documents: Any) -> Any:
        """A sparse row of counts of the vocabulary's terms for each document."""
        documents = document_list(raw_documents, self)
        self._check_vocabulary()
        return self._known_matrix(documents)

    def _check_vocabulary(self) -> None:
        if not hasattr(self, "vocabulary_"):
            self._validate_vocabulary()
            if not self.fixed_vocabulary_:
                raise _sklearn.not_fitted(type(self).__name__, "Vocabulary not fitted or provided")
        if not self.vocabulary_:
            raise ValueError("Vocabulary is empty")

    def _known_matrix(self, documents: list[Any]) -> Any:
        native = native_text(self)
        if native is not None:
            try:
                return self._matrix(count_known(documents, native, self, self._terms()))
            except NotNativeError:
                pass
        _, counts = count_plainly(documents, self.build_analyzer(), self.vocabulary_)
        return self._matrix(counts)

    def _terms(self) -> _core.TermIndex:
        vocabulary = self.vocabulary_
        made_of, size, terms = getattr(self, "_index", (None, 0, None))
        if made_of is not vocabulary or size != len(vocabulary) or terms is None:
            terms = _core.TermIndex(vocabulary)
            self._index = vocabulary, len(vocabulary), terms
        return terms

    def _matrix(self, counts: Counts) -> Any:
        X = counts.matrix(len(self.vocabulary_), self.dtype)
        if self.binary:
            X.data.fill(1)
        return X

    def inverse_transform(self, X: Any) -> list[NDArray[Any]]:
        """The terms of each row that are not zero."""
        self._check_vocabulary()
        terms = np.array(list(self.vocabulary_))
        terms = terms[np.argsort(np.array(list(self.vocabulary_.values())))]
        if not is_sparse(X):
            return [terms[np.flatnonzero(row)] for row in np.asarray(X)]
        rows = X.tocsr()
        bounds = zip(rows.indptr[:-1], rows.indptr[1:], strict=True)
        return [terms[rows.indices[i:j][rows.data[i:j] != 0]] for i, j in bounds]

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The terms in the order of the columns."""
        self._check_vocabulary()
        return np.asarray(sorted(self.vocabulary_, key=self.vocabulary_.__getitem__), dtype=object)

    # -- scikit-learn -----------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_index"}

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "vocabulary_")

    def __sklearn_tags__(self) -> Tags:
        return _sklearn.vectorizer_tags(requires_fit=True, transformer=False)

    def get_metadata_routing(self) -> MetadataRequest:
        return _sklearn.metadata_request(self, ())
