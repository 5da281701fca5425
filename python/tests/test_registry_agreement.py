"""The registry is the single source: signatures, defaults and classes follow it."""

import inspect

import logodds
import numpy as np
import pytest
from logodds import _core
from logodds._families import CLASSES
from logodds._parameters import option_text


def test_every_family_has_a_class():
    assert [record["name"] for record in logodds.models()] == list(CLASSES)


EXTRA = {"kinds", "random_state", "warm_start"}
"""Parameters, by keyword alone, that tell how to read rows or how to run: of no family."""
IN_PYTHON = {
    ("softmax", "decay"): 1e-06,
    ("neighbors", "k"): 5,
    "families": None,
    "smoothing": 1.0,
    "blocks": None,
    "structure": None,
    "ngrams": (1, 1),
    "chars": None,
    "min_df": 1,
    "max_df": 1.0,
    "max_vocabulary": None,
    "vocabulary": None,
    "stop_words": None,
    "hash_bits": None,
}
"""Defaults of another type than the option's text."""


@pytest.mark.parametrize("record", logodds.models(), ids=lambda record: record["name"])
def test_signature_is_the_registrys(record):
    signature = inspect.signature(CLASSES[record["name"]])
    names = [option["name"].replace("-", "_") for option in record["options"]]
    extra = [name for name in signature.parameters if name in EXTRA]
    assert list(signature.parameters) == names + extra
    assert all(signature.parameters[name].kind == inspect.Parameter.KEYWORD_ONLY for name in extra)
    for name, option in zip(names, record["options"], strict=True):
        default = signature.parameters[name].default
        expected = IN_PYTHON.get(name, option["default"])
        expected = IN_PYTHON.get((record["name"], name), expected)
        assert default == expected
        assert type(default) is type(expected)


def test_the_class_of_documents_has_the_options_of_text():
    record = next(r for r in logodds.models() if r["name"] == "naive-bayes")
    options = {option["name"].replace("-", "_"): option for option in record["options"]}
    signature = inspect.signature(logodds.DocumentClassifier)
    of_columns = {"families", "blocks", "structure", "variance_floor", "max_cells"}
    assert set(signature.parameters) == set(options) - of_columns - {"tokens"}
    for name, parameter in signature.parameters.items():
        expected = IN_PYTHON.get(name, options[name]["default"])
        assert parameter.default == expected
        assert type(parameter.default) is type(expected)
    given = logodds.DocumentClassifier()._options()
    assert _core.canonical_options("naive-bayes", given) == _core.canonical_options(
        "naive-bayes", {}
    )


@pytest.mark.parametrize("record", logodds.models(), ids=lambda record: record["name"])
def test_defaults_are_the_registrys(record):
    given = CLASSES[record["name"]]()._options()
    canonical = _core.canonical_options(record["name"], given)
    assert canonical == _core.canonical_options(record["name"], {})


TEXTS = {
    "families": "x1=kernel",
    "smoothing": "0.5,x1=0.25",
    "blocks": "x2+x4",
    "groups": "0+2",
    "priors": "0=0.5,1=0.25,2=0.25",
    "shrinkage": "oas",
    "blend": "0.5,0.25",
    "wishart-scale": "4,0,0,0;0,4,0,0;0,0,4,0;0,0,0,4",
    "ngrams": "1-2",
    "chars": "3-5",
    "min-df": "2",
    "max-df": "0.5",
    "vocabulary": "one\ntwo",
    "stop-words": "a\nthe",
    "basis": "polynomial:2",
    "decay": "0.5",
    "gamma": "0.5",
    "k": "3",
}
VALUES = {"max-cells": 8}
NEEDED = {"groups": {"covariance": "groups"}, "wishart-scale": {"wishart": 3.0}}


def test_what_classes_say_is_the_registrys():
    for record in logodds.models():
        cls, can = CLASSES[record["name"]], record["capabilities"]
        assert getattr(cls, "_two_classes", False) == (not can["many_classes"])
        if can["sparse"]:
            assert cls._sparse_as is not None


@pytest.mark.parametrize("record", logodds.models(), ids=lambda record: record["name"])
def test_every_option_reaches_the_model(record, blobs):
    X, y = blobs
    X = X[:, :1] > 0.0 if record["name"] == "table" else X
    if not record["capabilities"]["many_classes"]:
        X, y = X[y < 2], y[y < 2]
    X = np.abs(X) if record["name"] == "noisy-or" else X
    for option in record["options"]:
        name = option["name"].replace("-", "_")
        value = {"real": 0.25, "integer": 3, "text": TEXTS.get(option["name"])}.get(option["type"])
        value = option["choices"][-1] if option["type"] == "choice" else value
        value = True if option["type"] == "flag" else value
        value = VALUES.get(option["name"], value)
        needed = NEEDED.get(option["name"], {})
        fitted = CLASSES[record["name"]](**{name: value}, **needed).fit(X, y)
        assert fitted._model.options[option["name"]] == option_text(value)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"covariance": "sharde"}, "sharde"),
        ({"ridge": -1.0}, "ridge"),
        ({"ridge": np.array([1.0, 2.0])}, "ridge"),
        ({"ridge": float("nan")}, "ridge"),
    ],
)
def test_bad_parameters_are_refused_by_fit(parameters, sentence, blobs):
    estimator = logodds.GaussianClassifier(**parameters)
    with pytest.raises(logodds.LogoddsError, match=sentence):
        estimator.fit(*blobs)
