"""--model neighbors: lists of neighbors, metrics, the choice of k, condensing."""

import math
import random

import pytest
from support import (
    MEASUREMENTS,
    PENGUINS,
    fails,
    ok,
    ok_json,
    penguin_rows,
    posteriors,
    read_csv,
    write_csv,
)

SPECIES = ["Adelie", "Chinstrap", "Gentoo"]
NEIGHBORS = ["--target", "y", "--model", "neighbors"]
SQUARE = [
    {"y": "a", "u": 0, "v": 0},
    {"y": "a", "u": 1, "v": 0},
    {"y": "b", "u": 0, "v": 1},
    {"y": "b", "u": 1, "v": 1},
    {"y": "c", "u": 9, "v": 9},
]


def train(tmp_path, rows, *words):
    data = write_csv(tmp_path / "rows.csv", rows)
    ok("train", data, *NEIGHBORS, *words, "-o", tmp_path / "m", "--quiet")
    return tmp_path / "m"


def predict(model, tmp_path, rows, *words):
    data = write_csv(tmp_path / "queries.csv", rows)
    return read_csv(ok("predict", model, data, *words).stdout)


def test_lists_of_neighbors(tmp_path):
    model = train(tmp_path, SQUARE, "--k", "3")
    (row,) = predict(model, tmp_path, [{"u": 0.75, "v": 0}], "--neighbors")
    assert list(row) == [
        "prediction",
        *(f"{name}{i}" for i in (1, 2, 3) for name in ("neighbor", "distance")),
    ]
    assert [row[f"neighbor{i}"] for i in (1, 2, 3)] == ["2", "1", "4"]
    assert [float(row[f"distance{i}"]) for i in (1, 2, 3)] == [0.25, 0.75, math.sqrt(1.0625)]
    assert row["prediction"] == "a"


def test_equally_near_rows_are_listed_by_number_and_all_of_them_vote(tmp_path):
    model = train(tmp_path, SQUARE, "--k", "1")
    (row,) = predict(model, tmp_path, [{"u": 0.5, "v": 0.5}], "--neighbors", "--proba")
    assert row["neighbor1"] == "1"
    assert [float(row[f"p_{c}"]) for c in "abc"] == pytest.approx([0.5, 0.5, 0], abs=1e-14)
    assert row["prediction"] == "a"  # equal votes, equally near: the first label


def test_of_equal_votes_the_nearest_wins(tmp_path):
    model = train(tmp_path, SQUARE, "--k", "2")
    (row,) = predict(model, tmp_path, [{"u": 0, "v": 0.6}], "--proba")
    assert [float(row[f"p_{c}"]) for c in "abc"] == pytest.approx([0.5, 0.5, 0], abs=1e-14)
    assert row["prediction"] == "b"


def test_numbers_are_those_of_the_file(tmp_path):
    """Rows without a value, or without weight, are counted though they are left out."""
    rows = [{**row, "w": 1} for row in SQUARE]
    rows.insert(1, {"y": "a", "u": "", "v": 0, "w": 1})
    rows.insert(3, {"y": "a", "u": 5, "v": 5, "w": 0})
    model = train(tmp_path, rows, "--k", "1", "--weights", "w")
    found = predict(model, tmp_path, [{"u": r["u"], "v": r["v"]} for r in SQUARE], "--neighbors")
    assert [row["neighbor1"] for row in found] == ["1", "3", "5", "6", "7"]
    assert {row["distance1"] for row in found} == {"0"}
    ok("update", model, tmp_path / "rows.csv", "-o", tmp_path / "m2", "--quiet", "--k", "2")
    (row,) = predict(tmp_path / "m2", tmp_path, [{"u": 9, "v": 9}], "--neighbors")
    assert (row["neighbor1"], row["neighbor2"]) == ("7", "14")


def test_skipped_rows_keep_their_columns(tmp_path):
    model = train(tmp_path, SQUARE, "--k", "2")
    found = predict(model, tmp_path, [{"u": "", "v": 1}, {"u": 1, "v": 1}], "--neighbors")
    assert set(found[0].values()) == {""}
    assert found[1]["neighbor1"] == "4"


@pytest.mark.parametrize("metric", ["manhattan", "cosine", "mahalanobis"])
def test_metrics(tmp_path, metric):
    rows = penguin_rows(complete=False)
    model = tmp_path / "m"
    words = ["--target", "species", "--model", "neighbors", "--metric", metric, "--ignore", "year"]
    ok("train", PENGUINS, *words, "-o", model, "--quiet")
    found = read_csv(ok("predict", model, PENGUINS, "--neighbors").stdout)
    complete = [i for i, row in enumerate(found) if row["prediction"]]
    assert all(found[i]["neighbor1"] == str(i + 1) for i in complete)
    assert all(float(found[i]["distance1"]) < 1e-12 for i in complete)
    right = sum(found[i]["prediction"] == rows[i]["species"] for i in complete)
    least = 0.8 if metric == "manhattan" else 0.97  # which grams of body mass decide
    assert right > least * len(complete)


