"""One class a family. The signatures repeat the registry's options, and a test compares them."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any

from logodds import _core
from logodds._axes import PCA, CanonicalAxes
from logodds._classifier import Classifier
from logodds._clusterer import Clusterer
from logodds._described import DescribingEstimator
from logodds._document_classifier import DocumentClassifier
from logodds._errors import LogoddsError
from logodds._gaussian import GaussianClassifier
from logodds._k_means import KMeans
from logodds._labels import classes_of_file
from logodds._lines import LeastSquares
from logodds._naive_bayes import NaiveBayesClassifier, TableClassifier
from logodds._neighbors import NeighborsClassifier
from logodds._neural import NeuralClassifier
from logodds._noisy_or import NoisyOrClassifier
from logodds._parameters import parameter_value
from logodds._perceptron import IndicatorClassifier, PerceptronClassifier
from logodds._softmax import BinaryClassifier, SoftmaxClassifier
from logodds._text_options import VALUES

CLASSES: dict[str, type[Classifier]] = {
    cls._family: cls
    for cls in (
        NaiveBayesClassifier,
        TableClassifier,
        GaussianClassifier,
        SoftmaxClassifier,
        BinaryClassifier,
        NeuralClassifier,
        NoisyOrClassifier,
        PerceptronClassifier,
        IndicatorClassifier,
        NeighborsClassifier,
    )
}


DESCRIBING: dict[str, type[DescribingEstimator]] = {
    cls._kind: cls for cls in (PCA, CanonicalAxes, LeastSquares)
}
CLUSTERERS: dict[str, type[Clusterer]] = {cls._clustering: cls for cls in (KMeans,)}


def load(path: str | os.PathLike[str]) -> Any:
    """Opens a model file, whoever wrote it: an estimator of the class of its family, and a
    DocumentClassifier where documents are all that it knows.
    """
    model = _core.load_any(os.fspath(path))
    if isinstance(model, _core.Descriptive):
        return DESCRIBING[model.family]._from_model(model)
    if model.family in CLUSTERERS:
        return _loaded_clusterer(model)
    return _classifier(model, path)


def _classifier(model: _core.Model, path: str | os.PathLike[str]) -> Classifier:
    if model.family not in CLASSES:
        raise LogoddsError(f"{os.fspath(path)}: there is no class for the family '{model.family}'")
    record = next(record for record in _core.models() if record["name"] == model.family)
    estimator = _class_of(model)()
    defaults = _core.canonical_options(model.family, {})
    for option in record["options"]:
        text, name = model.options[option["name"]], option["name"].replace("-", "_")
        if text != defaults[option["name"]] and hasattr(estimator, name):
            setattr(estimator, name, _value(estimator, name, text, option["type"]))
    estimator._adopt(model, None, classes_of_file(model.labels), _named(model))
    return estimator


def parameters_of(family: str, options: dict[str, str]) -> dict[str, Any]:
    """Options of the registry as the parameters of the family's class."""
    record = next(record for record in _core.models() if record["name"] == family)
    types = {option["name"]: option["type"] for option in record["options"]}
    estimator = CLASSES[family]()
    names = {option: option.replace("-", "_") for option in options}
    return {
        names[option]: _value(estimator, names[option], text, types[option])
        for option, text in options.items()
    }


def _named(model: _core.Model) -> bool:
    """The file does not say who named the columns; the core names them x1, x2, ..."""
    names = model.column_names
    return names != [f"x{i}" for i in range(1, len(names) + 1)]


def _loaded_clusterer(model: _core.Model) -> Clusterer:
    estimator = CLUSTERERS[model.family]()
    estimator._take_options(model.options)
    estimator._adopt(model, None, _named(model))
    return estimator


def _class_of(model: _core.Model) -> type[Classifier]:
    kinds = [column["kind"] for column in model.columns]
    return DocumentClassifier if kinds == ["text"] else CLASSES[model.family]


def _value(estimator: Classifier, name: str, text: str, type_name: str) -> Any:
    if name in VALUES:
        return VALUES[name](text)
    value = parameter_value(text, type_name)
    default = getattr(estimator, name)
    if type(default) in (int, float) and isinstance(value, str):
        with suppress(ValueError):  # a number, or a number and columns with their own
            value = type(default)(value)
    return value
