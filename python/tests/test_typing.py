"""The package type-checks, and ships what type checkers need."""

import subprocess
import sys
from importlib.resources import files

from conftest import ROOT

USE = """
import logodds
import numpy as np
from logodds.compat import CountVectorizer, LinearDiscriminantAnalysis, LogisticRegression
from numpy.typing import NDArray

model = logodds.GaussianClassifier(covariance="own", ridge=0.5).fit([[1.0], [2.0]], [0, 1])
posteriors: NDArray[np.float64] = model.predict_proba([[1.5]])
accuracy: float = model.score([[1.0]], [0])
other: logodds.Classifier = logodds.load("model.logodds")
fitted: logodds.NeighborsClassifier = logodds.NeighborsClassifier(k=3).fit_csv("a.csv", target="y")
options: logodds.CsvOptions = {"missing": "skip", "header": False}
decisions: NDArray[np.float64] = fitted.predict_proba_csv("a.csv", **options)
changed: logodds.GaussianClassifier = model.partial_fit([[1.0]], [0]).merge(model)
changed.forget([[1.0]], [0])
boundary: logodds.Boundary = changed.set_priors({0: 0.5, 1: 0.5}).boundaries_[0]
drawn, labels = logodds.GaussianClassifier.define([0], [1.0], [[0.0]], [[1.0]]).sample(3)
criterion: float = changed.bic() + changed.aic([[1.0]], [0])
linear: LinearDiscriminantAnalysis = LinearDiscriminantAnalysis(solver="lsqr").fit([[1.0]], [0])
documents: logodds.DocumentClassifier = logodds.DocumentClassifier(ngrams=(1, 2), min_df=0.1)
words: list[logodds.TopWord] = documents.fit(["some words"], [0]).top_words(3)[0]
share: logodds.WordShare = documents.explain(["words"]).words[0][0]
vectorizer: CountVectorizer = CountVectorizer(stop_words=["the"]).fit(["some words"])
softer: logodds.SoftmaxClassifier = logodds.SoftmaxClassifier(decay="auto").fit([[1.0]], [0])
slopes: NDArray[np.float64] = softer.coef_
errors: NDArray[np.float64] = softer.coefficients(level=0.9)["standard_error"]
steps: list[dict[str, float]] | None = logodds.NeuralClassifier(hidden=3).fit([[1.0]], [0]).trace_
chances: NDArray[np.float64] = logodds.NoisyOrClassifier(leak=False).fit([[1.0]], [0]).alpha_
logistic: LogisticRegression = LogisticRegression(C=0.1, l1_ratio=0.5).fit([[1.0]], [0])
picture: logodds.plot.Picture = logodds.plot.regions(model, [[1.0]], [0], width=500)
page: str = logodds.report(model, [[1.0]], [0], train=([[1.0]], [0])).html
drawn_arrays: dict[str, NDArray[np.float64]] = picture.arrays
fitted.predict_csv("a.csv", delimeter=";")  # type: ignore[call-arg]
fitted.predict_csv("a.csv", header="no")  # type: ignore[arg-type]
"""


def run_mypy(*arguments: str) -> None:
    settings = ["--config-file", str(ROOT / "pyproject.toml"), "--strict"]
    command = [sys.executable, "-m", "mypy", *settings, *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert result.returncode == 0, result.stdout + result.stderr


def test_package_is_strictly_typed(tmp_path):
    run_mypy("--cache-dir", str(tmp_path), "-p", "logodds")


def test_users_see_the_types(tmp_path):
    (tmp_path / "use.py").write_text(USE)
    run_mypy("--cache-dir", str(tmp_path), str(tmp_path / "use.py"))


def test_marker_and_stub_are_installed():
    for name in ("py.typed", "_core.pyi"):
        assert (files("logodds") / name).is_file()
