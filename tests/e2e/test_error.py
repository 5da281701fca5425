"""error: how often a model would err on rows of its own making."""

import json
import math

import pytest
from support import NO_DENSITIES, PENGUINS, fails, ok, ok_json

SPEC = {
    "classes": ["a", "b"],
    "priors": [0.7, 0.3],
    "means": [[2, 1], [1, 2]],
    "covariances": [[[1, 0.5], [0.5, 2]], [[0.5, 0], [0, 0.25]]],
}
LINE = {
    "classes": ["a", "b"],
    "priors": [0.5, 0.5],
    "means": [[0], [2]],
    "covariances": [[[1]]] * 2,
}


def defined(folder, spec):
    (folder / "spec.json").write_text(json.dumps(spec))
    ok("define", folder / "spec.json", "-o", folder / "model")
    return folder / "model"


def tail(z):
    return 0.5 * math.erfc(z / math.sqrt(2))


def test_the_textbooks_line(tmp_path):
    model = defined(tmp_path, LINE)
    found = ok_json("error", model)
    assert found["error"] == pytest.approx(tail(1), abs=1e-13)
    assert found["boundaries"] == pytest.approx([1])
    assert found["bound"] <= 1e-8
    pair = found["by_pair"][0]
    assert pair["first_as_second"] == pytest.approx(tail(1) / 2, abs=1e-13)
    assert pair["bhattacharyya"] == pytest.approx(math.exp(-0.5) / 2, rel=1e-12)
    text = ok("error", model).stdout
    assert "P(error)    0.158655\n" in text


def test_other_priors_and_another_threshold(tmp_path):
    model = defined(tmp_path, LINE)
    found = ok_json("error", model, "--priors", "a=0.9,b=0.1", "--threshold", "1")
    boundary = 1 + math.log(9) / 2
    assert found["boundaries"] == pytest.approx([boundary])
    assert found["error"] == pytest.approx(0.9 * tail(boundary) + 0.1 * tail(2 - boundary))
    assert found["threshold"]["below"] == "a"
    assert found["threshold"]["error"] == pytest.approx(tail(1))
    assert found["threshold"]["error"] > found["error"]


def test_exact_error_is_that_of_drawn_rows(tmp_path):
    model = defined(tmp_path, SPEC)
    found = ok_json("error", model)
    assert "integral" in found["method"]
    rows = 200000
    ok("sample", model, "-n", rows, "--seed", "5", "-o", tmp_path / "drawn.csv")
    drawn = ok_json("evaluate", model, tmp_path / "drawn.csv")
    error = math.sqrt(found["error"] * (1 - found["error"]) / rows)
    assert abs(drawn["error_rate"] - found["error"]) < 4 * error
    terms = [one["term"] for one in found["by_class"]]
    assert sum(terms) == pytest.approx(found["error"], rel=1e-12)
    assert found["error"] <= found["by_pair"][0]["chernoff"] <= found["by_pair"][0]["bhattacharyya"]


@pytest.mark.parametrize("family", ["gaussian", "naive-bayes"])
def test_three_classes_are_drawn_until_the_error_is_known(tmp_path, family):
    model = tmp_path / "model"
    ok("train", PENGUINS, "--target", "species", "--ignore", "year", "--model", family, "-o", model)
    found = ok_json("error", model, "--standard-error", "0.0005")
    assert found["standard_error"] <= 0.0005
    assert found["draws"] > 0
    assert len(found["by_pair"]) == 3
    same = ok_json("error", model, "--standard-error", "0.0005", "--threads", "1")
    assert same["error"] == found["error"]
    other = ok_json("error", model, "--standard-error", "0.0005", "--seed", "1")
    assert other["error"] != found["error"]
    assert abs(other["error"] - found["error"]) < 6 * 0.0005
    few = ok("error", model, "--standard-error", "0", "--draws", "1000")
    assert "--draws allows more" in few.stderr


@pytest.mark.parametrize("family", NO_DENSITIES)
def test_models_without_densities_are_refused(tmp_path, family):
    model = tmp_path / "model"
    ok("train", PENGUINS, "--target", "species", "--ignore", "year", "--model", family, "-o", model)
    assert "densities" in fails("error", model)


def test_a_threshold_needs_a_line(tmp_path):
    assert "two Gaussian classes of one column" in fails(
        "error", defined(tmp_path, SPEC), "--threshold", "1"
    )


def test_calibration_and_thresholds_are_left_aside_and_told(tmp_path):
    """Of drawn rows, too, whatever priors are put over those of the calibrated model."""
    model, calibrated, decided = tmp_path / "m", tmp_path / "c", tmp_path / "t"
    ok("train", PENGUINS, "--target", "species", "--ignore", "island,sex,year", "-o", model)
    ok("calibrate", model, PENGUINS, "--method", "isotonic", "-o", calibrated)
    ok("threshold", model, PENGUINS, "--class", "Gentoo", "--precision", "0.9", "-o", decided)
    plain, other, third = (ok_json("error", path) for path in (model, calibrated, decided))
    assert plain["method"] == "drawn rows"
    assert plain["error"] == other["error"] == third["error"]
    assert plain["by_class"] == other["by_class"]
    assert not any("calibrated" in note or "thresholds" in note for note in plain["notes"])
    assert any("the model is calibrated" in note for note in other["notes"])
    assert any("thresholds that the model keeps are left aside" in note for note in third["notes"])
    uniform, shifted = (ok_json("error", p, "--priors", "uniform") for p in (model, calibrated))
    slack = 5 * (uniform["standard_error"] + shifted["standard_error"])
    assert uniform["error"] == pytest.approx(shifted["error"], abs=slack)
    for one, two in zip(uniform["by_class"], shifted["by_class"], strict=True):
        assert one["prior"] == pytest.approx(two["prior"], abs=1e-12)
        assert one["error"] == pytest.approx(two["error"], rel=0.2)
