"""cv: rows held out, grids, leave-one-out."""

import csv
import io
import json

import pytest
from support import PENGUINS, fails, ok, ok_json

GAUSSIAN = ("--target", "species", "--model", "gaussian")


def cv(*words, **options):
    return ok_json("cv", PENGUINS, *GAUSSIAN, *words, **options)


def test_the_issues_grid():
    found = cv("--grid", "blend=0,0.5,1;ridge=0,0.1")
    assert [point["options"] for point in found["grid"]] == [
        {"blend": blend, "ridge": ridge} for blend in ("0,0", "0.5,0", "1,0") for ridge in (0, 0.1)
    ]
    assert "singular" in found["grid"][0]["failure"]
    assert found["rows"] == 344
    assert found["folds"] == 10
    assert found["from_statistics"] is True
    fitted = [point for point in found["grid"] if "failure" not in point]
    assert found["best"]["log_loss"] == min(
        (point["log_loss"] for point in fitted), key=lambda loss: loss["value"]
    )
    for name in ("error_rate", "log_loss", "brier"):
        assert found[name] == found["choice"][name]
        for point in fitted:
            one = point[name]
            assert 0 <= one["low"] <= one["value"] <= one["high"]
            assert one["standard_error"] >= 0
            folds = [fold[name] for fold in point["folds"]]
            assert len(folds) == 10
    choice, best = found["choice"]["log_loss"], found["best"]["log_loss"]
    assert choice["value"] <= best["value"] + best["standard_error"]


def test_a_fold_is_what_training_without_it_makes(tmp_path):
    """Two folds and no grid, redone with train and evaluate; which rows are where is read off."""
    found = cv("--folds", "2", "--missing", "skip")
    total = sum(fold["rows"] for fold in found["grid"][0]["folds"])
    assert total == found["rows"] == 344
    weighted = sum(f["rows"] * f["log_loss"] for f in found["grid"][0]["folds"]) / total
    assert weighted == pytest.approx(found["log_loss"]["value"], rel=1e-12)


def test_the_table_names_what_is_best_and_chosen():
    text = ok("cv", PENGUINS, *GAUSSIAN, "--grid", "ridge=0.001,0.01,0.1").stdout
    assert "held out  10 folds in turn" in text
    assert "95 % interval" in text
    assert "best" in text
    assert text.strip().splitlines()[-1].startswith("The least log loss is that of ridge ")
    assert max(map(len, text.splitlines()[:-2])) <= 100


def test_results_as_csv(tmp_path):
    ok("cv", PENGUINS, *GAUSSIAN, "--grid", "ridge=0,1", "-o", tmp_path / "out.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text())))
    found = cv("--grid", "ridge=0,1")
    assert [row["ridge"] for row in rows] == ["0", "1"]
    for row, point in zip(rows, found["grid"], strict=True):
        for name in ("error_rate", "log_loss", "brier"):
            assert float(row[name]) == point[name]["value"]
            assert float(row[f"{name}_high"]) == point[name]["high"]
    assert sum(int(row["choice"]) for row in rows) == 1
    header, *lines = ok("cv", PENGUINS, *GAUSSIAN, "-o", "-").stdout.splitlines()
    assert header.startswith("error_rate,error_rate_standard_error")
    assert len(lines) == 1


def test_leave_one_out_is_the_same_from_a_pipe():
    file = cv("--leave-one-out")
    piped = json.loads(
        ok("cv", "-", *GAUSSIAN, "--leave-one-out", "--json", stdin=PENGUINS.read_text()).stdout
    )
    for name in ("rows", "folds", "error_rate", "log_loss", "leave_one_out"):
        assert file[name] == piped[name]
    assert file["folds"] == 344


def test_seeds_repeats_threads():
    one = cv("--threads", "1", "--repeats", "3")
    many = cv("--threads", "4", "--repeats", "3")
    assert one["log_loss"] == many["log_loss"]
    assert len(one["grid"][0]["folds"]) == 30
    assert cv("--seed", "1")["log_loss"] != cv("--seed", "2")["log_loss"]


def test_the_options_speak_for_the_family():
    result = ok("cv", PENGUINS, "--target", "species", "--grid", "ridge=0.1,1")
    assert "model     gaussian" in result.stdout
    assert "no --model was given: gaussian was taken" in result.stderr


def test_documents_and_weights(tmp_path):
    lines = tmp_path / "docs.txt"
    lines.write_text(
        "".join(
            f"{'ham' if i % 2 else 'spam'}\t{'good' if i % 2 else 'win'} day {i % 5}\n"
            for i in range(40)
        )
    )
    found = ok_json(
        "cv", lines, "--format", "lines", "--model", "naive-bayes", "--folds", "4",
        "--grid", "smoothing=0.1,1",
    )  # fmt: skip
    assert found["error_rate"]["value"] == 0
    assert found["from_statistics"] is True
    rows = tmp_path / "w.csv"
    rows.write_text("x,y,w\n" + "".join(f"{i},{'ab'[i > 20]},{i % 3}\n" for i in range(40)))
    found = ok_json("cv", rows, "--target", "y", "--weights", "w", "--folds", "3")
    assert found["rows"] == 26  # weight 0 is no row


def test_a_long_leave_one_out_says_so_before():
    result = ok(
        "cv", PENGUINS, "--target", "species", "--model", "indicator", "--ignore", "year,sex",
        "--leave-one-out", "--grid", "basis=none,polynomial:2,spline:3",
    )  # fmt: skip
    assert "leaving one row out fits indicator 1032 times" in result.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("--folds", "100"),
            "class 'Chinstrap' has 68 rows, too few for 100 folds; take --folds 68",
        ),
        (("--folds", "1"), "folds"),
        (("--leave-one-out", "--folds", "5"), "leave them out"),
        (("--grid", "rigde=1"), "did you mean --ridge?"),
        (("--grid", "ridge"), "OPTION=VALUE"),
        (("--grid", "ridge=a"), "ridge"),
        (("--grid", "ridge=1", "--ridge", "2"), "leave one of the two out"),
        (("--covariance", "owned"), "own"),
        (("-o", "/nowhere/out.csv"), "cannot write"),
        (("-o", str(PENGUINS)), "penguins.csv"),
    ],
)
def test_what_does_not_fit_is_told(words, sentence):
    assert sentence in fails("cv", PENGUINS, *GAUSSIAN, *words)


def test_a_target_is_needed():
    assert "--target" in fails("cv", PENGUINS, "--model", "gaussian")


def test_rows_ruled_out_are_those_of_the_choice():
    """Each costs 708.4, so that they cannot cost more than the loss beside them tells."""
    words = ("--target", "species", "--model", "neighbors", "--grid", "k=2,3,5,9", "--seed", "1")
    found = ok_json("cv", PENGUINS, *words)
    assert found["rows_ruled_out"] > 0
    cost = 708.4 * found["rows_ruled_out"] / found["rows"]
    assert cost == pytest.approx(found["log_loss"]["value"], abs=1.0)
