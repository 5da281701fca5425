"""The three solvers of LinearDiscriminantAnalysis, on moments instead of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logodds import _core
from logodds.compat._base import Rows
from logodds.compat._moments import (
    Matrix,
    Moments,
    defined_model,
    estimated_covariance,
    moments_of,
    shrunk_covariance,
)

Vector = NDArray[np.float64]
LEAST_SINGULAR = 1e-7
"""Below this, a standardized direction that a covariance shows is rounding."""


@dataclass
class Solution:
    """Discriminants x.coef_k + intercept_k, and Gaussians that have the same."""

    coef: Matrix
    intercept: Vector
    gaussian_means: Matrix
    gaussian_covariance: Matrix | None
    covariance: Matrix | None = None
    scalings: Matrix | None = None
    xbar: Vector | None = None
    explained_variance_ratio: Vector | None = None

    def model(
        self, labels: list[str], priors: Vector, names: list[str] | None
    ) -> _core.Model | None:
        """The model of the core; None where it has none."""
        if self.gaussian_covariance is None or not (priors > 0.0).all():
            return None
        means, covariance = self.gaussian_means, self.gaussian_covariance
        return defined_model(labels, priors, means, [covariance], names)


def log_priors(priors: Vector) -> Vector:
    with np.errstate(divide="ignore"):
        return np.log(priors)


def spreads(covariance: Matrix, means: Matrix) -> Vector:
    """Standard deviations; 1 for a column that does not vary but for rounding."""
    std = np.sqrt(np.diag(covariance))
    rounding = 8.0 * np.finfo(np.float64).eps * np.abs(means).max(axis=0)
    return np.where(std > rounding, std, 1.0)


def solve_svd(moments: Moments, priors: Vector, tol: float, covariance: Matrix | None) -> Solution:
    """Directions in which the classes have no spread are left out, and so are directions in which
    their means do not differ.
    """
    n, classes = float(moments.counts.sum()), len(priors)
    within = moments.scatters.sum(axis=0) / n
    std = spreads(within, moments.means)
    eigenvalues, vectors = np.linalg.eigh(within / np.outer(std, std))
    singular = np.sqrt(np.maximum(eigenvalues[::-1], 0.0))
    vectors = vectors[:, ::-1]
    kept = singular > max(tol, LEAST_SINGULAR)
    scalings = vectors[:, kept] / std[:, np.newaxis] / singular[kept]
    xbar = moments.means[0] + priors @ (moments.means - moments.means[0])
    centers = (moments.means - xbar) @ scalings
    share = 1.0 if classes == 1 else 1.0 / (classes - 1)
    _, between, axes = np.linalg.svd(
        np.sqrt(n * priors * share)[:, np.newaxis] * centers, full_matrices=False
    )
    axes = axes[between > tol * between[0]] if len(between) else axes
    final = scalings @ axes.T
    coef = (moments.means - xbar) @ final
    intercept = -0.5 * (coef**2).sum(axis=1) + log_priors(priors)
    coef = coef @ final.T
    ratio = _shares(between**2)
    # Left-out directions get a spread of their own and means that do not differ: the same
    # discriminants from a covariance that is not singular.
    back = singular[kept][:, np.newaxis] * vectors[:, kept].T * std
    filled = np.where(kept, singular**2, 1.0)
    return Solution(
        coef=coef,
        intercept=intercept - xbar @ coef.T,
        gaussian_means=xbar + centers @ axes.T @ axes @ back,
        gaussian_covariance=_symmetric((vectors * filled) @ vectors.T * np.outer(std, std)),
        covariance=covariance,
        scalings=final,
        xbar=xbar,
        explained_variance_ratio=ratio,
    )


def solve_lsqr(moments: Moments, priors: Vector, covariance: Matrix) -> Solution:
    """covariance coef_k = mean_k, of least norm where there are many solutions."""
    std = spreads(covariance, moments.means)
    standard = covariance / np.outer(std, std)
    regular = np.linalg.eigvalsh(standard)[0] > LEAST_SINGULAR**2
    coef: Matrix
    if regular:
        coef = np.linalg.solve(standard, (moments.means / std).T).T / std
    else:
        eps = np.finfo(np.float64).eps
        coef = np.asarray(np.linalg.lstsq(covariance, moments.means.T, rcond=eps)[0].T, np.float64)
    return Solution(
        coef=coef,
        intercept=-0.5 * (moments.means * coef).sum(axis=1) + log_priors(priors),
        gaussian_means=moments.means,
        gaussian_covariance=covariance if regular else None,
        covariance=covariance,
    )


def solve_eigen(
    moments: Moments,
    priors: Vector,
    covariance: Matrix,
    rows: Rows,
    shrinkage: Any,
    covariance_estimator: Any,
) -> Solution:
    """Axes v with between v = lambda within v and v.within v = 1; a singular covariance is
    refused.
    """
    between = _total_covariance(moments, rows, shrinkage, covariance_estimator) - covariance
    std = spreads(covariance, moments.means)
    units = np.outer(std, std)
    lower = np.linalg.cholesky(covariance / units)
    half = np.linalg.solve(lower, between / units)
    eigenvalues, vectors = np.linalg.eigh(_symmetric(np.linalg.solve(lower, half.T)))
    eigenvalues, vectors = eigenvalues[::-1], vectors[:, ::-1]
    axes = np.linalg.solve(lower.T, vectors) / std[:, np.newaxis]
    coef = moments.means @ axes @ axes.T
    return Solution(
        coef=coef,
        intercept=-0.5 * (moments.means * coef).sum(axis=1) + log_priors(priors),
        gaussian_means=moments.means,
        gaussian_covariance=covariance,
        covariance=covariance,
        scalings=axes,
        explained_variance_ratio=np.sort(_shares(eigenvalues))[::-1],
    )


def _total_covariance(
    moments: Moments, rows: Rows, shrinkage: Any, covariance_estimator: Any
) -> Matrix:
    """Of all rows, estimated as those of the classes are."""
    if covariance_estimator is not None:
        return estimated_covariance(covariance_estimator, rows.values)
    fourth = None
    if moments.fourths is not None:
        one_class = moments_of(rows.values, np.zeros_like(rows.codes), fourth=True)
        assert one_class.fourths is not None
        fourth = one_class.fourths[0]
    n, _, scatter = moments.total()
    return shrunk_covariance(n, scatter, fourth, shrinkage)


def _shares(values: Vector) -> Vector:
    """Of the sum; NaN where it is 0, as for a single class."""
    with np.errstate(invalid="ignore"):
        shares: Vector = values / values.sum()
    return shares


def _symmetric(matrix: Matrix) -> Matrix:
    return 0.5 * (matrix + matrix.T)
