"""A family added in one file and one registry line is in every part of the command."""

import csv
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("LOGODDS", ROOT / "build/bin/logodds")).resolve().parent
PENGUINS = ROOT / "data" / "penguins.csv"
MEASURES = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]


def run(*arguments):
    command = [str(BIN / "logodds_command_with_toy"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def run_json(*arguments):
    result = run(*arguments, "--json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


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
    command = [str(BIN / "logodds"), "evaluate", str(model), str(PENGUINS)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "nearest-mean" in result.stderr


def law_assertions(program):
    command = [str(BIN / program), "--source-file=*/tests/laws/*"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout[-4000:]
    return int(re.search(r"assertions: *(\d+)", result.stdout)[1])


def test_laws_hold_for_it_too():
    assert law_assertions("logodds_tests_with_toy") > law_assertions("logodds_tests") > 0
