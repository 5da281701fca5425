"""Train, predict and evaluate with every family, against plain NumPy where a formula is at hand."""

import numpy as np
import pytest
from support import (
    FAMILIES,
    MEASUREMENTS,
    ok,
    ok_json,
    penguin_rows,
    posteriors,
    read_csv,
    write_csv,
)

CLASSES = ["Adelie", "Chinstrap", "Gentoo"]


def measured_penguins():
    rows = [row for row in penguin_rows(complete=False) if row["body_mass_g"] != "NA"]
    features = np.array([[float(row[name]) for name in MEASUREMENTS] for row in rows])
    labels = np.array([CLASSES.index(row["species"]) for row in rows])
    return features, labels


def gaussian_posteriors(features, labels, covariance):
    """By the book: maximum likelihood means and covariances, explicit densities."""
    scores = []
    parts = [features[labels == k] for k in range(len(CLASSES))]
    own = [np.cov(part.T, bias=True) for part in parts]
    pooled = sum(len(part) * cov for part, cov in zip(parts, own, strict=True)) / len(features)
    for part, cov in zip(parts, own, strict=True):
        sigma = {"shared": pooled, "own": cov, "diagonal": np.diag(np.diag(cov))}[covariance]
        centered = features - part.mean(axis=0)
        distance = np.einsum("ni,ij,nj->n", centered, np.linalg.inv(sigma), centered)
        prior = np.log(len(part) / len(features))
        scores.append(-0.5 * distance - 0.5 * np.linalg.slogdet(sigma)[1] + prior)
    scores = np.array(scores).T
    scores -= scores.max(axis=1, keepdims=True)
    return np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)


@pytest.fixture
def measurements(tmp_path):
    rows = [row for row in penguin_rows(complete=False) if row["body_mass_g"] != "NA"]
    return write_csv(
        tmp_path / "measured.csv",
        [{name: row[name] for name in ["species", *MEASUREMENTS]} for row in rows],
    )


@pytest.mark.parametrize("covariance", ["shared", "own", "diagonal"])
def test_gaussian_agrees_with_the_formula(measurements, tmp_path, covariance):
    model = tmp_path / "m"
    words = ["--model", "gaussian", "--covariance", covariance]
    ok("train", measurements, "--target", "species", *words, "-o", model)
    result = ok("predict", model, measurements, "--proba", "--quiet").stdout
    features, labels = measured_penguins()
    expected = gaussian_posteriors(features, labels, covariance)
    np.testing.assert_allclose(posteriors(result, CLASSES), expected, atol=1e-9)
    decided = [CLASSES.index(row["prediction"]) for row in read_csv(result)]
    assert decided == list(expected.argmax(axis=1))
    errors = ok_json("evaluate", model, measurements)["errors"]
    assert errors == int((expected.argmax(axis=1) != labels).sum())


def test_softmax_is_at_its_optimum(measurements, tmp_path):
    """The gradient of -sum ln p + decay sum theta^2 vanishes, biases not decayed."""
    model, decay = tmp_path / "m", 0.5
    words = ["--model", "softmax", "--decay", decay]
    ok("train", measurements, "--target", "species", *words, "-o", model)
    table = np.array(posteriors(ok("predict", model, measurements, "--proba").stdout, CLASSES))
    features, labels = measured_penguins()
    scale = features.std(axis=0)
    centered = (features - features.mean(axis=0)) / scale
    residuals = table - np.eye(len(CLASSES))[labels]
    np.testing.assert_allclose(residuals.sum(axis=0), 0.0, atol=1e-4)
    # ln p_k is theta_k . x up to what all classes share, and at the optimum the thetas sum to 0.
    scores = np.log(table) - np.log(table).mean(axis=1, keepdims=True)
    design = np.column_stack([centered, np.ones(len(centered))])
    theta, rest, *_ = np.linalg.lstsq(design, scores, rcond=None)
    assert rest.max() < 1e-12 * (scores**2).sum()
    gradient = centered.T @ residuals + 2 * decay * theta[:-1] / scale[:, None] ** 2
    np.testing.assert_allclose(gradient, 0.0, atol=1e-4)


def test_neighbors_agrees_with_a_search_by_hand(measurements, tmp_path):
    model = tmp_path / "m"
    ok(
        "train",
        measurements,
        "--target",
        "species",
        "--model",
        "neighbors",
        "--k",
        "1",
        "-o",
        model,
    )
    summary = ok_json("evaluate", model, measurements)
    features, _ = measured_penguins()
    assert len(np.unique(features, axis=0)) == len(features)  # so every row is its own neighbour
    assert summary["errors"] == 0


