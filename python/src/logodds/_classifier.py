"""What all estimators share: scikit-learn's conventions over one fitted model of the core."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from logodds import _core, _sklearn
from logodds._csv import CsvOptions, csv_reading
from logodds._features import (
    ArrayFeatures,
    Features,
    FloatArray,
    FrameFeatures,
    is_frame,
    is_numeric_pandas,
    pick_columns,
    read_array,
    read_features,
    warn,
)
from logodds._labels import Labels, classes_of_file, read_labels, read_weights
from logodds._parameters import option_text
from logodds._threads import get_threads

if TYPE_CHECKING:
    from sklearn.utils import Tags
    from sklearn.utils.metadata_routing import MetadataRequest
    from typing_extensions import Self, Unpack


class Classifier:
    """Base of the estimators. A subclass names its family; its parameters are the family's options.

    Attributes after fit: `classes_`, `n_features_in_`, `feature_names_in_` where the columns have
    names, and `notes_`, the sentences that the command would print.
    """

    _family: ClassVar[str]

    classes_: NDArray[Any]
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    notes_: list[str]
    _model: _core.Model

    # -- parameters -------------------------------------------------------------------------------

    @classmethod
    def _get_param_names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name. No parameter is an estimator, so `deep` changes nothing."""
        return {name: getattr(self, name) for name in self._get_param_names()}

    def set_params(self, **params: Any) -> Self:
        """Sets parameters; they are checked when fit() is called."""
        valid = self._get_param_names()
        for name in params:
            if name not in valid:
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: "
                    f"{valid!r}."
                )
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        changed = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if repr(value) != repr(defaults[name].default)
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    def _options(self) -> dict[str, str]:
        return {
            name.replace("_", "-"): option_text(value) for name, value in self.get_params().items()
        }

    # -- training ---------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fits the model to the rows of X and their labels y.

        X is an array (float32 and float64 are read in place, whatever their memory layout), a
        pandas frame, or any table with an Arrow C stream (polars, pyarrow, ...), whose strings and
        categories become indicators. Rows of weight 0 change nothing.
        """
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None"
            )
        features = read_features(X)
        labels = read_labels(y)
        weights = read_weights(sample_weight, len(labels.codes))
        model, report = self._train(features, labels, weights, self._options())
        named = isinstance(features, FrameFeatures) or features.names is not None
        self._adopt(model, report.notes, labels.classes_of(model.labels), named)
        return self

    def _train(
        self,
        features: Features,
        labels: Labels,
        weights: NDArray[np.float64] | None,
        options: dict[str, str],
    ) -> tuple[_core.Model, _core.FitReport]:
        if isinstance(features, FrameFeatures):
            return _core.fit_arrow(
                self._family,
                options,
                features.stream(),
                labels.codes,
                labels.names,
                weights,
                get_threads(),
            )
        if len(features.values) != len(labels.codes):
            raise ValueError(
                "Found input variables with inconsistent numbers of samples: "
                f"{[len(features.values), len(labels.codes)]}"
            )
        return _core.fit_array(
            self._family,
            options,
            features.values,
            features.names or [],
            labels.codes,
            labels.names,
            weights,
            get_threads(),
        )

    def fit_csv(
        self,
        path: str | os.PathLike[str],
        *,
        target: str | int,
        weights: str | int | None = None,
        ignore: Iterable[str | int] = (),
        kinds: Mapping[str, str] | None = None,
        **options: Unpack[CsvOptions],
    ) -> Self:
        """Fits the model to a CSV file (also .gz, .zst), as `logodds train` does, bit for bit.

        Columns are given by name or 1-based number. `kinds` maps columns to real, binary,
        categorical, count or ignore. The other options, with their defaults:

        `missing="skip"`: leaves incomplete rows out; "error" refuses them.
        `missing_tokens=()`: further words for a missing value.
        `delimiter=None`: one character; None takes the one that the first line suggests.
        `header=True`: the first line holds the names of the columns.
        `threads=None`: as many as get_threads() says.
        """
        chosen: CsvOptions = {"missing": "skip", **options}
        reading = csv_reading(**chosen)
        model, report = _core.fit_csv(
            self._family,
            self._options(),
            os.fspath(path),
            str(target),
            "" if weights is None else str(weights),
            [str(column) for column in ignore],
            dict(kinds or {}),
            *reading,
        )
        self._adopt(model, report.notes, classes_of_file(model.labels), reading.header)
        return self

    def _adopt(
        self, model: _core.Model, notes: list[str], classes: NDArray[Any], named: bool
    ) -> None:
        """`named`: whether the user gave the columns their names, or the core did."""
        names = [column["name"] for column in model.columns]
        self._model = model
        self.notes_ = notes
        self.classes_ = classes
        self.n_features_in_ = len(names)
        self.__dict__.pop("feature_names_in_", None)
        if named:
            self.feature_names_in_ = np.array(names, dtype=object)

    # -- prediction -------------------------------------------------------------------------------

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Posteriors, one row a row of X, one column a class in the order of `classes_`."""
        rows = self._rows(X)
        if isinstance(rows, FrameFeatures):
            return self._predict_stream(rows)
        return self._model.predict_array(rows, get_threads())

    def _rows(self, X: Any) -> FloatArray | FrameFeatures:
        """Columns in the order of the model: an array where X can be one, else a frame."""
        self._check_fitted()
        names = getattr(self, "feature_names_in_", None)
        if is_frame(X) and names is not None:
            if not is_numeric_pandas(X) or self._has_levels():
                return FrameFeatures(X)
            return pick_columns(X, list(names), type(self).__name__)
        return self._by_position(X)

    def _has_levels(self) -> bool:
        return any(column["levels"] for column in self._model.columns)

    def _predict_stream(self, features: FrameFeatures) -> NDArray[np.float64]:
        posteriors, notes = self._model.predict_arrow(features.stream(), get_threads())
        for note in notes:
            warn(note)
        return posteriors

    def _by_position(self, X: Any) -> FloatArray:
        name = type(self).__name__
        if is_frame(X):
            features = read_features(X)
            values = features.values if isinstance(features, ArrayFeatures) else read_array(X)
            if not isinstance(features, ArrayFeatures) or features.names is not None:
                warn(f"X has feature names, but {name} was fitted without feature names")
        else:
            values = read_array(X)
            if hasattr(self, "feature_names_in_"):
                warn(
                    f"X does not have valid feature names, but {name} was fitted with feature names"
                )
        if values.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {values.shape[1]} features, but {name} is expecting "
                f"{self.n_features_in_} features as input."
            )
        return values

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Logarithms of the posteriors; -inf where a posterior is 0."""
        posteriors = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.log(posteriors)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with the largest posterior; ties go to the class that comes first."""
        rows = self._rows(X)
        if isinstance(rows, FrameFeatures):
            return self._decide(self._predict_stream(rows))
        decisions: NDArray[Any] = self.classes_.take(
            self._model.decide_array(rows, get_threads())
        )
        return decisions

    def _decide(self, posteriors: NDArray[np.float64]) -> NDArray[Any]:
        decisions: NDArray[Any] = self.classes_[np.argmax(posteriors, axis=1)]
        return decisions

    def predict_proba_csv(
        self, path: str | os.PathLike[str], **options: Unpack[CsvOptions]
    ) -> NDArray[np.float64]:
        """Posteriors of the rows of a CSV file, columns matched by name.

        `missing="error"`: refuses incomplete rows; "skip" makes each a row of NaN.
        `missing_tokens`, `delimiter`, `header`, `threads`: as for fit_csv().
        """
        self._check_fitted()
        chosen: CsvOptions = {"missing": "error", **options}
        posteriors, _ = self._model.predict_csv(os.fspath(path), *csv_reading(**chosen))
        return posteriors

    def predict_csv(
        self, path: str | os.PathLike[str], **options: Unpack[CsvOptions]
    ) -> NDArray[Any]:
        """Classes of the rows of a CSV file, columns matched by name.

        `missing="error"`: refuses incomplete rows; "skip" gives each None for a class.
        `missing_tokens`, `delimiter`, `header`, `threads`: as for fit_csv().
        """
        posteriors = self.predict_proba_csv(path, **options)
        incomplete = np.isnan(posteriors[:, 0])
        decisions = self._decide(posteriors)
        if incomplete.any():
            decisions = decisions.astype(object)
            decisions[incomplete] = None
        return decisions

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy: the share, by weight, of rows that are decided right."""
        right = self.predict(X) == np.asarray(y).ravel()
        return float(np.average(right, weights=sample_weight))

    # -- the fitted model -------------------------------------------------------------------------

    def describe(self) -> dict[str, Any]:
        """The model in plain data: family, options, facts, and tables with titles."""
        self._check_fitted()
        return self._model.describe()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file that the command and logodds.load() read."""
        self._check_fitted()
        self._model.save(os.fspath(path))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise _sklearn.not_fitted(type(self).__name__)

    def __sklearn_tags__(self) -> Tags:
        return _sklearn.classifier_tags()

    def get_metadata_routing(self) -> MetadataRequest:
        return _sklearn.metadata_request(self)

    def set_fit_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """With scikit-learn's metadata routing: whether fit() is to be given sample_weight."""
        return self._request("fit", sample_weight)

    def set_score_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """With scikit-learn's metadata routing: whether score() is to be given sample_weight."""
        return self._request("score", sample_weight)

    def _request(self, method: str, alias: bool | str | None) -> Self:
        request = self.get_metadata_routing()
        getattr(request, method).add_request(param="sample_weight", alias=alias)
        self._metadata_request = request
        return self