def test_standardize_takes_units_away(tmp_path):
    rows = [{"y": r["species"], **{m: r[m] for m in MEASUREMENTS}} for r in penguin_rows()]
    words = ["--target", "y", "--model", "neighbors"]
    data = write_csv(tmp_path / "d.csv", rows)
    told = ok("train", data, *words, "-o", tmp_path / "plain").stderr
    assert "column 'body_mass_g' alone makes up 9" in told and "--standardize" in told
    told = ok("train", data, *words, "--standardize", "-o", tmp_path / "m").stderr
    assert "alone makes up" not in told
    errors = [ok_json("evaluate", tmp_path / m, data)["error_rate"] for m in ("plain", "m")]
    assert errors[1] < 0.02 < errors[0]
    scaled = [
        {**row, "body_mass_g": row["body_mass_g"] and 1024 * float(row["body_mass_g"])}
        for row in rows
    ]
    other = write_csv(tmp_path / "s.csv", scaled)
    ok("train", other, *words, "--standardize", "-o", tmp_path / "m2", "--quiet")
    found = [
        posteriors(ok("predict", tmp_path / model, data, "--proba").stdout, SPECIES)
        for model, data in (("m", data), ("m2", other))
    ]
    assert found[1] == [pytest.approx(row, abs=1e-9) for row in found[0]]


def test_the_curve_of_k(tmp_path):
    words = ["--target", "species", "--model", "neighbors", "--standardize", "--k", "1-8"]
    report = ok_json("train", PENGUINS, *words, "-o", tmp_path / "m")
    (table,) = report["tables"]
    assert table["columns"] == ["k", "errors", "error"]
    assert [row[0] for row in table["rows"]] == list(range(1, 9))
    best = min(table["rows"], key=lambda row: row[1])
    assert report["options"]["k"] == str(best[0])
    assert any(note.startswith(f"k = {best[0]} has the least") for note in report["notes"])
    assert all(row[2] == pytest.approx(row[1] / report["weight"]) for row in table["rows"])
    assert ok_json("inspect", tmp_path / "m")["options"]["k"] == str(best[0])


def test_condensed(tmp_path):
    draw = random.Random(4)
    rows = []
    for _ in range(300):
        y = draw.choice("ab")
        rows.append({"y": y, "u": draw.gauss(2 if y == "a" else 0, 1), "v": draw.gauss(0, 1)})
    data = write_csv(tmp_path / "d.csv", rows)
    ok("train", data, *NEIGHBORS, "--k", "3", "-o", tmp_path / "all", "--quiet")
    told = ok("train", data, *NEIGHBORS, "--k", "3", "--condense", "-o", tmp_path / "few").stderr
    kept = ok_json("inspect", tmp_path / "few")["facts"]["rows"]
    assert f"condensed: {kept} of 300 rows stay" in told
    assert kept < 150
    decided = [
        [row["prediction"] for row in read_csv(ok("predict", tmp_path / m, data).stdout)]
        for m in ("all", "few")
    ]
    assert decided[0] == decided[1]
    assert (tmp_path / "few").stat().st_size < (tmp_path / "all").stat().st_size
    # The numbers are those of the file: at distance 0 stands the row itself.
    found = read_csv(ok("predict", tmp_path / "few", data, "--neighbors").stdout)
    itself = [i for i, row in enumerate(found) if float(row["distance1"]) == 0]
    assert len(itself) == kept
    assert all(found[i]["neighbor1"] == str(i + 1) for i in itself)
    assert "has dropped rows" in fails("update", tmp_path / "few", data, "-o", tmp_path / "m")
    sentence = fails("merge", tmp_path / "all", tmp_path / "few", "-o", tmp_path / "m")
    assert "train on all the rows together" in sentence


def test_the_index_is_named(tmp_path):
    draw = random.Random(5)
    rows = [{"y": i % 2, "u": draw.gauss(0, 1), "v": draw.gauss(0, 1)} for i in range(5000)]
    data = write_csv(tmp_path / "d.csv", rows)
    assert "index: k-d tree" in ok("train", data, *NEIGHBORS, "-o", tmp_path / "m").stderr
    assert ok_json("inspect", tmp_path / "m")["facts"]["index"] == "k-d tree"
    data = write_csv(tmp_path / "e.csv", rows[:100])
    assert "index: brute force" in ok("train", data, *NEIGHBORS, "-o", tmp_path / "m").stderr


def test_neighbors_of_a_model_that_has_none(tmp_path):
    data = write_csv(tmp_path / "d.csv", SQUARE)
    ok("train", data, "--target", "y", "--model", "naive-bayes", "-o", tmp_path / "m", "--quiet")
    sentence = fails("predict", tmp_path / "m", data, "--neighbors")
    assert "--model neighbors" in sentence
    model = train(tmp_path, SQUARE)
    assert "--explain" in fails("predict", model, data, "--neighbors", "--explain")


@pytest.mark.parametrize("unit", [1e-163, 1.0, 1e200])
def test_standardize_keeps_a_column_in_any_unit(tmp_path, unit):
    rows = [{"y": "ab"[i % 2], "x": unit * (i % 2) + unit * 1e-3 * i} for i in range(20)]
    data = write_csv(tmp_path / "d.csv", rows)
    words = ("--target", "y", "--model", "neighbors", "--k", "3", "--standardize")
    ok("train", data, *words, "-o", tmp_path / "m")
    assert ok_json("evaluate", tmp_path / "m", data)["error_rate"] == 0
