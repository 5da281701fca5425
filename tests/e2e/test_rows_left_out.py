"""Long stretches of rows that are left out, whole blocks of them, take no other row with them."""

import random

import pytest
from support import ok, ok_json, read_csv, write_csv

ROWS = 20_000
STRETCHES = {"first": (0, 5_200), "middle": (8_192, 12_288), "all but the last": (0, ROWS - 40)}
FAMILIES = ["naive-bayes", "gaussian", "softmax", "neighbors", "perceptron", "indicator"]


def table() -> list[dict]:
    """Two columns of numbers that tell two classes apart, somewhat."""
    numbers = random.Random(20260611)
    return [
        {"x": numbers.gauss(row % 2, 1), "z": numbers.gauss(0, 1), "y": "ab"[row % 2]}
        for row in range(ROWS)
    ]


def trained(rows, folder, name, *words):
    """The report of the training, and the posteriors of the first rows of all."""
    data = write_csv(folder / f"{name}.csv", rows)
    model = folder / f"{name}.model"
    report = ok_json("train", data, "--target", "y", "-o", model, *words)
    new = write_csv(folder / "new.csv", [{"x": r["x"], "z": r["z"]} for r in table()[:200]])
    found = read_csv(ok("predict", model, new, "--proba", "--quiet").stdout)
    return report, [float(row["p_b"]) for row in found]


def check_same(left_out, kept, kept_rows):
    (report, posteriors), (_, wanted) = left_out, kept
    assert report["weight"] == kept_rows
    assert posteriors == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize("stretch", STRETCHES)
@pytest.mark.parametrize("family", FAMILIES)
def test_rows_of_weight_0(tmp_path, family, stretch):
    first, last = STRETCHES[stretch]
    rows = table()
    weighted = [{**row, "w": int(not first <= r < last)} for r, row in enumerate(rows)]
    kept = rows[:first] + rows[last:]
    check_same(
        trained(weighted, tmp_path, "weighted", "--weights", "w", "--model", family),
        trained(kept, tmp_path, "kept", "--model", family),
        len(kept),
    )


@pytest.mark.parametrize("stretch", STRETCHES)
@pytest.mark.parametrize("family", FAMILIES[1:])
def test_rows_that_lack_a_value(tmp_path, family, stretch):
    first, last = STRETCHES[stretch]
    rows = table()
    gaps = [{**row, "z": ""} if first <= r < last else row for r, row in enumerate(rows)]
    kept = rows[:first] + rows[last:]
    skip = ("--missing", "skip")
    check_same(
        trained(gaps, tmp_path, "gaps", "--model", family, *skip),
        trained(kept, tmp_path, "kept", "--model", family),
        len(kept),
    )
