"""scikit-learn's own tests of LDA, QDA and GaussianNB, run against logodds.compat.

The test files come from the installed scikit-learn. A test that is named in DIFFERENT must fail,
every other must pass.
"""

import inspect
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
import sklearn.discriminant_analysis
import sklearn.naive_bayes
from logodds import compat

TESTS = Path(sklearn.__file__).parent / "tests"
OURS = {
    "test_discriminant_analysis": (
        sklearn.discriminant_analysis,
        ["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"],
    ),
    "test_naive_bayes": (sklearn.naive_bayes, ["GaussianNB"]),
}
DIFFERENT = {
}


@pytest.fixture
def global_random_seed():
    """scikit-learn's own fixture, with its usual value."""
    return 42


@pytest.fixture(params=[np.float32, np.float64])
def global_dtype(request):
    return request.param


def load_suite(name):
    """A copy of scikit-learn's test module that has imported our classes instead."""
    home, classes = OURS[name]
    spec = spec_from_file_location(f"{name}_of_compat", TESTS / f"{name}.py")
    suite = module_from_spec(spec)
    ours = {cls: getattr(compat, cls) for cls in classes}
    with mock.patch.multiple(home, **ours):
        spec.loader.exec_module(suite)
    return suite


def about_ours(function, classes):
    """Whether a test uses one of our classes, by name or as a parameter."""
    given = [value for mark in getattr(function, "pytestmark", []) for value in mark.args[1:]]
    return any(cls in inspect.getsource(function) for cls in classes) or any(
        getattr(compat, cls) in values for cls in classes for values in given
    )


def with_our_classes_alone(function, classes):
    """Of a test that is run for many classes, the runs for ours."""
    ours = [getattr(compat, cls) for cls in classes]
    marks = []
    for mark in getattr(function, "pytestmark", []):
        chosen = [value for value in mark.args[1] if value in ours] if mark.args[1:] else []
        marks.append(pytest.mark.parametrize(mark.args[0], chosen).mark if chosen else mark)
    function.pytestmark = marks
    return function


for _name, (_, _classes) in OURS.items():
    for _test, _function in vars(load_suite(_name)).copy().items():
        if not _test.startswith("test_") or not about_ours(_function, _classes):
            continue
        _chosen = with_our_classes_alone(_function, _classes)
        if _test in DIFFERENT:
            _chosen = pytest.mark.xfail(reason=DIFFERENT[_test], strict=True)(_chosen)
        globals()[_test] = _chosen
