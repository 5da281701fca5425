"""Means and covariances by class, as scikit-learn estimates them, from one pass over the rows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from logodds import _core
from logodds._errors import LogoddsError
from logodds._features import FloatArray
from logodds._threads import get_threads
from logodds.compat._base import Rows

Matrix = NDArray[np.float64]
NOT_BOTH = (
    "covariance_estimator and shrinkage parameters are not None. Only one of the two can be set."
)


class Moments(NamedTuple):
    """Of each class: how many rows, their mean, and sum (x - mean)(x - mean)^T."""

    labels: list[str]
    counts: NDArray[np.float64]
    means: Matrix
    scatters: NDArray[np.float64]
    fourths: NDArray[np.float64] | None
    """sum (x_i - mean_i)^2 (x_j - mean_j)^2, for Ledoit and Wolf."""

    def shares(self) -> NDArray[np.float64]:
        """Of the classes in all rows."""
        shares: NDArray[np.float64] = self.counts / self.counts.sum()
        return shares

    def total(self) -> tuple[float, NDArray[np.float64], Matrix]:
        """Count, mean and scatter of all rows."""
        n = float(self.counts.sum())
        center = self.means[0] + (self.counts / n) @ (self.means - self.means[0])
        off = self.means - center
        return n, center, self.scatters.sum(axis=0) + (off.T * self.counts) @ off


def moments_of(values: FloatArray, codes: NDArray[np.int64], fourth: bool = False) -> Moments:
    record = _core.array_moments(values, codes, [], None, fourth, get_threads())
    return Moments(
        record["labels"],
        record["weights"],
        record["means"],
        record["scatters"],
        record.get("fourths"),
    )


def check_shrinkage(shrinkage: Any, covariance_estimator: Any) -> None:
    if shrinkage is not None and not (
        shrinkage == "auto" if isinstance(shrinkage, str) else 0 <= shrinkage <= 1
    ):
        raise ValueError(f"shrinkage={shrinkage!r} is neither 'auto' nor a number from 0 to 1")
    if covariance_estimator is not None and shrinkage is not None and shrinkage != 0:
        raise ValueError(NOT_BOTH)


def ledoit_wolf(n: float, scatter: Matrix, fourth: Matrix) -> Matrix:
    """The covariance of standardized columns shrunk by Lemma 3.3 of Ledoit and Wolf (2004), in
    the columns' own units.
    """
    covariance = scatter / n
    variances = np.diag(covariance)
    scale = np.sqrt(np.where(variances > 0.0, variances, 1.0))
    units = np.outer(scale, scale)
    standard = covariance / units
    p = len(scale)
    mean = np.trace(standard) / p
    delta = ((standard**2).sum() - p * mean**2) / p
    beta = min(((fourth / units**2).sum() / n - (standard**2).sum()) / (p * n), delta)
    share = beta / delta if beta > 0.0 and p > 1 else 0.0
    result: Matrix = shrunk(standard, share) * units
    return result


def shrunk(covariance: Matrix, share: float) -> Matrix:
    """(1 - s) C + s mean variance I."""
    p = len(covariance)
    mixed: Matrix = (1.0 - share) * covariance + share * np.trace(covariance) / p * np.eye(p)
    return mixed


def shrunk_covariance(n: float, scatter: Matrix, fourth: Matrix | None, shrinkage: Any) -> Matrix:
    if fourth is not None:
        return ledoit_wolf(n, scatter, fourth)
    return scatter / n if shrinkage is None else shrunk(scatter / n, float(shrinkage))


def estimated_covariance(estimator: Any, values: FloatArray) -> Matrix:
    """By any object with fit(X) and covariance_."""
    estimator.fit(values)
    if not hasattr(estimator, "covariance_"):
        raise ValueError(f"{type(estimator).__name__} does not have a covariance_ attribute")
    return np.atleast_2d(np.asarray(estimator.covariance_, dtype=np.float64))


def class_covariances(
    moments: Moments, rows: Rows, shrinkage: Any, covariance_estimator: Any
) -> list[Matrix]:
    """One a class, biased (divisor n), shrunk or left to an estimator."""
    if covariance_estimator is not None:
        return [
            estimated_covariance(covariance_estimator, rows.values[rows.codes == int(label)])
            for label in moments.labels
        ]
    fourths = [None] * len(moments.counts) if moments.fourths is None else list(moments.fourths)
    return [
        shrunk_covariance(n, scatter, fourth, shrinkage)
        for n, scatter, fourth in zip(moments.counts, moments.scatters, fourths, strict=True)
    ]


def defined_model(
    labels: list[str],
    priors: NDArray[np.float64],
    means: Matrix,
    covariances: list[Matrix],
    names: list[str] | None,
) -> _core.Model | None:
    """The model with these densities; None where the core calls a covariance singular."""
    try:
        return _core.define_gaussian(
            labels,
            (priors / priors.sum()).tolist(),
            means.tolist(),
            [sigma.tolist() for sigma in covariances],
            names or [],
        )
    except LogoddsError:
        return None
