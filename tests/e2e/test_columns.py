"""Columns are matched by name: order is free, extra ones are ignored, a missing one is named."""

import pytest
from support import fails, ok, ok_json, penguin_rows, write_csv


@pytest.fixture
def complete(tmp_path):
    return write_csv(tmp_path / "complete.csv", penguin_rows())


@pytest.fixture
def expected(penguins_model, complete):
    return ok("predict", penguins_model, complete, "--proba").stdout


def reordered(tmp_path, names, extra=None):
    rows = [{name: row[name] for name in names} | (extra or {}) for row in penguin_rows()]
    return write_csv(tmp_path / "other.csv", rows)


def test_other_order(tmp_path, penguins_model, expected):
    names = list(reversed(penguin_rows()[0]))
    assert ok("predict", penguins_model, reordered(tmp_path, names), "--proba").stdout == expected


def test_extra_columns_are_ignored_with_a_note(tmp_path, penguins_model, expected):
    names = [name for name in penguin_rows()[0] if name != "species"]
    path = reordered(tmp_path, names, {"observer": "someone", "nest": "7"})
    result = ok("predict", penguins_model, path, "--proba")
    assert result.stdout == expected
    assert "note: " in result.stderr and "observer" in result.stderr
    assert ok("predict", penguins_model, path, "--proba", "--quiet").stderr == ""


def test_the_label_column_is_no_surprise(penguins_model, complete):
    assert "species" not in ok("predict", penguins_model, complete).stderr


def test_missing_column_is_named(tmp_path, penguins_model):
    names = [name for name in penguin_rows()[0] if name != "body_mass_g"]
    sentence = fails("predict", penguins_model, reordered(tmp_path, names))
    assert "'body_mass_g'" in sentence and "other.csv" in sentence


def test_missing_label_column_at_evaluation(tmp_path, penguins_model):
    names = [name for name in penguin_rows()[0] if name != "species"]
    sentence = fails("evaluate", penguins_model, reordered(tmp_path, names))
    assert "'species'" in sentence


def test_evaluate_with_a_label_column_of_another_name(tmp_path, penguins_model, complete):
    rows = [
        {("kind" if k == "species" else k): v for k, v in row.items()} for row in penguin_rows()
    ]
    path = write_csv(tmp_path / "renamed.csv", rows)
    answer = ok_json("evaluate", penguins_model, path, "--target", "kind")
    assert answer == ok_json("evaluate", penguins_model, complete)
    assert ok_json("evaluate", penguins_model, path, "--target", "1") == answer


def test_unseen_level_is_missing_and_said(tmp_path, penguins_model):
    rows = penguin_rows()[:3]
    rows[1]["island"] = "Anvers"
    data = write_csv(tmp_path / "new.csv", rows)
    result = ok("predict", penguins_model, data)
    assert result.stdout.splitlines()[1:] == ["Adelie", "Adelie", "Adelie"]
    assert "not seen" in result.stderr and "1 row lacks a value" in result.stderr
    skipped = ok("predict", penguins_model, data, "--missing", "skip")
    assert skipped.stdout.splitlines()[1:] == ["Adelie", '""', "Adelie"]
    assert "not seen" in skipped.stderr


def test_unseen_level_is_not_called_missing_where_it_has_a_share(tmp_path, complete):
    model = tmp_path / "m"
    ok("train", complete, "--target", "species", "--model", "naive-bayes", "-o", model)
    rows = penguin_rows()[:3]
    rows[1]["island"] = "Anvers"
    result = ok("predict", model, write_csv(tmp_path / "new.csv", rows), "--missing", "error")
    assert "1 value is a level that the model has not seen, with the probability" in result.stderr
    assert "missing" not in result.stderr and "lacks" not in result.stderr


def test_ignored_columns_are_not_in_the_model(tmp_path, complete):
    model = tmp_path / "m"
    answer = ok_json(
        "train", complete, "--target", "species", "--ignore", "island,sex,8", "-o", model
    )
    assert [c["name"] for c in answer["columns"]] == [
        "bill_length_mm",
        "bill_depth_mm",
        "flipper_length_mm",
        "body_mass_g",
    ]


def test_target_by_number(tmp_path, complete):
    by_name, by_number = tmp_path / "a", tmp_path / "b"
    ok("train", complete, "--target", "species", "-o", by_name)
    ok("train", complete, "--target", "1", "-o", by_number)
    assert by_name.read_bytes() == by_number.read_bytes()


def test_kinds_are_taken_at_their_word(tmp_path, complete):
    answer = ok_json(
        "train",
        complete,
        "--target",
        "species",
        "--ignore",
        "island",
        "--kinds",
        "year=categorical,body_mass_g=real,sex=ignore",
        "-o",
        tmp_path / "m",
    )
    columns = {column["name"]: column for column in answer["columns"]}
    assert columns["year"] == {
        "name": "year",
        "kind": "categorical",
        "levels": ["2007", "2008", "2009"],
    }
    assert columns["body_mass_g"]["kind"] == "real"
    assert "sex" not in columns


def test_names_with_commas(tmp_path):
    rows = [{"a,b": i, "c": i % 5, "y": "pq"[i % 2]} for i in range(30)]
    path = write_csv(tmp_path / "d.csv", rows)
    answer = ok_json("train", path, "--target", "y", "--ignore", r"a\,b", "-o", tmp_path / "m")
    assert [column["name"] for column in answer["columns"]] == ["c"]
