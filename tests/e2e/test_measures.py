"""evaluate: every measure with its interval, of models and of given probabilities."""

import csv
import math
import statistics

import pytest
from support import PENGUINS, fails, ok, ok_json, shared_data, write_csv

OVERALL = [
    "error_rate",
    "accuracy",
    "balanced_accuracy",
    "macro_f1",
    "matthews",
    "kappa",
    "auc",
    "average_precision",
    "log_loss",
    "brier",
    "brier_reliability",
    "brier_resolution",
    "brier_uncertainty",
    "brier_within_bins",
    "expected_calibration_error",
]
OF_A_CLASS = [
    "precision",
    "recall",
    "f1",
    "auc",
    "average_precision",
    "brier",
    "expected_calibration_error",
]


def reference(dataset: str, metric: str) -> float:
    with shared_data("REFERENCE_RESULTS.csv").open() as file:
        found = [
            row[5] for row in csv.reader(file) if row and row[0] == dataset and row[4] == metric
        ]
    assert len(found) == 1, found
    return float(found[0])


def test_two_class_example_as_scikit_learn():
    path = shared_data("metrics_two_class_example/two_class_example.csv")
    answer = ok_json("evaluate", "--probabilities", path, "--target", "truth")
    name = "metrics_two_class_example"
    assert answer["accuracy"] == pytest.approx(reference(name, "accuracy"), abs=5e-7)
    assert answer["auc"] == pytest.approx(reference(name, "ROC AUC"), abs=5e-7)
    loss = reference(name, "mean log loss (eps 1e-15)")
    assert answer["log_loss"] == pytest.approx(loss, abs=5e-7)
    brier = reference(name, "Brier (mean (p-y)^2)")
    assert answer["by_class"][0]["brier"]["value"] == pytest.approx(brier, abs=5e-7)
    low, high = delong(path)
    for interval in (answer["intervals"]["auc"], answer["by_class"][0]["auc"]):
        assert interval["method"] == "delong"
        assert interval["lower"] == pytest.approx(low, abs=1e-9)
        assert interval["upper"] == pytest.approx(high, abs=1e-9)


def delong(path) -> tuple[float, float]:
    """The interval by its definition: every row of the one class against every row of the other."""
    scores = {"Class1": [], "Class2": []}
    for row in csv.DictReader(path.open()):
        scores[row["truth"]].append(float(row["Class1"]))
    ones, others = scores["Class1"], scores["Class2"]
    won = [[(a > b) + 0.5 * (a == b) for b in others] for a in ones]
    of_ones = [sum(row) / len(others) for row in won]
    of_others = [sum(column) / len(ones) for column in zip(*won, strict=True)]
    auc = statistics.mean(of_ones)
    variance = statistics.variance(of_ones) / len(ones)
    variance += statistics.variance(of_others) / len(others)
    reach = statistics.NormalDist().inv_cdf(0.975) * math.sqrt(variance)
    return auc - reach, auc + reach


def test_hpc_cv_as_scikit_learn():
    path = shared_data("metrics_hpc_cv/hpc_cv.csv")
    answer = ok_json("evaluate", "--probabilities", path, "--target", "obs")
    name = "metrics_hpc_cv"
    assert answer["classes"] == ["F", "L", "M", "VF"]
    assert answer["accuracy"] == pytest.approx(reference(name, "accuracy"), abs=5e-7)
    assert answer["log_loss"] == pytest.approx(reference(name, "mean log loss"), abs=5e-7)
    brier = reference(name, "multiclass Brier (sum over classes, mean over rows)")
    assert answer["brier"] == pytest.approx(brier, abs=5e-7)
    # One row has posterior 1.9e-16 for its class: all of it counts with another floor.
    more = ok_json("evaluate", "--probabilities", path, "--target", "obs", "--floor", "1e-300")
    assert more["log_loss"] > answer["log_loss"] + 1e-4


