"""What a model of class densities can do: densities, outliers, drawn rows, likelihoods."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from logodds._classifier import Classifier
from logodds._csv import CsvOptions
from logodds._label_values import label_text
from logodds._parameters import seed_of
from logodds._spread_classes import SpreadClasses
from logodds._threads import get_threads

if TYPE_CHECKING:
    from typing_extensions import Unpack


class GenerativeClassifier(SpreadClasses, Classifier):
    """Base of the estimators that model p(x | class).

    `classes_` may hold classes that partial_fit() was told of and that no row has had yet: their
    posteriors are 0, and what a density would be needed for is NaN.
    """

    def predict_proba_csv(
        self, path: str | os.PathLike[str], **options: Unpack[CsvOptions]
    ) -> NDArray[np.float64]:
        posteriors = super().predict_proba_csv(path, **options)
        spread: NDArray[np.float64] = self._by_class(posteriors, 0.0, axis=1)
        spread[np.isnan(posteriors[:, 0])] = np.nan
        return spread

    predict_proba_csv.__doc__ = Classifier.predict_proba_csv.__doc__

    def predict(self, X: Any, *, rule: str = "map", reject_outliers: float = 0.0) -> NDArray[Any]:
        """The class with the largest posterior; ties go to the class that comes first.

        rule: 'map', or 'likelihood' for the largest p(x | class), as if all priors were equal.
        reject_outliers: rows whose outlier_pvalue() is below this get None for a class.
        """
        if rule not in ("map", "likelihood"):
            raise ValueError(f"rule={rule!r} is neither 'map' nor 'likelihood'")
        if rule == "map":
            decisions = super().predict(X)
        else:
            priors = self._fitted_array("priors")
            likelihoods = self._row_numbers("log_joint", X) - np.log(priors)
            decisions = self._decide(self._by_class(likelihoods, -np.inf, axis=1))
        if reject_outliers > 0.0:
            decisions = decisions.astype(object)
            decisions[self.outlier_pvalue(X) < reject_outliers] = None
        return decisions

    # -- numbers of rows --------------------------------------------------------------------------

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Log odds ln p(second class | x) / p(first class | x) of two classes, one number a row;
        of any other number of classes scores, ln p(class | x) up to a constant of the row.
        """
        scores = self._row_numbers("log_scores", X)
        if len(self.classes_) == 2 and self._places is None:
            odds: NDArray[np.float64] = scores[:, 1] - scores[:, 0]
            return odds
        spread: NDArray[np.float64] = self._by_class(scores, -np.inf, axis=1)
        if len(self.classes_) == 2:
            return spread[:, 1] - spread[:, 0]
        return spread

    def log_joint(self, X: Any) -> NDArray[np.float64]:
        """ln p(x, class), one row a row of X, one column a class. Missing values are integrated
        out.
        """
        joint: NDArray[np.float64] = self._by_class(
            self._row_numbers("log_joint", X), -np.inf, axis=1
        )
        return joint

    def log_density(self, X: Any) -> NDArray[np.float64]:
        """ln p(x) = ln sum_k p(x, class k) of every row."""
        joint = self._row_numbers("log_joint", X)
        largest = joint.max(axis=1)
        possible = largest > -np.inf
        density = np.full(len(joint), -np.inf)
        shifted = joint[possible] - largest[possible, np.newaxis]
        density[possible] = largest[possible] + np.log(np.exp(shifted).sum(axis=1))
        return density

    def outlier_pvalue(self, X: Any) -> NDArray[np.float64]:
        """For every row the largest over the classes of the probability that a row of the class is
        as unlikely (chi-square, or simulation): small for a row that no class explains.
        """
        return self._row_numbers("p_values", X)[:, 0]

    def sample(self, n: int, random_state: Any = 0) -> tuple[NDArray[Any], NDArray[Any]]:
        """Draws n rows: X, and y. The same seed gives the same rows on every machine.

        X has the columns of the training rows: numbers, or objects where some are texts.
        random_state: a seed, a NumPy generator to take one from, or None for a fresh one.
        """
        self._check_fitted()
        if n < 0:
            raise ValueError(f"n={n} is negative")
        codes, numbers, levels = self._model.sample(seed_of(random_state), int(n), get_threads())
        places = codes if self._places is None else self._places[codes]
        return self._drawn_columns(numbers, levels), self.classes_[places]

    def _drawn_columns(
        self, numbers: NDArray[np.float64], levels: list[NDArray[np.int32]]
    ) -> NDArray[Any]:
        if not levels:
            return numbers
        X = np.empty((len(numbers), len(self._model.columns)), dtype=object)
        numeric, coded = iter(numbers.T), iter(levels)
        for place, column in enumerate(self._model.columns):
            names = np.array(column["levels"], dtype=object)
            X[:, place] = names[next(coded)] if len(names) else next(numeric)
        return X

    # -- classes ----------------------------------------------------------------------------------

    @property
    def priors_(self) -> NDArray[np.float64]:
        """Class priors, summing to 1."""
        priors: NDArray[np.float64] = self._by_class(self._fitted_array("priors"), 0.0)
        return priors

    @property
    def class_count_(self) -> NDArray[np.float64]:
        """Training rows of each class: the sums of their weights."""
        counts: NDArray[np.float64] = self._by_class(self._fitted_array("weights"), 0.0)
        return counts

    # -- likelihood -------------------------------------------------------------------------------

    def _training_likelihood(self) -> dict[str, float]:
        likelihood = self._model.training_likelihood() if self.__sklearn_is_fitted__() else None
        if likelihood is None:
            raise AttributeError(f"{type(self).__name__} has no likelihood before fit()")
        return likelihood

    @property
    def log_likelihood_(self) -> float:
        """Of the training rows: sum_n w_n ln p(x_n, y_n)."""
        return self._training_likelihood()["log_likelihood"]

    @property
    def n_parameters_(self) -> float:
        """Free parameters."""
        return self._training_likelihood()["parameters"]

    def _likelihood(self, X: Any, y: Any, sample_weight: Any) -> tuple[float, float, float]:
        """Log-likelihood, parameters and weight of these rows, or of the training rows."""
        self._check_fitted()
        training = self._training_likelihood()
        if X is None:
            return training["log_likelihood"], training["parameters"], training["weight"]
        joint = self.log_joint(X)
        places = {label_text(label): place for place, label in enumerate(self.classes_)}
        unknown = [label for label in np.unique(np.asarray(y)) if label_text(label) not in places]
        if unknown:
            raise ValueError(f"y holds labels that the model does not know: {unknown}")
        codes = [places[label_text(label)] for label in np.asarray(y).ravel()]
        terms = joint[np.arange(len(joint)), codes]
        weights = np.ones(len(terms)) if sample_weight is None else np.asarray(sample_weight)
        return float(weights @ terms), training["parameters"], float(weights.sum())

    def aic(self, X: Any = None, y: Any = None, sample_weight: Any = None) -> float:
        """Akaike's criterion 2 k - 2 ln L of these rows, or of the training rows."""
        log_likelihood, parameters, _ = self._likelihood(X, y, sample_weight)
        return 2.0 * parameters - 2.0 * log_likelihood

    def bic(self, X: Any = None, y: Any = None, sample_weight: Any = None) -> float:
        """Schwarz's criterion k ln n - 2 ln L of these rows, or of the training rows."""
        log_likelihood, parameters, weight = self._likelihood(X, y, sample_weight)
        return parameters * float(np.log(weight)) - 2.0 * log_likelihood
