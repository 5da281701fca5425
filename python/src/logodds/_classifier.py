"""What the estimators of the registry's families share: training, files, description."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from logodds import _core
from logodds._adjust import AdjustableEstimator
from logodds._csv import CsvOptions, csv_reading
from logodds._features import Features, FrameFeatures, GivenFeatures, read_features
from logodds._labels import Labels, check_lengths, classes_of_file, read_labels, read_weights
from logodds._parameters import option_text
from logodds._sparse import core_rows, is_sparse, refuse_if_too_large
from logodds._threads import get_threads

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

Fitted = tuple[_core.Model, _core.FitReport]


class TrainingRows(NamedTuple):
    """What fit() was given, as the core takes it."""

    features: Features
    labels: Labels
    weights: NDArray[np.float64] | None


class Classifier(AdjustableEstimator):
    """Base of the estimators. A subclass names its family; its parameters are the family's options.

    Attributes after fit: `classes_`, `n_features_in_`, `feature_names_in_` where the columns have
    names, and `notes_`, the sentences that the command would print.
    """

    _family: ClassVar[str]

    notes_: list[str]

    def _options(self) -> dict[str, str]:
        return {
            name.replace("_", "-"): option_text(value) for name, value in self.get_params().items()
        }

    # -- training ---------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fits the model to the rows of X and their labels y.

        X is an array (float32 and float64 are read in place, whatever their memory layout), a
        pandas frame, or any table with an Arrow C stream (polars, pyarrow, ...), whose strings and
        categories become indicators; some classes also take SciPy's sparse matrices. Rows of
        weight 0 change nothing.
        """
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None"
            )
        features = self._features(X)
        labels = self._labels(y)
        weights = read_weights(sample_weight, len(labels.codes))
        rows = TrainingRows(features, labels, weights)
        model, report = self._train(rows, self._options())
        self._adopt(model, report, labels.classes_of(model.labels), features.named)
        return self

    def _labels(self, y: Any) -> Labels:
        """Training labels as the core takes them."""
        return read_labels(y)

    def _features(self, X: Any) -> Features:
        """Training rows as the core takes them."""
        if self._sparse_as is None or not is_sparse(X):
            return read_features(X)
        if self._sparse_as == "numbers" and not self._keeps_sparse():
            refuse_if_too_large(X, type(self).__name__)
        return GivenFeatures(core_rows(X, self._sparse_as == "pairs"))

    def _keeps_sparse(self) -> bool:
        """Whether training leaves sparse rows of numbers sparse."""
        record = next(record for record in _core.models() if record["name"] == self._family)
        plain = getattr(self, "basis", "none") == "none"
        return plain and bool(record["capabilities"]["sparse"])

    def _train(self, rows: TrainingRows, options: dict[str, str]) -> Fitted:
        features, labels, weights = rows
        if isinstance(features, FrameFeatures):
            return _core.fit_arrow(
                self._family,
                options,
                features.stream(),
                labels.codes,
                labels.names,
                weights,
                get_threads(),
                features.kinds or {},
                *self._run(),
            )
        if isinstance(features, GivenFeatures):
            check_lengths(len(features.rows), len(labels.codes))
            return _core.fit_given(
                self._family,
                options,
                features.rows,
                labels.codes,
                labels.names,
                weights,
                get_threads(),
                *self._run(),
            )
        check_lengths(len(features.values), len(labels.codes))
        return _core.fit_array(
            self._family,
            options,
            features.values,
            features.names or [],
            labels.codes,
            labels.names,
            weights,
            get_threads(),
            *self._run(),
        )

    def _run(self) -> tuple[int, _core.Model | None]:
        """The seed, and the model that an optimizer starts from."""
        return 0, None

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

        `missing=None`: rows that lack a value are used by a model that can, as its own parameter
        `missing` says, and left out by others; "skip" leaves them out, "error" refuses them.
        `missing_tokens=()`: further words for a missing value.
        `delimiter=None`: one character; None takes the one that the first line suggests.
        `header=True`: the first line holds the names of the columns.
        `threads=None`: as many as get_threads() says.
        """
        reading = csv_reading(**options)
        model, report = _core.fit_csv(
            self._family,
            self._options(),
            os.fspath(path),
            str(target),
            "" if weights is None else str(weights),
            [str(column) for column in ignore],
            dict(kinds or {}),
            *reading,
            *self._run(),
        )
        self._adopt(model, report, classes_of_file(model.labels), reading.header)
        return self

    def _adopt(
        self,
        model: _core.Model,
        report: _core.FitReport | None,
        classes: NDArray[Any],
        named: bool,
    ) -> None:
        """Takes what training made; `named`: whether the user gave the columns their names."""
        self._take_model(model, classes, named)
        for found in ("calibration_", "threshold_", "shares_"):  # of the model before
            self.__dict__.pop(found, None)
        self.notes_ = report.notes if report is not None else []
        self._after_fit(report)

    def _after_fit(self, report: _core.FitReport | None) -> None:
        """Sets what a report tells besides; without one, as after load(), takes it away."""

    def _keep_table(self, name: str, report: _core.FitReport | None, title: str) -> None:
        """Gives this estimator the attribute where the report has such a table, else none."""
        self.__dict__.pop(name, None)
        table = report_table(report, title)
        if table is not None:
            setattr(self, name, table)

    def _fitted_array(self, name: str) -> NDArray[np.float64]:
        """Raises AttributeError before fit(), as an attribute should."""
        if not self.__sklearn_is_fitted__():
            raise AttributeError(f"{type(self).__name__} has no {name} before fit()")
        array: NDArray[np.float64] | None = self._model.array(name)
        if array is None:
            raise AttributeError(f"this {type(self).__name__} has no {name}")
        return array

    def set_fit_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """With scikit-learn's metadata routing: whether fit() is to be given sample_weight."""
        return self._request("fit", sample_weight)

    # -- files ------------------------------------------------------------------------------------

    def predict_proba_csv(
        self, path: str | os.PathLike[str], **options: Unpack[CsvOptions]
    ) -> NDArray[np.float64]:
        """Posteriors of the rows of a CSV file, columns matched by name.

        `missing=None`: rows that lack a value are scored by a model that can, and refused by
        others; "error" refuses them, "skip" makes each a row of NaN.
        `missing_tokens`, `delimiter`, `header`, `threads`: as for fit_csv().
        """
        self._check_fitted()
        reading = csv_reading(**options)
        if reading.missing == "" and not self._model.uses_missing:
            reading = reading._replace(missing="error")
        posteriors, _ = self._model.predict_csv(os.fspath(path), *reading)
        return posteriors

    def predict_csv(
        self, path: str | os.PathLike[str], **options: Unpack[CsvOptions]
    ) -> NDArray[Any]:
        """Classes of the rows of a CSV file, columns matched by name.

        `missing=None`: as for predict_proba_csv(); with "skip" an incomplete row gets None for a
        class.
        `missing_tokens`, `delimiter`, `header`, `threads`: as for fit_csv().
        """
        posteriors = self.predict_proba_csv(path, **options)
        incomplete = np.isnan(posteriors[:, 0])
        decisions = self._decide_as_stored(posteriors)
        if incomplete.any():
            decisions = decisions.astype(object)
            decisions[incomplete] = None
        return decisions

    def describe(self) -> dict[str, Any]:
        """The model in plain data: family, options, facts, and tables with titles."""
        self._check_fitted()
        return self._model.describe()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file that the command and logodds.load() read."""
        self._check_fitted()
        self._model.save(os.fspath(path))


def report_table(report: _core.FitReport | None, title: str) -> dict[str, Any] | None:
    """The table of a report whose title begins so."""
    tables = [] if report is None else report.tables
    return next((table for table in tables if table["title"].startswith(title)), None)


def records(table: dict[str, Any] | None) -> list[dict[str, Any]] | None:
    """One dict a row of a table."""
    if table is None:
        return None
    return [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
