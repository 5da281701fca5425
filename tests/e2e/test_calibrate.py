"""calibrate, threshold and --priors estimate: what validation rows and unlabelled rows are for."""

import numpy as np
import pytest
from support import fails, ok, ok_json, posteriors, read_csv, write_csv

METHODS = ["temperature", "platt", "isotonic"]


def drawn(rows, classes, seed, shares=None):
    """Classes that naive Bayes is too sure of: columns that repeat each other."""
    rng = np.random.default_rng(seed)
    labels = rng.choice(len(classes), size=rows, p=shares)
    x = labels[:, None] * 0.8 + rng.normal(size=(rows, 1))
    noise = rng.normal(size=(rows, 4)) * 0.3
    names = ["x1", "x2", "x3", "x4"]
    return [
        {"y": classes[k], **dict(zip(names, map(repr, map(float, row)), strict=True))}
        for k, row in zip(labels, x + noise, strict=True)
    ]


@pytest.fixture(scope="module", params=[["ham", "spam"], ["a", "b", "c"]], ids=["two", "three"])
def files(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("calibrate")
    for seed, part in enumerate(["train", "validation", "test"]):
        write_csv(folder / f"{part}.csv", drawn(1500, request.param, seed))
    ok("train", folder / "train.csv", "--target", "y", "-o", folder / "m", "--quiet")
    return folder, request.param


def proba(model, data, classes):
    return np.array(posteriors(ok("predict", model, data, "--proba", "--quiet").stdout, classes))


def truth(data, classes):
    return np.array([classes.index(row["y"]) for row in read_csv(data.read_text())])


def log_loss(p, labels):
    return -np.log(p[np.arange(len(labels)), labels]).mean()


def calibrated(files, method, *words):
    folder, _ = files
    answer = ok_json(
        *("calibrate", folder / "m", folder / "validation.csv", "--method", method),
        *("-o", folder / method, *words),
    )
    return answer, folder / method


@pytest.mark.parametrize("method", METHODS)
def test_the_log_loss_falls(files, method):
    folder, classes = files
    answer, model = calibrated(files, method)
    data = folder / "validation.csv"
    labels = truth(data, classes)
    before = log_loss(proba(folder / "m", data, classes), labels)
    assert answer["log_loss_before"] == pytest.approx(before, rel=1e-9)
    after = proba(model, data, classes)
    assert answer["log_loss_after"] == pytest.approx(log_loss(after, labels), rel=1e-9)
    assert answer["log_loss_after"] < answer["log_loss_before"] - 0.05
    np.testing.assert_allclose(after.sum(axis=1), 1, rtol=1e-12)
    # A posterior of 0, which isotonic regression may give, can cost any log loss.
    measure = "brier" if method == "isotonic" else "log_loss"
    evaluated = ok_json("evaluate", model, folder / "test.csv")
    assert evaluated[measure] < ok_json("evaluate", folder / "m", folder / "test.csv")[measure]
    test = evaluated["log_loss"]
    found = truth(folder / "test.csv", classes)
    p = np.maximum(proba(model, folder / "test.csv", classes), np.finfo(float).tiny)
    assert test == pytest.approx(log_loss(p, found), rel=1e-9)


def test_temperature_changes_no_decision(files):
    folder, _ = files
    _, model = calibrated(files, "temperature")
    words = [folder / "test.csv", "--quiet"]
    assert ok("predict", model, *words).stdout == ok("predict", folder / "m", *words).stdout


class Frozen:
    """Posteriors as a classifier that scikit-learn can calibrate."""

    _estimator_type = "classifier"

    def __init__(self, classes):
        self.classes_ = np.arange(classes)

    def fit(self, x, y):
        return self

    def predict_proba(self, x):
        return x

    def predict(self, x):
        return x.argmax(axis=1)


def test_isotonic_is_that_of_scikit_learn(files):
    isotonic = pytest.importorskip("sklearn.isotonic")
    folder, classes = files
    _, model = calibrated(files, "isotonic")
    p = proba(folder / "m", folder / "validation.csv", classes)
    q = proba(folder / "m", folder / "test.csv", classes)
    labels = truth(folder / "validation.csv", classes)
    chosen = [1] if len(classes) == 2 else range(len(classes))
    columns = []
    for k in chosen:
        line = isotonic.IsotonicRegression(out_of_bounds="clip").fit(p[:, k], labels == k)
        columns.append(line.predict(q[:, k]))
    wanted = np.column_stack([1 - columns[0], *columns] if len(classes) == 2 else columns)
    wanted /= wanted.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(proba(model, folder / "test.csv", classes), wanted, atol=1e-9)


def test_platt_is_that_of_scikit_learn(files):
    calibration = pytest.importorskip("sklearn.calibration")
    folder, classes = files
    _, model = calibrated(files, "platt")

    def log_odds(part, k):
        p = proba(folder / "m", folder / f"{part}.csv", classes)
        rest = np.delete(p, k, axis=1).sum(axis=1)
        return np.log(p[:, k]) - np.log(rest)

    labels = truth(folder / "validation.csv", classes)
    chosen = [1] if len(classes) == 2 else range(len(classes))
    columns = []
    for k in chosen:
        a, b = calibration._sigmoid_calibration(log_odds("validation", k), labels == k)
        columns.append(1 / (1 + np.exp(a * log_odds("test", k) + b)))
    wanted = np.column_stack([1 - columns[0], *columns] if len(classes) == 2 else columns)
    wanted /= wanted.sum(axis=1, keepdims=True)
    # scikit-learn stops its optimizer early.
    np.testing.assert_allclose(proba(model, folder / "test.csv", classes), wanted, atol=2e-3)


def test_a_calibrated_model_is_a_model(files, tmp_path):
    folder, classes = files
    _, model = calibrated(files, "platt")
    facts = dict(ok_json("inspect", model)["facts"])
    assert facts["calibration"] == "platt"
    again = ok_json(
        *("calibrate", model, folder / "validation.csv", "--method", "isotonic"),
        *("-o", tmp_path / "n"),
    )
    first, _ = calibrated(files, "isotonic")
    assert again["log_loss_after"] == pytest.approx(first["log_loss_after"], rel=1e-12)
    assert "calibrate it again" in fails("update", model, folder / "test.csv", "-o", tmp_path / "u")
    assert "from before the calibration" in fails(
        "predict", model, folder / "test.csv", "--explain"
    )
    shifted = proba(model, folder / "test.csv", classes)
    priors = ok_json("inspect", folder / "m")
    assert priors["model"] == "naive-bayes"
    ratio = np.linspace(1, 2, len(classes))
    old = np.bincount(truth(folder / "train.csv", classes)) / 1500
    new = old * ratio / (old * ratio).sum()
    words = ",".join(f"{name}={p!r}" for name, p in zip(classes, map(float, new), strict=True))
    wanted = shifted * new / old
    wanted /= wanted.sum(axis=1, keepdims=True)
    text = ok("predict", model, folder / "test.csv", "--proba", "--quiet", "--priors", words).stdout
    np.testing.assert_allclose(np.array(posteriors(text, classes)), wanted, atol=1e-9)


def test_boundaries_are_those_of_the_model_before(penguins_model, penguins, tmp_path):
    ok("calibrate", penguins_model, penguins, "-o", tmp_path / "c")
    words = ["predict", tmp_path / "c", penguins, "--distances"]
    assert "from before the calibration" in fails(*words)


def by_threshold(p, k, threshold):
    others = np.delete(np.arange(p.shape[1]), k)
    best = others[p[:, others].argmax(axis=1)]
    return np.where(p[:, k] >= threshold, k, best)


def test_a_threshold_by_cost_is_the_cheapest(files, tmp_path):
    folder, classes = files
    data = folder / "validation.csv"
    k = len(classes) - 1
    costs = 1 - np.eye(len(classes))
    costs[:k, k] = 3
    pairs = ",".join(f"{name}:{classes[k]}=3" for name in classes[:k])
    words = [] if len(classes) == 2 else ["--class", classes[k]]
    answer = ok_json("threshold", folder / "m", data, "--cost", pairs, *words, "-o", tmp_path / "t")
    p = proba(folder / "m", data, classes)
    labels = truth(data, classes)
    grid = [*np.unique(p[:, k]), 2]
    prices = [costs[labels, by_threshold(p, k, limit)].mean() for limit in grid]
    assert answer["after"]["cost"] == pytest.approx(min(prices), rel=1e-12)
    found = by_threshold(p, k, answer["threshold"])
    assert costs[labels, found].mean() == pytest.approx(min(prices), rel=1e-12)
    largest = costs[labels, p.argmax(axis=1)].mean()
    assert answer["before"]["cost"] == pytest.approx(largest, rel=1e-12)
    result = ok("predict", tmp_path / "t", data)
    decided = [row["prediction"] for row in read_csv(result.stdout)]
    assert decided == [classes[d] for d in found]
    assert f"note: decided by the threshold of the model: {classes[k]} from" in result.stderr
    plain = ok("predict", tmp_path / "t", data, "--thresholds", "none", "--quiet").stdout
    assert plain == ok("predict", folder / "m", data, "--quiet").stdout


def test_a_threshold_by_precision_has_the_largest_recall(files, tmp_path):
    folder, classes = files
    data = folder / "validation.csv"
    target = 0.8
    words = ["--precision", target, "--class", classes[0], "-o", tmp_path / "t"]
    answer = ok_json("threshold", folder / "m", data, *words)
    p = proba(folder / "m", data, classes)[:, 0]
    positive = truth(data, classes) == 0
    recalls = [
        positive[p >= limit].sum() / positive.sum()
        for limit in np.unique(p)
        if positive[p >= limit].mean() >= target
    ]
    assert answer["after"]["recall"] == pytest.approx(max(recalls), rel=1e-12)
    assert answer["after"]["precision"] >= target
    chosen = p >= answer["threshold"]
    assert positive[chosen].mean() == pytest.approx(answer["after"]["precision"], rel=1e-12)


def test_without_o_the_model_itself_gets_the_threshold(files, tmp_path):
    folder, classes = files
    model = tmp_path / "m"
    model.write_bytes((folder / "m").read_bytes())
    words = ["--precision", "0.7", "--class", classes[0]]
    shown = ok("threshold", model, folder / "validation.csv", *words).stdout
    assert "largest posterior" in shown
    assert f"threshold of {classes[0]}" in dict(ok_json("inspect", model)["facts"])


def test_shares_are_estimated_from_rows_without_labels(files, tmp_path):
    folder, classes = files
    shares = np.array([0.85, 0.15] if len(classes) == 2 else [0.7, 0.2, 0.1])
    ok(
        *("train", folder / "train.csv", "--target", "y", "--model", "gaussian"),
        *("-o", tmp_path / "g", "--quiet"),
    )
    rows = drawn(4000, classes, 9, shares)
    data = write_csv(tmp_path / "shifted.csv", rows)
    result = ok("predict", tmp_path / "g", data, "--proba", "--priors", "estimate")
    note = next(line for line in result.stderr.splitlines() if "shares of the classes" in line)
    found = np.array([float(part.split()[-1]) for part in note.split(": ")[-1].split(", ")])
    np.testing.assert_allclose(found, shares, atol=0.08)  # classes that overlap
    p = proba(tmp_path / "g", data, classes)
    old = np.bincount(truth(folder / "train.csv", classes)) / 1500
    pi = old.copy()
    for _ in range(5000):
        q = p * pi / old
        q /= q.sum(axis=1, keepdims=True)
        pi = q.mean(axis=0)
    np.testing.assert_allclose(found, pi, atol=2e-6)
    np.testing.assert_allclose(np.array(posteriors(result.stdout, classes)), q, atol=1e-7)
    before = ok_json("evaluate", tmp_path / "g", data)["error_rate"]
    assert ok_json("evaluate", tmp_path / "g", data, "--priors", "estimate")["error_rate"] < before


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["threshold", "M", "V"], "give one of --cost and --precision"),
        (["threshold", "M", "V", "--precision", ".9", "--cost", "a:b=1"], "give one of"),
        (["threshold", "M", "V", "--precision", ".9", "--class", "z"], "no class 'z'"),
        (["threshold", "M", "V", "--precision", "2"], "--precision"),
        (["calibrate", "M", "V"], "option -o NEW is missing"),
        (["calibrate", "M", "V", "--method", "isotonik", "-o", "n"], "isotonic"),
        (["calibrate", "M", "no.csv", "-o", "n"], "cannot open"),
        (["predict", "M", "-", "--priors", "estimate"], "reads the rows twice"),
    ],
)
def test_bad_usage(words, sentence, files, tmp_path):
    folder, _ = files
    names = {"M": folder / "m", "V": folder / "validation.csv"}
    assert sentence in fails(*(names.get(word, word) for word in words), cwd=tmp_path)


