"""The registry is the single source: signatures, defaults and classes follow it."""

import inspect

import logodds
import numpy as np
import pytest
from logodds._families import CLASSES


def test_every_family_has_a_class():
    assert [record["name"] for record in logodds.models()] == list(CLASSES)


@pytest.mark.parametrize("record", logodds.models(), ids=lambda record: record["name"])
def test_signature_is_the_registrys(record):
    signature = inspect.signature(CLASSES[record["name"]])
    names = [option["name"].replace("-", "_") for option in record["options"]]
    assert list(signature.parameters) == names
    for name, option in zip(names, record["options"], strict=True):
        default = signature.parameters[name].default
        assert default == option["default"]
        assert type(default) is type(option["default"])


TEXTS = {
    "groups": "0+2",
    "priors": "0=0.5,1=0.25,2=0.25",
    "shrinkage": "oas",
    "blend": "0.5,0.25",
    "wishart-scale": "4,0,0,0;0,4,0,0;0,0,4,0;0,0,0,4",
}
NEEDED = {"groups": {"covariance": "groups"}, "wishart-scale": {"wishart": 3.0}}


@pytest.mark.parametrize("record", logodds.models(), ids=lambda record: record["name"])
def test_every_option_reaches_the_model(record, blobs):
    X, y = blobs
    for option in record["options"]:
        name = option["name"].replace("-", "_")
        value = {"real": 0.25, "integer": 3, "text": TEXTS.get(option["name"])}.get(option["type"])
        value = option["choices"][-1] if option["type"] == "choice" else value
        needed = NEEDED.get(option["name"], {})
        fitted = CLASSES[record["name"]](**{name: value}, **needed).fit(X, y)
        assert fitted._model.options[option["name"]] == str(value)


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
