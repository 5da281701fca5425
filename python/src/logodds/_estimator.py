"""What all estimators share: scikit-learn's conventions over one fitted model of the core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from logodds import _core, _sklearn
from logodds._decisions import by_thresholds, named
from logodds._features import (
    ArrayFeatures,
    FloatArray,
    FrameFeatures,
    GivenFeatures,
    is_frame,
    is_numeric_pandas,
    pick_columns,
    read_array,
    read_features,
    warn,
)
from logodds._parameters import Parameterized
from logodds._sparse import core_rows, is_sparse
from logodds._threads import get_threads

if TYPE_CHECKING:
    from sklearn.utils import Tags
    from sklearn.utils.metadata_routing import MetadataRequest
    from typing_extensions import Self


class ModelEstimator(Parameterized):
    """Parameters, rows from arrays and tables, and what scikit-learn asks of any estimator.

    Attributes after fit: `n_features_in_`, and `feature_names_in_` where the columns have names.
    """

    _weighted: ClassVar[tuple[str, ...]] = ("fit", "score")
    """The methods that take sample_weight."""
    _nan_is_missing: ClassVar[bool] = True
    """Whether a NaN may be a missing value, to a model that takes them."""
    _sparse_as: ClassVar[str | None] = None
    """What sparse rows are read as: 'numbers', or 'pairs' of columns and values; None: nothing."""

    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    _model: _core.Model

    def _take_columns(self, model: _core.Model, named: bool) -> None:
        """`named`: whether the user gave the columns their names, or the core did."""
        names = model.column_names
        self._model = model
        self.n_features_in_ = len(names)
        self.__dict__.pop("feature_names_in_", None)
        if named:
            self.feature_names_in_ = np.array(names, dtype=object)

    # -- rows -------------------------------------------------------------------------------------

    def _rows(self, X: Any) -> FloatArray | FrameFeatures | GivenFeatures:
        """Columns in the order of the model: an array where X can be one, else a frame."""
        self._check_fitted()
        if self._sparse_as is not None and is_sparse(X):
            return self._sparse_rows(X)
        names = getattr(self, "feature_names_in_", None)
        if is_frame(X) and names is not None:
            if not is_numeric_pandas(X) or self._has_levels():
                return FrameFeatures(X)
            return pick_columns(X, list(names), type(self).__name__)
        return self._by_position(X)

    def _sparse_rows(self, X: Any) -> GivenFeatures:
        self._check_width(X.shape[1])
        return GivenFeatures(core_rows(X, self._sparse_as == "pairs"))

    def _check_width(self, columns: int) -> None:
        if columns != self.n_features_in_:
            raise ValueError(
                f"X has {columns} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input."
            )

    def _has_levels(self) -> bool:
        """Whether some column is none of numbers."""
        return any(column["levels"] or column["kind"] == "text" for column in self._model.columns)

    def _row_numbers(self, name: str, X: Any, axes: int = 0) -> NDArray[np.float64]:
        rows = self._rows(X)
        if isinstance(rows, GivenFeatures):
            return self._model.rows_given(
                name, rows.rows, axes, get_threads(), self._nan_is_missing
            )
        if not isinstance(rows, FrameFeatures):
            return self._model.rows_array(name, rows, axes, get_threads(), self._nan_is_missing)
        values, notes = self._model.rows_arrow(name, rows.stream(), axes, get_threads())
        for note in notes:
            warn(note)
        return values

    def _predict_stream(self, features: FrameFeatures | GivenFeatures) -> NDArray[np.float64]:
        if isinstance(features, GivenFeatures):
            posteriors, notes = self._model.predict_given(
                features.rows, get_threads(), self._nan_is_missing
            )
        else:
            posteriors, notes = self._model.predict_arrow(features.stream(), get_threads())
        for note in notes:
            warn(note)
        return posteriors

    def _by_position(self, X: Any) -> FloatArray | FrameFeatures:
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
        self._check_width(values.shape[1])
        return values

    # -- scikit-learn -----------------------------------------------------------------------------

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise _sklearn.not_fitted(type(self).__name__)

    def get_metadata_routing(self) -> MetadataRequest:
        return _sklearn.metadata_request(self, self._weighted)

    def set_score_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """With scikit-learn's metadata routing: whether score() is to be given sample_weight."""
        return self._request("score", sample_weight)

    def _request(self, method: str, alias: bool | str | None) -> Self:
        request = self.get_metadata_routing()
        getattr(request, method).add_request(param="sample_weight", alias=alias)
        self._metadata_request = request
        return self


class Estimator(ModelEstimator):
    """Prediction of classes.

    Attributes after fit: `classes_`, and those of every estimator.
    """

    classes_: NDArray[Any]

    # -- the fitted model -------------------------------------------------------------------------

    def _take_model(self, model: _core.Model, classes: NDArray[Any], named: bool) -> None:
        """`named`: whether the user gave the columns their names, or the core did."""
        self._take_columns(model, named)
        self.classes_ = classes

    # -- prediction -------------------------------------------------------------------------------

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Posteriors, one row a row of X, one column a class in the order of `classes_`."""
        rows = self._rows(X)
        if isinstance(rows, (FrameFeatures, GivenFeatures)):
            return self._predict_stream(rows)
        return self._model.predict_array(rows, get_threads(), self._nan_is_missing)

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Logarithms of the posteriors; -inf where a posterior is 0."""
        posteriors = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.log(posteriors)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with the largest posterior; ties go to the class that comes first."""
        rows = self._rows(X)
        if isinstance(rows, (FrameFeatures, GivenFeatures)):
            return self._decide_as_stored(self._predict_stream(rows))
        codes = self._model.decide_array(rows, get_threads(), self._nan_is_missing)
        # take() would convert the codes too, four times as slowly.
        decisions: NDArray[Any] = self.classes_.take(codes.astype(np.intp))
        return decisions

    def _decide_as_stored(self, posteriors: NDArray[np.float64]) -> NDArray[Any]:
        """By the threshold that `logodds threshold` stored in the model, where there is one."""
        limits = self._model.array("thresholds")
        if limits is None:
            return self._decide(posteriors)
        return named(by_thresholds(posteriors, limits), self.classes_)

    def _decide(self, posteriors: NDArray[np.float64]) -> NDArray[Any]:
        decisions: NDArray[Any] = self.classes_[np.argmax(posteriors, axis=1)]
        return decisions

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy: the share, by weight, of rows that are decided right."""
        right = self.predict(X) == np.asarray(y).ravel()
        return float(np.average(right, weights=sample_weight))

    # -- scikit-learn -----------------------------------------------------------------------------

    def __sklearn_tags__(self) -> Tags:
        tags = _sklearn.classifier_tags()
        tags.input_tags.sparse = self._sparse_as is not None
        return tags
