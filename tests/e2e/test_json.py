"""The JSON contracts: keys, types, and agreement with what people are shown."""

import json

import pytest
from support import FAMILIES, MEASUREMENTS, ok, ok_json, write_csv

CLASSES = ["Adelie", "Chinstrap", "Gentoo"]


def test_train(penguins, tmp_path):
    model = tmp_path / "m"
    answer = ok_json(
        "train",
        penguins,
        "--target",
        "species",
        "-o",
        model,
        "--covariance",
        "shared",
        "--ridge",
        "1e-3",
    )
    assert answer["model"] == "gaussian"
    assert answer["options"]["covariance"] == "shared"
    assert answer["options"]["ridge"] == 0.001
    assert (answer["rows"], answer["rows_skipped"]) == (344, 0)
    assert answer["rows_incomplete"] == 11
    assert answer["classes"] == CLASSES
    assert answer["class_counts"] == [152, 68, 124]
    assert [column["name"] for column in answer["columns"]] == [
        "island",
        *MEASUREMENTS,
        "sex",
        "year",
    ]
    assert answer["columns"][0] == {
        "name": "island",
        "kind": "categorical",
        "levels": ["Biscoe", "Dream", "Torgersen"],
    }
    assert answer["target"] == "species"
    assert answer["seconds"] > 0
    assert answer["output"] == str(model)
    assert any("gaussian" in note for note in answer["notes"])


@pytest.mark.parametrize("family", FAMILIES)
def test_evaluate(penguins, tmp_path, family):
    model = tmp_path / "m"
    ok("train", penguins, "--target", "species", "--model", family, "-o", model)
    answer = ok_json("evaluate", model, penguins, "--missing", "skip")
    for key in [
        "rows",
        "errors",
        "error_rate",
        "accuracy",
        "log_loss",
        "brier",
        "classes",
        "confusion",
    ]:
        assert key in answer
    assert isinstance(answer["errors"], int)
    assert all(isinstance(cell, int) for row in answer["confusion"] for cell in row)
    assert answer["error_rate"] == answer["errors"] / answer["rows"]
    assert answer["accuracy"] == pytest.approx(1 - answer["error_rate"], abs=1e-15)
    assert answer["classes"] == CLASSES
    assert [sum(row) for row in answer["confusion"]] == [146, 68, 119]


def test_fractional_weights_give_fractional_errors(tmp_path):
    rows = [{"x": i % 7, "w": 0.5 if i % 3 else 0.25, "y": "ab"[i % 2]} for i in range(40)]
    data = write_csv(tmp_path / "d.csv", rows)
    ok("train", data, "--target", "y", "--weights", "w", "-o", tmp_path / "m")
    answer = ok_json("evaluate", tmp_path / "m", data, "--weights", "w")
    assert answer["rows"] == 40
    assert answer["weight"] == sum(row["w"] for row in rows)
    total = sum(sum(row) for row in answer["confusion"])
    assert total == pytest.approx(answer["weight"])
    wrong = answer["confusion"][0][1] + answer["confusion"][1][0]
    assert answer["errors"] == pytest.approx(wrong)
    assert answer["error_rate"] == pytest.approx(wrong / total)


@pytest.mark.parametrize("family", FAMILIES)
def test_inspect(penguins, tmp_path, family):
    model = tmp_path / "m"
    trained = ok_json("train", penguins, "--target", "species", "--model", family, "-o", model)
    answer = ok_json("inspect", model)
    assert answer["model"] == family
    assert answer["format_version"] == 1
    for key in ["target", "classes", "columns", "options"]:
        assert answer[key] == trained[key]
    assert isinstance(answer["facts"], dict)
    for table in answer["tables"]:
        assert all(len(row) == len(table["columns"]) for row in table["rows"])


def test_predict(penguins, penguins_model, tmp_path):
    out = tmp_path / "out.csv"
    answer = ok_json("predict", penguins_model, penguins, "-o", out)
    assert (answer["rows"], answer["rows_skipped"]) == (344, 0)
    assert (answer["rows_incomplete"], answer["rows_rejected"]) == (11, 0)
    assert answer["output"] == str(out)
    assert answer["seconds"] > 0
    assert out.read_text() == ok("predict", penguins_model, penguins).stdout


def test_output_is_one_object(penguins, penguins_model):
    for words in (["models"], ["inspect", penguins_model], ["evaluate", penguins_model, penguins]):
        assert isinstance(json.loads(ok(*words, "--json").stdout), dict)


def test_people_see_the_same_numbers(penguins, penguins_model):
    answer = ok_json("evaluate", penguins_model, penguins)
    text = ok("evaluate", penguins_model, penguins).stdout
    facts = dict(line.split("  ", 1) for line in text.split("\n\n")[0].splitlines())
    assert facts["errors"].strip() == str(answer["errors"])
    for title, key in (("accuracy", "accuracy"), ("log loss", "log_loss")):
        value, lower, _, upper, method = facts[title].split()
        interval = answer["intervals"][key]
        assert float(value) == pytest.approx(answer[key], rel=1e-5)
        assert float(lower.strip("(")) == pytest.approx(interval["lower"], rel=1e-3)
        assert float(upper.strip(",")) == pytest.approx(interval["upper"], rel=1e-3)
        assert method.strip(")") == interval["method"]
