"""CostSensitive, and models that were calibrated or given a threshold by the command."""

import os
import shutil
import subprocess
from pathlib import Path

import logodds
import numpy as np
import pytest
from logodds._decisions import decide

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("LOGODDS", ROOT / "build" / "bin" / "logodds"))


def rows(count, seed, classes=3):
    rng = np.random.default_rng(seed)
    y = rng.integers(classes, size=count)
    return 0.8 * y[:, None] + rng.normal(size=(count, 1)) + 0.3 * rng.normal(size=(count, 3)), y


@pytest.fixture
def model():
    X, y = rows(400, 0)
    return logodds.GaussianClassifier().fit(X, np.array(["a", "b", "c"])[y])


def test_costs_decide_what_is_cheapest(model):
    X, y = rows(300, 1)
    p = model.predict_proba(X)
    rng = np.random.default_rng(2)
    for _ in range(20):
        cost = rng.normal(size=(3, 3)) + 2 - 2 * np.eye(3)
        found = logodds.CostSensitive(model, cost=cost)
        best = [min(range(3), key=lambda d, q=q, c=cost: (q @ c[:, d], d)) for q in p]
        assert (found.predict(X) == model.classes_[best]).all()
        np.testing.assert_allclose(found.expected_cost(X), (p @ cost).min(axis=1))
        np.testing.assert_allclose(found.realized_cost(X, model.classes_[y]), cost[y, best])
        assert found.score(X, model.classes_[y]) == pytest.approx(-cost[y, best].mean())


def test_rows_that_are_not_decided(model):
    X, _ = rows(300, 1)
    p = model.predict_proba(X)
    costly = logodds.CostSensitive(model, cost={("a", "b"): 5, ("a", None): 0.2, ("b", None): 0.2})
    matrix = np.array([[0, 5, 1, 0.2], [1, 0, 1, 0.2], [1, 1, 0, 1]])
    wanted = np.array([*model.classes_, None], dtype=object)[(p @ matrix).argmin(axis=1)]
    assert (costly.predict(X) == wanted).all()
    assert 0 < sum(d is None for d in wanted) < len(wanted)
    np.testing.assert_allclose(costly.expected_cost(X), (p @ matrix).min(axis=1))
    sure = logodds.CostSensitive(model, reject_below=0.7).predict(X)
    assert [d is None for d in sure] == list(p.max(axis=1) < 0.7)
    assert logodds.CostSensitive(model).predict(X).dtype == model.classes_.dtype


def test_thresholds(model):
    X, _ = rows(300, 1)
    p = model.predict_proba(X)
    found = logodds.CostSensitive(model, thresholds={"b": 0.25}).predict(X)
    others = np.array(["a", "c"])[p[:, [0, 2]].argmax(axis=1)]
    assert (found == np.where(p[:, 1] >= 0.25, "b", others)).all()
    every = decide(p, model.classes_, thresholds={"a": 0.9, "b": 0.9, "c": 0.9})
    assert ((every == -1) == (p.max(axis=1) < 0.9)).all()


def test_any_classifier_with_posteriors_will_do():
    discriminant_analysis = pytest.importorskip("sklearn.discriminant_analysis")
    selection = pytest.importorskip("sklearn.model_selection")
    X, y = rows(300, 3)
    lda = discriminant_analysis.LinearDiscriminantAnalysis()
    cost = 1 - np.eye(3)
    cost[2, 0] = 20
    found = logodds.CostSensitive(lda, cost=cost).fit(X, y)
    fitted = discriminant_analysis.LinearDiscriminantAnalysis().fit(X, y)
    assert (found.predict(X) == (fitted.predict_proba(X) @ cost).argmin(axis=1)).all()
    assert not hasattr(lda, "classes_")
    scores = selection.cross_val_score(found, X, y, cv=3)
    assert (scores < 0).all() and (scores > -2).all()
    search = selection.GridSearchCV(found, {"estimator__tol": [1e-4]}, cv=3).fit(X, y)
    assert search.best_score_ == pytest.approx(scores.mean())


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"cost": np.eye(2)}, "shape"),
        ({"cost": {("a", "z"): 1}}, "'z'"),
        ({"cost": np.full((3, 3), np.nan)}, "not finite"),
        ({"thresholds": {"z": 0.5}}, "'z'"),
        ({"thresholds": {"a": 2}}, "at most 1"),
        ({"reject_below": 2}, "between 0 and 1"),
        ({"cost": np.eye(3), "thresholds": {"a": 0.5}}, "one of them"),
    ],
)
def test_bad_options(model, options, sentence):
    X, _ = rows(5, 1)
    with pytest.raises(ValueError, match=sentence):
        logodds.CostSensitive(model, **options).predict(X)


@pytest.fixture
def files(model, tmp_path):
    if not BINARY.exists():
        pytest.skip("the command is not built")
    model.save(tmp_path / "m")
    for part, seed in [("validation", 4), ("test", 5)]:
        X, y = rows(500, seed)
        lines = [",".join([*map(repr, map(float, x)), "abc"[k]]) for x, k in zip(X, y, strict=True)]
        (tmp_path / f"{part}.csv").write_text("\n".join(["x1,x2,x3,y", *lines, ""]))
    return tmp_path


def command(folder, *words):
    return subprocess.run(
        [str(BINARY), *map(str, words)], cwd=folder, check=True, capture_output=True, text=True
    ).stdout


@pytest.mark.parametrize("method", ["temperature", "platt", "isotonic"])
def test_a_calibrated_file_has_the_same_posteriors_everywhere(files, method):
    words = ["--target", "y", "--method", method, "-o", "n"]
    command(files, "calibrate", "m", "validation.csv", *words)
    model = logodds.load(files / "n")
    X, _ = rows(500, 5)
    text = command(files, "predict", "n", "test.csv", "--proba", "--quiet")
    wanted = np.array([line.split(",")[1:] for line in text.splitlines()[1:]], dtype=float)
    np.testing.assert_allclose(model.predict_proba(X), wanted, atol=1e-12)
    np.testing.assert_allclose(model.predict_proba_csv(files / "test.csv"), wanted, atol=1e-12)
    assert not np.allclose(logodds.load(files / "m").predict_proba(X), wanted, atol=1e-4)
    model.save(files / "again")
    assert (files / "again").read_bytes() == (files / "n").read_bytes()


def test_a_stored_threshold_decides_in_python_too(files):
    shutil.copy(files / "m", files / "t")
    words = ["--target", "y", "--class", "b", "--cost", "b:a=4,b:c=4"]
    command(files, "threshold", "t", "validation.csv", *words)
    model = logodds.load(files / "t")
    X, _ = rows(500, 5)
    wanted = command(files, "predict", "t", "test.csv", "--quiet").split()[1:]
    assert list(model.predict(X)) == wanted
    assert list(model.predict_csv(files / "test.csv")) == wanted
    assert wanted != command(files, "predict", "m", "test.csv", "--quiet").split()[1:]
