"""What scikit-learn's four discrete naive Bayes classes share."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from logodds import _core
from logodds._labels import read_weights
from logodds._threads import get_threads
from logodds.compat._base import CompatClassifier, Rows, SparseCompatClassifier

if TYPE_CHECKING:
    from sklearn.utils import Tags
    from typing_extensions import Self

SMALLEST_ALPHA = 1e-10
Matrix = NDArray[np.float64]
Record = dict[str, Any]
"""What one pass over rows found: labels, weights, and what the class counts."""


class DiscreteNB(SparseCompatClassifier):
    """Base of the classes that count."""

    _weighted: ClassVar[tuple[str, ...]] = ("fit", "partial_fit", "score")

    alpha: Any
    force_alpha: bool
    fit_prior: bool
    class_prior: Any

    class_count_: Matrix
    class_log_prior_: Matrix
    feature_log_prob_: Any

    # -- what a class decides ---------------------------------------------------------------------

    def _check_parameters(self) -> None:
        if isinstance(self.alpha, Real) and not float(self.alpha) >= 0.0:
            raise ValueError(
                f"The 'alpha' parameter of {type(self).__name__} must be a number from 0 on or an "
                f"array-like. Got {self.alpha!r} instead."
            )

    def _count(self, rows: Rows, weights: NDArray[np.float64] | None) -> Record:
        """The counts of these rows, class by class of those that they have."""
        raise NotImplementedError

    def _start_counts(self, classes: int, features: int) -> None:
        """Sets the counts of features to nothing."""
        raise NotImplementedError

    def _add_counts(self, found: Record, places: NDArray[np.intp]) -> None:
        """Adds counts to the classes at these places."""
        raise NotImplementedError

    def _update_feature_log_prob(self, alpha: Any) -> None:
        raise NotImplementedError

    # -- training ---------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fits the model to the rows of X and their labels y."""
        self._check_parameters()
        rows = self._read(X, y)
        weights = read_weights(sample_weight, len(rows.codes))
        found = self._count(rows, weights)
        classes = rows.classes_of(found["labels"])
        if weights is not None and not weights.all():
            classes = np.unique(np.asarray(y).ravel())
        self._start(classes, rows)
        return self._absorb(found, rows)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Adds rows; `classes` are all that may appear, and are needed in the first call."""
        self._check_parameters()
        first = not self.__sklearn_is_fitted__()
        known = known_classes(self, classes)
        rows = self._read(X, y)
        if not first:
            rows = rows._replace(values=self._rows(X))
        refuse_strangers(y, known)
        found = self._count(rows, read_weights(sample_weight, len(rows.codes)))
        if first:
            self._start(known, rows)
        return self._absorb(found, rows)

    def _start(self, classes: NDArray[Any], rows: Rows) -> None:
        self._take(None, classes, rows)
        self.class_count_ = np.zeros(len(classes))
        self._start_counts(len(classes), rows.values.shape[1])

    def _absorb(self, found: Record, rows: Rows) -> Self:
        places = np.searchsorted(self.classes_, rows.classes_of(found["labels"]))
        self.class_count_[places] += found["weights"]
        self._add_counts(found, places)
        with np.errstate(divide="ignore", invalid="ignore"):
            self._update_feature_log_prob(self._check_alpha())
            self._update_class_log_prior()
        return self

    def _refuse_negative(self, least: float) -> None:
        if least < 0.0:
            name = type(self).__name__
            raise ValueError(f"Negative values in data passed to {name} (input X).")

    def _check_alpha(self) -> Any:
        """The pseudo-count in use: a number, or one a feature."""
        alpha = np.asarray(self.alpha, dtype=np.float64)
        if alpha.ndim:
            if alpha.shape != (self.n_features_in_,):
                raise ValueError(
                    "When alpha is an array, it should contains `n_features`. Got "
                    f"{alpha.size} elements instead of {self.n_features_in_}."
                )
            if alpha.min() < 0.0:
                raise ValueError("All values in alpha must be greater than 0.")
        if self.force_alpha or np.min(alpha) >= SMALLEST_ALPHA:
            return alpha if alpha.ndim else float(alpha)
        warnings.warn(
            "alpha too small will result in numeric errors, setting alpha = "
            f"{SMALLEST_ALPHA:.1e}. Use `force_alpha=True` to keep alpha unchanged.",
            UserWarning,
            stacklevel=4,
        )
        return np.maximum(alpha, SMALLEST_ALPHA)

    def _update_class_log_prior(self) -> None:
        classes = len(self.classes_)
        if self.class_prior is not None:
            if len(self.class_prior) != classes:
                raise ValueError("Number of priors must match number of classes.")
            self.class_log_prior_ = np.log(np.asarray(self.class_prior, dtype=np.float64))
        elif self.fit_prior:
            self.class_log_prior_ = np.log(self.class_count_) - np.log(self.class_count_.sum())
        else:
            self.class_log_prior_ = np.full(classes, -np.log(classes))

    # -- prediction -------------------------------------------------------------------------------

    def predict_joint_log_proba(self, X: Any) -> NDArray[np.float64]:
        """ln p(x, class) up to a constant of the row, one column a class."""
        self._check_fitted()
        return self._checked_scores(X)

    def _normalizable(self, scores: Matrix) -> Matrix:
        """The scores with no infinity but -infinity among them."""
        return scores

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Posteriors, one row a row of X, one column a class in the order of `classes_`."""
        scores = self._normalizable(self.predict_joint_log_proba(X))
        _core.scores_to_posteriors(scores, get_threads())
        return scores

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Logarithms of the posteriors."""
        scores = self._normalizable(self.predict_joint_log_proba(X))
        largest = scores.max(axis=1, keepdims=True)
        scores[largest[:, 0] == -np.inf] = 0.0  # impossible in every class: all are alike
        shifted = scores - np.where(largest == -np.inf, 0.0, largest)
        logs: NDArray[np.float64] = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        return logs

    # -- scikit-learn -----------------------------------------------------------------------------

    def set_fit_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """With scikit-learn's metadata routing: whether fit() is to be given sample_weight."""
        return self._request("fit", sample_weight)

    def set_partial_fit_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """With scikit-learn's metadata routing: whether partial_fit() is to get sample_weight."""
        return self._request("partial_fit", sample_weight)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags


def known_classes(estimator: CompatClassifier, classes: Any) -> NDArray[Any]:
    """All classes that partial_fit() may meet: given now, or in the first call."""
    fitted = estimator.__sklearn_is_fitted__()
    if classes is None and not fitted:
        raise ValueError("classes must be passed on the first call to partial_fit.")
    if classes is None:
        return estimator.classes_
    values = np.unique(np.asarray(classes))
    if fitted and not np.array_equal(estimator.classes_, values):
        raise ValueError(
            f"`classes={classes!r}` is not the same as on last call to partial_fit, was: "
            f"{estimator.classes_!r}"
        )
    return values


def refuse_strangers(y: Any, known: NDArray[Any]) -> None:
    found = np.unique(np.asarray(y).ravel())
    strangers = found[~np.isin(found, known)]
    if len(strangers):
        raise ValueError(
            f"The target label(s) {strangers} in y do not exist in the initial classes {known}"
        )
