"""What the estimators share that describe rows instead of deciding about them: axes and lines."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from logodds import _core, _sklearn
from logodds._features import (
    FloatArray,
    is_frame,
    is_numeric_pandas,
    pick_columns,
    read_array,
    read_numbers,
    select_columns,
    to_numpy,
    warn,
)
from logodds._labels import check_lengths, read_weights
from logodds._parameters import Parameterized
from logodds._threads import get_threads

if TYPE_CHECKING:
    from sklearn.utils import Tags
    from sklearn.utils.metadata_routing import MetadataRequest
    from typing_extensions import Self

Described = tuple[_core.Descriptive, _core.FitReport]


class Describing(Parameterized):
    """Base of whatever is fitted by one descriptive model of the core.

    Attributes after fit: `n_features_in_`, `feature_names_in_` where the columns have names, and
    `notes_`, the sentences that the command would print.
    """

    _kind: ClassVar[str]
    _weighted: ClassVar[tuple[str, ...]] = ("fit",)

    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    notes_: list[str]
    _model: _core.Descriptive

    def _options(self) -> dict[str, str]:
        """The parameters as the options of the core."""
        raise NotImplementedError

    # -- rows -------------------------------------------------------------------------------------

    def _describe(
        self,
        X: Any,
        labels: tuple[NDArray[np.int64] | None, list[str]] = (None, []),
        response: NDArray[np.float64] | None = None,
        sample_weight: Any = None,
        options: dict[str, str] | None = None,
    ) -> tuple[Described, list[str] | None]:
        """A fresh model of the rows of X, and the names of its columns if they have any."""
        values, names = read_numbers(X)
        for given in (labels[0], response):
            if given is not None:
                check_lengths(len(values), len(given))
        weights = read_weights(sample_weight, len(values))
        model = _core.describe_array(
            self._kind,
            self._options() if options is None else options,
            values,
            names or [],
            *labels,
            response,
            weights,
            get_threads(),
        )
        return model, names

    def _take(self, described: Described, columns: int, names: list[str] | None) -> None:
        model, report = described
        self._take_model(model, columns, names)
        self.notes_ = report.notes

    def _take_model(self, model: _core.Descriptive, columns: int, names: list[str] | None) -> None:
        self._model = model
        self.n_features_in_ = columns
        self.__dict__.pop("feature_names_in_", None)
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)

    def _rows(self, X: Any) -> FloatArray:
        """The rows of X as an array, columns in the order of the training rows."""
        self._check_fitted()
        names = getattr(self, "feature_names_in_", None)
        name = type(self).__name__
        if names is not None and is_frame(X):
            if is_numeric_pandas(X):
                return pick_columns(X, list(names), name)
            return read_array(to_numpy(select_columns(X, list(names))))
        values, given = read_numbers(X)
        if names is not None and given is None:
            warn(f"X does not have valid feature names, but {name} was fitted with feature names")
        if names is None and given is not None:
            warn(f"X has feature names, but {name} was fitted without feature names")
        self._check_width(values.shape[1])
        return values

    def _check_width(self, columns: int) -> None:
        if columns != self.n_features_in_:
            raise ValueError(
                f"X has {columns} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input."
            )

    # -- the fitted model -------------------------------------------------------------------------

    def _array(self, name: str) -> NDArray[np.float64]:
        """Raises AttributeError before fit(), as an attribute should."""
        if not hasattr(self, "_model"):
            raise AttributeError(f"{type(self).__name__} has no such attribute before fit()")
        found = self._model.array(name)
        assert found is not None
        return found

    def _number(self, name: str) -> float:
        return float(self._array(name)[0])

    # -- scikit-learn -----------------------------------------------------------------------------

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise _sklearn.not_fitted(type(self).__name__)

    def __sklearn_tags__(self) -> Tags:
        raise NotImplementedError

    def get_metadata_routing(self) -> MetadataRequest:
        return _sklearn.metadata_request(self, self._weighted)

    def _request(self, method: str, alias: bool | str | None) -> Self:
        request = self.get_metadata_routing()
        getattr(request, method).add_request(param="sample_weight", alias=alias)
        self._metadata_request = request
        return self


class DescribingEstimator(Describing):
    """Base of the estimators whose model keeps its statistics: rows may join and go."""

    _weighted: ClassVar[tuple[str, ...]] = ("fit", "partial_fit")

    def _changed(
        self,
        change: str,
        X: Any,
        labels: tuple[NDArray[np.int64] | None, list[str]] = (None, []),
        response: NDArray[np.float64] | None = None,
        sample_weight: Any = None,
    ) -> Described:
        """'update' or 'forget': the model with the rows of X added or taken away."""
        values = self._rows(X)
        for given in (labels[0], response):
            if given is not None:
                check_lengths(len(values), len(given))
        result: Described = getattr(self._model, f"{change}_array")(
            values,
            self._column_names(),
            *labels,
            response,
            read_weights(sample_weight, len(values)),
            get_threads(),
        )
        return result

    def _column_names(self) -> list[str]:
        """Of the features: those of the model but for a response."""
        return self._model.column_names[: self.n_features_in_]

    def _update_with(self, described: Described) -> None:
        """The model of more or fewer rows of the same columns."""
        self._model, report = described
        self.notes_ = report.notes

    def merge(self, *others: Self) -> Self:
        """The estimator of the rows of this one and all others together; this one is unchanged."""
        for estimator in (self, *others):
            estimator._check_fitted()
        model, report = _core.merge_described(
            [self._model, *(other._model for other in others)], get_threads()
        )
        merged = type(self)(**self.get_params())
        names = getattr(self, "feature_names_in_", None)
        merged._take(
            (model, report), self.n_features_in_, None if names is None else [str(n) for n in names]
        )
        merged._after_merge(self)
        return merged

    def _after_merge(self, first: Self) -> None:
        """Takes from the first estimator what the model does not hold."""

    def describe(self) -> dict[str, Any]:
        """The model in plain data: family, options, facts, and tables with titles."""
        self._check_fitted()
        return self._model.describe()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file that the command and logodds.load() read."""
        self._check_fitted()
        self._model.save(os.fspath(path))

    @classmethod
    def _from_model(cls, model: _core.Descriptive) -> Self:
        """An estimator of a model that comes from a file."""
        raise NotImplementedError

    def set_fit_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """With scikit-learn's metadata routing: whether fit() is to be given sample_weight."""
        return self._request("fit", sample_weight)

    def set_partial_fit_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """The same for partial_fit()."""
        return self._request("partial_fit", sample_weight)


def names_of_file(columns: list[str]) -> list[str] | None:
    """The file does not say who named the columns; the core names them x1, x2, ..."""
    return None if columns == [f"x{i}" for i in range(1, len(columns) + 1)] else columns
