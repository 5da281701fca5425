"""A family added in one file and one registry line is in every part of the command."""

import csv

import pytest
from toy_command import PENGUINS, assertions, run, run_json

MEASURES = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("toy") / "toy.model"
    ignored = "island,sex,year"
    report = run_json(
        *("train", PENGUINS, "--target", "species", "--ignore", ignored),
        *("--model", "nearest-mean", "--scale", "0.001", "-o", path),
    )
    assert report["model"] == "nearest-mean"
    assert report["rows"] == 342
    return path


def nearest_class():
    """The same decisions in plain Python: the class whose mean is nearest."""
    with PENGUINS.open() as file:
        rows = [row for row in csv.DictReader(file) if "NA" not in [row[m] for m in MEASURES]]
    points = [[float(row[m]) for m in MEASURES] for row in rows]
    labels = [row["species"] for row in rows]
    means = {}
    for label in sorted(set(labels)):
        own = [p for p, other in zip(points, labels, strict=True) if other == label]
        means[label] = [sum(values) / len(own) for values in zip(*own, strict=True)]

    def distance(point, label):
        return sum((a - b) ** 2 for a, b in zip(point, means[label], strict=True))

    return labels, [min(means, key=lambda label: distance(p, label)) for p in points]


def test_registry_shows_it():
    families = {family["name"]: family for family in run_json("models")["models"]}
    assert {"gaussian", "softmax", "neighbors", "nearest-mean"} <= set(families)
    assert [option["name"] for option in families["nearest-mean"]["options"]] == ["scale"]


def test_help_shows_its_options():
    result = run("train", "--model", "nearest-mean", "--help")
    assert result.returncode == 0
    assert "--scale" in result.stdout


def test_misspelling_suggests_it():
    result = run("train", PENGUINS, "--target", "species", "--model", "nearest-men", "-o", "x")
    assert result.returncode == 2
    assert "nearest-mean" in result.stderr


def test_evaluate(model):
    labels, decisions = nearest_class()
    errors = sum(a != b for a, b in zip(labels, decisions, strict=True))
    report = run_json("evaluate", model, PENGUINS)
    assert report["rows"] == len(labels)
    assert report["errors"] == errors > 0


def test_predict(model, tmp_path):
    out = tmp_path / "out.csv"
    result = run("predict", model, PENGUINS, "--proba", "-o", out)
    assert result.returncode == 0, result.stderr
    with out.open() as file:
        rows = [row for row in csv.DictReader(file) if row["prediction"]]
    assert [row["prediction"] for row in rows] == nearest_class()[1]
    for row in rows:
        total = sum(float(row[f"p_{label}"]) for label in ("Adelie", "Chinstrap", "Gentoo"))
        assert total == pytest.approx(1.0, abs=1e-12)


def test_inspect(model):
    assert run_json("inspect", model)["model"] == "nearest-mean"


def test_the_real_command_has_no_such_family(model):
    result = run("evaluate", model, PENGUINS, program="logodds")
    assert result.returncode == 2
    assert "nearest-mean" in result.stderr


def test_laws_hold_for_it_too():
    laws = "*/tests/laws/*"
    toy, real = (
        assertions(program, laws) for program in ("logodds_tests_with_toy", "logodds_tests")
    )
    assert toy > real > 0