@pytest.mark.parametrize("family", FAMILIES)
def test_iris_through_the_whole_path(iris, tmp_path, family):
    model = tmp_path / "iris.model"
    trained = ok_json("train", iris, "--target", "Species", "--model", family, "-o", model)
    assert trained["model"] == family
    assert trained["rows"] == 150
    evaluated = ok_json("evaluate", model, iris)
    assert evaluated["rows"] == 150
    assert evaluated["errors"] <= 6
    result = ok("predict", model, iris, "--proba").stdout
    rows = read_csv(result)
    assert list(rows[0]) == ["prediction", "p_setosa", "p_versicolor", "p_virginica"]
    table = np.array(posteriors(result, evaluated["classes"]))
    np.testing.assert_allclose(table.sum(axis=1), 1.0, atol=1e-12)
    decided = [evaluated["classes"][k] for k in table.argmax(axis=1)]
    assert decided == [row["prediction"] for row in rows]
    truth = [row["Species"] for row in read_csv(iris.read_text())]
    assert sum(a != b for a, b in zip(decided, truth, strict=True)) == evaluated["errors"]
    log_loss = -np.mean(
        np.log(
            [
                max(p[evaluated["classes"].index(t)], 5e-324)
                for p, t in zip(table, truth, strict=True)
            ]
        )
    )
    assert evaluated["log_loss"] == pytest.approx(log_loss, rel=1e-9, abs=1e-12)


def test_iris_error_count_of_linear_discriminants(iris, tmp_path):
    model = tmp_path / "iris.model"
    ok("train", iris, "--target", "Species", "--model", "gaussian", "-o", model)
    assert ok_json("evaluate", model, iris)["errors"] == 3


@pytest.mark.parametrize("family", FAMILIES)
def test_penguins_with_categories_and_missing_values(penguins, tmp_path, family):
    model = tmp_path / "penguins.model"
    words = ["--model", family, "--missing", "skip"]
    trained = ok_json("train", penguins, "--target", "species", *words, "-o", model)
    assert (trained["rows"], trained["rows_skipped"]) == (333, 11)
    kinds = {column["name"]: column["kind"] for column in trained["columns"]}
    assert kinds["island"] == "categorical" and kinds["sex"] == "binary"
    assert kinds["bill_length_mm"] == "real"
    evaluated = ok_json("evaluate", model, penguins, "--missing", "skip")
    assert (evaluated["rows"], evaluated["rows_skipped"]) == (333, 11)
    assert evaluated["accuracy"] > (0.75 if family == "neighbors" else 0.98)
    assert np.sum(evaluated["confusion"]) == 333
    assert np.sum(evaluated["confusion"]) - np.trace(evaluated["confusion"]) == evaluated["errors"]
    rows = read_csv(ok("predict", model, penguins, "--proba", "--missing", "skip").stdout)
    assert len(rows) == 344
    empty = [i for i, row in enumerate(rows) if row["prediction"] == ""]
    lacking = [i for i, row in enumerate(penguin_rows(complete=False)) if "NA" in row.values()]
    assert empty == lacking
    assert all(value == "" for i in empty for value in rows[i].values())


def test_one_hot_is_said(penguins, tmp_path):
    words = ["--target", "species", "--model", "gaussian"]
    result = ok("train", penguins, *words, "-o", tmp_path / "m")
    assert "one-hot" in result.stdout + result.stderr


def test_default_model_is_said(penguins, tmp_path):
    result = ok("train", penguins, "--target", "species", "-o", tmp_path / "m")
    assert result.stdout.splitlines()[0].split()[:2] == ["model", "naive-bayes"]
    assert "no --model was given: naive-bayes was taken" in result.stderr


@pytest.mark.parametrize(
    ("words", "title"),
    [
        (["--covariance", "own"], "gaussian (covariance own)"),
        (
            ["--ridge", "0.1", "--priors", "uniform"],
            "gaussian (covariance shared, priors uniform, ridge 0.1)",
        ),
        (["--decay", "0.5"], "softmax (decay 0.5)"),
        (["--k", "3"], "neighbors (k 3)"),
        (["--priors", "uniform"], "naive-bayes (priors uniform)"),
        (["--smoothing", "2"], "naive-bayes (smoothing 2)"),
    ],
)
def test_an_option_without_a_model_takes_the_first_family_that_has_it(
    penguins, tmp_path, words, title
):
    model = tmp_path / "m"
    train = ["train", penguins, "--target", "species", "--ignore", "island,sex,year", *words]
    assert f"no --model was given: {title} was taken" in ok(*train, "-o", model).stderr
    ok(*train, "--model", title.split()[0], "-o", tmp_path / "named")
    assert model.read_bytes() == (tmp_path / "named").read_bytes()


def test_rows_that_were_ruled_out_are_said(tmp_path):
    rows = [{"x": i, "y": "a" if i < 10 else "b"} for i in range(20)]
    model = tmp_path / "m"
    train = write_csv(tmp_path / "train.csv", rows)
    ok("train", train, "--target", "y", "--model", "neighbors", "--k", "1", "-o", model)
    test = write_csv(tmp_path / "test.csv", [{"x": 1, "y": "b"}, {"x": 2, "y": "a"}])
    answer = ok_json("evaluate", model, test)
    assert answer["rows_ruled_out"] == 1
    assert 300 < answer["log_loss"] < 400
    assert "1 row has posterior 0" in ok("evaluate", model, test).stderr


def test_one_class_is_said(tmp_path):
    data = tmp_path / "d.csv"
    data.write_text("x,y\n1,a\n2,a\n3,a\n")
    result = ok("train", data, "--target", "y", "-o", tmp_path / "m")
    assert "every row is of class 'a'" in result.stderr
    assert ok("predict", tmp_path / "m", data).stdout.split() == ["prediction", "a", "a", "a"]
