"""Axes that rows are projected on: principal ones, and those that separate classes best."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from logodds import _core, _sklearn
from logodds._csv import CsvOptions, csv_reading
from logodds._described import DescribingEstimator, names_of_file
from logodds._errors import CovarianceWarning, NumericError
from logodds._features import read_array, read_numbers
from logodds._labels import Labels, classes_of_file, read_labels, read_weights
from logodds._output import OutputMixin
from logodds._parameters import option_text
from logodds._threads import get_threads

if TYPE_CHECKING:
    from sklearn.utils import Tags
    from typing_extensions import Self, Unpack

RIDGE_SHARE = 1e-3
"""Of the mean variance, as in GaussianClassifier."""


def components_text(n_components: int | float | None) -> str:
    """The option of the core: a number of axes, a share of the variance, or all that vary."""
    if n_components is None:
        return "varying"
    if isinstance(n_components, (int, np.integer)) and not isinstance(n_components, bool):
        return str(int(n_components))
    return option_text(n_components)


class AxesEstimator(OutputMixin, DescribingEstimator):
    """Base of PCA and CanonicalAxes: coordinates, and rows rebuilt from them."""

    n_components: int | float | None

    def transform(self, X: Any) -> Any:
        """Coordinates of the rows of X on the axes: an array, or what set_output() asked for."""
        values = self._rows(X)
        coordinates = self._model.project_array(values, self.n_components_, get_threads())
        return self._contained(coordinates, X)

    def inverse_transform(self, X: Any) -> NDArray[np.float64]:
        """Rows rebuilt from coordinates on all axes, or on the first ones, in the units of the
        columns.
        """
        self._check_fitted()
        coordinates = read_array(X)
        if coordinates.shape[1] > self.n_components_:
            raise ValueError(
                f"X has {coordinates.shape[1]} columns, but {type(self).__name__} has "
                f"{self.n_components_} axes."
            )
        return self._model.rebuild_array(coordinates, get_threads())

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns of transform(): pca0, pca1, ..."""
        self._check_fitted()
        prefix = type(self).__name__.lower()
        return np.array([f"{prefix}{axis}" for axis in range(self.n_components_)], dtype=object)

    @property
    def n_components_(self) -> int:
        """Axes there are."""
        return len(self._array("eigenvalues"))

    @property
    def _n_features_out(self) -> int:
        return self.n_components_

    @property
    def explained_variance_ratio_(self) -> NDArray[np.float64]:
        """Share of each axis in the sum of all eigenvalues."""
        ratio: NDArray[np.float64] = self._array("eigenvalues") / self._number("total")
        return ratio

    @property
    def mean_(self) -> NDArray[np.float64]:
        """The point that is the origin of the coordinates."""
        return self._array("center")

    @property
    def weight_(self) -> float:
        """Sum of the weights of all rows."""
        return self._number("weight")

    @classmethod
    def _from_model(cls, model: _core.Descriptive) -> Self:
        estimator = cls()
        text = model.options["components"]
        if text != "varying":
            estimator.n_components = int(text) if text.isdigit() else float(text)
        names = model.column_names
        estimator._take_model(model, len(names), names_of_file(names))
        estimator.notes_ = []
        return estimator


