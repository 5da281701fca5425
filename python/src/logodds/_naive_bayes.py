"""Naive Bayes and joint tables. The signatures repeat the registry's options, and a test compares
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from logodds import _core
from logodds._columns import Kinds
from logodds._features import Features
from logodds._gaussian_options import Priors
from logodds._mixed import MixedClassifier
from logodds._naive_bayes_options import Blocks, Families, Smoothing, naive_bayes_options
from logodds._sparse import is_sparse
from logodds._text_options import Lengths, Terms
from logodds._threads import get_threads

if TYPE_CHECKING:
    from sklearn.utils import Tags
    from typing_extensions import Self


@dataclass(frozen=True)
class TopWord:
    """A word that speaks for a class."""

    word: str
    count: float
    """In the class."""
    elsewhere: float
    """In all other classes together."""
    log_odds: float
    """ln p(word | class) - ln p(word | all other classes together)."""


class ProductClassifier(MixedClassifier):
    """What the classes of the family share."""

    _always_estimable: Mapping[str, str] = {"priors": "ml"}
    _width: int | None = None
    """Columns of the sparse matrix that the model was trained on; None: it was none."""

    def _options(self) -> dict[str, str]:
        sparse = {} if self._width is None else {"tokens": "pairs"}
        return naive_bayes_options(self.get_params()) | sparse

    def _features(self, X: Any) -> Features:
        sparse = self._sparse_as is not None and is_sparse(X)
        self._width = X.shape[1] if sparse else None
        return super()._features(X)

    def _check_width(self, columns: int) -> None:
        # A model of pairs that comes from a file does not know how many columns there were.
        if self._width is not None or self._model.options.get("tokens") != "pairs":
            super()._check_width(columns)

    def _read_as(self, other: Self) -> None:
        self._width = other._width

    def _take_model(self, model: _core.Model, classes: NDArray[Any], named: bool) -> None:
        super()._take_model(model, classes, named)
        if self._width is not None:
            self.n_features_in_ = self._width

    def _settle(
        self, model: _core.Model, report: _core.FitReport | None, declared: NDArray[Any] | None
    ) -> tuple[_core.Model, _core.FitReport | None]:
        wanted = self._options()
        wanted["priors"] = self._priors_text(model.labels, declared)
        if wanted.get("blocks") == "auto":
            chosen = self._model if self.__sklearn_is_fitted__() else model
            wanted["blocks"] = chosen.options["blocks"]
        wanted = _core.canonical_options(self._family, wanted)
        if model.options == wanted:
            return model, report
        return model.with_options(wanted, get_threads())

    def _after_fit(self, report: _core.FitReport | None) -> None:
        super()._after_fit(report)
        self._keep_em_trace(report)

    @property
    def kinds_(self) -> dict[str, str]:
        """The kind of each column: 'real', 'binary', 'categorical', 'count' or 'text'."""
        self._require_fitted("kinds_")
        return {column["name"]: column["kind"] for column in self._model.columns}

    @property
    def levels_(self) -> dict[str, list[str]]:
        """The levels of each column that has any, in the core's order: numbers by value, then
        texts.
        """
        self._require_fitted("levels_")
        columns = self._model.columns
        return {column["name"]: column["levels"] for column in columns if column["levels"]}

    def _top_words(self, n: int) -> dict[str, dict[Any, list[TopWord]]]:
        """By column and class."""
        classes = self._labels_of(np.arange(len(self._model.labels), dtype=np.int32))
        return {
            column: {
                label: [TopWord(*word) for word in words]
                for label, words in zip(classes, found, strict=True)
            }
            for column, found in self._model.top_words(n).items()
        }

    def _require_fitted(self, name: str) -> None:
        if not self.__sklearn_is_fitted__():
            raise AttributeError(f"{type(self).__name__} has no {name} before fit()")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class NaiveBayesClassifier(ProductClassifier):
    """Naive Bayes for any mix of columns: numbers, yes/no, categories, counts, texts, and gaps.

    X is a data frame (pandas, polars, Arrow), whose strings, categoricals and dictionaries are
    categorical and whose booleans are binary, or an array. Strings that look like documents are
    text. Of numbers, 0 and 1 alone are binary and non-negative integers counts, unless `kinds` says
    otherwise. A SciPy sparse matrix of counts is one document a row, whose terms are the columns.

    families: the law of columns: a mapping of columns or kinds to 'gaussian', 'log-normal',
    'exponential', 'gamma', 'kernel', 'histogram', 'bernoulli', 'categorical', 'poisson',
    'geometric' or 'negative-binomial', or the text 'age=kernel,count=geometric'.
    smoothing: pseudo-count of every level, cell, bin and word; or a mapping of columns, None or
    'default' being all others.
    blocks: lists of columns that are modelled jointly, or the text 'a+b,c+d'.
    structure: None (columns independent given the class) or 'tree' (each depends on one other).
    variance_floor: least variance in a class, as a share of the column's own.
    max_cells: a joint table with more cells is refused.
    priors: 'ml', 'uniform', 'smoothed:ALPHA', a mapping of labels, or one a class in the order of
    `classes_`.
    family, ngrams, chars, min_df, max_df, max_vocabulary, vocabulary, stop_words, hash_bits,
    keep_case, binary, normalize, tf_idf, backoff: of text columns, as for DocumentClassifier.
    tokens: 'words', or 'pairs' for documents of terms with their counts (a:2 b:1).
    unlabeled, max_iterations, tolerance: of rows without a label, as for GaussianClassifier.
    kinds: 'real', 'binary', 'categorical', 'count' or 'text' for columns: a list in order, or a
    mapping of names or, in an array, places.

    A missing value (NaN, None, null) is left out of the product, in training and in prediction.

    Attributes after fit, besides `classes_` and so on: `families_` and `kinds_` (of each column),
    `levels_`, `priors_`, `class_count_` (sums of weights), `log_likelihood_`, `n_parameters_`;
    parameters of the laws are in describe(). Of text columns: `vocabularies_`. Where EM ran:
    `em_trace_`, its log-likelihoods.
    """

    _family = "naive-bayes"
    _sparse_as: ClassVar[str | None] = "pairs"

    def __init__(
        self,
        families: Families = None,
        smoothing: Smoothing = 1.0,
        blocks: Blocks = None,
        structure: str | None = None,
        variance_floor: float = 1e-9,
        max_cells: int = 1000000,
        priors: Priors = "ml",
        family: str = "multinomial",
        tokens: str = "words",
        ngrams: Lengths = (1, 1),
        chars: Lengths = None,
        min_df: float = 1,
        max_df: float = 1.0,
        max_vocabulary: int | None = None,
        vocabulary: Terms = None,
        stop_words: Terms = None,
        hash_bits: int | None = None,
        keep_case: bool = False,
        binary: bool = False,
        normalize: str = "none",
        tf_idf: bool = False,
        backoff: float = 100.0,
        unlabeled: str = "error",
        max_iterations: int = 1000,
        tolerance: float = 1e-6,
        *,
        kinds: Kinds = None,
    ) -> None:
        self.families = families
        self.smoothing = smoothing
        self.blocks = blocks
        self.structure = structure
        self.variance_floor = variance_floor
        self.max_cells = max_cells
        self.priors = priors
        self.family = family
        self.tokens = tokens
        self.ngrams = ngrams
        self.chars = chars
        self.min_df = min_df
        self.max_df = max_df
        self.max_vocabulary = max_vocabulary
        self.vocabulary = vocabulary
        self.stop_words = stop_words
        self.hash_bits = hash_bits
        self.keep_case = keep_case
        self.binary = binary
        self.normalize = normalize
        self.tf_idf = tf_idf
        self.backoff = backoff
        self.unlabeled = unlabeled
        self.max_iterations = max_iterations
        self.tolerance = tolerance
        self.kinds = kinds

    @property
    def vocabularies_(self) -> dict[str, list[str]]:
        """The terms of each text column, in the order of their code points."""
        self._require_fitted("vocabularies_")
        return self._model.vocabularies()

    def top_words(self, n: int = 10) -> dict[str, dict[Any, list[TopWord]]]:
        """For each text column and class the n words with the highest log odds against
        all other classes together.
        """
        self._check_fitted()
        return self._top_words(n)

    @property
    def families_(self) -> dict[str, str]:
        """The law of each column."""
        self._require_fitted("families_")
        laws = next(t for t in self._model.describe()["tables"] if t["title"].startswith("laws"))
        column, family = laws["columns"].index("column"), laws["columns"].index("family")
        return {row[column]: row[family] for row in laws["rows"]}

    def parameters(self, column: Any) -> dict[str, NDArray[np.float64]]:
        """The numbers of a column's law, one a class of `classes_`: 'mean', 'sd', ..."""
        self._check_fitted()
        start = f"{column}: "
        found = {
            name[len(start) :]: self._by_class(self._fitted_array(name), np.nan)
            for name in self._model.array_names
            if name.startswith(start)
        }
        if not found:
            raise ValueError(f"the model has no law of a column {column!r} alone")
        return found


class TableClassifier(ProductClassifier):
    """One joint table of all columns, which must be discrete, for each class.

    smoothing: pseudo-count of every cell.
    max_cells: a table with more cells is refused.
    priors: as for NaiveBayesClassifier.
    kinds: the same; columns of whole numbers are categorical unless it says otherwise.

    Training uses the rows that lack no value; prediction sums over missing ones. Attributes after
    fit: `kinds_`, `levels_`, `priors_`, `class_count_`, `log_likelihood_`, `n_parameters_`.
    """

    _family = "table"
    _whole_numbers: ClassVar[str | None] = "categorical"

    def __init__(
        self,
        smoothing: float = 1.0,
        max_cells: int = 1000000,
        priors: Priors = "ml",
        *,
        kinds: Kinds = None,
    ) -> None:
        self.smoothing = smoothing
        self.max_cells = max_cells
        self.priors = priors
        self.kinds = kinds

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        return tags
