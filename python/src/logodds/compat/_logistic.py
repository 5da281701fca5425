"""LogisticRegression with scikit-learn's parameters and attributes."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from logodds import _core
from logodds._errors import LogoddsError, NumericError
from logodds._labels import read_weights
from logodds._sparse import core_rows, is_sparse
from logodds._threads import get_threads
from logodds.compat._base import Rows, SparseCompatClassifier, log_posteriors
from logodds.compat._logistic_parameters import (
    OPTIMIZERS,
    Penalty,
    checked_penalty,
    class_weights,
    warn_unconverged,
)

if TYPE_CHECKING:
    from sklearn.utils import Tags
    from typing_extensions import Self

NO_WEIGHT = 1e-10
"""Share of all weight that a class without any gets: scikit-learn has such a class, too."""
BARELY = 1e-9
"""Decay per unit of weight, where without one the coefficients would have no bound."""
LEAST_TOLERANCE = 1e-15
Vector = NDArray[np.float64]


class Training(NamedTuple):
    """Rows as the core takes them."""

    values: Any
    codes: NDArray[np.int64]
    weights: Vector | None
    intercept: bool


class LogisticRegression(SparseCompatClassifier):
    """sklearn.linear_model.LogisticRegression, fitted by logodds' softmax regression.

    C, l1_ratio, fit_intercept, class_weight, tol, max_iter, warm_start: as in scikit-learn.
    solver: scikit-learn's names, and which penalties each takes; here all are the optimizer that
    suits the size, or Newton's method, and their optima are the same. 'liblinear' has the penalty
    act on the intercept, with intercept_scaling.
    penalty, n_jobs: deprecated in scikit-learn. dual, random_state, verbose: without effect.

    Attributes after fit: `coef_`, `intercept_`, `n_iter_`, `classes_`, `n_features_in_`,
    `feature_names_in_`. Predictions follow what is written to `coef_` and `intercept_`.
    """

    _weighted: ClassVar[tuple[str, ...]] = ("fit", "score")

    coef_: Any
    intercept_: NDArray[Any]
    n_iter_: NDArray[np.int32]
    _last: _core.Model
    """The model of the last fit, to start the next from."""

    def __init__(
        self,
        penalty: str | None = "deprecated",
        *,
        C: float = 1.0,
        l1_ratio: float | None = 0.0,
        dual: bool = False,
        tol: float = 1e-4,
        fit_intercept: bool = True,
        intercept_scaling: float = 1,
        class_weight: Any = None,
        random_state: Any = None,
        solver: str = "lbfgs",
        max_iter: int = 100,
        verbose: int = 0,
        warm_start: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.penalty = penalty
        self.C = C
        self.l1_ratio = l1_ratio
        self.dual = dual
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.random_state = random_state
        self.solver = solver
        self.max_iter = max_iter
        self.verbose = verbose
        self.warm_start = warm_start
        self.n_jobs = n_jobs

    # -- training ---------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fits the model to the rows of X and their labels y."""
        penalty = checked_penalty(self)
        rows = self._read(X, y)
        classes, places = np.unique(np.asarray(y).ravel(), return_inverse=True)
        self._check_rows(rows, classes)
        given = read_weights(sample_weight, len(places))
        weights = self._row_weights(classes, places, given)
        training = self._training(rows.values, places.astype(np.int64), weights)
        coef, intercept, iterations = self._solved(training, penalty, len(classes))
        self._take(None, classes, rows)
        if self.solver == "liblinear":
            self._dtype = np.dtype(np.float64)
        self.coef_, self.intercept_ = self._in_dtype(coef), self._in_dtype(intercept)
        self.n_iter_ = np.array([iterations], dtype=np.int32)
        return self

    def _check_rows(self, rows: Rows, classes: NDArray[Any]) -> None:
        if len(classes) < 2:
            raise ValueError(
                "This solver needs samples of at least 2 classes in the data, but the data "
                f"contains only one class: {classes[0]!r}"
            )
        if self.solver != "liblinear":
            return
        if len(classes) > 2:
            raise ValueError(
                "The 'liblinear' solver does not support multiclass classification (n_classes >= "
                "3). Either use another solver or wrap the estimator in a OneVsRestClassifier to "
                "keep applying a one-versus-rest scheme. Only binary classification is supported. "
                "The type of the target is multiclass."
            )
        if 1e30 < rows.values.max() < np.inf:
            raise ValueError(
                "Using the 'liblinear' solver while X contains a maximum value > 1e30 results in a "
                "frozen fit. Please choose another solver or rescale the input X."
            )

    def _row_weights(
        self, classes: NDArray[Any], places: NDArray[Any], given: Vector | None
    ) -> Vector | None:
        """Of rows and of their classes; no class is without any."""
        by_class = class_weights(self.class_weight, classes, places, given)
        if by_class is None and given is None:
            return None
        weights = np.ones(len(places)) if given is None else given
        weights = weights if by_class is None else weights * by_class[places]
        sums = np.bincount(places, weights=weights)
        lost = (sums == 0.0)[places]
        return np.where(lost, NO_WEIGHT * sums.sum() / len(places), weights)

    def _training(self, values: Any, codes: NDArray[np.int64], weights: Any) -> Training:
        """liblinear's intercept is the coefficient of a column, penalized like the others."""
        if self.solver != "liblinear" or not self.fit_intercept:
            return Training(values, codes, weights, bool(self.fit_intercept))
        column = np.full((values.shape[0], 1), float(self.intercept_scaling))
        if not is_sparse(values):
            return Training(np.hstack([values, column]), codes, weights, False)
        joined = import_module("scipy.sparse").hstack([values, column], format="csr")
        return Training(joined, codes, weights, False)

    def _solved(
        self, training: Training, penalty: Penalty, classes: int
    ) -> tuple[Vector, Vector, int]:
        """Coefficients, intercepts, iterations."""
        if self.max_iter == 0:
            outputs = 1 if classes == 2 else classes
            coef, intercept = np.zeros((outputs, training.values.shape[1])), np.zeros(outputs)
            iterations, converged = 0, False
        else:
            model, report = self._fitted(training, penalty)
            self._last = model
            coef, intercept = _of_classes(model)
            steps = report.trace["rows"] if report.trace else []
            iterations = int(steps[-1][0]) if steps else 0
            converged = not any("short of the optimum" in note for note in report.notes)
        if self.solver == "liblinear" and self.fit_intercept:
            coef, intercept = coef[:, :-1], self.intercept_scaling * coef[:, -1]
        if not converged:
            warn_unconverged(self.solver, iterations)
        return coef, intercept, iterations

    def _fitted(self, training: Training, penalty: Penalty) -> tuple[_core.Model, _core.FitReport]:
        try:
            return self._core_fit(training, penalty)
        except NumericError:
            if penalty != (0.0, 0.0):
                raise
        # Separable classes: scikit-learn stops somewhere on the way to infinity.
        weights = training.weights
        total = len(training.codes) if weights is None else float(weights.sum())
        return self._core_fit(training, Penalty(BARELY * total, 0.0))

    def _core_fit(
        self, training: Training, penalty: Penalty
    ) -> tuple[_core.Model, _core.FitReport]:
        options = {
            "decay": repr(penalty.decay),
            "l1": repr(penalty.l1),
            "intercept": "on" if training.intercept else "off",
            "optimizer": OPTIMIZERS[self.solver],
            "tolerance": repr(max(float(self.tol), LEAST_TOLERANCE)),
            "max-iterations": str(int(self.max_iter)),
        }
        start = getattr(self, "_last", None) if self.warm_start else None
        values, codes, weights = training.values, training.codes, training.weights
        try:
            if is_sparse(values):
                return _core.fit_given(
                    "softmax",
                    options,
                    core_rows(values, pairs=False),
                    codes,
                    [],
                    weights,
                    get_threads(),
                    0,
                    start,
                )
            return _core.fit_array(
                "softmax", options, values, [], codes, [], weights, get_threads(), 0, start
            )
        except LogoddsError:
            if not is_sparse(values) and np.isnan(values).any():
                raise ValueError("Input X contains NaN.") from None
            raise

    # -- prediction -------------------------------------------------------------------------------

    def decision_function(self, X: Any) -> NDArray[Any]:
        """x.coef + intercept: log odds of the second class of two, one number a row; of more
        classes ln p(class | x) up to a constant of the row.
        """
        self._check_fitted()
        found = self._finite(X) @ self.coef_.T
        if is_sparse(found):
            found = found.toarray()
        scores: NDArray[Any] = np.asarray(found) + self.intercept_
        return scores.ravel() if scores.shape[1] == 1 else scores

    def _checked_scores(self, X: Any) -> Vector:
        scores = self.decision_function(X).astype(np.float64)
        return np.column_stack([np.zeros(len(scores)), scores]) if scores.ndim == 1 else scores

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Posteriors, one row a row of X, one column a class in the order of `classes_`."""
        scores = self._checked_scores(X)
        _core.scores_to_posteriors(scores, get_threads())
        return scores

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Logarithms of the posteriors."""
        return log_posteriors(self._checked_scores(X))

    # -- coefficients -----------------------------------------------------------------------------

    def sparsify(self) -> Self:
        """Makes `coef_` one of SciPy's sparse matrices: worth it where most of them are 0."""
        self._check_fitted()
        self.coef_ = import_module("scipy.sparse").csr_matrix(self.coef_)
        return self

    def densify(self) -> Self:
        """Makes `coef_` an array again."""
        self._check_fitted()
        if is_sparse(self.coef_):
            self.coef_ = self.coef_.toarray()
        return self

    # -- scikit-learn -----------------------------------------------------------------------------

    def set_fit_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """With scikit-learn's metadata routing: whether fit() is to be given sample_weight."""
        return self._request("fit", sample_weight)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self.solver != "liblinear"
        return tags


def _of_classes(model: _core.Model) -> tuple[Vector, Vector]:
    """Of two classes those of the second against the first; else intercepts that sum to 0."""
    coef, intercept = model.array("coefficients"), model.array("intercepts")
    if len(intercept) == 2:
        return coef[1:] - coef[:1], intercept[1:] - intercept[:1]
    return coef, intercept - intercept.mean()
