"""Kernel and histogram against Gaussian: the log-likelihood of rows that training has not seen."""

import pytest
from support import ok, ok_json, shared_data, write_csv
from test_naive_bayes_straight import read_rows

HUMPED = [  # file, target, columns with several humps or a long tail within the classes
    (
        "penguins/penguins.csv",
        "sex",
        ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"],
    ),
    ("esl_saheart/SAheart.csv", "chd", ["sbp", "tobacco", "ldl", "alcohol", "age"]),
    ("mass_crabs/crabs.csv", "sex", ["FL", "RW", "CW", "BD"]),
]
ONE_HUMP = [
    (
        "penguins/penguins.csv",
        "species",
        ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"],
    ),
]


def held_out(tmp_path, path, target, column, family):
    """ln p(x, class) of each half by the other; rows go by twos, as penguins were caught."""
    rows = [
        {"x": row[column], "y": row[target]}
        for row in read_rows(shared_data(path))
        if "NA" not in (row[column], row[target])
    ]
    halves = [
        write_csv(tmp_path / f"half{i}.csv", [r for p, r in enumerate(rows) if p // 2 % 2 == i])
        for i in range(2)
    ]
    total = 0.0
    for one, other in (halves, halves[::-1]):
        words = ["train", one, "--target", "y", "--model", "naive-bayes", "--kinds", "x=real"]
        ok(*words, "--families", f"x={family}", "-o", tmp_path / "m", "--quiet")
        total += ok_json("evaluate", tmp_path / "m", other)["log_likelihood"]
    return total


CASES = [(path, target, column) for path, target, columns in HUMPED for column in columns]


@pytest.mark.parametrize(("path", "target", "column"), CASES)
def test_humps(tmp_path, path, target, column):
    gaussian = held_out(tmp_path, path, target, column, "gaussian")
    for family in ("kernel", "histogram"):
        assert held_out(tmp_path, path, target, column, family) > gaussian


CASES = [(path, target, column) for path, target, columns in ONE_HUMP for column in columns]


@pytest.mark.parametrize(("path", "target", "column"), CASES)
def test_where_a_gaussian_is_right(tmp_path, path, target, column):
    gaussian = held_out(tmp_path, path, target, column, "gaussian")
    for family in ("kernel", "histogram"):
        assert held_out(tmp_path, path, target, column, family) < gaussian
