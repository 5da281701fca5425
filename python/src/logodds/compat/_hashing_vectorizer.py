"""scikit-learn's HashingVectorizer, counted by the core."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from logodds import _sklearn
from logodds.compat._native_text import NotNativeError, document_list, native_text
from logodds.compat._sparse_counts import Counts, count_hashed, hash_plainly
from logodds.compat._text_steps import WORDS, TextSteps
from logodds.compat._vectorizer_checks import FEATURES, NOTHING, TRUTH, check_parameters, one_of

if TYPE_CHECKING:
    from sklearn.utils import Tags
    from sklearn.utils.metadata_routing import MetadataRequest
    from typing_extensions import Self

RULES = {"n_features": [FEATURES], "norm": [one_of("l1", "l2"), NOTHING], "alternate_sign": [TRUTH]}


class HashingVectorizer(TextSteps):
    """Documents to sparse rows of hashed counts, with scikit-learn's parameters."""

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
        n_features: int = 2**20,
        binary: bool = False,
        norm: str | None = "l2",
        alternate_sign: bool = True,
        dtype: Any = np.float64,
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
        self.n_features = n_features
        self.ngram_range = ngram_range
        self.binary = binary
        self.norm = norm
        self.alternate_sign = alternate_sign
        self.dtype = dtype

    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Checks the parameters; there is nothing to learn."""
        check_parameters(self, RULES)
        return self

    def fit(self, X: Any, y: Any = None) -> Self:
        """Checks the parameters; there is nothing to learn."""
        check_parameters(self, RULES)
        if isinstance(X, str):
            raise ValueError("Iterable over raw text documents expected, string object received.")
        self._warn_for_unused_params()
        self._validate_ngram_range()
        return self

    def transform(self, X: Any) -> Any:
        """A sparse row of hashed counts for each document."""
        documents = document_list(X, self)
        self._validate_ngram_range()
        if not documents:
            raise ValueError("Cannot vectorize empty sequence.")
        counts = self._count(documents)
        data = np.ones_like(counts.data) if self.binary else counts.data
        data = data.astype(self.dtype, copy=False)
        if self.norm is not None:
            data = _normalized(counts._replace(data=data), self.norm)
        return counts._replace(data=data).matrix(self.n_features, data.dtype)

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """fit(), then transform()."""
        documents = X if isinstance(X, str) else document_list(X, self)
        return self.fit(documents, y).transform(documents)

    def _count(self, documents: list[Any]) -> Counts:
        native = native_text(self)
        if native is not None:
            try:
                return count_hashed(documents, native, self, self.n_features, self.alternate_sign)
            except NotNativeError:
                pass
        analyze = self.build_analyzer()
        return hash_plainly(documents, analyze, self.n_features, self.alternate_sign)

    # -- scikit-learn -----------------------------------------------------------------------------

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Tags:
        return _sklearn.vectorizer_tags(requires_fit=False, transformer=True)

    def get_metadata_routing(self) -> MetadataRequest:
        return _sklearn.metadata_request(self, ())


def _normalized(counts: Counts, norm: str) -> NDArray[Any]:
    """Each row divided by its norm, in the precision of the data."""
    kind = counts.data.dtype
    values = counts.data.astype(np.float64)
    sizes = np.square(values) if norm == "l2" else np.abs(values)
    rows = np.repeat(np.arange(len(counts.indptr) - 1), np.diff(counts.indptr))
    norms = np.bincount(rows, weights=sizes, minlength=len(counts.indptr) - 1)
    if norm == "l2":
        norms = np.sqrt(norms)
    norms[norms == 0.0] = 1.0
    shares: NDArray[Any] = (values / norms[rows]).astype(
        kind if kind.kind == "f" else np.float64, copy=False
    )
    return shares
