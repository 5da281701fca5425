"""Why a row is decided as it is: log odds as sums over columns."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logodds._estimator import Estimator
from logodds._features import FrameFeatures, GivenFeatures, warn
from logodds._threads import get_threads


@dataclass(frozen=True)
class WordShare:
    """What one word of a document adds to the log odds."""

    column: str
    word: str
    """As the model counts it, or what else the document tells, in (): "(absent words)" of a model
    in which these count, "(no prior)" of one that leaves the priors out."""
    count: float
    """How often it occurs; 0: it is no word."""
    contribution: float
    """Of all its occurrences."""


@dataclass(frozen=True, eq=False)
class Explanation:
    """What each column adds to the log odds of the decision against the likeliest other class:
    prior + contributions.sum(axis=1) is log_odds.
    """

    columns: tuple[str, ...]
    """Names of the columns of `contributions`; "a+b" where two columns are modelled jointly."""
    prediction: NDArray[Any]
    """The class of every row."""
    against: NDArray[Any]
    """The class with the second largest posterior; ties go to the class that comes first."""
    log_odds: NDArray[np.float64]
    """log p(prediction | x) - log p(against | x)."""
    prior: NDArray[np.float64]
    """What holds before any column is seen: log odds of the priors, or of the intercepts."""
    contributions: NDArray[np.float64]
    """One row a row, one column a column; 0 where the value is missing, infinite where one of the
    two classes cannot have it."""
    words: list[list[WordShare]] = field(default_factory=list)
    """Of models with documents, the words of each row in the order of their first occurrences:
    they add up to the contribution of their column."""


class ExplainingEstimator(Estimator):
    """An estimator that can explain itself where its scores are sums over columns."""

    def explain(self, X: Any, *, log_base: float | None = None) -> Explanation:
        """What each column adds to the log odds of the decision, as `logodds predict --explain`.

        log_base: of the logarithms, above 1; None for natural ones. Raises ValueError for a model
        whose scores are no sums over columns, such as one with a full covariance for each class.
        """
        rows = self._rows(X)
        columns = tuple(self._model.evidence_parts())
        base = math.e if log_base is None else float(log_base)
        if isinstance(rows, FrameFeatures):
            found, notes = self._model.explain_arrow(rows.stream(), base, get_threads())
            for note in notes:
                warn(note)
        elif isinstance(rows, GivenFeatures):
            found = self._model.explain_given(rows.rows, base, get_threads(), self._nan_is_missing)
        else:
            found = self._model.explain_array(rows, base, get_threads(), self._nan_is_missing)
        decisions, against, log_odds, prior, contributions, words = found
        return Explanation(
            columns=columns,
            prediction=self._labels_of(decisions),
            against=self._labels_of(against),
            log_odds=log_odds,
            prior=prior,
            contributions=contributions,
            words=[[WordShare(*word) for word in row] for row in words],
        )

    def _labels_of(self, codes: NDArray[np.int32]) -> NDArray[Any]:
        """Classes by the model's own codes, which leave out classes that no row has had."""
        places = getattr(self, "_places", None)
        labels: NDArray[Any] = self.classes_[codes if places is None else places[codes]]
        return labels
