"""Classes that the user has named and that no row has had yet."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from logodds import _core
from logodds._estimator import Estimator
from logodds._label_values import texts_of


class SpreadClasses(Estimator):
    """`classes_` may hold more classes than the model: their posteriors are 0."""

    _places: NDArray[np.intp] | None = None
    """Where the model's classes stand in `classes_`; None: they are the same."""

    def _take_model(self, model: _core.Model, classes: NDArray[Any], named: bool) -> None:
        super()._take_model(model, classes, named)
        self._places = None
        if len(classes) != len(model.labels):
            places = {text: place for place, text in enumerate(self._model_labels(classes))}
            self._places = np.array([places[label] for label in model.labels], dtype=np.intp)

    def _model_labels(self, classes: NDArray[Any]) -> list[str]:
        """What the model calls these classes."""
        return texts_of(classes)

    def _by_class(self, values: NDArray[np.float64], fill: float, axis: int = 0) -> Any:
        """One entry a class of `classes_`; `fill` where the model has none."""
        if self._places is None:
            return values
        shape = list(values.shape)
        shape[axis] = len(self.classes_)
        spread = np.full(shape, fill)
        spread.swapaxes(0, axis)[self._places] = values.swapaxes(0, axis)
        return spread

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Posteriors, one row a row of X, one column a class in the order of `classes_`."""
        posteriors: NDArray[np.float64] = self._by_class(super().predict_proba(X), 0.0, axis=1)
        return posteriors

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with the largest posterior; ties go to the class that comes first."""
        if self._places is None:
            return super().predict(X)
        return self._decide(self.predict_proba(X))
