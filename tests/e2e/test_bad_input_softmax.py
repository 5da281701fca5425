"""Bad input for softmax regression: a sentence with the cure, and nothing written."""

import math
import random

import pytest
from support import fails, ok, ok_json, penguin_rows, read_csv, write_csv

SOFTMAX = ["--target", "y", "--model", "softmax"]


@pytest.fixture
def data(tmp_path):
    rows = [
        {"y": row["sex"], "x": row["bill_length_mm"], "z": row["bill_depth_mm"]}
        for row in penguin_rows()
    ]
    return write_csv(tmp_path / "d.csv", rows)


def refused(tmp_path, *words) -> str:
    sentence = fails(*words, "-o", tmp_path / "new")
    assert not (tmp_path / "new").exists()
    return sentence


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("decay", "-1", ["'-1'", "at least 0", "auto"]),
        ("decay", "much", ["'much'", "auto"]),
        ("decay", "inf", ["'inf'", "auto"]),
        ("l1", "-0.5", ["'-0.5'", "at least 0"]),
        ("intercept", "maybe", ["'maybe'", "on, off"]),
        ("optimizer", "lbgfs", ["'lbgfs'", "did you mean 'lbfgs'"]),
        ("tolerance", "0", ["'0'", "at least"]),
        ("step", "-1", ["'-1'", "at least"]),
        ("max-iterations", "0", ["'0'", "from 1"]),
        ("batch", "0", ["'0'", "from 1"]),
        ("passes", "1.5", ["'1.5'", "whole number"]),
    ],
)
def test_options_out_of_range(data, tmp_path, option, value, said):
    sentence = refused(tmp_path, "train", data, *SOFTMAX, f"--{option}={value}")
    assert f"--{option}" in sentence
    assert all(part in sentence for part in said), sentence


TAKE_L1 = ["auto", "lbfgs", "newton", "irls"]


@pytest.mark.parametrize("optimizer", ["iis", "bfgs", "sgd", "gradient-descent", "line-search"])
def test_l1_needs_an_optimizer_that_takes_kinks(data, tmp_path, optimizer):
    sentence = refused(tmp_path, "train", data, *SOFTMAX, "--l1", "1", "--optimizer", optimizer)
    assert f"--optimizer {optimizer}" in sentence
    assert sentence.endswith("take auto, lbfgs, newton or irls")


def test_optimizers_that_take_l1_agree(data, tmp_path):
    ends = []
    for optimizer in TAKE_L1:
        model = tmp_path / f"{optimizer}.model"
        ok("train", data, *SOFTMAX, "--l1", "1", "--optimizer", optimizer, "-o", model)
        ends.append(ok_json("inspect", model)["facts"]["objective"])
    assert max(ends) - min(ends) <= 1e-6 * max(ends)


@pytest.mark.parametrize("far", [10, 1e3, 1e5])
def test_l1_without_an_intercept_of_columns_far_from_0(tmp_path, far):
    """Columns that are nearly the same: the slope of every term is that of its absolute value."""
    numbers = random.Random(1)
    rows = []
    for _ in range(300):
        a, b = numbers.gauss(0, 1), numbers.gauss(0, 1)
        second = numbers.random() < 1 / (1 + math.exp(b / 2 - a))
        rows.append({"y": "ab"[second], "a": far + a, "b": far / 2 + b})
    data = write_csv(tmp_path / "d.csv", rows)
    fit = ok_json("train", data, *SOFTMAX, "--l1", 1, "--intercept", "off", "-o", tmp_path / "m")
    assert not any("short of the optimum" in note for note in fit["notes"])
    assert len(fit["trace"]["rows"]) < 30
    shown = ok_json("inspect", tmp_path / "m", "--coefficients")["coefficients"]
    theta = {row["feature"]: row["estimate"] for row in shown}
    for name in ("a", "b"):
        slope = math.copysign(1, theta[name])
        for row in rows:
            score = theta["a"] * row["a"] + theta["b"] * row["b"]
            slope += (1 / (1 + math.exp(-score)) - (row["y"] == "b")) * row[name]
        assert abs(slope) < 1e-6 * far * len(rows)


