"""Naive Bayes for documents. The signature repeats the registry's options, and a test compares
them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from numpy.typing import NDArray

from logodds import _core
from logodds._documents import read_documents
from logodds._features import Features, FrameFeatures, GivenFeatures
from logodds._gaussian_options import Priors
from logodds._naive_bayes import ProductClassifier, TopWord
from logodds._sparse import is_sparse
from logodds._text_options import Lengths, Terms

if TYPE_CHECKING:
    from sklearn.utils import Tags


class DocumentClassifier(ProductClassifier):
    """Naive Bayes for documents: from raw text to classes.

    X is a sequence of str, an array, a series of pandas or polars, an Arrow array, or a SciPy
    sparse matrix of counts whose columns are the terms. None is a missing document.

    Words are runs of two or more letters, digits and underscores of any script, in small letters:
    scikit-learn's tokens.

    family: 'multinomial', 'bernoulli' (words that are there or not), 'complement' (words of the
    other classes) or 'markov' (each word after the one before).
    ngrams: lengths of runs of words that count as terms.
    chars: lengths of runs of characters that count instead of words; None: words count.
    min_df, max_df: terms that are in fewer or more documents are left out; a float is a share.
    vocabulary: the terms to count; None: all that occur in training.
    stop_words: words to leave out.
    hash_bits: terms are counted in 2 ** hash_bits buckets instead of being kept.
    keep_case: capitals are not turned into small letters.
    binary: a term counts once in a document.
    max_vocabulary: only the most frequent terms are kept, in bounded memory.
    normalize: 'l1' or 'l2' divides the counts of a document by their norm.
    tf_idf: terms are weighed by ln((1 + documents) / (1 + documents that have it)) + 1.
    backoff: of 'markov', the pseudo-count of the word alone against the pair of words.
    smoothing: pseudo-count of every term.
    priors, unlabeled, max_iterations, tolerance: as for NaiveBayesClassifier.

    Words outside of the vocabulary count nowhere; a document without any word of it has the
    posteriors of the priors, and a warning says how many there are.

    Attributes after fit, besides `classes_` and so on: `vocabulary_`, `priors_`, `class_count_`.
    """

    _family = "naive-bayes"
    _sparse_as: ClassVar[str | None] = "pairs"
    kinds = None

    def __init__(
        self,
        family: str = "multinomial",
        ngrams: Lengths = (1, 1),
        chars: Lengths = None,
        min_df: float = 1,
        max_df: float = 1.0,
        vocabulary: Terms = None,
        stop_words: Terms = None,
        hash_bits: int | None = None,
        keep_case: bool = False,
        binary: bool = False,
        max_vocabulary: int | None = None,
        normalize: str = "none",
        tf_idf: bool = False,
        backoff: float = 100.0,
        smoothing: float = 1.0,
        priors: Priors = "ml",
        unlabeled: str = "error",
        max_iterations: int = 1000,
        tolerance: float = 1e-6,
    ) -> None:
        self.family = family
        self.ngrams = ngrams
        self.chars = chars
        self.min_df = min_df
        self.max_df = max_df
        self.vocabulary = vocabulary
        self.stop_words = stop_words
        self.hash_bits = hash_bits
        self.keep_case = keep_case
        self.binary = binary
        self.max_vocabulary = max_vocabulary
        self.normalize = normalize
        self.tf_idf = tf_idf
        self.backoff = backoff
        self.smoothing = smoothing
        self.priors = priors
        self.unlabeled = unlabeled
        self.max_iterations = max_iterations
        self.tolerance = tolerance

    # -- rows -------------------------------------------------------------------------------------

    def _features(self, X: Any) -> Features:
        if is_sparse(X):
            return super()._features(X)
        self._width = None
        return read_documents(X)

    def _rows(self, X: Any) -> FrameFeatures | GivenFeatures:
        self._check_fitted()
        if not is_sparse(X):
            return read_documents(X, self._column)
        if self._model.options["tokens"] != "pairs":
            raise ValueError("this model was trained on documents and not on sparse rows")
        return self._sparse_rows(X)

    def _same_columns(self, X: Any) -> Features:
        return self._rows(X)

    def _take_model(self, model: _core.Model, classes: NDArray[Any], named: bool) -> None:
        super()._take_model(model, classes, named=False)

    @property
    def _column(self) -> str:
        name: str = self._model.columns[0]["name"]
        return name

    # -- words ------------------------------------------------------------------------------------

    @property
    def vocabulary_(self) -> list[str]:
        """The terms that documents are scored by, in the order of their code points."""
        self._require_fitted("vocabulary_")
        return self._model.vocabularies()[self._column]

    def top_words(self, n: int = 10) -> dict[Any, list[TopWord]]:
        """For each class the n words with the highest log odds against the others."""
        self._check_fitted()
        return self._top_words(n)[self._column]

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags
