"""Estimators that take columns of any kind, and are told kinds where the values do not tell."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from logodds._columns import (
    Kinds,
    array_columns,
    core_names,
    holds_words,
    kinds_by_name,
    read_cells,
    whole_columns,
)
from logodds._features import (
    Features,
    FloatArray,
    FrameFeatures,
    column_names,
    integer_columns,
    is_frame,
    is_numeric_pandas,
    numeric_pandas_names,
    warn,
)
from logodds._online import OnlineClassifier
from logodds._sparse import is_sparse


class MixedClassifier(OnlineClassifier):
    """Base of the estimators with a parameter `kinds`."""

    kinds: Kinds
    _whole_numbers: ClassVar[str | None] = None
    """The kind of columns of whole numbers for which `kinds` has none; None: the core decides."""

    def _features(self, X: Any) -> Features:
        if is_sparse(X) or (self.kinds is None and self._whole_numbers is None):
            return super()._features(X)
        if is_frame(X) and not is_numeric_pandas(X):
            return FrameFeatures(X, self._kinds_of(column_names(X), integer_columns(X)))
        return self._with_kinds(X)

    def _kinds_of(self, names: list[str], whole: Iterable[str]) -> dict[str, str]:
        kinds = {} if self._whole_numbers is None else dict.fromkeys(whole, self._whole_numbers)
        return kinds | kinds_by_name(self.kinds, names)

    def _with_kinds(self, X: Any) -> FrameFeatures:
        """Of an array, or of a pandas frame of numbers."""
        names = numeric_pandas_names(X) if is_numeric_pandas(X) else None
        cells = read_cells(X)
        known = names or core_names(cells.shape[1])
        kinds = self._kinds_of(known, whole_columns(cells.T, known) if self._whole_numbers else ())
        coded = {
            name
            for name, column in zip(known, cells.T, strict=True)
            if kinds.get(name) in ("categorical", "text")
            or (kinds.get(name) == "binary" and holds_words(column))
        }
        return FrameFeatures(array_columns(cells.T, known, coded, names is not None), kinds)

    def _same_columns(self, X: Any) -> Features:
        features = super()._same_columns(X)
        if not isinstance(features, FrameFeatures):
            return features
        names = [column["name"] for column in self._model.columns]
        kinds = {
            column["name"]: column["kind"]
            for column in self._model.columns
            if column["kind"] == "text" or (column["levels"] and column["kind"] == "categorical")
        }
        return FrameFeatures(features.frame, kinds | kinds_by_name(self.kinds, names))

    def _by_position(self, X: Any) -> FloatArray | FrameFeatures:
        if not self._has_levels():
            return super()._by_position(X)
        name = type(self).__name__
        if not is_frame(X) and hasattr(self, "feature_names_in_"):
            warn(f"X does not have valid feature names, but {name} was fitted with feature names")
        cells = read_cells(X)
        if cells.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {cells.shape[1]} features, but {name} is expecting "
                f"{self.n_features_in_} features as input."
            )
        names = [column["name"] for column in self._model.columns]
        coded = {
            column["name"]
            for column in self._model.columns
            if column["levels"] or column["kind"] == "text"
        }
        return FrameFeatures(array_columns(cells.T, names, coded, False))
