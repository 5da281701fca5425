"""Forgetting rows one way and another: the model of what remains, or a refusal, never a third."""

import numpy as np
import pytest
from support import MEASUREMENTS, PENGUINS, fails, ok, ok_json, posteriors

STAY = "t,x,y,z\na,1,2,1.1\na,2,1,1.1\na,3,5,1.1\na,5,4,1.1\na,4,4,1.1\n" + (
    "b,2,6,1.1\nb,4,9,1.1\nb,3,5,1.1\nb,6,7,1.1\nb,5,8,1.1\n"
)
GO = "a,1,3,0.9\na,2,2,-0.4\na,0,1,1.7\nb,2,7,0.1\nb,4,4,2.2\nb,3,8,-1.3\n"
HEADER = "t,x,y,z\n"
GAUSSIAN = ["--model", "gaussian"]
PENGUIN = "species," + ",".join(MEASUREMENTS)


def written(path, text):
    path.write_text(text)
    return path


def test_a_class_goes_row_by_row_also_where_a_column_is_0(tmp_path):
    rows = "t,x,y\nb,0.3,1\nb,0,2\nb,0,4\na,1,1\na,2,3\na,4,2\n"
    model = tmp_path / "m"
    data = written(tmp_path / "all.csv", rows)
    ok("train", data, *GAUSSIAN, "--target", "t", "--quiet", "-o", model)
    for part in ["b,0.3,1\n", "b,0,2\nb,0,4\n"]:
        ok("forget", model, written(tmp_path / "part.csv", "t,x,y\n" + part), "-o", model)
    assert ok_json("inspect", model)["classes"] == ["a"]


@pytest.mark.parametrize("covariance", ["shared", "own"])
def test_ledoit_wolf_forgets_to_a_constant_column(tmp_path, covariance):
    options = [*GAUSSIAN, "--shrinkage", "ledoit-wolf", "--covariance", covariance]
    stay = written(tmp_path / "stay.csv", STAY)
    both = written(tmp_path / "both.csv", STAY + GO)
    ok("train", both, "--target", "t", *options, "--quiet", "-o", tmp_path / "both")
    ok("train", stay, "--target", "t", *options, "--quiet", "-o", tmp_path / "stay")
    go = written(tmp_path / "go.csv", HEADER + GO)
    ok("forget", tmp_path / "both", go, "--quiet", "-o", tmp_path / "forgotten")
    first, second = (
        np.array(posteriors(ok("predict", model, stay, "--proba").stdout, ["a", "b"]))
        for model in (tmp_path / "forgotten", tmp_path / "stay")
    )
    np.testing.assert_allclose(first, second, rtol=1e-10)


def test_what_an_outlier_has_swallowed_is_not_made_up(tmp_path):
    """Its square is so large that the spread of the others is lost in rounding."""
    model = tmp_path / "m"
    options = [*GAUSSIAN, "--ignore", "island,sex,year"]
    ok("train", PENGUINS, "--target", "species", *options, "-o", model)
    typo = written(tmp_path / "typo.csv", f"{PENGUIN}\nAdelie,39.3,20.6,1e9,3650\n")
    ok("update", model, typo, "-o", model)
    sentence = fails("forget", model, typo, "-o", tmp_path / "new")
    assert "flipper_length_mm" in sentence and "train on the remaining rows" in sentence
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("weight", ["1e6", "1e12"])
def test_light_rows_stay_when_heavy_ones_go_or_it_is_refused(tmp_path, weight):
    light = "".join(f"a,{x},1\n" for x in (1, 2, 4, 5, 7)) + "".join(
        f"b,{x},1\n" for x in (3, 6, 8, 9)
    )
    heavy = f"a,2,{weight}\na,3,{weight}\na,5,{weight}\n"
    model = tmp_path / "m"
    data = written(tmp_path / "all.csv", "t,x,w\n" + light + heavy)
    options = [*GAUSSIAN, "--weights", "w", "--covariance", "own"]
    ok("train", data, "--target", "t", *options, "-o", model)
    gone = written(tmp_path / "heavy.csv", "t,x,w\n" + heavy)
    if weight == "1e12":
        assert "so heavy" in fails("forget", model, gone, "-o", model)
        return
    summary = ok_json("forget", model, gone, "-o", model)
    assert summary["classes"] == ["a", "b"]
    assert summary["class_counts"] == [5, 4]


