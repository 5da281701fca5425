"""Models that change with their rows: update, merge, forget, and other options without rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from logodds import _core
from logodds._classifier import Fitted, TrainingRows, records
from logodds._errors import NumericError
from logodds._features import (
    ArrayFeatures,
    Features,
    FrameFeatures,
    GivenFeatures,
    select_columns,
)
from logodds._gaussian_options import priors_text
from logodds._generative import GenerativeClassifier
from logodds._label_values import common_dtype, ordered_classes, texts_of, values_by_text
from logodds._labels import Labels, check_lengths, read_labels, read_some_labels, read_weights
from logodds._threads import get_threads

if TYPE_CHECKING:
    from typing_extensions import Self


class OnlineClassifier(GenerativeClassifier):
    """Base of the estimators that keep the statistics of their rows."""

    _weighted: ClassVar[tuple[str, ...]] = ("fit", "partial_fit", "score")

    priors: Any
    em_trace_: list[float]
    _declared: NDArray[Any] | None = None
    """The classes that partial_fit() was told of."""

    # -- what the family decides ------------------------------------------------------------------

    _always_estimable: Mapping[str, str]
    """Options under which statistics of any rows have an estimate, so that they can be kept."""

    def _settle(
        self, model: _core.Model, report: _core.FitReport | None, declared: NDArray[Any] | None
    ) -> tuple[_core.Model, _core.FitReport | None]:
        """The model with the statistics of `model` and the parameters of this estimator, whose
        priors may be for all `declared` classes.
        """
        raise NotImplementedError

    def _priors_text(self, labels: list[str], declared: NDArray[Any] | None) -> str:
        """The priors of the model's classes as an option. Of priors for all declared classes those
        of the classes that have rows, summing to 1.
        """
        if declared is None or isinstance(self.priors, str):
            return priors_text(self.priors)
        if isinstance(self.priors, Mapping):
            given = dict(zip(texts_of(self.priors), self.priors.values(), strict=True))
        else:
            ordered = ordered_classes(values_by_text(declared), declared.dtype)
            given = dict(zip(texts_of(ordered), np.asarray(self.priors), strict=True))
        seen = {label: float(given[label]) for label in labels if label in given}
        total = sum(seen.values())
        return priors_text({label: prior / total for label, prior in seen.items()})

    # -- rows -------------------------------------------------------------------------------------

    def _keep_em_trace(self, report: _core.FitReport | None) -> None:
        """`em_trace_`: the log-likelihoods, where EM ran."""
        self.__dict__.pop("em_trace_", None)
        steps = records(report.trace) if report is not None else None
        if steps is not None:
            self.em_trace_ = [step["log-likelihood"] for step in steps]

    def _labels(self, y: Any) -> Labels:
        return read_some_labels(y) if getattr(self, "unlabeled", "") == "em" else read_labels(y)

    def _after_fit(self, report: _core.FitReport | None) -> None:
        super()._after_fit(report)
        self._declared = None

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Adds rows: the model becomes that of all rows so far, as one fit() would give it.

        The first call is a fit(). Classes join as they appear. Where `classes` is given, in the
        first call, `classes_` holds all of these from the start (posteriors of a class without a
        row are 0), and a label that is not among them is refused.
        """
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y, but the target y is None")
        labels = self._labels(y)
        weights = read_weights(sample_weight, len(labels.codes))
        declared = self._declare(classes)
        if not self.__sklearn_is_fitted__():
            features = self._features(X)
            options = self._options() | ({} if declared is None else {"priors": "ml"})
            model, report = self._train(TrainingRows(features, labels, weights), options)
            named, known = features.named, None
        else:
            model, report = self._changed("update", X, labels, weights)
            named, known = hasattr(self, "feature_names_in_"), self.classes_
        self._take_over(model, report, labels, known, declared, named)
        return self

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Takes rows out again: the model becomes that of the other rows. Rows that cannot have
        been among them are refused.
        """
        self._check_fitted()
        labels = read_labels(y)
        weights = read_weights(sample_weight, len(labels.codes))
        model, report = self._changed("forget", X, labels, weights)
        named = hasattr(self, "feature_names_in_")
        self._take_over(model, report, labels, self.classes_, self._declared, named)
        return self

    def merge(self, *others: Self) -> Self:
        """A new estimator with the parameters of this one and the rows of all."""
        parts = [self, *others]
        for part in parts:
            part._check_fitted()
        model, report = self._merged([part._model for part in parts])
        values = values_by_text(*(part.classes_ for part in parts))
        dtype = common_dtype(*(part.classes_ for part in parts))
        declared = None
        if any(part._declared is not None for part in parts):
            declared = ordered_classes(values, dtype)
        merged = type(self)(**self.get_params())
        merged._read_as(self)
        settled = merged._settle(model, report, declared)
        known = {text: values[text] for text in model.labels} if declared is None else values
        named = hasattr(self, "feature_names_in_")
        merged._adopt(*settled, ordered_classes(known, dtype), named)
        merged._declared = declared
        return merged

    def set_priors(self, priors: Any) -> Self:
        """Other priors for the same densities, without rows: as if fitted with these `priors`."""
        self._check_fitted()
        before, self.priors = self.priors, priors
        try:
            text = self._priors_text(self._model.labels, self._declared)
            self._model, _ = self._model.with_options({"priors": text}, get_threads())
        except BaseException:
            self.priors = before
            raise
        return self

    def set_partial_fit_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """With scikit-learn's metadata routing: whether partial_fit() is to get sample_weight."""
        return self._request("partial_fit", sample_weight)

    # -- steps ------------------------------------------------------------------------------------

    def _read_as(self, other: Self) -> None:
        """Takes over how `other` reads rows, besides its parameters."""

    def _declare(self, classes: Any) -> NDArray[Any] | None:
        """The classes that may appear: given now, or in the first call."""
        if classes is None:
            return self._declared
        values = np.unique(np.asarray(classes))
        if self.__sklearn_is_fitted__() and not np.array_equal(values, np.unique(self.classes_)):
            raise ValueError(
                f"`classes={classes!r}` is not the same as on last call to partial_fit, was: "
                f"{self.classes_!r}"
            )
        return values

    def _changed(
        self, how: str, X: Any, labels: Labels, weights: NDArray[np.float64] | None
    ) -> Fitted:
        """The model with rows added or taken out; where its options have no estimate for the
        result, under options that have.
        """
        features = self._same_columns(X)
        if isinstance(features, ArrayFeatures):
            check_lengths(len(features.values), len(labels.codes))
        elif isinstance(features, GivenFeatures):
            check_lengths(len(features.rows), len(labels.codes))
        model = self._model
        if "=" in model.options["priors"] or "," in model.options["priors"]:
            # Given class by class: the classes may change, and _settle() knows the priors.
            model, _ = model.with_options({"priors": "ml"}, get_threads())
        try:
            return _change(model, how, features, labels, weights)
        except NumericError:
            return _change(self._estimable(model), how, features, labels, weights)

    def _merged(self, models: list[_core.Model]) -> Fitted:
        try:
            return _core.merge(models, get_threads())
        except NumericError:
            return _core.merge([self._estimable(models[0]), *models[1:]], get_threads())

    def _estimable(self, model: _core.Model) -> _core.Model:
        return model.with_options(dict(self._always_estimable), get_threads())[0]

    def _same_columns(self, X: Any) -> Features:
        rows = self._rows(X)
        if isinstance(rows, GivenFeatures):
            return rows
        names = [column["name"] for column in self._model.columns]
        if isinstance(rows, FrameFeatures):
            return FrameFeatures(select_columns(rows.frame, names))
        return ArrayFeatures(rows, names)

    def _take_over(
        self,
        model: _core.Model,
        report: _core.FitReport,
        labels: Labels,
        known: NDArray[Any] | None,
        declared: NDArray[Any] | None,
        named: bool,
    ) -> None:
        """`known`: the classes before these rows."""
        arrays = [array for array in (known, declared) if array is not None]
        common_dtype(*arrays, labels.classes_of(labels.names))  # numbers and texts do not mix
        values = values_by_text(*arrays)
        new = [text for text in model.labels if text not in values]
        if declared is not None:
            _refuse_strangers(model.labels, declared)
        if new:
            arrays.append(labels.classes_of(new))
            values = values_by_text(*arrays)
        kept = {*model.labels, *([] if declared is None else texts_of(declared))}
        classes = ordered_classes(
            {text: value for text, value in values.items() if text in kept}, common_dtype(*arrays)
        )
        self._adopt(*self._settle(model, report, declared), classes, named)
        self._declared = declared


def _refuse_strangers(labels: list[str], declared: NDArray[Any]) -> None:
    expected = set(texts_of(declared))
    strangers = [text for text in labels if text not in expected]
    if strangers:
        raise ValueError(
            f"The target label(s) {strangers} in y do not exist in the initial classes {declared}"
        )


def _change(
    model: _core.Model,
    how: str,
    features: Features,
    labels: Labels,
    weights: NDArray[np.float64] | None,
) -> Fitted:
    codes, names = labels.codes, labels.names
    if isinstance(features, GivenFeatures):
        given = model.update_given if how == "update" else model.forget_given
        return given(features.rows, codes, names, weights, get_threads())
    if isinstance(features, FrameFeatures):
        in_arrow = model.update_arrow if how == "update" else model.forget_arrow
        kinds = features.kinds or {}
        return in_arrow(features.stream(), codes, names, weights, get_threads(), kinds)
    in_array = model.update_array if how == "update" else model.forget_array
    return in_array(features.values, features.names or [], codes, names, weights, get_threads())
