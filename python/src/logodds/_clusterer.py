"""What the estimators share that group rows without labels."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from logodds import _core, _sklearn
from logodds._classifier import Fitted
from logodds._estimator import ModelEstimator
from logodds._features import ArrayFeatures, FloatArray, FrameFeatures, GivenFeatures, read_features
from logodds._labels import read_weights
from logodds._parameters import seed_of
from logodds._sparse import is_sparse, refuse_if_too_large
from logodds._threads import get_threads

if TYPE_CHECKING:
    from sklearn.utils import Tags
    from typing_extensions import Self


class Clusterer(ModelEstimator):
    """Base of the estimators that group rows. A subclass names its clustering.

    Attributes after fit: `labels_` (the cluster of every row, from 0; not after load()),
    `n_features_in_`, `feature_names_in_` where the columns have names, and `notes_`, the sentences
    that the command would print.
    """

    _clustering: ClassVar[str]
    _nan_is_missing: ClassVar[bool] = False
    _sparse_as: ClassVar[str | None] = "numbers"

    labels_: NDArray[np.int32]
    notes_: list[str]

    def _options(self) -> dict[str, str]:
        """The options of the clustering."""
        raise NotImplementedError

    def _take_options(self, options: dict[str, str]) -> None:
        """Sets the parameters to what the options of a model file say."""
        raise NotImplementedError

    def _start(self) -> FloatArray | None:
        """Rows to start from."""
        return None

    # -- training ---------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Groups the rows of X; y is ignored.

        X is an array (a row-major one of float64 is read in place), a pandas frame, any table with
        an Arrow C stream, whose strings and categories become indicators, or a sparse matrix, which
        is made dense. Rows of weight 0 change nothing.
        """
        if is_sparse(X):
            refuse_if_too_large(X, type(self).__name__)
            X = X.toarray()
        features = read_features(X)
        assert not isinstance(features, GivenFeatures)
        rows = len(features.values if isinstance(features, ArrayFeatures) else features.frame)
        weights = read_weights(sample_weight, rows)
        model, report = self._cluster(features, weights)
        self._adopt(model, report, features.named)
        weightless = weights is not None and not weights.all()
        self.labels_ = self.predict(X) if weightless else report.clusters
        return self

    def _cluster(
        self, features: ArrayFeatures | FrameFeatures, weights: NDArray[np.float64] | None
    ) -> Fitted:
        run = (weights, get_threads(), seed_of(getattr(self, "random_state", 0)), self._start())
        if isinstance(features, FrameFeatures):
            stream = features.stream()
            return _core.cluster_arrow(self._clustering, self._options(), stream, *run, trace=False)
        return _core.cluster_array(
            self._clustering,
            self._options(),
            features.values,
            features.names or [],
            *run,
            trace=False,
        )

    def _adopt(self, model: _core.Model, report: _core.FitReport | None, named: bool) -> None:
        """Takes what fit() made, or what load() found, which has no report."""
        self._take_columns(model, named)
        self.notes_ = report.notes if report is not None else []
        self.__dict__.pop("labels_", None)

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> NDArray[np.int32]:
        """fit(), and the cluster of every row."""
        return self.fit(X, sample_weight=sample_weight).labels_

    # -- the fitted model -------------------------------------------------------------------------

    def predict(self, X: Any) -> NDArray[np.int32]:
        """The cluster of every row, from 0."""
        rows = self._rows(X)
        if isinstance(rows, (FrameFeatures, GivenFeatures)):
            clusters: NDArray[np.int32] = np.argmax(self._predict_stream(rows), axis=1).astype(
                np.int32
            )
            return clusters
        return self._model.decide_array(rows, get_threads(), self._nan_is_missing)

    def describe(self) -> dict[str, Any]:
        """The model in plain data: family, options, facts, and tables with titles."""
        self._check_fitted()
        return self._model.describe()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file that the command and logodds.load() read."""
        self._check_fitted()
        self._model.save(os.fspath(path))

    def _fact(self, name: str) -> Any:
        """Raises AttributeError before fit(), as an attribute should."""
        if not self.__sklearn_is_fitted__():
            raise AttributeError(f"{type(self).__name__} has no {name} before fit()")
        return self._model.facts()[name]

    def _fitted_array(self, name: str) -> NDArray[np.float64]:
        if not self.__sklearn_is_fitted__():
            raise AttributeError(f"{type(self).__name__} has no {name} before fit()")
        array: NDArray[np.float64] = self._model.array(name)
        return array

    # -- scikit-learn -----------------------------------------------------------------------------

    def __sklearn_tags__(self) -> Tags:
        return _sklearn.clusterer_tags(hasattr(self, "transform"))

    def set_fit_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """With scikit-learn's metadata routing: whether fit() is to be given sample_weight."""
        return self._request("fit", sample_weight)