def test_every_measure_has_its_interval(penguins_model):
    answer = ok_json("evaluate", penguins_model, PENGUINS)
    assert answer["intervals"]["level"] == 0.95
    for key in OVERALL:
        interval = answer["intervals"][key]
        assert interval["lower"] <= answer[key] <= interval["upper"], key
        assert interval["method"] in ("exact", "mover", "delong", "jackknife")
    assert [one["class"] for one in answer["by_class"]] == answer["classes"]
    for one in answer["by_class"]:
        for key in OF_A_CLASS:
            estimate = one[key]
            if estimate["method"] != "none":
                assert estimate["lower"] <= estimate["value"] <= estimate["upper"], key
        assert sum(b["rows"] for b in one["calibration"]) == answer["rows"]
    parts = [answer[f"brier_{p}"] for p in ("reliability", "uncertainty", "within_bins")]
    assert answer["brier"] == pytest.approx(sum(parts) - answer["brier_resolution"])
    for counts, rates in zip(answer["confusion"], answer["confusion_rates"], strict=True):
        assert rates == [count / sum(counts) for count in counts]


def test_levels_widen_intervals(penguins_model):
    narrow = ok_json("evaluate", penguins_model, PENGUINS, "--level", "0.5")["intervals"]
    wide = ok_json("evaluate", penguins_model, PENGUINS, "--level", "0.99")["intervals"]
    for key in OVERALL:
        assert wide[key]["lower"] <= narrow[key]["lower"]
        assert wide[key]["upper"] >= narrow[key]["upper"]
    assert narrow["accuracy"] != wide["accuracy"]


def test_bootstrap_is_stated_and_repeats_itself(penguins_model):
    words = ["evaluate", penguins_model, PENGUINS, "--bootstrap", "50"]
    once = ok_json(*words, "--threads", "1")
    assert once == ok_json(*words, "--threads", "2")
    assert once["intervals"]["log_loss"]["method"] == "bootstrap"
    assert once["intervals"]["accuracy"]["method"] == "exact"
    other = ok_json(*words, "--seed", "1")
    assert other["intervals"]["log_loss"] != once["intervals"]["log_loss"]
    assert other["log_loss"] == once["log_loss"]


def test_calibration_curve_for_people(penguins_model):
    text = ok("evaluate", penguins_model, PENGUINS, "--calibration", "--bins", "4").stdout
    assert "posterior of the decision" in text
    assert "0.75 to 1" in text
    answer = ok_json("evaluate", penguins_model, PENGUINS, "--bins", "4")
    assert len(answer["calibration"]) == 4


def test_roc_curves_lead_to_the_auc(penguins_model, tmp_path):
    answer = ok_json("evaluate", penguins_model, PENGUINS, "--roc", tmp_path / "roc.csv")
    points = list(csv.DictReader((tmp_path / "roc.csv").open()))
    for one in answer["by_class"]:
        curve = [p for p in points if p["class"] == one["class"]]
        false = [float(p["false_positive_rate"]) for p in curve]
        true = [float(p["true_positive_rate"]) for p in curve]
        assert (false[0], true[0], false[-1], true[-1]) == (0, 0, 1, 1)
        steps = range(1, len(curve))
        area = sum((false[i] - false[i - 1]) * (true[i] + true[i - 1]) / 2 for i in steps)
        assert area == pytest.approx(one["auc"]["value"], abs=1e-12)
    assert "--roc" in fails("evaluate", penguins_model, PENGUINS, "--roc", PENGUINS)
    assert "--roc" in fails("evaluate", penguins_model, PENGUINS, "--roc", "none/roc.csv")


def test_predicted_probabilities_measure_as_the_model(penguins_model, tmp_path):
    """predict --proba, the labels beside it, and evaluate --probabilities."""
    table = list(csv.DictReader(PENGUINS.open()))
    written = ok("predict", penguins_model, PENGUINS, "--proba").stdout
    rows = [
        {"species": truth["species"], **given}
        for truth, given in zip(table, csv.DictReader(written.splitlines()), strict=True)
    ]
    path = write_csv(tmp_path / "p.csv", rows)
    given = ok_json(
        "evaluate", "--probabilities", path, "--target", "species", "--floor", "2.3e-308"
    )
    model = ok_json("evaluate", penguins_model, PENGUINS)
    for key in [*OVERALL, "rows", "confusion", "by_class", "calibration"]:
        assert given[key] == model[key], key
    assert given["model"] == "given probabilities"


