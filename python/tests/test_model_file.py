"""Model files in the eyes of the safetensors package: the arrays and metadata of model-file.md."""

import json
import re

import logodds
import numpy as np
import pytest
from conftest import CLASSES, PENGUINS, ROOT
from safetensors import safe_open

# Penguins whose four measures are known, without island, sex and year.
ROWS, SPECIES, MEASURES = 342, 3, 4
SHAPES = {
    "gaussian": {
        "statistics.weights": (SPECIES,),
        "statistics.means": (SPECIES, MEASURES),
        "statistics.scatter": (SPECIES, MEASURES, MEASURES),
    },
    "softmax": {
        "coefficients": (MEASURES, SPECIES),
        "center": (MEASURES,),
        "bias": (SPECIES,),
        "convergence": (3,),
        "optimizer": (len("lbfgs, then newton"),),
        "errors": (0, 0),  # the species are nearly separable
        "errors_state": (2,),
        "identifiable": (MEASURES,),
    },
    "neural": {
        "hidden_weights": (MEASURES, 10),
        "hidden_bias": (10,),
        "output_weights": (10, SPECIES),
        "output_bias": (SPECIES,),
        "center": (MEASURES,),
        "convergence": (4,),
    },
    "perceptron": {
        "coefficients": (MEASURES, SPECIES),
        "center": (MEASURES,),
        "bias": (SPECIES,),
        "outcome": (3,),
    },
    "indicator": {
        "coefficients": (MEASURES, SPECIES),
        "center": (MEASURES,),
        "bias": (SPECIES,),
        "identifiable": (MEASURES,),
        "outside": (1,),
        "decided": (SPECIES,),
    },
    "neighbors": {
        "rows.numeric": (ROWS, MEASURES),
        "rows.labels": (ROWS,),
        "rows.numbers": (ROWS,),
    },
}


def contents(path):
    with safe_open(path, "np") as file:
        return file.metadata(), {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118


def documented(section: str) -> set[str]:
    """The names in backquotes in the tables of one section of model-file.md."""
    text = (ROOT / "docs" / "model-file.md").read_text().split(f"## {section}\n")[1]
    rows = [line for line in text.split("\n## ")[0].splitlines() if line.startswith("|")]
    column = 1 if section == "Metadata" else 2
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row.split("|")[column])}


@pytest.mark.parametrize("family", SHAPES)
def test_a_model_of_the_shell_opens(family, command, tmp_path):
    train = ["train", PENGUINS, "--target", "species", "--model", family]
    command(*train, "--ignore", "island,sex,year", "--missing", "skip", "-o", tmp_path / "model")
    metadata, arrays = contents(tmp_path / "model")
    assert metadata["format"] == "logodds"
    assert metadata["family"] == family
    assert set(metadata) == documented("Metadata") - {"completed_for"}
    assert {name: array.shape for name, array in arrays.items()} == SHAPES[family]
    assert set(arrays) <= documented("Arrays")
    schema = json.loads(metadata["schema"])
    assert schema["target"] == "species"
    assert schema["labels"] == ["Adelie", "Chinstrap", "Gentoo"]
    assert len(schema["columns"]) == MEASURES


def test_a_model_of_incomplete_rows_opens(command, tmp_path):
    train = ["train", PENGUINS, "--target", "species", "--ignore", "island,sex,year"]
    command(*train, "--model", "gaussian", "--shrinkage", "ledoit-wolf", "-o", tmp_path / "model")
    metadata, arrays = contents(tmp_path / "model")
    assert set(metadata) == documented("Metadata")
    assert set(arrays) <= documented("Arrays")
    assert {name.split(".")[0] for name in arrays} == {
        "statistics",
        "patterns",
        "fourth",
        "completed",
    }
    assert arrays["patterns.observed"].shape == (len(arrays["patterns.labels"]), MEASURES)
    assert arrays["completed.weights"].sum() == ROWS + 2


def test_levels_and_weights_of_the_shell_open(command, tmp_path):
    train = ["train", PENGUINS, "--target", "species", "--model", "neighbors", "--weights", "year"]
    command(*train, "-o", tmp_path / "model")
    metadata, arrays = contents(tmp_path / "model")
    coded = {name for name in arrays if name.startswith("rows.codes.")}
    assert len(coded) == 2
    named = {"rows.numeric", "rows.labels", "rows.weights", "rows.numbers"}
    assert set(arrays) - coded == named
    assert set(arrays) - coded < documented("Arrays")
    assert {column["name"] for column in json.loads(metadata["schema"])["columns"]} >= {"sex"}
    assert set(np.unique(arrays["rows.weights"])) == {2007.0, 2008.0, 2009.0}


@pytest.mark.parametrize("cls", CLASSES)
def test_a_model_of_python_opens(cls, blobs, tmp_path):
    cls().fit(*blobs).save(tmp_path / "model.safetensors")
    metadata, arrays = contents(tmp_path / "model.safetensors")
    assert metadata["format"] == "logodds"
    assert metadata["family"] == cls._family
    assert all(np.isfinite(array).all() for array in arrays.values())
    assert logodds.load(tmp_path / "model.safetensors").classes_.tolist() == [0, 1, 2]
