"""logodds plot confusion, roc, pr, calibration and cost: measures with their intervals."""

import json
import random

import pytest
from picture import says, texts
from support import fails, ok, ok_json


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """Two overlapping classes, and a model of them."""
    folder = tmp_path_factory.mktemp("two")
    draw = random.Random(5)
    rows = folder / "rows.csv"
    with rows.open("w") as file:
        file.write("x,y,kind\n")
        for i in range(400):
            k = i % 2
            file.write(f"{draw.gauss(k, 1)},{draw.gauss(-k, 1)},{'ham' if k else '<b>eggs'}\n")
    model = folder / "two.model"
    ok("train", rows, "--target", "kind", "--model", "gaussian", "-o", model)
    return model, rows


def numbers(*words) -> dict:
    answer = ok_json("plot", *words)
    return {name: array["values"] for name, array in answer["arrays"].items()}


def test_confusion_counts_as_evaluate_does(penguins, penguins_model, tmp_path):
    picture = tmp_path / "p.svg"
    drawn = numbers("confusion", penguins_model, penguins, "-o", picture)
    known = json.loads(ok("evaluate", penguins_model, penguins, "--json").stdout)
    matrix = known["confusion"]
    assert drawn["confusion"] == [float(x) for row in matrix for x in row]
    assert {"Adelie", "Chinstrap", "Gentoo", "truth", "decision"} <= set(texts(picture))


def test_roc_and_pr_tell_what_evaluate_tells(penguins, penguins_model, tmp_path):
    classes = ok_json("evaluate", penguins_model, penguins)["by_class"]
    for kind, name, key in [
        ("roc", "AUC", "auc"),
        ("pr", "average precision", "average_precision"),
    ]:
        picture = tmp_path / f"{kind}.svg"
        drawn = numbers(kind, penguins_model, penguins, "-o", picture)
        known = [one[key]["value"] for one in classes]
        assert drawn[name][::3] == pytest.approx(known)
        assert says(picture, f"{name} (95 % interval)")
        for one in classes:
            assert says(picture, f"{one['class']}  {one[key]['value']:.3f}")


def test_of_two_classes_the_second_is_drawn_with_its_band(two, tmp_path):
    model, rows = two
    picture = tmp_path / "roc.svg"
    drawn = numbers("roc", model, rows, "-o", picture)
    assert "curve ham" in drawn and "band ham" in drawn and "curve <b>eggs" not in drawn
    assert says(picture, "Clopper & Pearson") and says(picture, "by the largest posterior")
    drawn = numbers("roc", model, rows, "--class", "<b>eggs", "-o", picture)
    assert "curve <b>eggs" in drawn
    assert says(picture, "<b>eggs")


def test_the_rule_of_the_dot_may_be_given(two, tmp_path):
    model, rows = two
    picture = tmp_path / "roc.svg"
    plain = numbers("roc", model, rows, "-o", picture)["decisions ham"]
    dear = numbers("roc", model, rows, "--cost", "ham:<b>eggs=10", "-o", picture)["decisions ham"]
    assert dear[1] > plain[1] and says(picture, "by the least expected cost")
    high = numbers("roc", model, rows, "--thresholds", "ham=0.9", "-o", picture)["decisions ham"]
    assert high[1] < plain[1] and says(picture, "ham=0.9")
    assert "leave one of them out" in fails(
        "plot", "roc", model, rows, "--cost", "ham:<b>eggs=10", "--thresholds", "ham=0.9",
        "-o", picture)  # fmt: skip
    assert "cost.csv" in fails("plot", "roc", model, rows, "--cost", "cost.csv", "-o", picture)


