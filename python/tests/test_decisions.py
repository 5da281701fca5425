"""CostSensitive; calibration, thresholds and priors from rows, here and by the command."""

import json
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
        ({"cost": np.full((3, 3), 1e308)}, "beyond 1e150"),
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


def labelled(count, seed):
    X, y = rows(count, seed)
    return X, np.array(["a", "b", "c"])[y]


def mean_log_loss(posteriors, y, classes):
    return -np.log(posteriors[np.arange(len(y)), np.searchsorted(classes, y)]).mean()


@pytest.mark.parametrize("method", ["temperature", "platt", "isotonic"])
def test_calibrate_makes_the_model_that_the_command_makes(files, method):
    words = ["--target", "y", "--method", method, "-o", "n"]
    text = command(files, "calibrate", "m", "validation.csv", *words, "--json")
    before = logodds.load(files / "m")
    X, y = labelled(500, 4)
    found = before.calibrate(X, y, method)
    found.save(files / "here")
    assert (files / "here").read_bytes() == (files / "n").read_bytes()
    told = json.loads(text)
    assert found.calibration_.method == method
    assert found.calibration_.log_loss_before == pytest.approx(told["log_loss_before"], rel=1e-12)
    assert found.calibration_.log_loss_after == pytest.approx(told["log_loss_after"], rel=1e-12)
    wanted = mean_log_loss(before.predict_proba(X), y, before.classes_)
    assert found.calibration_.log_loss_before == pytest.approx(wanted, rel=1e-12)
    # A second calibration begins with the posteriors of the model, not with those of the first.
    found.calibrate(X, y, method).save(files / "twice")
    assert (files / "twice").read_bytes() == (files / "n").read_bytes()


def test_the_temperature_is_the_best_one(model):
    X, y = labelled(500, 4)
    before = model.predict_proba(X)
    calibrated = model.calibrate(X, y)
    at = calibrated.calibration_.facts["temperature"]

    def loss(temperature):
        powers = before ** (1 / temperature)
        return mean_log_loss(powers / powers.sum(axis=1, keepdims=True), y, model.classes_)

    assert calibrated.calibration_.log_loss_after == pytest.approx(loss(at), rel=1e-12)
    assert loss(at) < min(loss(at * 0.999), loss(at * 1.001), loss(1.0))
    assert (calibrated.predict(X) == model.predict(X)).all()
    np.testing.assert_array_equal(model.predict_proba(X), before)  # the model is as it was
    assert not hasattr(model, "calibration_")
    assert not hasattr(calibrated.fit(X, y), "calibration_")


def test_isotonic_calibration_is_scikit_learns():
    isotonic = pytest.importorskip("sklearn.isotonic")
    rng = np.random.default_rng(7)
    X, y = rng.normal(size=(600, 2)), rng.integers(2, size=600)
    X[:, 0] += y
    weights = rng.integers(1, 4, size=300).astype(float)
    model = logodds.GaussianClassifier(covariance="own").fit(X[:300], y[:300])
    found = model.calibrate(X[300:], y[300:], "isotonic", sample_weight=weights)
    p = model.predict_proba(X[300:])[:, 1]
    peer = isotonic.IsotonicRegression().fit(p, y[300:], sample_weight=weights)
    np.testing.assert_allclose(found.predict_proba(X[300:])[:, 1], peer.predict(p), atol=1e-12)


def test_every_kind_of_rows_is_calibrated():
    pandas = pytest.importorskip("pandas")
    sparse = pytest.importorskip("scipy.sparse")
    X, y = labelled(300, 8)
    frame = pandas.DataFrame(X, columns=["p", "q", "r"])
    frame["s"] = np.where(X[:, 0] > 1, "high", "low")
    words = ["much" if value > 1 else "little" for value in X[:, 0]]
    cases = [
        (logodds.SoftmaxClassifier(decay=1.0), X),
        (logodds.SoftmaxClassifier(decay=1.0), sparse.csr_matrix(X)),
        (logodds.NeighborsClassifier(k=9), X),
        (logodds.NaiveBayesClassifier(), frame),
        (logodds.DocumentClassifier(), words),
    ]
    for estimator, given in cases:
        fitted = estimator.fit(given, y)
        found = fitted.calibrate(given, y, "platt")
        posteriors = found.predict_proba(given)
        np.testing.assert_allclose(posteriors.sum(axis=1), 1.0, rtol=1e-12)
        loss = mean_log_loss(posteriors, y, found.classes_)
        assert loss == pytest.approx(found.calibration_.log_loss_after, rel=1e-9)


