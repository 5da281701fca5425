"""A value far beyond the others, a code for a missing one say: named, and nothing false said."""

import math
import random

import pytest
from support import ok_json, run, write_csv

ROW = 50  # that holds the far value


def write(folder, value: float, label: str):
    """Overlapping classes, the second of which has larger x."""
    numbers = random.Random(3)
    rows = []
    for _ in range(200):
        x, z = numbers.gauss(0, 1), numbers.gauss(0, 1)
        second = numbers.random() < 1 / (1 + math.exp(-x - z / 2))
        rows.append({"x": x, "z": z, "y": "b" if second else "a"})
    rows[ROW] = {"x": value, "z": 0.5, "y": label}
    return write_csv(folder / "d.csv", rows)


def train(data, model: str, *options):
    return ["train", data, "--target", "y", "--model", model, *options, "-o", data.parent / "m"]


def names_it(sentence: str) -> bool:
    return f"'x' in row {ROW + 1}" in sentence and "missing" in sentence


@pytest.mark.parametrize("model", ["softmax", "binary"])
@pytest.mark.parametrize("value", [1e9, 1e12, -1e15])
def test_overlapping_classes_are_not_called_separable(tmp_path, model, value):
    data = write(tmp_path, value, "b" if value > 0 else "a")
    result = run(*train(data, model, "--decay", 0))
    assert names_it(result.stderr) and "separable" not in result.stderr
    assert (result.returncode == 0) == (tmp_path / "m").exists()


@pytest.mark.parametrize("model", ["softmax", "binary"])
@pytest.mark.parametrize("decay", [1e-6, 1])
def test_it_is_noted_under_a_decay(tmp_path, model, decay):
    data = write(tmp_path, 1e12, "b")
    assert any(names_it(note) for note in ok_json(*train(data, model, "--decay", decay))["notes"])


@pytest.mark.parametrize("model", ["softmax", "binary"])
def test_a_value_that_does_no_harm_is_not_named(tmp_path, model):
    """The far row is certain in any case, and the others tell the coefficients."""
    estimates = []
    for value in (100.0, 1e6):
        notes = ok_json(*train(write(tmp_path, value, "b"), model, "--decay", 0))["notes"]
        assert not any("missing" in note for note in notes)
        shown = ok_json("inspect", tmp_path / "m", "--coefficients")["coefficients"]
        estimates.append([row["estimate"] for row in shown if row["feature"] in ("x", "z")])
    assert estimates[0] == pytest.approx(estimates[1], rel=1e-6)


@pytest.mark.parametrize("model", ["softmax", "binary"])
@pytest.mark.parametrize("value", [1e7, 1e8, 1e10, 1e12, 1e15])
def test_coefficients_that_are_found_are_those_of_the_optimum(tmp_path, model, value):
    """Which are those of a value that does no harm, or the far one is named and none are found."""
    found = []
    for at in (100.0, value):
        result = run(*train(write(tmp_path, at, "b"), model, "--decay", 0))
        if result.returncode != 0:
            assert at == value and names_it(result.stderr)
            return
        shown = ok_json("inspect", tmp_path / "m", "--coefficients")["coefficients"]
        found.append([row["estimate"] for row in shown])
    assert found[1] == pytest.approx(found[0], rel=1e-4)