def test_bad_validation_rows(files, tmp_path):
    folder, classes = files
    one = tmp_path / "one.csv"
    lines = (folder / "validation.csv").read_text().splitlines()
    one.write_text("\n".join([lines[0], *(s for s in lines if s.startswith(classes[0]))]) + "\n")
    message = fails("calibrate", folder / "m", one, "-o", tmp_path / "n")
    assert "all of one class" in message
    unseen = tmp_path / "unseen.csv"
    unseen.write_text("\n".join([*lines[:9], "zebra,1,2,3,4"]) + "\n")
    message = fails("calibrate", folder / "m", unseen, "-o", tmp_path / "n")
    assert "unseen.csv, line 10" in message and "zebra" in message
    words = ["--class", classes[0], "--cost"]
    pairs = ",".join(f"{name}:{classes[0]}=9" for name in classes[1:])
    gain = ",".join(f"{classes[0]}:{name}=-9" for name in classes[1:])
    message = fails("threshold", folder / "m", unseen.parent / "one.csv", *words, f"{pairs},{gain}")
    assert "never to decide for the class" in message
    assert "the best is" in fails(
        *("threshold", folder / "m", write_csv(tmp_path / "r.csv", drawn(50, classes[::-1], 3))),
        *("--class", classes[0], "--precision", "0.999"),
    )


def test_rows_that_calibration_makes_equal_stay_equal(files, tmp_path):
    """Ranks of evaluate are those of the posteriors that predict shows."""
    folder, classes = files
    _, model = calibrated(files, "isotonic")
    data = folder / "test.csv"
    shown = read_csv(ok("predict", model, data, "--proba", "--quiet").stdout)
    given = [
        {"y": row["y"], **{c: p[f"p_{c}"] for c in classes}}
        for row, p in zip(read_csv(data.read_text()), shown, strict=True)
    ]
    write_csv(tmp_path / "given.csv", given)
    found = ok_json("evaluate", model, data)
    expected = ok_json("evaluate", "--probabilities", tmp_path / "given.csv", "--target", "y")
    for measure in ("auc", "average_precision"):
        assert found[measure] == pytest.approx(expected[measure], rel=1e-12)