@pytest.mark.parametrize(
    ("words", "wish"),
    [
        (["--cost", "b:a=4,b:c=4"], {"cost": {("b", "a"): 4, ("b", "c"): 4}}),
        (["--precision", "0.6"], {"precision": 0.6}),
    ],
)
def test_choose_threshold_is_the_threshold_of_the_command(files, words, wish):
    told = json.loads(
        command(
            files, "threshold", "m", "validation.csv", "--target", "y", "--class", "b", *words,
            "-o", "t", "--json",
        )
    )  # fmt: skip
    X, y = labelled(500, 4)
    model = logodds.load(files / "m")
    found = model.choose_threshold(X, y, "b", **wish)
    found.save(files / "here")
    assert (files / "here").read_bytes() == (files / "t").read_bytes()
    assert found.threshold_.threshold == told["threshold"]
    decided = found.predict(X) == "b"
    assert decided.sum() == found.threshold_.decided
    assert (y[decided] == "b").mean() == pytest.approx(found.threshold_.precision)
    assert decided[y == "b"].mean() == pytest.approx(found.threshold_.recall)
    assert (found.threshold_.cost is None) == ("precision" in wish)
    # After a calibration the threshold is for calibrated posteriors.
    both = model.calibrate(X, y, "isotonic").choose_threshold(X, y, "b", **wish)
    limit = both.threshold_.threshold
    assert ((both.predict_proba(X)[:, 1] >= limit) == (both.predict(X) == "b")).all()


def test_estimate_priors_is_the_estimate_of_the_command(files):
    model = logodds.load(files / "m")
    X, y = labelled(500, 5)
    some = (y != "b") | (np.arange(500) % 5 == 0)  # fewer of a class than in training
    lines = (files / "test.csv").read_text().splitlines()
    kept = [line for line, there in zip(lines[1:], some, strict=True) if there]
    (files / "some.csv").write_text("\n".join([lines[0], *kept, ""]))
    found = model.estimate_priors(X[some])
    text = command(files, "predict", "m", "some.csv", "--priors", "estimate", "--proba", "--quiet")
    wanted = np.array([line.split(",")[1:] for line in text.splitlines()[1:]], dtype=float)
    np.testing.assert_allclose(found.predict_proba(X[some]), wanted, atol=1e-12)
    assert found.shares_.converged
    assert found.shares_.shares.sum() == pytest.approx(1.0)
    assert found.shares_.shares[1] < model.priors_[1]
    np.testing.assert_allclose(found.priors_, found.shares_.shares, rtol=1e-9)
    # EM ends where the mean posterior under the new priors is these priors.
    np.testing.assert_allclose(
        found.predict_proba(X[some]).mean(axis=0), found.shares_.shares, atol=1e-6
    )
    softmax = logodds.SoftmaxClassifier(decay=1.0).fit(X, y)
    with pytest.raises(logodds.LogoddsError, match="no priors"):
        softmax.estimate_priors(X)


def test_what_cannot_be_adjusted(model):
    X, y = labelled(50, 6)
    with pytest.raises(logodds.LogoddsError, match="temperature"):
        model.calibrate(X, y, "spline")
    with pytest.raises(ValueError, match="y holds 'z'"):
        model.calibrate(X, ["z", *y[1:]])
    with pytest.raises(ValueError, match="inconsistent"):
        model.calibrate(X, y[1:])
    with pytest.raises(ValueError, match="row 0: weight -1"):
        model.calibrate(X, y, sample_weight=np.full(50, -1.0))
    with pytest.raises(ValueError, match="row 0: weight 1e\\+200"):
        model.calibrate(X, y, sample_weight=np.full(50, 1e200))
    with pytest.raises(ValueError, match="one of cost and precision"):
        model.choose_threshold(X, y, "a")
    with pytest.raises(ValueError, match="none of the classes"):
        model.choose_threshold(X, y, precision=0.5)
    with pytest.raises(ValueError, match="decides all"):
        model.choose_threshold(X, y, "a", cost={("a", None): 1})
    with pytest.raises(ValueError, match="not fitted"):
        logodds.GaussianClassifier().calibrate(X, y)
