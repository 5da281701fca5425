"""What the tests share: real data, the command, small tables."""

import os
import subprocess
from pathlib import Path

# scikit-learn runs its checks of array namespaces only with this set before SciPy is imported.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

import logodds
import numpy as np
import pytest
from mixed_rows import make_mixed

ROOT = Path(__file__).resolve().parents[2]
CLASSES = [
    logodds.NaiveBayesClassifier,
    logodds.GaussianClassifier,
    logodds.SoftmaxClassifier,
    logodds.NeuralClassifier,
    logodds.PerceptronClassifier,
    logodds.IndicatorClassifier,
    logodds.NeighborsClassifier,
]
ONE_ANSWER = [
    cls
    for cls in CLASSES
    for record in logodds.models()
    if record["name"] == cls._family and record["capabilities"]["one_answer"]
]
"""Those whose answer the rows determine, whatever their order."""
PENGUINS = ROOT / "data" / "penguins.csv"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes more than a few seconds")
    # The estimators implement scikit-learn's conventions and do not inherit them: see _sklearn.py.
    config.addinivalue_line("filterwarnings", "ignore:.*does not inherit from:UserWarning")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A fit of a net takes a quarter of a minute under a sanitizer, where the C++ tests have it."""
    for item in items:
        if "neural" in item.nodeid.lower():
            item.add_marker(pytest.mark.slow)


def shared_data(relative: str) -> Path:
    """A file of the shared data folder; the test is skipped where it is not there."""
    folder = Path(os.environ.get("LOGODDS_SHARED_DATA", ROOT.parent / "shared" / "data"))
    if not (folder / relative).exists():
        pytest.skip(f"{relative} is not in the shared data folder")
    return folder / relative


@pytest.fixture
def command():
    """Runs the command and returns what it printed; LOGODDS names the program."""
    program = Path(os.environ.get("LOGODDS", ROOT / "build" / "bin" / "logodds")).resolve()
    if not program.exists():
        pytest.skip(f"the command has not been built: {program}")

    def run(*words: object) -> str:
        result = subprocess.run(
            [str(program), *map(str, words)], capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, result.stderr
        return result.stdout

    return run


@pytest.fixture
def blobs():
    """3000 rows in three classes that overlap: enough for several blocks of rows."""
    rng = np.random.default_rng(7)
    y = rng.integers(0, 3, size=3000)
    centers = np.array([[0.0, 0.0, 1.0, 5.0], [1.0, -1.0, 2.0, 5.5], [-1.0, 1.0, 0.0, 4.0]])
    return rng.normal(size=(3000, 4)) + centers[y], y


@pytest.fixture
def mixed():
    return make_mixed()


def model_bytes(estimator: logodds.Classifier) -> bytes:
    return estimator._model.to_bytes()
