"""GaussianNB with scikit-learn's parameters and attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from logodds import _core
from logodds._labels import read_weights
from logodds._threads import get_threads
from logodds.compat._base import CompatClassifier, Rows, log_posteriors

if TYPE_CHECKING:
    from typing_extensions import Self

STATISTICS_ONLY = {"covariance": "diagonal", "ridge": "1e-300", "missing": "error"}
"""Options under which any rows have variances; the ridge is too small to be seen in them."""


class GaussianNB(CompatClassifier):
    """sklearn.naive_bayes.GaussianNB, from one pass over the rows.

    priors: one a class, or None for the shares of the rows.
    var_smoothing: this times the largest variance of a column in all rows is added to every
    variance. The rows are all rows so far, with their weights, so that partial_fit() in pieces is
    fit() of the whole; scikit-learn takes the last piece, without weights.

    Attributes after fit: `theta_`, `var_`, `class_count_`, `class_prior_`, `epsilon_`, `classes_`,
    `n_features_in_`, `feature_names_in_`.
    """

    _weighted: ClassVar[tuple[str, ...]] = ("fit", "partial_fit", "score")

    theta_: NDArray[Any]
    var_: NDArray[Any]
    class_count_: NDArray[Any]
    class_prior_: NDArray[Any]
    epsilon_: float
    _statistics: _core.Model

    def __init__(self, *, priors: ArrayLike | None = None, var_smoothing: float = 1e-9) -> None:
        self.priors = priors
        self.var_smoothing = var_smoothing

    # -- training ---------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fits the model to the rows of X and their labels y."""
        rows = self._read(X, y)
        weights = read_weights(sample_weight, len(rows.codes))
        statistics = _statistics(rows, weights)
        classes = rows.classes_of(statistics.labels)
        if weights is not None and not weights.all():
            classes = np.unique(np.asarray(y).ravel())
        self._take_statistics(statistics, classes, rows)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Adds rows; `classes` are all that may appear, and are needed in the first call."""
        known = self._known_classes(classes)
        rows = self._recoded(self._read(X, y), y, known)
        weights = read_weights(sample_weight, len(rows.codes))
        if not hasattr(self, "_statistics"):
            statistics = _statistics(rows, weights)
        else:
            self._check_columns(X)
            names = [column["name"] for column in self._statistics.columns]
            statistics, _ = self._statistics.update_array(
                rows.values, names, rows.codes, [], weights, get_threads()
            )
        self._take_statistics(statistics, known, rows)
        return self

    def _known_classes(self, classes: Any) -> NDArray[Any]:
        if classes is None and not hasattr(self, "classes_"):
            raise ValueError("classes must be passed on the first call to partial_fit.")
        if classes is None:
            return self.classes_
        values = np.unique(np.asarray(classes))
        if hasattr(self, "classes_") and not np.array_equal(self.classes_, values):
            raise ValueError(
                f"`classes={classes!r}` is not the same as on last call to partial_fit, was: "
                f"{self.classes_!r}"
            )
        return values

    def _recoded(self, rows: Rows, y: Any, known: NDArray[Any]) -> Rows:
        """Codes that mean the same in every call: the labels themselves, or places in `known`."""
        labels = np.asarray(y).ravel()
        found = np.unique(labels)
        strangers = found[~np.isin(found, known)]
        if len(strangers):
            raise ValueError(
                f"The target label(s) {strangers} in y do not exist in the initial classes {known}"
            )
        if rows.classes is None:
            return rows
        return rows._replace(codes=np.searchsorted(known, labels).astype(np.int64), classes=known)

    def _check_columns(self, X: Any) -> None:
        self._rows(X)  # names and number

    def _take_statistics(self, statistics: _core.Model, classes: NDArray[Any], rows: Rows) -> None:
        places = _places(statistics.labels, classes, rows)
        counts = np.zeros(len(classes))
        theta = np.zeros((len(classes), rows.values.shape[1]))
        variances = np.zeros_like(theta)
        counts[places] = statistics.array("weights")
        theta[places] = statistics.array("means")
        variances[places] = statistics.array("variances")
        variances[variances < 1e-290] = 0.0
        priors = self._given_priors(len(classes))
        epsilon = float(self.var_smoothing) * _largest_variance(counts, theta, variances)
        shares = counts / counts.sum() if priors is None else priors
        model = None
        if ((shares > 0.0) == (counts > 0.0)).all() and len(places) == len(classes):
            options = {"ridge": repr(epsilon)}
            if priors is not None:
                options["priors"] = ",".join(repr(float(p)) for p in priors / priors.sum())
            model, _ = statistics.with_options(options, get_threads())
        self._take(model, classes, rows)
        self._statistics = statistics
        self.epsilon_ = epsilon
        self.class_count_ = self._in_dtype(counts)
        self.class_prior_ = self._in_dtype(shares)
        self.theta_ = self._in_dtype(theta)
        self.var_ = self._in_dtype(variances + epsilon)

    def _given_priors(self, classes: int) -> NDArray[np.float64] | None:
        if self.priors is None:
            return None
        priors = np.asarray(self.priors, dtype=np.float64)
        if priors.shape != (classes,):
            raise ValueError("Number of priors must match number of classes.")
        if not np.isclose(priors.sum(), 1.0):
            raise ValueError("The sum of the priors should be 1.")
        if (priors < 0.0).any():
            raise ValueError("Priors must be non-negative.")
        return priors

    # -- prediction -------------------------------------------------------------------------------

    def _scores(self, values: NDArray[Any]) -> NDArray[np.float64]:
        theta, var = self.theta_.astype(np.float64), self.var_.astype(np.float64)
        with np.errstate(divide="ignore"):
            constants = np.log(self.class_prior_) - 0.5 * np.log(2.0 * np.pi * var).sum(axis=1)
        scores = np.empty((len(values), len(theta)))
        for k in range(len(theta)):
            scores[:, k] = constants[k] - 0.5 * ((values - theta[k]) ** 2 / var[k]).sum(axis=1)
        return scores

    def predict_joint_log_proba(self, X: Any) -> NDArray[np.float64]:
        """ln p(x, class), one column a class."""
        self._check_fitted()
        return self._row_numbers("log_joint", X) if self._in_core else self._checked_scores(X)

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Logarithms of the posteriors."""
        return log_posteriors(self.predict_joint_log_proba(X))

    def set_fit_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """With scikit-learn's metadata routing: whether fit() is to be given sample_weight."""
        return self._request("fit", sample_weight)

    def set_partial_fit_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """With scikit-learn's metadata routing: whether partial_fit() is to get sample_weight."""
        return self._request("partial_fit", sample_weight)


def _statistics(rows: Rows, weights: NDArray[np.float64] | None) -> _core.Model:
    model, _ = _core.fit_array(
        "gaussian",
        STATISTICS_ONLY,
        rows.values,
        rows.names or [],
        rows.codes,
        [],
        weights,
        get_threads(),
    )
    return model


def _places(labels: list[str], classes: NDArray[Any], rows: Rows) -> NDArray[np.intp]:
    """Where the model's classes, which are codes, stand in `classes`."""
    return np.searchsorted(classes, rows.classes_of(labels))


def _largest_variance(
    counts: NDArray[np.float64], theta: NDArray[np.float64], variances: NDArray[np.float64]
) -> float:
    """Of the columns, in all rows."""
    shares = counts / counts.sum()
    center = shares @ theta
    return float((shares @ (variances + (theta - center) ** 2)).max())
