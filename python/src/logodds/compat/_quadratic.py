"""QuadraticDiscriminantAnalysis with scikit-learn's parameters and attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from logodds.compat._base import CompatClassifier, Rows, log_posteriors
from logodds.compat._moments import (
    Matrix,
    Moments,
    check_shrinkage,
    class_covariances,
    defined_model,
    moments_of,
)

if TYPE_CHECKING:
    from typing_extensions import Self

SOLVERS = ("svd", "eigen")


class QuadraticDiscriminantAnalysis(CompatClassifier):
    """sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis, from one pass over the rows.

    solver: 'svd' or 'eigen'. Both compute from the covariances of the classes; 'svd' takes
    reg_param, 'eigen' takes shrinkage or a covariance_estimator.
    shrinkage, priors, reg_param, store_covariance, tol, covariance_estimator: as in scikit-learn.

    Attributes after fit: `means_`, `priors_`, `rotations_`, `scalings_`, `covariance_` (with
    store_covariance), `classes_`, `n_features_in_`, `feature_names_in_`. Columns of `rotations_`
    may have the other sign.
    """

    means_: NDArray[Any]
    priors_: NDArray[Any]
    covariance_: list[NDArray[Any]]
    rotations_: list[NDArray[Any]]
    scalings_: list[NDArray[Any]]

    def __init__(
        self,
        *,
        solver: str = "svd",
        shrinkage: str | float | None = None,
        priors: ArrayLike | None = None,
        reg_param: float = 0.0,
        store_covariance: bool = False,
        tol: float = 1.0e-4,
        covariance_estimator: Any = None,
    ) -> None:
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.reg_param = reg_param
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator

    # -- training ---------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any) -> Self:
        """Fits the model to the rows of X and their labels y."""
        self._check_parameters()
        rows = self._read(X, y)
        moments = moments_of(rows.values, rows.codes, fourth=self.shrinkage == "auto")
        classes = rows.classes_of(moments.labels)
        if len(classes) < 2:
            raise ValueError(
                f"The number of classes has to be greater than one. Got {len(classes)} class."
            )
        for label, count in zip(classes, moments.counts, strict=True):
            if count == 1:
                raise ValueError(
                    f"y has only 1 sample in class {label}, covariance is ill defined."
                )
        priors = self._given_priors(moments)
        covariances = self._covariances(moments, rows)
        axes = [np.linalg.eigh(covariance) for covariance in covariances]
        for label, count, (variances, _) in zip(classes, moments.counts, axes, strict=True):
            self._check_rank(label, int(count), variances)
        model = None
        if (priors > 0.0).all():
            model = defined_model(moments.labels, priors, moments.means, covariances, rows.names)
        self._take(model, classes, rows)
        self.__dict__.pop("covariance_", None)
        if self.store_covariance:
            self.covariance_ = [self._in_dtype(covariance) for covariance in covariances]
        self.means_ = self._in_dtype(moments.means)
        self.priors_ = priors
        self.scalings_ = [self._in_dtype(variances[::-1]) for variances, _ in axes]
        self.rotations_ = [self._in_dtype(vectors[:, ::-1]) for _, vectors in axes]
        return self

    def _check_parameters(self) -> None:
        if self.solver not in SOLVERS:
            raise ValueError(f"solver={self.solver!r} is none of {', '.join(SOLVERS)}")
        if self.solver == "svd" and self.shrinkage is not None:
            raise NotImplementedError("shrinkage not supported with 'svd' solver.")
        if self.solver == "svd" and self.covariance_estimator is not None:
            raise ValueError(
                "covariance_estimator is not supported with solver='svd'. Try solver='eigen' "
                "instead."
            )
        check_shrinkage(self.shrinkage, self.covariance_estimator)
        if not 0 <= self.reg_param <= 1:
            raise ValueError(f"reg_param={self.reg_param!r} is not from 0 to 1")

    def _given_priors(self, moments: Moments) -> NDArray[np.float64]:
        if self.priors is None:
            return moments.shares()
        priors = np.array(self.priors, dtype=np.float64)
        if priors.shape != moments.counts.shape or (priors < 0.0).any():
            raise ValueError(
                f"priors={self.priors!r}: give a number of at least 0 for each of the "
                f"{len(moments.counts)} classes"
            )
        return priors

    def _covariances(self, moments: Moments, rows: Rows) -> list[Matrix]:
        if self.solver == "eigen":
            return class_covariances(moments, rows, self.shrinkage, self.covariance_estimator)
        share, identity = float(self.reg_param), np.eye(moments.means.shape[1])
        return [
            (1.0 - share) * covariance + share * identity
            for covariance in class_covariances(moments, rows, None, None)
        ]

    def _check_rank(self, label: Any, count: int, variances: NDArray[np.float64]) -> None:
        """As many variances as there are rows are all that singular values could show."""
        features = len(variances)
        visible = variances[-count:] if self.solver == "svd" else variances
        if (visible > self.tol).sum() == features:
            return
        sentence = f"The covariance matrix of class {label} is not full rank. "
        if self.solver == "svd" and count <= features:
            raise np.linalg.LinAlgError(
                f"{sentence}When using `solver='svd'` the number of samples in each class should "
                f"be more than the number of features, but class {label} has {count} samples and "
                f"{features} features. Try using `solver='eigen'` and setting the parameter "
                "`shrinkage` for regularization."
            )
        parameter = "shrinkage" if self.solver == "eigen" else "reg_param"
        raise np.linalg.LinAlgError(
            f"{sentence}Increase the value of `{parameter}` to reduce the collinearity."
        )

    # -- prediction -------------------------------------------------------------------------------

    def _scores(self, values: NDArray[Any]) -> NDArray[np.float64]:
        with np.errstate(divide="ignore"):
            scores = np.tile(np.log(self.priors_), (len(values), 1))
        for k, (mean, rotation, variances) in enumerate(
            zip(self.means_, self.rotations_, self.scalings_, strict=True)
        ):
            rotated = (values - mean) @ (rotation / np.sqrt(variances))
            scores[:, k] -= 0.5 * ((rotated**2).sum(axis=1) + np.log(variances).sum())
        return scores

    def _all_scores(self, X: Any) -> NDArray[np.float64]:
        """ln prior - (Mahalanobis^2 + ln |covariance|) / 2, one column a class."""
        self._check_fitted()
        if not self._in_core:
            return self._checked_scores(X)
        constant = 0.5 * self.n_features_in_ * np.log(2.0 * np.pi) + np.log(self.priors_.sum())
        scores: NDArray[np.float64] = self._row_numbers("log_joint", X) + constant
        return scores

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Log odds of the second class of two, one number a row; of more classes one column a
        class, ln p(class | x) up to a constant of the row.
        """
        scores = self._all_scores(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Logarithms of the posteriors."""
        return log_posteriors(self._all_scores(X))