class PCA(AxesEstimator):
    """Principal axes, from one pass over the rows: those along which the rows vary most.

    n_components: how many; a share between 0 and 1 for as many as explain so much of the variance;
    None for all along which anything varies.
    whiten: divide each coordinate by its deviation.
    standardize: measure each column in units of its deviation first.

    Rows are summed to a scatter matrix, or, where there are no more of them than columns, kept: the
    axes are then computed from the Gram matrix of the rows, just as exactly. Variances have the
    divisor N - 1, N being the sum of the weights. The loading of the largest size of each axis is
    positive.

    Attributes after fit: `components_` (axes x columns, orthonormal), `explained_variance_`,
    `explained_variance_ratio_`, `singular_values_`, `mean_`, `scale_` (units of the columns, 1
    unless standardize), `reconstruction_errors_`, `n_components_`, `weight_`, `n_features_in_`,
    `feature_names_in_` and `notes_`.
    """

    _kind = "pca"

    def __init__(
        self,
        n_components: int | float | None = None,
        whiten: bool = False,
        standardize: bool = False,
    ) -> None:
        self.n_components = n_components
        self.whiten = whiten
        self.standardize = standardize

    def _options(self) -> dict[str, str]:
        return {
            "components": components_text(self.n_components),
            "whiten": option_text(self.whiten),
            "standardize": option_text(self.standardize),
        }

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Finds the axes of the rows of X; y is not looked at.

        X is an array (float32 and float64 are read in place, whatever their memory layout) or a
        table of numbers. Rows of weight 0 change nothing.
        """
        described, names = self._describe(X, sample_weight=sample_weight)
        self._take(described, len(described[0].column_names), names)
        return self

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """fit(X), then transform(X)."""
        return self.fit(X, y, sample_weight).transform(X)

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Adds rows: the axes become those of all rows so far, as one fit() would find them."""
        if not self.__sklearn_is_fitted__():
            return self.fit(X, y, sample_weight)
        self._update_with(self._changed("update", X, sample_weight=sample_weight))
        return self

    def forget(self, X: Any, sample_weight: Any = None) -> Self:
        """Takes rows out again. Rows that cannot have been among them are refused."""
        self._update_with(self._changed("forget", X, sample_weight=sample_weight))
        return self

    def fit_csv(
        self,
        path: str | os.PathLike[str],
        *,
        columns: Iterable[str | int] = (),
        ignore: Iterable[str | int] = (),
        weights: str | int | None = None,
        kinds: Mapping[str, str] | None = None,
        **options: Unpack[CsvOptions],
    ) -> Self:
        """Finds the axes of a CSV file (also .gz, .zst), as `logodds project` does, bit for bit.

        columns: those to take, by name or 1-based number; () for all but those to `ignore`.
        Columns of words become indicators of their levels. The other options are as in
        GaussianClassifier.fit_csv(); rows that lack a value are left out, or with missing="error"
        refused.
        """
        reading = csv_reading(**options)
        described = _core.describe_csv(
            self._kind,
            self._options(),
            os.fspath(path),
            [str(column) for column in columns],
            "",
            "" if weights is None else str(weights),
            [str(column) for column in ignore],
            dict(kinds or {}),
            *reading,
        )
        names = described[0].column_names
        self._take(described, len(names), names if reading.header else None)
        return self

    @property
    def components_(self) -> NDArray[np.float64]:
        """The axes, one a row: unit vectors over the columns (in units of `scale_`)."""
        return self._array("loadings")

    @property
    def explained_variance_(self) -> NDArray[np.float64]:
        """Variance along each axis, divisor N - 1."""
        return self._array("eigenvalues")

    @property
    def singular_values_(self) -> NDArray[np.float64]:
        """Of the centred rows: the root of (N - 1) times the variance."""
        values: NDArray[np.float64] = np.sqrt(self._array("eigenvalues") * (self.weight_ - 1.0))
        return values

    @property
    def scale_(self) -> NDArray[np.float64]:
        """Units of the columns: their deviations with standardize, else 1."""
        return self._array("scale")

    @property
    def reconstruction_errors_(self) -> NDArray[np.float64]:
        """Root of the mean squared distance of a row from what is rebuilt of it from the first 0,
        1, ... axes.
        """
        return self._array("errors")

    @classmethod
    def _from_model(cls, model: _core.Descriptive) -> Self:
        estimator = super()._from_model(model)
        estimator.whiten = model.options["whiten"] == "true"
        estimator.standardize = model.options["standardize"] == "true"
        return estimator

    def __sklearn_tags__(self) -> Tags:
        return _sklearn.transformer_tags(required=False)


