"""project: coordinates on the canonical axes."""

import numpy as np
import pytest
from support import (
    MEASUREMENTS,
    NO_DENSITIES,
    fails,
    ok,
    ok_json,
    penguin_rows,
    read_csv,
    write_csv,
)

GAUSSIAN = ["--target", "species", "--model", "gaussian"]


def rows_of(complete=True):
    names = ["species", *MEASUREMENTS]
    return [{name: row[name] for name in names} for row in penguin_rows(complete)]


@pytest.fixture
def model(tmp_path):
    data = write_csv(tmp_path / "d.csv", rows_of())
    ok("train", data, *GAUSSIAN, "-o", tmp_path / "m", "--quiet")
    return tmp_path / "m"


def coordinates(text, axes=2):
    rows = read_csv(text)
    return np.array([[float(row[f"axis{a + 1}"]) for a in range(axes)] for row in rows])


def test_within_class_covariance_is_the_identity(model, tmp_path):
    text = ok("project", model, tmp_path / "d.csv").stdout
    rows = read_csv(text)
    assert list(rows[0]) == ["species", "axis1", "axis2"]
    labels = np.array([row["species"] for row in rows])
    points = coordinates(text)
    np.testing.assert_allclose(points.mean(axis=0), 0, atol=1e-9)
    centered = points.copy()
    for name in set(labels):
        centered[labels == name] -= points[labels == name].mean(axis=0)
    np.testing.assert_allclose(centered.T @ centered / len(points), np.eye(2), atol=1e-9)
    assert (points**2).sum(axis=0)[0] > (points**2).sum(axis=0)[1]


def test_axes_are_those_of_scikit_learn(model, tmp_path):
    """Up to the sign of each axis: its transform has the within-class divisor n - K."""
    discriminant = pytest.importorskip("sklearn.discriminant_analysis")
    rows = rows_of()
    features = np.array([[float(row[name]) for name in MEASUREMENTS] for row in rows])
    labels = np.array([row["species"] for row in rows])
    lda = discriminant.LinearDiscriminantAnalysis(solver="svd").fit(features, labels)
    expected = lda.transform(features)
    given = coordinates(ok("project", model, tmp_path / "d.csv").stdout)
    for axis in range(2):
        ratio = given[:, axis] @ expected[:, axis] / (expected[:, axis] @ expected[:, axis])
        assert abs(abs(ratio) - 1) < 0.01
        np.testing.assert_allclose(given[:, axis], ratio * expected[:, axis], atol=1e-7)


def test_fewer_axes_are_the_first_ones(model, tmp_path):
    both = coordinates(ok("project", model, tmp_path / "d.csv").stdout)
    one = ok("project", model, tmp_path / "d.csv", "--axes", "1").stdout
    np.testing.assert_array_equal(coordinates(one, 1)[:, 0], both[:, 0])


def test_rows_without_labels_or_values(model, tmp_path):
    rows = [{k: v for k, v in row.items() if k != "species"} for row in rows_of(complete=False)]
    data = write_csv(tmp_path / "no_labels.csv", rows)
    lacking = [i for i, row in enumerate(rows) if "NA" in row.values()]
    assert lacking
    result = ok("project", model, data)
    assert f"{len(lacking)} rows lack a value" in result.stderr
    given = read_csv(result.stdout)
    assert list(given[0]) == ["axis1", "axis2"]
    assert len(given) == len(rows)
    assert [i for i, row in enumerate(given) if row["axis1"] == ""] == lacking
    one = ok("project", model, data, "--axes", "1").stdout.splitlines()
    assert len(one) == len(rows) + 1 and '""' in one


def test_labels_that_the_model_does_not_know_have_empty_cells(model, tmp_path):
    rows = [
        {**row, "species": "fox" if i == 2 else row["species"]} for i, row in enumerate(rows_of())
    ]
    data = write_csv(tmp_path / "fox.csv", rows)
    result = ok("project", model, data)
    assert "1 row has no label that the model knows" in result.stderr
    given = read_csv(result.stdout)
    assert given[2]["species"] == "" and given[2]["axis1"] != ""
    assert given[3]["species"] == rows[3]["species"]


def test_output_json_and_threads(model, tmp_path):
    data = tmp_path / "d.csv"
    assert "-o OUT.csv" in fails("project", model, data, "--json")
    answer = ok_json("project", model, data, "-o", tmp_path / "out.csv")
    assert (answer["rows"], answer["axes"], answer["rows_incomplete"]) == (333, 2, 0)
    text = (tmp_path / "out.csv").read_text()
    for threads in ["1", "3"]:
        assert ok("project", model, data, "--threads", threads).stdout == text


def test_refusals(model, penguins, tmp_path):
    data = tmp_path / "d.csv"
    sentence = fails("project", model, data, "--axes", "3")
    assert "2 canonical axes" in sentence and "at most 2" in sentence
    assert "'0'" in fails("project", model, data, "--axes", "0")
    assert "is being read" in fails("project", model, data, "-o", data)
    alone = write_csv(tmp_path / "alone.csv", [r for r in rows_of() if r["species"] == "Gentoo"])
    ok("train", alone, *GAUSSIAN, "-o", tmp_path / "one", "--quiet")
    assert "no canonical axis" in fails("project", tmp_path / "one", alone)


@pytest.mark.parametrize("family", ["naive-bayes", *NO_DENSITIES])
def test_models_without_axes_are_refused(penguins, tmp_path, family):
    ok("train", penguins, "--target", "species", "--model", family, "-o", tmp_path / "m")
    sentence = fails("project", tmp_path / "m", penguins, "-o", tmp_path / "out.csv")
    assert family in sentence and "--model gaussian" in sentence
    assert not (tmp_path / "out.csv").exists()
