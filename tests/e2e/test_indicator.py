"""--model indicator against NumPy's least squares, and what it says of its weaknesses."""

import re

import numpy as np
import pytest
from support import MEASUREMENTS, ok, ok_json, penguin_rows, posteriors, read_csv, write_csv

SPECIES = ["Adelie", "Chinstrap", "Gentoo"]


def train(folder, rows, target, *options, family="indicator"):
    """The model, and the notes."""
    data, model = write_csv(folder / "d.csv", rows), folder / f"{family}.model"
    words = ["--target", target, "--model", family, *options]
    return model, ok("train", data, *words, "-o", model).stderr


def coefficients(model) -> np.ndarray:
    """One row a feature, the first that of the intercept; one column a class."""
    table = next(t for t in ok_json("inspect", model)["tables"] if t["title"] == "coefficients")
    return np.array([row[1:] for row in table["rows"]])


def penguins(*species):
    return [
        {name: row[name] for name in ["species", *MEASUREMENTS]}
        for row in penguin_rows()
        if row["species"] in species
    ]


def matrix(rows) -> np.ndarray:
    return np.array([[float(row[name]) for name in MEASUREMENTS] for row in rows])


@pytest.fixture(scope="module")
def in_a_row():
    """Three classes along a line, the same in every third of it."""
    return [{"x": x, "size": ["small", "middle", "wide"][x // 10]} for x in range(30)]


@pytest.mark.parametrize("ridge", [0, 250.0])
def test_least_squares(tmp_path, ridge):
    rows = penguins(*SPECIES)
    model, _ = train(tmp_path, rows, "species", "--ridge", ridge)
    x, y = matrix(rows), np.array([[row["species"] == s for s in SPECIES] for row in rows])
    centered = x - x.mean(0)
    slopes = np.linalg.solve(centered.T @ centered + ridge * np.eye(4), centered.T @ y)
    expected = np.vstack([y.mean(0) - x.mean(0) @ slopes, slopes])
    np.testing.assert_allclose(coefficients(model), expected, rtol=1e-8)
    outputs = np.maximum(expected[0] + x @ expected[1:], 0.0)
    found = posteriors(ok("predict", model, tmp_path / "d.csv", "--proba").stdout, SPECIES)
    np.testing.assert_allclose(found, outputs / outputs.sum(1, keepdims=True), atol=1e-9)


def test_outputs_outside_of_0_and_1_are_counted(tmp_path):
    rows = penguins(*SPECIES)
    model, notes = train(tmp_path, rows, "species")
    parts = coefficients(model)
    outputs = parts[0] + matrix(rows) @ parts[1:]
    outside = np.mean((outputs.min(1) < 0.0) | (outputs.max(1) > 1.0))
    said = re.search(r"note: of ([0-9.]+) % of the training rows an output lies below 0", notes)
    assert float(said[1]) == pytest.approx(100.0 * outside, abs=0.05)
    facts = ok_json("inspect", model)["facts"]
    assert facts["rows_outside_0_1"] == pytest.approx(outside)


def test_outputs_inside_are_no_matter(tmp_path):
    rows = [
        {"x": x, "y": y} for x, y in [(0, "a"), (0, "a"), (0, "b"), (1, "b"), (1, "b"), (1, "a")]
    ]
    _, notes = train(tmp_path, rows, "y")
    assert notes == ""


def test_the_class_in_the_middle_is_masked(tmp_path, in_a_row):
    model, notes = train(tmp_path, in_a_row, "size")
    [masked] = [line for line in notes.splitlines() if "masked" in line]
    assert masked.startswith(
        "note: the class 'middle' is masked by others: it has 10 training rows"
    )
    decided = {
        row["prediction"] for row in read_csv(ok("predict", model, tmp_path / "d.csv").stdout)
    }
    assert decided == {"small", "wide"}


@pytest.mark.parametrize("cure", [["--basis", "polynomial:2"], "gaussian", "softmax"])
def test_what_the_note_advises_helps(tmp_path, in_a_row, cure):
    family, options = (cure, []) if isinstance(cure, str) else ("indicator", cure)
    model, notes = train(tmp_path, in_a_row, "size", *options, family=family)
    assert "masked" not in notes
    rows = read_csv(ok("predict", model, tmp_path / "d.csv").stdout)
    assert sum(row["prediction"] == "middle" for row in rows) >= 8


def test_two_classes_have_the_direction_of_a_shared_covariance(tmp_path):
    """ESL, exercise 4.2: least squares on two classes is proportional to Fisher's direction."""
    rows = penguins("Adelie", "Chinstrap")
    indicator, _ = train(tmp_path, rows, "species")
    gaussian, _ = train(tmp_path, rows, "species", family="gaussian")
    [boundary] = ok_json("inspect", gaussian, "--boundaries")["boundaries"]
    found = np.diff(coefficients(indicator)[1:]).ravel()
    normal = np.array(boundary["normal"])
    assert abs(found @ normal) == pytest.approx(np.linalg.norm(found) * np.linalg.norm(normal))
    np.testing.assert_allclose(found / found[0], normal / normal[0], rtol=1e-8)


def test_weights_are_repetitions(tmp_path):
    rows = [{**row, "w": 1 + i % 3} for i, row in enumerate(penguins(*SPECIES))]
    weighted, _ = train(tmp_path, rows, "species", "--weights", "w")
    once = coefficients(weighted)
    repeated = [row for row in rows for _ in range(row["w"])]
    model, _ = train(tmp_path, repeated, "species", "--ignore", "w")
    np.testing.assert_allclose(once, coefficients(model), rtol=1e-9)


def test_it_has_nothing_to_iterate(tmp_path, in_a_row):
    model, _ = train(tmp_path, in_a_row, "size")
    first = model.rename(tmp_path / "first.model")
    again, notes = train(tmp_path, in_a_row, "size", "--warm-start", first)
    assert "--warm-start changed nothing" in notes
    assert again.read_bytes() == first.read_bytes()
