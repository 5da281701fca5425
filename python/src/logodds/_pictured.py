"""What pictures are made of, as the core takes it: rows, codes of classes, options as texts."""

from __future__ import annotations

import inspect
import keyword
import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logodds._clusterer import Clusterer
from logodds._described import Describing
from logodds._estimator import ModelEstimator
from logodds._features import FrameFeatures, GivenFeatures
from logodds._label_values import escaped, label_text
from logodds._labels import check_lengths, classes_of_file
from logodds._lines import LeastSquares
from logodds._parameters import option_text

TAKEN = {"x": "x_column", "y": "y_column"}
"""Options whose names the rows and labels have."""
PAGE = {"title": str, "width": float, "height": float, "threads": int}
TYPES = {"real": float, "integer": int, "flag": bool}
"""Of options that are one value; others may be lists and mappings as well as texts."""


# -- rows -----------------------------------------------------------------------------------------


def core_model_of(model: Any, what: str) -> Any:
    """The model of the core that a fitted estimator holds."""
    if not isinstance(model, (ModelEstimator, Describing)):
        raise TypeError(f"{what} shows estimators of logodds, and {type(model).__name__} is none")
    model._check_fitted()
    if not hasattr(model, "_model"):
        raise ValueError(f"{what} shows densities, which this {type(model).__name__} has not")
    return model._model


def picture_rows(
    record: dict[str, Any], model: Any, X: Any, y: Any
) -> tuple[Any, NDArray[np.int64] | None]:
    """The rows, and the places of their labels among the classes of the model."""
    kind, needs = record["name"], record["needs"]
    if X is None:
        if y is not None or needs in ("rows", "labels_optional", "labels"):
            raise ValueError(f"plot.{kind} needs rows{' for y' if y is not None else ''}; give X")
        return None, None
    if y is None and needs == "labels":
        raise ValueError(f"plot.{kind} compares decisions with labels; give y")
    if isinstance(model, LeastSquares):
        return _with_response(model._rows(X), model, y), None
    unread = y is None or needs in ("rows", "nothing")
    return core_rows_of(model, X), None if unread else class_codes(model, y)


def core_rows_of(model: ModelEstimator | Describing, X: Any) -> Any:
    """An array, a stream of Arrow's, or documents and sparse rows."""
    rows = model._rows(X)
    if isinstance(rows, FrameFeatures):
        return rows.stream()
    return rows.rows if isinstance(rows, GivenFeatures) else rows


def _with_response(rows: NDArray[Any], model: LeastSquares, y: Any) -> NDArray[np.float64]:
    """The response is a column of the model, the last one."""
    response = model._response(y)
    check_lengths(len(rows), len(response))
    return np.column_stack([rows, response]).astype(np.float64)


def _classes_of(model: Any) -> NDArray[Any]:
    classes: NDArray[Any] | None = getattr(model, "classes_", None)
    if classes is None and not isinstance(model, Clusterer) and model._model.labels:
        classes = classes_of_file(model._model.labels)
    if classes is None:
        raise ValueError(f"this {type(model).__name__} has no classes that y could name; omit y")
    return classes


def class_codes(model: Any, y: Any) -> NDArray[np.int64]:
    """The places of labels among the classes of the model."""
    places = {value: place for place, value in enumerate(_classes_of(model).tolist())}
    values = np.asarray(y).ravel().tolist()
    codes = np.array([places.get(value, -1) for value in values], dtype=np.int64)
    if (codes < 0).any():
        raise ValueError(
            f"y holds {values[int(np.argmin(codes))]!r}, which is no class of this "
            f"{type(model).__name__}: see its classes_"
        )
    return codes


def picture_tables(
    tables: str | os.PathLike[str] | Iterable[Any] | Mapping[str, Any],
) -> list[tuple[str, str]]:
    """Files, each with the name to show: of a mapping from names to files, a list, or one file."""
    if isinstance(tables, Mapping):
        return [(os.fspath(path), str(name)) for name, path in tables.items()]
    if isinstance(tables, (str, os.PathLike)):
        tables = [tables]
    return [(os.fspath(path), os.fspath(path)) for path in tables]


# -- options --------------------------------------------------------------------------------------


def parameter_name(option: str) -> str:
    """The option as a parameter of Python's."""
    name = TAKEN.get(option, option.replace("-", "_"))
    return f"{name}_" if keyword.iskeyword(name) else name


def option_texts(record: dict[str, Any], given: Mapping[str, Any]) -> dict[str, str]:
    """The options that are not None, as one would type them for the command."""
    options = {parameter_name(option["name"]): option for option in record["options"]}
    return {
        options[name]["name"]: _text(value, options[name]["type"])
        for name, value in given.items()
        if value is not None
    }


def _text(value: Any, kind: str) -> str:
    if kind in TYPES:
        return option_text(value)
    if isinstance(value, Mapping):
        return ",".join(f"{_key(name)}={escaped(one)}" for name, one in value.items())
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(escaped(one) for one in value)
    return label_text(value)


def _key(name: Any) -> str:
    """A column or a class; a pair (truth, decision) is truth:decision."""
    return ":".join(map(escaped, name)) if isinstance(name, tuple) else escaped(name)


def signature_of(record: dict[str, Any], returned: type) -> tuple[inspect.Signature, str]:
    """Of the function that draws a kind, and its documentation."""
    either, alone = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    if record["needs"] == "tables":
        parameters = [inspect.Parameter("tables", either)]
        about = "tables: a file, several, or a mapping from the names to show to files."
    else:
        parameters = [inspect.Parameter("model", either)]
        parameters += [inspect.Parameter(name, either, default=None) for name in ("X", "y")]
        about = "model: a fitted estimator. X, y: rows, and their labels as fit() takes them."
    lines = [f"{record['summary'][:1].upper()}{record['summary'][1:]}.", "", about]
    lines.append("title, width, height (in units of 1/96 inch): of the page; None: as it suits.")
    for option in record["options"]:
        name = parameter_name(option["name"])
        kind = TYPES.get(option["type"], inspect.Parameter.empty)
        parameters.append(
            inspect.Parameter(name, alone, default=option["default"], annotation=kind)
        )
        lines.append(f"{name}: {option['help']}.")
    parameters += [
        inspect.Parameter(name, alone, default=None, annotation=kind | None)
        for name, kind in PAGE.items()
    ]
    return inspect.Signature(parameters, return_annotation=returned), "\n".join(lines)
