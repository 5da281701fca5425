"""Bad input for softmax regression: a sentence with the cure, and nothing written."""

import math
import random

import pytest
from support import fails, ok, ok_json, penguin_rows, read_csv, shared_data, write_csv

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


# Classes that only some rows tell apart. Weights of 1e6 beside 1 hide it from gradients.
LEVEL_WITH_OTHERS = {
    "heavy rows of one class": "x,w,y\n0,1000000,a\n0,1,b\n0,1,c\n1,1,b\n1,1,c\n",
    "heavy rows of two": "x,w,y\n0,1000000,a\n0,1000000,b\n1,1,b\n1,1,b\n",
    "equal weights": "x,w,y\n0,1,a\n0,1,b\n0,1,c\n1,1,b\n1,1,c\n",
}


@pytest.mark.parametrize("optimizer", ["auto", "newton", "lbfgs", "bfgs"])
@pytest.mark.parametrize("rows", LEVEL_WITH_OTHERS.values(), ids=LEVEL_WITH_OTHERS)
def test_classes_that_some_rows_tell_apart_are_separable_whatever_the_weights(
    tmp_path, rows, optimizer
):
    (tmp_path / "d.csv").write_text(rows)
    words = [tmp_path / "d.csv", *SOFTMAX, "--weights", "w", "--optimizer", optimizer]
    sentence = refused(tmp_path, "train", *words, "--decay", "0")
    assert "separable" in sentence and "'x'" in sentence and "--decay 0.01" in sentence


def test_many_classes_that_are_separable_in_part(tmp_path):
    """A linear program (SciPy's HiGHS) finds a direction; Newton's steps alone do not."""
    soybean = shared_data("soybean/soybean.csv")
    words = ["train", soybean, "--target", "Class", "--model", "softmax", "--decay", "0"]
    assert "separable" in refused(tmp_path, *words)


# Four Cauchy columns and a class. A linear program says that a direction separates some rows.
FAR_ROWS = """
2.503 -3.1761 -0.063218 1.5252 k0
-4.1481 -0.67008 -94.745 0.05678 k1
0.36832 0.87078 -4.2894 -0.61188 k2
-0.92604 -2.2099 -2.4407 -1.2818 k3
-2.7655 178.16 -0.22949 -0.94085 k1
0.3446 -2.7694 -3.017 43.491 k3
-3.0898 0.076803 0.81772 0.48296 k1
1.3267 3.6404 -0.072488 3.7229 k1
-2.0014 0.19883 -0.59054 0.47614 k2
0.76682 -5.4352 0.49712 -18.85 k1
-1.2096 -0.76172 0.0095817 1.2257 k1
-0.15726 0.63224 0.19127 -0.72565 k0
-2.0079 -0.70514 -0.86583 -0.46509 k0
2.2941 1.9628 15.474 -0.70323 k2
-3.9987 -0.60204 2.1674 -1.6524 k0
1.1513 -0.26962 0.36708 0.27962 k2
1.2158 -0.25141 -0.66196 -0.58369 k2
"""


def test_far_rows_that_are_separable_in_part_are_not_fitted_without_end(tmp_path):
    rows = [line.split() for line in FAR_ROWS.split("\n") if line]
    d = write_csv(tmp_path / "d.csv", [dict(zip("abcdy", row, strict=True)) for row in rows])
    for optimizer in ("auto", "newton"):
        sentence = refused(tmp_path, "train", d, *SOFTMAX, "--decay", "0", "--optimizer", optimizer)
        assert "separable, or so nearly" in sentence and "--decay 0.01" in sentence


def test_values_whose_squares_are_zero_are_named(tmp_path):
    rows = [
        {"y": "ab"[i % 2], "x": f"{(i * 7) % 11 - 5}e-200", "z": (i * 5) % 7} for i in range(60)
    ]
    d = write_csv(tmp_path / "d.csv", rows)
    sentence = refused(tmp_path, "train", d, *SOFTMAX, "--decay", "0")
    assert "'x'" in sentence and "multiply the column by a power of 10" in sentence