def test_weights_and_normalize(tmp_path):
    rows = [
        {"t": "ab"[i % 2], "w": 1 + i % 3, "p_a": 2 + (i % 5) * (1 - i % 2), "p_b": 3}
        for i in range(40)
    ]
    path = write_csv(tmp_path / "p.csv", rows)
    words = ["evaluate", "--probabilities", path, "--target", "t", "--normalize"]
    answer = ok_json(*words, "--weights", "w")
    weight = sum(row["w"] for row in rows)
    assert answer["weight"] == weight
    loss = sum(
        -row["w"] * math.log(row["p_" + row["t"]] / (row["p_a"] + row["p_b"])) for row in rows
    )
    assert answer["log_loss"] == pytest.approx(loss / weight, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "words", "pieces"),
    [
        ("t,p_a,p_b\na,0.9,0.1\nb,0.9,0.2\n", [], ["line 3", "sum to 1.1", "--normalize"]),
        ("t,a,b\na,0.9,0.1\nb,1.5,-0.5\n", [], ["line 3", "'a'", "1.5", "from 0 to 1"]),
        ("t,a,b\na,0.9,0.1\nc,.5,0.5\n", [], ["'c'", "'p_c'", "the columns are a, b"]),
        ("t,p_a,p_b\na,0.9,0.1\nc,.5,0.5\n", [], ["line 3", "'c'", "a, b"]),
        ("t,p_a,p_b\na,0.9,0.1\nb,,0.5\n", [], ["line 3", "'p_a'", "fill it in"]),
        ("t,p_a,p_b\na,0.9,0.1\nb,0,0\n", ["--normalize"], ["line 3", "every probability is 0"]),
        ("t,p_a,p_b\na,,\n", [], ["no row with probabilities"]),
        ("t,p_a,p_b\na,1,0\n", ["model"], ["'model'", "no model"]),
        ("t,p_a,p_b\na,1,0\n", ["--rule", "likelihood"], ["--rule", "no"]),
        ("t,p_a,a\na,1,0\n", ["--columns", "p_a,a"], ["'a'", "two columns"]),
    ],
)
def test_wrong_probabilities_are_named(tmp_path, text, words, pieces):
    path = tmp_path / "p.csv"
    path.write_text(text)
    sentence = fails("evaluate", "--probabilities", path, "--target", "t", *words)
    for piece in pieces:
        assert piece in sentence, sentence


def test_wrong_calls_are_named(penguins_model, tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("t,p_a,p_b\na,1,0\n")
    assert "--target COLUMN" in fails("evaluate", "--probabilities", path)
    assert "standard input" in fails("evaluate", "--probabilities", "-", "--target", "t")
    assert "MODEL is missing" in fails("evaluate")
    assert "DATA is missing" in fails("evaluate", penguins_model)
    assert "--probabilities" in fails("evaluate", penguins_model, PENGUINS, "--normalize")


@pytest.mark.parametrize(("weight", "word"), [("1e160", "large"), ("1e-170", "small")])
def test_weights_that_cannot_be_squared_are_refused_with_their_place(tmp_path, weight, word):
    rows = [{"y": "ab"[i % 2], "p_a": 0.25, "p_b": 0.75, "x": i, "w": "1"} for i in range(6)]
    rows[4]["w"] = weight
    table = write_csv(tmp_path / "d.csv", rows)
    weighted = ["--target", "y", "--weights", "w"]
    said = fails("evaluate", "--probabilities", table, *weighted)
    assert "line 6" in said and f"too {word}" in said and "by a constant" in said
    ok("train", table, "--target", "y", "--ignore", "w,p_a,p_b", "-o", tmp_path / "m")
    assert f"too {word}" in fails("evaluate", tmp_path / "m", table, *weighted)
    assert f"too {word}" in fails(
        "calibrate", tmp_path / "m", table, *weighted, "-o", tmp_path / "n"
    )
    rows[4]["w"] = "0"  # is no weight at all
    ok("evaluate", "--probabilities", write_csv(table, rows), *weighted)