def test_a_weighted_model_weights_more_rows_by_the_same_column(tmp_path):
    first = written(tmp_path / "a.csv", "t,x,w\na,1,5\na,2,1\nb,4,5\nb,6,1\n")
    second = written(tmp_path / "b.csv", "t,x,w\na,0,9\nb,9,9\n")
    ok("train", first, *GAUSSIAN, "--target", "t", "--weights", "w", "-o", tmp_path / "m")
    assert ok_json("update", tmp_path / "m", second, "-o", tmp_path / "n")["weight"] == 30
    without = written(tmp_path / "c.csv", "t,x\na,0\nb,9\n")
    assert "'w'" in fails("update", tmp_path / "m", without, "-o", tmp_path / "n2")


def test_an_update_that_overflows_leaves_the_model_alone(tmp_path):
    model = tmp_path / "m"
    options = [*GAUSSIAN, "--ignore", "island,sex,year", "--shrinkage", "ledoit-wolf"]
    ok("train", PENGUINS, "--target", "species", *options, "-o", model)
    before = model.read_bytes()
    huge = written(tmp_path / "huge.csv", f"{PENGUIN}\nAdelie,39.3,20.6,1e78,3650\n")
    assert "overflow" in fails("update", model, huge, "-o", model)
    assert model.read_bytes() == before


def test_the_matrix_of_an_option_is_not_overwritten(tmp_path):
    matrix = written(tmp_path / "scale.csv", "1,0,0\n0,1,0\n0,0,1\n")
    data = written(tmp_path / "data.csv", STAY + GO)
    words = [*GAUSSIAN, "--wishart", "3", "--wishart-scale", matrix, "-o", matrix]
    fails("train", data, "--target", "t", *words)
    assert matrix.read_text().startswith("1,0,0")


def test_a_class_called_reject_cannot_be_told_from_a_rejected_row(tmp_path):
    data = written(tmp_path / "data.csv", (STAY + GO).replace("\na,", "\nreject,"))
    ok("train", data, *GAUSSIAN, "--target", "t", "-o", tmp_path / "m")
    assert "reject" in fails("predict", tmp_path / "m", data, "--reject-outliers", "0.01")


def test_options_that_cure_a_refusal_can_be_given_to_the_command_that_refuses(tmp_path):
    """Named priors know nothing of a class that joins, and a constant column needs a ridge."""
    data = written(tmp_path / "data.csv", STAY + GO)
    more = written(tmp_path / "more.csv", HEADER + "c,1,1,0\nc,2,1,3\nc,4,9,1\n")
    options = [*GAUSSIAN, "--priors", "a=0.4,b=0.6"]
    ok("train", data, "--target", "t", *options, "-o", tmp_path / "m")
    assert "'c'" in fails("update", tmp_path / "m", more, "-o", tmp_path / "n")
    ok("update", tmp_path / "m", more, "--priors", "uniform", "-o", tmp_path / "n")
    assert ok_json("inspect", tmp_path / "n")["classes"] == ["a", "b", "c"]
    go = written(tmp_path / "go.csv", HEADER + GO)
    assert "--ridge" in fails("forget", tmp_path / "m", go, "-o", tmp_path / "f")
    ok("forget", tmp_path / "m", go, "--ridge", "0.1", "-o", tmp_path / "f")
    ok("merge", tmp_path / "m", tmp_path / "m", "--priors", "uniform", "-o", tmp_path / "g")
    assert "softmax" in fails("update", tmp_path / "m", more, "--decay", "1", "-o", tmp_path / "n")