def test_as_many_classes_as_rows(tmp_path):
    rows = [{"y": f"c{i}", "x": i} for i in range(5)]
    data = write_csv(tmp_path / "d.csv", rows)
    notes = ok_json("train", data, *SOFTMAX, "-o", tmp_path / "m")["notes"]
    assert any("as many classes as rows" in note and "--target" in note for note in notes)
    assert "--decay 0.01" in refused(tmp_path, "train", data, *SOFTMAX, "--decay", "0")


def test_a_class_of_one_row(data, tmp_path):
    with data.open("a") as file:
        file.write("unknown,99,1\n")
    notes = ok_json("train", data, *SOFTMAX, "-o", tmp_path / "m")["notes"]
    assert any("'unknown'" in note and "one row" in note for note in notes)
    sentence = refused(tmp_path, "train", data, *SOFTMAX, "--decay", "0")
    assert "'unknown'" in sentence and "separable" in sentence


def test_a_constant_column_is_named_under_every_decay(data, tmp_path):
    lines = data.read_text().splitlines()
    data.write_text("\n".join([lines[0] + ",one"] + [line + ",1" for line in lines[1:]]) + "\n")
    for decay in ("0", "1e-6", "1"):
        notes = ok_json("train", data, *SOFTMAX, "--decay", decay, "-o", tmp_path / "m")["notes"]
        assert any("'one' is constant" in note for note in notes)
        rows = ok_json("inspect", tmp_path / "m", "--coefficients")["coefficients"]
        one = next(row for row in rows if row["feature"] == "one")
        assert one["identifiable"] is False and one["estimate"] == 0


def test_numbers_whose_squares_overflow_are_refused(tmp_path):
    rows = [{"y": "ab"[i % 2], "x": f"{(-1) ** i * (i + 1)}e300"} for i in range(20)]
    data = write_csv(tmp_path / "d.csv", rows)
    sentence = refused(tmp_path, "train", data, *SOFTMAX)
    assert "'x'" in sentence and "power of 10" in sentence


def test_a_decay_chosen_needs_rows_to_hold_out(tmp_path):
    data = write_csv(tmp_path / "d.csv", [{"y": "abc"[i], "x": i} for i in range(3)])
    assert "--decay 0.01" in refused(tmp_path, "train", data, *SOFTMAX, "--decay", "auto")


def test_columns_that_tell_nothing_leave_the_shares_of_the_classes(tmp_path):
    data = write_csv(tmp_path / "rows.csv", [{"x": 5, "y": y} for y in "abcc"])
    model = tmp_path / "m"
    ok("train", data, "--target", "y", "--model", "softmax", "--decay", 0, "-o", model)
    row = read_csv(ok("predict", model, data, "--proba").stdout)[0]
    assert [float(row[f"p_{y}"]) for y in "abc"] == pytest.approx([0.25, 0.25, 0.5])


def test_a_rare_class_is_not_called_separable(tmp_path):
    rows = [{"x": (7 * i) % 101, "y": "rare" if i % 400 == 3 else "usual"} for i in range(4000)]
    data = write_csv(tmp_path / "rows.csv", rows)
    fit = ok_json("train", data, "--target", "y", "--model", "softmax", "-o", tmp_path / "m")
    assert not any("separable" in note for note in fit["notes"])


def test_more_columns_than_rows_are_separable(tmp_path):
    """1201 coefficients, too many for a matrix of second derivatives; dense and sparse rows."""
    numbers = random.Random(5)
    rows = [[numbers.gauss(0, 1) for _ in range(1200)] for _ in range(40)]
    dense = write_csv(
        tmp_path / "d.csv",
        [{"y": "ab"[i % 2], **{f"c{j}": x for j, x in enumerate(r)}} for i, r in enumerate(rows)],
    )
    sparse = tmp_path / "d.svm"
    sparse.write_text(
        "".join(
            f"{'ab'[i % 2]} "
            + " ".join(f"{j + 1}:{x}" for j, x in enumerate(r) if j % 3 == 0)
            + "\n"
            for i, r in enumerate(rows)
        )
    )
    for words in ([dense, *SOFTMAX], [sparse, "--format", "svmlight", "--model", "softmax"]):
        sentence = refused(tmp_path, "train", *words, "--decay", "0")
        assert "separable" in sentence and "--decay 0.01" in sentence
