"""Importing logodds is cheap: it brings NumPy and nothing else of weight."""

import json
import os
import subprocess
import sys

HEAVY = ["sklearn", "scipy", "pandas", "polars", "pyarrow", "joblib"]


def run(code: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


def test_import_brings_only_numpy():
    code = f"import sys, json, logodds; print(json.dumps([m for m in {HEAVY} if m in sys.modules]))"
    assert json.loads(run(code).stdout) == []


def test_fitting_and_predicting_do_not_need_scikit_learn():
    """None in sys.modules makes every later import of the name fail."""
    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import logodds, numpy as np\n"
        "X = np.random.default_rng(0).normal(size=(50, 2)); y = (X[:, 0] > 0).astype(int)\n"
        "for c in (logodds.GaussianClassifier, logodds.SoftmaxClassifier):\n"
        "    print(c(), c().fit(X, y).score(X, y))\n"
        "try:\n"
        "    logodds.NeighborsClassifier().predict(X)\n"
        "except logodds.LogoddsError as error:\n"
        "    print(error)\n"
    )
    result = run(code)
    assert result.returncode == 0, result.stderr
    assert "is not fitted yet" in result.stdout


def test_vector_level_comes_from_the_environment():
    show = "from logodds import _core; print(_core.level())"
    assert run(show, LOGODDS_SIMD="plain").stdout.strip() == "plain"
    best = run("from logodds import _core; print(_core.available_levels()[0])").stdout
    assert run(show, LOGODDS_SIMD="").stdout == best
    wrong = run("import logodds", LOGODDS_SIMD="mmx")
    assert wrong.returncode == 1
    assert "plain" in wrong.stderr
