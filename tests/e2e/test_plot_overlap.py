"""logodds plot overlap: densities times priors, thresholds, and the areas of the errors."""

import json
import random
import xml.etree.ElementTree as ElementTree

import pytest
from picture import SVG, says
from support import PENGUINS, fails, ok, ok_json


def area(points: list[float]) -> float:
    """Of an outline (x, y, x, y, ...), by Gauss's formula."""
    xs, ys = points[::2], points[1::2]
    return (
        abs(
            sum(
                xs[i] * ys[(i + 1) % len(xs)] - xs[(i + 1) % len(xs)] * ys[i]
                for i in range(len(xs))
            )
        )
        / 2
    )


def shaded(answer: dict) -> float:
    arrays = answer["arrays"]
    return sum(area(one["values"]) for name, one in arrays.items() if name.startswith("area "))


@pytest.fixture(scope="module")
def line(tmp_path_factory):
    """Two classes along one column."""
    folder = tmp_path_factory.mktemp("line")
    draw = random.Random(1)
    rows = folder / "rows.csv"
    with rows.open("w") as file:
        file.write("length,kind\n")
        for i in range(300):
            k = i % 3 > 0
            file.write(
                f"{draw.gauss(3 if k else 0, 1 if k else 1.5)},{'salmon' if k else 'bass'}\n"
            )
    return rows


@pytest.mark.parametrize("covariance", ["shared", "own"])
def test_the_areas_add_up_to_logodds_error(line, covariance, tmp_path):
    model = tmp_path / "m"
    ok("train", line, "--target", "kind", "--model", "gaussian", "--covariance", covariance,
       "-o", model)  # fmt: skip
    picture = tmp_path / "overlap.svg"
    drawn = ok_json("plot", "overlap", model, "-o", picture)
    error = ok_json("error", model)
    assert shaded(drawn) == pytest.approx(error["error"], rel=1e-5)
    assert drawn["arrays"]["error"]["values"] == pytest.approx([error["error"]], rel=1e-12)
    terms = [one["term"] for one in error["by_class"]]
    assert drawn["arrays"]["probabilities"]["values"] == pytest.approx(terms, rel=1e-12)
    assert says(picture, "bass decided as salmon") and says(picture, "optimal: ")
    given = ok_json("plot", "overlap", model, "--threshold", "2.5", "-o", picture)
    error = ok_json("error", model, "--threshold", "2.5")["threshold"]
    assert shaded(given) == pytest.approx(error["error"], rel=1e-5)
    assert says(picture, "given: 2.5")


def test_a_column_of_several(penguins, penguins_model, tmp_path):
    picture = tmp_path / "overlap.svg"
    answer = ok_json("plot", "overlap", penguins_model, "-o", picture)
    assert any("alone confuses classes least" in note for note in answer["notes"])
    ok("plot", "overlap", penguins_model, "--x", "body_mass_g", "-o", picture)
    assert says(picture, "Overlap along body_mass_g")
    assert "did you mean 'body_mass_g'" in fails(
        "plot", "overlap", penguins_model, "--x", "body_mass", "-o", picture
    )
    assert "column of numbers" in fails(
        "plot", "overlap", penguins_model, "--x", "island", "-o", picture
    )


def test_infinite_densities_are_cut_and_it_says_so(tmp_path):
    draw = random.Random(2)
    rows = tmp_path / "rows.csv"
    with rows.open("w") as file:
        file.write("x,kind\n")
        for i in range(400):
            file.write(f"{draw.gammavariate(0.3 if i % 2 else 5, 1)},{'ab'[i % 2]}\n")
    model = tmp_path / "m"
    ok("train", rows, "--target", "kind", "--model", "naive-bayes", "--families", "x=gamma",
       "-o", model)  # fmt: skip
    picture = tmp_path / "overlap.svg"
    answer = ok_json("plot", "overlap", model, "-o", picture)
    assert any("cut off" in note for note in answer["notes"])
    assert says(picture, "cut off")
    error = ok_json("error", model)
    assert shaded(answer) == pytest.approx(error["error"], abs=5 * error["standard_error"] + 1e-5)


def test_counts_are_steps(tmp_path):
    draw = random.Random(3)
    rows = tmp_path / "rows.csv"
    with rows.open("w") as file:
        file.write("visits,kind\n")
        for i in range(400):
            visits = sum(draw.random() < 0.2 + 0.3 * (i % 2) for _ in range(20))
            file.write(f"{visits},{'ab'[i % 2]}\n")
    model = tmp_path / "m"
    ok("train", rows, "--target", "kind", "--model", "naive-bayes", "--families",
       "visits=poisson", "-o", model)  # fmt: skip
    answer = ok_json("plot", "overlap", model, "-o", tmp_path / "o.svg")
    error = ok_json("error", model)
    assert shaded(answer) == pytest.approx(error["error"], abs=5 * error["standard_error"])


def test_what_it_cannot_draw(penguins, penguins_model, line, tmp_path):
    picture = tmp_path / "o.svg"
    model = tmp_path / "m"
    ok("train", line, "--target", "kind", "--model", "softmax", "-o", model)
    assert "plot posterior" in fails("plot", "overlap", model, "-o", picture)
    assert "two classes" in fails(
        "plot", "overlap", penguins_model, "--threshold", "3", "-o", picture
    )


def test_names_of_boundaries_do_not_cover_each_other(tmp_path):
    picture = tmp_path / "o.svg"
    model = tmp_path / "m"
    ok("train", PENGUINS, "--target", "species", "--ignore", "island,sex,year", "-o", model)
    ok("plot", "overlap", model, "--x", "bill_length_mm", "-o", picture)
    nodes = list(ElementTree.parse(picture).getroot().iter(f"{SVG}text"))
    heights = [node.get("y") for node in nodes if "".join(node.itertext()).startswith("optimal:")]
    assert len(heights) == len(set(heights)) == 2


def test_calibration_and_thresholds_are_told(line, tmp_path):
    model = tmp_path / "m"
    ok("train", line, "--target", "kind", "--model", "gaussian", "-o", model)
    ok("calibrate", model, line, "--method", "platt", "-o", tmp_path / "c")
    ok("threshold", model, line, "--cost", "bass:salmon=8", "--class", "bass", "-o", tmp_path / "t")
    notes = {
        name: " ".join(
            ok_json("plot", "overlap", tmp_path / name, "-o", tmp_path / "o.svg")["notes"]
        )
        for name in "mct"
    }
    assert "calibrated" not in notes["m"] and "thresholds" not in notes["m"]
    assert "the model is calibrated" in notes["c"]
    assert "thresholds that the model keeps are left aside" in notes["t"]


@pytest.mark.parametrize("priors", [[0.5, 0.5], [0.9, 0.1]])
def test_narrow_peaks_far_apart_are_whole(tmp_path, priors):
    spec = {"classes": ["a", "b"], "priors": priors, "means": [[0], [1e6]]}
    (tmp_path / "spec.json").write_text(json.dumps({**spec, "covariances": [[[1]], [[1]]]}))
    ok("define", tmp_path / "spec.json", "-o", tmp_path / "m")
    report = ok_json("plot", "overlap", tmp_path / "m", "-o", tmp_path / "o.svg")
    assert not any("cut off" in note for note in report["notes"])
    (tmp_path / "spec.json").write_text(json.dumps({**spec, "covariances": [[[1e-6]], [[1e9]]]}))
    ok("define", tmp_path / "spec.json", "-o", tmp_path / "m")
    report = ok_json("plot", "overlap", tmp_path / "m", "-o", tmp_path / "o.svg")
    assert any("cut off" in note for note in report["notes"])