class CanonicalAxes(AxesEstimator):
    """Canonical (Fisher's) axes: the directions that separate the class means best, in units of the
    spread inside the classes; at most one less than there are classes.

    n_components: how many, or a share of the spread between the classes; None for all.
    ridge: added to every variance inside the classes.

    On the axes the covariance inside the classes is the identity (divisor N). They are those of
    GaussianClassifier, which decides as well. scikit-learn requires that fit() copes with a
    singular covariance: without a ridge it then warns with a CovarianceWarning and takes one of a
    thousandth of the mean variance; `ridge_` tells which is in use.

    Attributes after fit: `scalings_` (columns x axes), `eigenvalues_` (spread between the classes
    in units of that inside, squared), `explained_variance_ratio_`, `mean_`, `classes_`, `ridge_`,
    `n_components_`, `weight_`, `n_features_in_`, `feature_names_in_` and `notes_`.
    """

    _kind = "canonical"

    classes_: NDArray[Any]
    ridge_: float

    def __init__(self, n_components: int | float | None = None, ridge: float = 0.0) -> None:
        self.n_components = n_components
        self.ridge = ridge

    def _options(self) -> dict[str, str]:
        return {"components": components_text(self.n_components), "ridge": option_text(self.ridge)}

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Finds the axes of the rows of X that separate the classes y."""
        labels = self._labels(y)
        coded = (labels.codes, labels.names)
        try:
            found, names = self._describe(X, coded, sample_weight=sample_weight)
        except NumericError as error:
            ridge = RIDGE_SHARE * _core.array_variance(
                read_numbers(X)[0], read_weights(sample_weight, len(labels.codes))
            )
            if self.ridge > 0.0 or not 0.0 < ridge < np.inf:
                raise
            options = self._options() | {"ridge": repr(ridge)}
            found, names = self._describe(X, coded, None, sample_weight, options)
            message = f"{error}. This fit takes ridge={ridge:.3g}; choose ridge to silence this."
            warnings.warn(message, CovarianceWarning, stacklevel=2)
        self._take(found, len(found[0].column_names), names)
        self.classes_ = labels.classes_of(self._model.labels)
        self.ridge_ = float(self._model.options["ridge"])
        return self

    def _labels(self, y: Any) -> Labels:
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None"
            )
        return read_labels(y)

    def fit_transform(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """fit(X, y), then transform(X)."""
        return self.fit(X, y, sample_weight).transform(X)

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Adds rows: the axes become those of all rows so far. Classes join as they appear."""
        if not self.__sklearn_is_fitted__():
            return self.fit(X, y, sample_weight)
        labels = self._labels(y)
        self._update_with(
            self._changed("update", X, (labels.codes, labels.names), sample_weight=sample_weight)
        )
        known = {str(value): value for value in self.classes_}
        new = set(self._model.labels) - set(known)
        seen = labels.classes_of([label for label in self._model.labels if label in new])
        known |= {str(value): value for value in seen}
        self.classes_ = np.array([known[label] for label in self._model.labels])
        return self

    def _after_merge(self, first: Self) -> None:
        self.classes_ = classes_of_file(self._model.labels)
        self.ridge_ = first.ridge_

    @property
    def scalings_(self) -> NDArray[np.float64]:
        """Coordinates are (x - mean_) @ scalings_."""
        return self._array("directions")

    @property
    def eigenvalues_(self) -> NDArray[np.float64]:
        """Spread of the class means over the spread inside the classes, squared, axis by axis."""
        return self._array("eigenvalues")

    @classmethod
    def _from_model(cls, model: _core.Descriptive) -> Self:
        estimator = super()._from_model(model)
        estimator.ridge = estimator.ridge_ = float(model.options["ridge"])
        estimator.classes_ = classes_of_file(model.labels)
        return estimator

    def __sklearn_tags__(self) -> Tags:
        return _sklearn.transformer_tags(required=True)