def test_many_rows_make_a_small_picture(tmp_path):
    draw = random.Random(6)
    rows = tmp_path / "rows.csv"
    with rows.open("w") as file:
        file.write("x,kind\n")
        for i in range(60_000):
            file.write(f"{draw.gauss(i % 2, 1):.9f},{'ab'[i % 2]}\n")
    model = tmp_path / "m"
    ok("train", rows, "--target", "kind", "--model", "gaussian", "-o", model)
    for kind in ["roc", "pr", "cost", "calibration"]:
        picture = tmp_path / f"{kind}.svg"
        ok("plot", kind, model, rows, "-o", picture)
        assert picture.stat().st_size < 200_000


def test_calibration_says_the_error_that_evaluate_says(penguins, penguins_model, tmp_path):
    picture = tmp_path / "calibration.svg"
    drawn = numbers("calibration", penguins_model, penguins, "-o", picture)
    known = ok_json("evaluate", penguins_model, penguins)
    assert drawn["calibration error"][0] == pytest.approx(known["expected_calibration_error"])
    assert says(picture, "expected calibration error") and says(
        picture, "posterior of the decision"
    )
    numbers("calibration", penguins_model, penguins, "--class", "Gentoo", "--bins", "4",
            "-o", picture)  # fmt: skip
    assert says(picture, "posterior of Gentoo")
    assert "did you mean 'Gentoo'" in fails(
        "plot", "calibration", penguins_model, penguins, "--class", "Gento", "-o", picture
    )


def test_the_cheapest_threshold_is_that_of_logodds_threshold(two, tmp_path):
    model, rows = two
    costs = "ham:<b>eggs=5,<b>eggs:ham=1"
    picture = tmp_path / "cost.svg"
    drawn = numbers("cost", model, rows, "--cost", costs, "-o", picture)
    known = ok_json("threshold", model, rows, "--class", "ham", "--cost", costs,
                    "-o", tmp_path / "t.model")  # fmt: skip
    assert drawn["cheapest"][0] == pytest.approx(known["threshold"])
    assert drawn["ideal"] == pytest.approx([1 / 6])
    assert says(picture, "mean cost") and says(picture, "cheapest: from")
    numbers("cost", model, rows, "-o", picture)
    assert says(picture, "error rate") and says(picture, "every error costs 1")


def test_of_more_classes_cost_wants_one(penguins, penguins_model, tmp_path):
    picture = tmp_path / "cost.svg"
    assert "--class Adelie" in fails("plot", "cost", penguins_model, penguins, "-o", picture)
    ok("plot", "cost", penguins_model, penguins, "--class", "Gentoo", "-o", picture)
    assert says(picture, "'Gentoo' is decided")


@pytest.mark.parametrize("kind", ["confusion", "roc", "pr", "calibration", "cost"])
def test_rows_are_needed_and_so_are_their_labels(kind, two, tmp_path):
    model, _ = two
    picture = tmp_path / "p.svg"
    assert "needs rows" in fails("plot", kind, model, "-o", picture)
    bare = tmp_path / "bare.csv"
    bare.write_text("x,y\n1,2\n")
    assert "kind" in fails("plot", kind, model, bare, "-o", picture)
    empty = tmp_path / "empty.csv"
    empty.write_text("x,y,kind\n")
    fails("plot", kind, model, empty, "-o", picture)
    one = tmp_path / "one.csv"
    one.write_text("x,y,kind\n1,2,ham\n")
    if kind in ("roc", "pr"):
        assert "one kind" in fails("plot", kind, model, one, "-o", picture)
    else:
        ok("plot", kind, model, one, "-o", picture)


@pytest.mark.parametrize("kind", ["confusion", "roc", "pr", "calibration", "cost"])
def test_every_format_and_the_terminal(kind, two, tmp_path):
    model, rows = two
    for ending in ["svg", "html", "png", "pdf"]:
        first = tmp_path / f"1.{ending}"
        second = tmp_path / f"2.{ending}"
        ok("plot", kind, model, rows, "-o", first, "--threads", "1")
        ok("plot", kind, model, rows, "-o", second, "--threads", "2")
        assert first.read_bytes() == second.read_bytes()
    assert ok("plot", kind, model, rows, "--terminal").stdout.count("\n") > 10
