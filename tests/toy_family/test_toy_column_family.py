"""A column family added in one file and one line is in every part of naive Bayes."""

import csv
import math

import pytest
from toy_command import assertions, run, run_json

VALUES = {"a": [0.1, 0.4, 0.2, 0.9, 0.0], "b": [1.5, 2.5, 0.3]}
NEW = [0.0, 0.5, 1.0, 4.0]


@pytest.fixture
def data(tmp_path):
    lines = [f"{x},{label}" for label, values in VALUES.items() for x in values]
    path = tmp_path / "rows.csv"
    path.write_text("\n".join(["x,y", *lines, ""]))
    return path


@pytest.fixture
def model(data, tmp_path):
    path = tmp_path / "toy.model"
    train = ["train", data, "--target", "y", "--families", "x=half-normal", "-o", path]
    result = run(*train)
    assert result.returncode == 0, result.stderr
    assert "half-normal" in result.stdout
    return path


def log_joint(x):
    """ln pi_k + ln p(x | C_k), by the formula."""
    rows = sum(map(len, VALUES.values()))
    scores = {}
    for label, values in VALUES.items():
        square = sum(v * v for v in values) / len(values)
        scores[label] = math.log(len(values) / rows) + 0.5 * math.log(2 / (math.pi * square))
        scores[label] -= x * x / (2 * square)
    return scores


def test_help_and_suggestions_know_it(data, tmp_path):
    assert "half-normal" in run("train", "--help").stdout
    words = ["train", data, "--target", "y", "-o", tmp_path / "m", "--families"]
    misspelt = run(*words, "x=half-norml")
    assert misspelt.returncode == 2 and "did you mean 'half-normal'" in misspelt.stderr
    real = run(*words, "x=half-normal", program="logodds")
    assert real.returncode == 2 and "'half-normal'" in real.stderr


def test_posteriors_and_densities_are_those_of_the_formula(model, tmp_path):
    new = tmp_path / "new.csv"
    new.write_text("\n".join(["x", *map(str, NEW), ""]))
    result = run("predict", model, new, "--proba", "--density", "--quiet")
    rows = list(csv.DictReader(result.stdout.splitlines()))
    assert len(rows) == len(NEW)
    for x, row in zip(NEW, rows, strict=True):
        joint = {label: math.exp(score) for label, score in log_joint(x).items()}
        total = sum(joint.values())
        for label, value in joint.items():
            assert float(row[f"p_{label}"]) == pytest.approx(value / total, rel=1e-12)
        assert float(row["log_density"]) == pytest.approx(math.log(total), rel=1e-12)


def test_likelihood_parameters_and_natural_form(model, data):
    evaluated = run_json("evaluate", model, data)
    expected = sum(log_joint(x)[label] for label, values in VALUES.items() for x in values)
    for answer in (evaluated, run_json("inspect", model)):
        assert answer["log_likelihood"] == pytest.approx(expected, rel=1e-12)
        assert answer["parameters"] == 1 + 2  # priors, mean squares
    natural = run_json("inspect", model, "--natural")
    assert natural["statistics"] == ["x^2"]
    squares = [sum(v * v for v in values) / len(values) for values in VALUES.values()]
    assert [row[0] for row in natural["parameters"]] == pytest.approx([-0.5 / s for s in squares])


def test_values_that_it_has_no_place_for_are_refused(tmp_path):
    data = tmp_path / "negative.csv"
    data.write_text("x,y\n1.5,a\n-2,a\n0.5,b\n")
    result = run(
        "train", data, "--target", "y", "--families", "x=half-normal", "-o", tmp_path / "m"
    )
    assert result.returncode == 2
    assert "line 3, column 'x'" in result.stderr and "negative" in result.stderr


def test_rows_join_go_and_are_drawn(model, data, tmp_path):
    updated, back = tmp_path / "updated", tmp_path / "back"
    assert run("update", model, data, "-o", updated).returncode == 0
    assert run("forget", updated, data, "-o", back).returncode == 0
    before, after = (run_json("inspect", m)["log_likelihood"] for m in (model, back))
    assert after == pytest.approx(before, rel=1e-12)
    drawn = list(csv.DictReader(run("sample", model, "-n", "4000").stdout.splitlines()))
    values = [float(row["x"]) for row in drawn if row["y"] == "b"]
    square = sum(v * v for v in VALUES["b"]) / len(VALUES["b"])
    assert min(values) >= 0
    # The variance of x^2 is 2 v^2; four standard errors.
    slack = 4 * square * math.sqrt(2 / len(values))
    assert sum(v * v for v in values) / len(values) == pytest.approx(square, abs=slack)


def test_what_holds_for_every_column_family_holds_for_it():
    files = "*/tests/models/naive_bayes/*"
    toy, real = (
        assertions(program, files) for program in ("logodds_tests_with_toy", "logodds_tests")
    )
    assert toy > real > 0
