"""LinearDiscriminantAnalysis with scikit-learn's parameters and attributes."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from logodds._output import OutputMixin
from logodds.compat._base import CompatClassifier, Rows
from logodds.compat._linear_solvers import Solution, solve_eigen, solve_lsqr, solve_svd
from logodds.compat._moments import Moments, check_shrinkage, class_covariances, moments_of

if TYPE_CHECKING:
    from sklearn.utils import Tags
    from typing_extensions import Self

SOLVERS = ("svd", "lsqr", "eigen")


class LinearDiscriminantAnalysis(OutputMixin, CompatClassifier):
    """sklearn.discriminant_analysis.LinearDiscriminantAnalysis, from one pass over the rows.

    solver: 'svd', 'lsqr' or 'eigen'. All compute from the covariance inside the classes; they
    differ, as scikit-learn's do, in what they make of a singular one ('svd' leaves directions
    without spread out, 'lsqr' takes the least-norm solution, 'eigen' refuses), in whether they
    shrink and in whether they transform.
    shrinkage: None, 'auto' (Ledoit and Wolf) or a number; not with 'svd'.
    priors, n_components, store_covariance, tol, covariance_estimator: as in scikit-learn.

    Attributes after fit: `coef_`, `intercept_`, `covariance_`, `means_`, `priors_`, `scalings_`,
    `xbar_`, `classes_`, `explained_variance_ratio_`, `n_features_in_`, `feature_names_in_`; the
    same solvers have the same ones as in scikit-learn. Columns of `scalings_` may have the other
    sign.
    """

    coef_: NDArray[Any]
    intercept_: NDArray[Any]
    means_: NDArray[Any]
    priors_: NDArray[Any]
    covariance_: NDArray[Any]
    scalings_: NDArray[Any]
    xbar_: NDArray[Any]
    explained_variance_ratio_: NDArray[Any]

    def __init__(
        self,
        solver: str = "svd",
        shrinkage: str | float | None = None,
        priors: ArrayLike | None = None,
        n_components: int | None = None,
        store_covariance: bool = False,
        tol: float = 1e-4,
        covariance_estimator: Any = None,
    ) -> None:
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.n_components = n_components
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator

    # -- training ---------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any) -> Self:
        """Fits the model to the rows of X and their labels y."""
        self._check_parameters()
        rows = self._read(X, y)
        if len(rows.values) < 2:
            raise ValueError(
                f"Found array with {len(rows.values)} sample(s) (shape={rows.values.shape}) while "
                "a minimum of 2 is required."
            )
        moments = moments_of(rows.values, rows.codes, fourth=self.shrinkage == "auto")
        if len(moments.counts) == len(rows.values):
            raise ValueError("The number of samples must be more than the number of classes.")
        priors = self._given_priors(moments)
        components = self._components(moments)
        solution = self._solve(rows, moments, priors)
        self._take_solution(solution, rows, moments, priors, components)
        return self

    def _check_parameters(self) -> None:
        if self.solver not in SOLVERS:
            raise ValueError(f"solver={self.solver!r} is none of {', '.join(SOLVERS)}")
        if self.solver == "svd" and self.shrinkage is not None:
            raise NotImplementedError("shrinkage not supported with 'svd' solver.")
        if self.solver == "svd" and self.covariance_estimator is not None:
            raise ValueError(
                "covariance estimator is not supported with svd solver. Try another solver"
            )
        check_shrinkage(self.shrinkage, self.covariance_estimator)
        if not self.tol >= 0:
            raise ValueError(f"tol={self.tol!r} is negative")

    def _given_priors(self, moments: Moments) -> NDArray[np.float64]:
        if self.priors is None:
            return moments.shares()
        priors = np.array(self.priors, dtype=np.float64)
        if priors.shape != moments.counts.shape:
            raise ValueError(
                f"priors has shape {priors.shape}, but there are {len(moments.counts)} classes"
            )
        if (priors < 0.0).any():
            raise ValueError("priors must be non-negative")
        if abs(priors.sum() - 1.0) > 1e-5:
            warnings.warn("The priors do not sum to 1. Renormalizing", UserWarning, stacklevel=3)
            priors /= priors.sum()
        return priors

    def _components(self, moments: Moments) -> int:
        most: int = min(len(moments.counts) - 1, moments.means.shape[1])
        if self.n_components is None:
            return most
        if self.n_components > most:
            raise ValueError("n_components cannot be larger than min(n_features, n_classes - 1).")
        return int(self.n_components)

    def _solve(self, rows: Rows, moments: Moments, priors: NDArray[np.float64]) -> Solution:
        if self.solver == "svd":
            covariance = None
            if self.store_covariance:
                covariance = _pooled(priors, class_covariances(moments, rows, None, None))
            return solve_svd(moments, priors, self.tol, covariance)
        covariances = class_covariances(moments, rows, self.shrinkage, self.covariance_estimator)
        covariance = _pooled(priors, covariances)
        if self.solver == "lsqr":
            return solve_lsqr(moments, priors, covariance)
        return solve_eigen(
            moments, priors, covariance, rows, self.shrinkage, self.covariance_estimator
        )

    def _take_solution(
        self,
        solution: Solution,
        rows: Rows,
        moments: Moments,
        priors: NDArray[np.float64],
        components: int,
    ) -> None:
        for name in ("covariance_", "scalings_", "xbar_", "explained_variance_ratio_"):
            self.__dict__.pop(name, None)
        model = solution.model(moments.labels, priors, rows.names)
        self._take(model, rows.classes_of(moments.labels), rows)
        coef, intercept = solution.coef, solution.intercept
        if len(priors) == 2:
            coef, intercept = coef[1:] - coef[:1], intercept[1:] - intercept[:1]
        found = {
            "coef_": coef,
            "intercept_": intercept,
            "means_": moments.means,
            "priors_": priors,
            "covariance_": solution.covariance,
            "scalings_": solution.scalings,
            "xbar_": solution.xbar,
        }
        ratio = solution.explained_variance_ratio
        found["explained_variance_ratio_"] = None if ratio is None else ratio[:components]
        for name, value in found.items():
            if value is not None:
                setattr(self, name, self._in_dtype(value))
        self._max_components = components
        self._n_features_out = components

    # -- prediction -------------------------------------------------------------------------------

    def decision_function(self, X: Any) -> NDArray[Any]:
        """x.coef + intercept: log odds of the second class of two, one number a row; of more
        classes ln p(class | x) up to a constant of the row.
        """
        scores: NDArray[Any] = self._finite(X) @ self.coef_.T + self.intercept_
        return scores.ravel() if scores.shape[1] == 1 else scores

    def _scores(self, values: NDArray[Any]) -> NDArray[np.float64]:
        scores: NDArray[np.float64] = values @ self.coef_.T + self.intercept_
        return np.column_stack([np.zeros(len(scores)), scores]) if scores.shape[1] == 1 else scores

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Logarithms of the posteriors, of the smallest normal number where one is 0."""
        posteriors = self.predict_proba(X)
        posteriors[posteriors == 0.0] += np.finfo(posteriors.dtype).smallest_normal
        return np.log(posteriors)

    def transform(self, X: Any) -> Any:
        """Coordinates on the axes that separate the classes best, n_components of them."""
        if self.solver == "lsqr":
            raise NotImplementedError(
                "transform not implemented for 'lsqr' solver (use 'svd' or 'eigen')."
            )
        values = self._finite(X)
        centered = values - self.xbar_ if self.solver == "svd" else values
        coordinates = centered @ self.scalings_
        return self._contained(coordinates[:, : self._max_components], X)

    def fit_transform(self, X: Any, y: Any) -> Any:
        """fit(X, y), then transform(X)."""
        return self.fit(X, y).transform(X)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns of transform()."""
        self._check_fitted()
        names = [f"{type(self).__name__.lower()}{i}" for i in range(self._n_features_out)]
        return np.array(names, dtype=object)

    def __sklearn_tags__(self) -> Tags:
        from sklearn.utils import TransformerTags

        tags = super().__sklearn_tags__()
        tags.transformer_tags = TransformerTags(preserves_dtype=["float64", "float32"])
        return tags


def _pooled(priors: NDArray[np.float64], covariances: list[NDArray[np.float64]]) -> Any:
    return np.tensordot(priors, np.stack(covariances), axes=1)
