"""What is fitted to validation rows on top of a classifier: calibration, thresholds, priors."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from logodds import _core
from logodds._decisions import cost_matrix
from logodds._evidence import ExplainingEstimator
from logodds._features import warn
from logodds._label_values import label_text, texts_of
from logodds._labels import check_lengths, read_sound_weights

if TYPE_CHECKING:
    from typing_extensions import Self


@dataclass(frozen=True)
class Calibration:
    """What calibrate() came to. The log losses are of the validation rows themselves."""

    method: str
    log_loss_before: float
    log_loss_after: float
    facts: dict[str, Any]
    """The parameters, as `logodds calibrate` prints them, and the next likewise."""
    tables: list[dict[str, Any]]


@dataclass(frozen=True)
class ThresholdChoice:
    """A class, and the posterior from which on it is decided."""

    label: Any
    threshold: float
    decided: float
    """The weight of the validation rows that are decided for the class."""
    precision: float
    """The share of these that is of the class."""
    recall: float
    """The share of the class that is among these."""
    cost: float | None
    """A row, in the mean; None where a precision was asked for."""


@dataclass(frozen=True)
class ClassShares:
    """The shares of the classes among rows without labels, in the order of `classes_`."""

    shares: NDArray[np.float64]
    steps: int
    """Of EM."""
    converged: bool


class _ValidationRows(NamedTuple):
    scores: NDArray[np.float64]
    codes: NDArray[np.int64]
    weights: NDArray[np.float64] | None


class AdjustableEstimator(ExplainingEstimator):
    """A model that learns from validation rows what its posteriors are worth. Each method gives a
    new estimator, with the parameters and the columns of this one.
    """

    calibration_: Calibration
    threshold_: ThresholdChoice
    shares_: ClassShares

    def calibrate(
        self, X: Any, y: Any, method: str = "temperature", *, sample_weight: Any = None
    ) -> Self:
        """A new estimator whose posteriors say how often they are right, as `logodds calibrate`
        makes it from rows that this one has not seen. Its `calibration_` tells what was found.

        method: "temperature" (log posteriors divided by one number), "platt" (a logistic function
        of the log odds) or "isotonic" (the best non-decreasing function). A calibration that this
        one has is replaced, thresholds are left out.
        """
        base = self._stripped(calibrated=False)
        model, found = base.calibrate(*self._validation_rows(base, X, y, sample_weight), method)
        for note in found["notes"]:
            warn(note)
        adjusted = self._with_model(model)
        adjusted.calibration_ = Calibration(
            **{name: found[name] for name in Calibration.__dataclass_fields__}
        )
        return adjusted

    def choose_threshold(
        self,
        X: Any,
        y: Any,
        label: Any = None,
        *,
        cost: Any = None,
        precision: float | None = None,
        sample_weight: Any = None,
    ) -> Self:
        """A new estimator that decides for a class exactly where its posterior reaches the
        threshold which is best on these rows, as `logodds threshold` makes it. Its `threshold_`
        tells what was found.

        label: the class; of two classes the second where none is given.
        cost: what decisions cost, as CostSensitive takes it, every row being decided; or
        precision: the least share of right decisions for the class, with the most recall.
        """
        if (cost is None) == (precision is None):
            raise ValueError(
                "a threshold is chosen by what decisions cost or by a precision; give one of cost "
                "and precision"
            )
        base = self._stripped(calibrated=True)
        place = self._place_of(label)
        rows = self._validation_rows(base, X, y, sample_weight)
        prices = None if cost is None else self._prices(cost)
        model, found = base.choose_threshold(*rows, place, prices, precision or 0.0)
        choice = found["choice"] | ({"cost": None} if cost is None else {})
        adjusted = self._with_model(model)
        adjusted.threshold_ = ThresholdChoice(self.classes_[place], **choice)
        return adjusted

    def estimate_priors(self, X: Any) -> Self:
        """A new estimator for rows among which the classes have other shares: its priors are the
        shares that EM finds among the rows of X, which need no labels (Saerens, Latinne &
        Decaestecker 2002), as `logodds predict --priors estimate` does. Its `shares_` tells them.
        """
        posteriors = np.ascontiguousarray(self.predict_proba(X))
        if len(posteriors) == 0:
            raise ValueError("X has no row to estimate the shares of the classes by")
        self._check_places()
        model, found = self._model.with_estimated_priors(posteriors)
        if not found["converged"]:
            warn(f"the shares of the classes have not converged after {found['steps']} steps of EM")
        adjusted = self._with_model(model)
        shares = np.array(found["shares"])
        if hasattr(adjusted, "priors"):
            adjusted.priors = shares.tolist()
        adjusted.shares_ = ClassShares(shares, found["steps"], found["converged"])
        return adjusted

    # -- steps ------------------------------------------------------------------------------------

    def _stripped(self, calibrated: bool) -> _core.Model:
        self._check_fitted()
        self._check_places()
        return self._model.without_adjustments(calibrated)

    def _check_places(self) -> None:
        if len(self.classes_) != len(self._model.labels):
            missing = sorted(set(texts_of(self.classes_)) - set(self._model.labels))
            raise ValueError(f"the model has seen no row of the class {missing[0]!r}; fit some")

    def _with_model(self, model: _core.Model) -> Self:
        adjusted = copy(self)
        adjusted._model = model
        return adjusted

    def _place_of(self, label: Any) -> int:
        if label is None and len(self.classes_) == 2:
            return 1
        classes = self.classes_.tolist()
        if label not in classes:
            raise ValueError(f"label={label!r} is none of the classes {self.classes_}")
        return int(classes.index(label))

    def _prices(self, cost: Any) -> NDArray[np.float64]:
        matrix, rejects = cost_matrix(cost, self.classes_)
        if rejects:
            raise ValueError("cost prices rows that are not decided, and a threshold decides all")
        return np.ascontiguousarray(matrix)

    def _validation_rows(
        self, model: _core.Model, X: Any, y: Any, sample_weight: Any
    ) -> _ValidationRows:
        scores = self._with_model(model)._row_numbers("log_scores", X)
        labels = np.asarray(y).ravel().tolist()
        check_lengths(len(scores), len(labels))
        if not labels:
            raise ValueError("X has no row to validate by")
        places = {text: place for place, text in enumerate(model.labels)}
        texts = [label_text(label) for label in labels]
        strange = sorted({text for text in texts if text not in places})
        if strange:
            raise ValueError(f"y holds {strange[0]!r}; the classes are {self.classes_}")
        codes = np.array([places[text] for text in texts], dtype=np.int64)
        return _ValidationRows(scores, codes, read_sound_weights(sample_weight, len(codes)))
