"""One class a family. The signatures repeat the registry's options, and a test compares them."""

from __future__ import annotations

import math
import os
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logodds import _core
from logodds._classifier import Classifier
from logodds._errors import CovarianceWarning, LogoddsError, NumericError
from logodds._features import Features, mean_variance
from logodds._labels import Labels, classes_of_file
from logodds._parameters import parameter_value

RIDGE_SHARE = 1e-3
"""Of the mean variance: for standardized columns it is what the error advises, --ridge 0.001."""


class GaussianClassifier(Classifier):
    """Gaussian class densities, fitted in one pass.

    covariance: 'shared' (linear boundaries, LDA), 'own' (quadratic, QDA) or 'diagonal' (Gaussian
    naive Bayes). ridge: added to every variance, in squared units of the columns. divisor: 'n'
    (maximum likelihood) or 'n-1' (unbiased).

    scikit-learn requires that fit() copes with more columns than rows and with columns that do not
    vary inside a class. So with ridge=0, where the covariance (with 'own' that of any class, with
    'diagonal' a variance) is singular, fit() warns with a CovarianceWarning and fits again with a
    ridge of a thousandth of the mean, over the columns of numbers, of their variances in all rows.
    `ridge_` tells which ridge is in use: after fit() it differs from `ridge` exactly when this
    happened. With ridge > 0, or where no column of numbers varies at all, fit() raises NumericError
    instead; fit_csv() always does, as the command refuses such data.
    """

    _family = "gaussian"

    ridge_: float

    def __init__(self, covariance: str = "shared", ridge: float = 0.0, divisor: str = "n") -> None:
        self.covariance = covariance
        self.ridge = ridge
        self.divisor = divisor

    def _train(
        self,
        features: Features,
        labels: Labels,
        weights: NDArray[np.float64] | None,
        options: dict[str, str],
    ) -> tuple[_core.Model, _core.FitReport]:
        try:
            return super()._train(features, labels, weights, options)
        except NumericError as error:
            if float(options["ridge"]) > 0.0:
                raise
            ridge = RIDGE_SHARE * mean_variance(features, weights)
            if ridge == 0.0 or not math.isfinite(ridge):
                raise
            mended = super()._train(features, labels, weights, options | {"ridge": repr(ridge)})
            message = f"{error}. This fit takes ridge={ridge:.3g}; choose ridge to silence this."
            warnings.warn(message, CovarianceWarning, stacklevel=3)
            return mended

    def _adopt(
        self, model: _core.Model, notes: list[str], classes: NDArray[Any], named: bool
    ) -> None:
        super()._adopt(model, notes, classes, named)
        self.ridge_ = float(model.options["ridge"])


class SoftmaxClassifier(Classifier):
    """Softmax (multinomial logistic) regression.

    decay: this times the sum of squared coefficients, intercepts excluded, is added to minus the
    log-likelihood.
    """

    _family = "softmax"

    def __init__(self, decay: float = 1e-06) -> None:
        self.decay = decay


class NeighborsClassifier(Classifier):
    """k nearest neighbors, Euclidean and exact; posteriors are shares of votes.

    k: votes cast by the nearest rows; rows tied at the last distance share what is left.
    """

    _family = "neighbors"

    def __init__(self, k: int = 5) -> None:
        self.k = k


CLASSES: dict[str, type[Classifier]] = {
    cls._family: cls for cls in (GaussianClassifier, SoftmaxClassifier, NeighborsClassifier)
}


def load(path: str | os.PathLike[str]) -> Classifier:
    """Opens a model file, whoever wrote it: an estimator of the class of its family."""
    model = _core.Model.load(os.fspath(path))
    if model.family not in CLASSES:
        raise LogoddsError(f"{os.fspath(path)}: there is no class for the family '{model.family}'")
    record = next(record for record in _core.models() if record["name"] == model.family)
    estimator = CLASSES[model.family]()
    for option in record["options"]:
        value = parameter_value(model.options[option["name"]], option["type"])
        setattr(estimator, option["name"].replace("-", "_"), value)
    # The file does not say who named the columns; the core names them x1, x2, ...
    names = [column["name"] for column in model.columns]
    named = names != [f"x{i}" for i in range(1, len(names) + 1)]
    estimator._adopt(model, [], classes_of_file(model.labels), named)
    return estimator
