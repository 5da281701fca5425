"""Softmax regression by the command, against numbers that others have published."""

import math
import random
import re

import pytest
from support import MEASUREMENTS, fails, ok, ok_json, read_csv, shared_data, write_csv

BARE = ("--model", "softmax", "--decay", "0")


def train(data, target, path, *words):
    """The JSON of a training, with the notes that were on standard error."""
    return ok_json("train", data, "--target", target, "-o", path, *words)


def coefficients(path, *words):
    """By class and feature."""
    answer = ok_json("inspect", path, "--coefficients", *words)
    return {(row["class"], row["feature"]): row for row in answer["coefficients"]}, answer["notes"]


@pytest.fixture(scope="module")
def saheart(tmp_path_factory):
    path = tmp_path_factory.mktemp("softmax") / "saheart.model"
    train(shared_data("esl_saheart/SAheart.csv"), "chd", path, "--ignore", "adiposity,typea", *BARE)
    return path


def test_saheart_has_the_coefficients_and_the_deviance_of_r(saheart):
    rows, notes = coefficients(saheart)
    reference = {
        row["metric"]: float(row["value"])
        for row in read_csv(shared_data("REFERENCE_RESULTS.csv").read_text())
        if row["dataset"] == "esl_saheart" and row["method"] == "logistic MLE"
    }
    names = {"(Intercept)": "(intercept)", "famhistPresent": "famhist=Present"}
    for name, value in reference.items():
        if name != "deviance":
            assert rows["1", names.get(name, name)]["estimate"] == pytest.approx(value, abs=5.1e-7)
    facts = ok_json("inspect", saheart)["facts"]
    assert facts["deviance"] == pytest.approx(reference["deviance"], abs=5.1e-7)
    assert 2 * facts["objective"] == pytest.approx(reference["deviance"], abs=5.1e-7)
    assert notes == ["log odds of each class against '0'"]


def test_standard_errors_are_those_of_stata(tmp_path):
    folder = shared_data("logit_oracles/spector.csv").parent
    train(folder / "spector.csv", "GRADE", tmp_path / "m", "--ignore", "OBS", *BARE)
    rows, _ = coefficients(tmp_path / "m", "--level", "0.9")
    for row in read_csv((folder / "spector_logit_coefficients_stata.csv").read_text()):
        name = "(intercept)" if row["parameter"] == "const" else row["parameter"]
        mine = rows["1", name]
        estimate, error = float(row["estimate"]), float(row["std_error"])
        # Stata's optimizer stopped about 1e-7 short of the maximum.
        assert mine["estimate"] == pytest.approx(estimate, rel=1e-6)
        assert mine["standard_error"] == pytest.approx(error, rel=1e-6)
        assert mine["z"] == pytest.approx(estimate / error, rel=1e-6)
        assert mine["p_value"] == pytest.approx(math.erfc(abs(estimate / error) / 2**0.5), rel=1e-6)
        assert mine["odds_ratio"] == pytest.approx(math.exp(estimate), rel=1e-5)
        half_width = 1.6448536269514722 * error
        assert mine["lower"] == pytest.approx(math.exp(estimate - half_width), rel=1e-5)
        assert mine["upper"] == pytest.approx(math.exp(estimate + half_width), rel=1e-5)


def test_seven_classes_have_the_coefficients_of_stata(tmp_path):
    folder = shared_data("logit_oracles/anes96.csv").parent
    ignored = "popul,TVnews,ClinLR,DoleLR,vote"
    train(folder / "anes96.csv", "PID", tmp_path / "m", "--ignore", ignored, *BARE)
    rows, _ = coefficients(tmp_path / "m")
    checked = 0
    for row in read_csv((folder / "anes96_mnlogit_coefficients_stata.csv").read_text()):
        label = row.pop("class_vs_0").removeprefix("PID=")
        for name, value in row.items():
            mine = rows[label, "(intercept)" if name == "const" else name]
            assert mine["estimate"] == pytest.approx(float(value), rel=2e-6, abs=5e-8)
            assert mine["standard_error"] > 0
            checked += 1
    assert checked == 36


def test_the_default_decay_is_too_small_to_take_the_errors_away(tmp_path, saheart):
    data = shared_data("esl_saheart/SAheart.csv")
    words = ("--ignore", "adiposity,typea", "--model", "softmax")
    train(data, "chd", tmp_path / "m", *words)
    rows, notes = coefficients(tmp_path / "m")
    assert any("thousandth of its standard error" in note for note in notes)
    for key, bare in coefficients(saheart)[0].items():
        assert rows[key]["standard_error"] == pytest.approx(bare["standard_error"], rel=1e-4)
    train(data, "chd", tmp_path / "m", *words, "--decay", "10")
    rows, notes = coefficients(tmp_path / "m")
    assert any("penalty" in note and "--decay 0" in note for note in notes)
    assert all(row["standard_error"] is None for row in rows.values())
    shown = ok("inspect", tmp_path / "m", "--coefficients")
    assert "std error" not in shown.stdout and "note: no standard errors" in shown.stderr


def test_pima_makes_the_errors_of_r(tmp_path):
    train(shared_data("mass_pima/Pima.tr.csv"), "type", tmp_path / "m", *BARE)
    test = shared_data("mass_pima/Pima.te.csv")
    assert ok_json("evaluate", tmp_path / "m", test)["errors"] == 66


def test_vowel_converges_to_the_deviance_of_r(tmp_path):
    train(shared_data("esl_vowel/vowel.train.csv"), "y", tmp_path / "m", *BARE)
    facts = ok_json("inspect", tmp_path / "m")["facts"]
    assert 2 * facts["objective"] == pytest.approx(676.99784814, abs=1e-6)
    for part, errors in (("train", 118), ("test", 237)):
        rows = shared_data(f"esl_vowel/vowel.{part}.csv")
        assert ok_json("evaluate", tmp_path / "m", rows)["errors"] == errors


@pytest.mark.slow
def test_letter_makes_the_errors_of_r(tmp_path):
    header, *rows = shared_data("letter/letter.csv").read_text().splitlines(keepends=True)
    for name, part in (("train", rows[:15000]), ("test", rows[15000:])):
        (tmp_path / f"{name}.csv").write_text(header + "".join(part))
    train(tmp_path / "train.csv", "lettr", tmp_path / "m", *BARE)
    answer = ok_json("evaluate", tmp_path / "m", tmp_path / "test.csv")
    assert answer["error_rate"] == pytest.approx(0.2290)


def test_auto_says_which_optimizer_it_took_and_a_named_one_is_taken(penguins, tmp_path):
    words = ("--ignore", "island,sex,year", "--model", "softmax", "--decay", "0.1")
    answer = train(penguins, "species", tmp_path / "m", *words)
    note = next(note for note in answer["notes"] if "--optimizer auto" in note)
    taken = ok_json("inspect", tmp_path / "m")["facts"]["optimizer"]
    assert note == f"optimizer: {taken} (--optimizer auto)"


def test_stopping_early_is_said_with_the_cure(penguins, tmp_path):
    words = ("--ignore", "island,sex,year", "--model", "softmax", "--optimizer", "lbfgs")
    answer = train(penguins, "species", tmp_path / "m", *words, "--max-iterations", "2")
    note = next(note for note in answer["notes"] if "short of the optimum" in note)
    assert "--max-iterations" in note and "--tolerance" in note
    assert any("stopped short" in note for note in coefficients(tmp_path / "m")[1])


def test_the_trace_goes_to_a_file_or_to_the_screen(penguins, tmp_path):
    words = ("train", penguins, "--target", "species", "--ignore", "island,sex,year")
    words += ("--model", "softmax", "--decay", "0.1", "-o", tmp_path / "m")
    answer = ok_json(*words, "--trace", tmp_path / "trace.csv")
    written = read_csv((tmp_path / "trace.csv").read_text())
    assert list(written[0]) == ["iteration", "objective", "gradient norm", "step", "seconds"]
    assert [float(row["objective"]) for row in written] == [
        row[1] for row in answer["trace"]["rows"]
    ]
    assert float(written[-1]["objective"]) < float(written[0]["objective"])
    shown = ok(*words, "--trace", "-").stdout
    assert "gradient norm" in shown
    assert "gradient norm" not in ok(*words, "--trace", tmp_path / "trace.csv").stdout


def test_a_trace_takes_no_place_of_data_or_model(penguins, tmp_path):
    data = tmp_path / "data.csv"
    data.write_bytes(penguins.read_bytes())
    words = ("train", data, "--target", "species", "-o", tmp_path / "m")
    assert "--trace" in fails(*words, "--trace", data)
    assert data.read_bytes() == penguins.read_bytes()
    assert "-o" in fails(*words, "--trace", tmp_path / "m")
    assert "--trace" in fails(*words, "--trace", tmp_path / "nowhere" / "trace.csv")
    assert "--trace" in fails("train", data, "--target", "species", "--trace", "-o", tmp_path / "m")


def collinear_rows(penguins):
    rows = [row for row in read_csv(penguins.read_text()) if "NA" not in row.values()]
    return [
        {
            "sex": row["sex"],
            "one": 1,
            "length": row["bill_length_mm"],
            "depth": row["bill_depth_mm"],
            "sum": 2 * float(row["bill_length_mm"]) - float(row["bill_depth_mm"]) + 3,
        }
        for row in rows
    ]


def test_constant_and_collinear_columns_are_flagged_and_change_nothing(penguins, tmp_path):
    rows = collinear_rows(penguins)
    data = write_csv(tmp_path / "data.csv", rows)
    answer = train(data, "sex", tmp_path / "m", *BARE)
    assert any("'one' is constant" in note for note in answer["notes"])
    note = next(note for note in answer["notes"] if "collinear" in note)
    assert all(name in note for name in ("'sum'", "'length'", "'depth'"))
    found, _ = coefficients(tmp_path / "m")
    for name in ("one", "sum"):
        assert found["male", name]["identifiable"] is False
        assert found["male", name]["estimate"] == 0
        assert found["male", name]["standard_error"] is None
    assert "not identifiable" in ok("inspect", tmp_path / "m", "--coefficients").stdout
    train(data, "sex", tmp_path / "plain", "--ignore", "one,sum", *BARE)
    plain, _ = coefficients(tmp_path / "plain")
    assert len(plain) == 3
    for key, row in plain.items():
        assert found[key]["estimate"] == pytest.approx(row["estimate"], rel=1e-9)
        assert found[key]["standard_error"] == pytest.approx(row["standard_error"], rel=1e-9)


def test_under_a_decay_collinear_columns_share_what_they_tell(penguins, tmp_path):
    data = write_csv(tmp_path / "data.csv", collinear_rows(penguins))
    train(data, "sex", tmp_path / "m", "--model", "softmax")
    found, notes = coefficients(tmp_path / "m")
    assert found["male", "sum"]["identifiable"] is True
    assert found["male", "one"]["identifiable"] is False
    assert found["male", "sum"]["standard_error"] is None
    assert any("shared out by the decay" in note for note in notes)


def test_separable_classes_without_decay_name_the_direction(penguins, tmp_path):
    words = ("--target", "species", "--ignore", "island,sex,year", "-o", tmp_path / "m", *BARE)
    sentence = fails("train", penguins, *words)
    assert "separable" in sentence and "--decay 0.01" in sentence
    assert re.search(rf"along -?(0\.\d+|1) '({'|'.join(MEASUREMENTS)})'", sentence)
    assert not (tmp_path / "m").exists()
    ok("train", penguins, *words[:-1], "0.01")


def test_quasi_separation_is_separation(tmp_path):
    rows = [
        {"y": y, "x": x, "u": u}
        for y, x, u in [
            ("a", 0, 1),
            ("a", 0, 2),
            ("a", 0, 4),
            ("b", 0, 3),
            ("b", 0, 1),
            ("b", 0, 5),
            ("b", 1, 2),
            ("b", 1, 3),
        ]
    ]
    data = write_csv(tmp_path / "data.csv", rows)
    sentence = fails("train", data, "--target", "y", "-o", tmp_path / "m", *BARE)
    assert "along 1 'x' (in" in sentence and "every row of 'b'" in sentence


def test_well_separated_classes_are_no_separable_ones(tmp_path):
    # One row on the wrong side, by little.
    rows = [{"y": "a" if i < 40 else "b", "x": i} for i in range(80)]
    rows[39]["y"], rows[40]["y"] = "b", "a"
    data = write_csv(tmp_path / "data.csv", rows)
    train(data, "y", tmp_path / "m", *BARE)
    found, _ = coefficients(tmp_path / "m")
    assert found["b", "x"]["estimate"] > 1
    assert found["b", "x"]["standard_error"] < 10


def test_a_warm_start_arrives_at_once_and_must_fit(penguins, tmp_path):
    words = ("--ignore", "island,sex,year", "--model", "softmax", "--decay", "0.1")
    words += ("--optimizer", "lbfgs")
    cold = train(penguins, "species", tmp_path / "m", *words)
    warm = train(penguins, "species", tmp_path / "w", *words, "--warm-start", tmp_path / "m")
    assert len(warm["trace"]["rows"]) < len(cold["trace"]["rows"]) / 2
    assert warm["trace"]["rows"][-1][1] == pytest.approx(cold["trace"]["rows"][-1][1], rel=1e-9)
    other = ("train", penguins, "--target", "species", "--model", "softmax", "-o", tmp_path / "x")
    sentence = fails(*other, "--ignore", "island,sex", "--warm-start", tmp_path / "m")
    assert "'year'" in sentence and "column" in sentence
    ok("train", penguins, "--target", "species", "--model", "gaussian", "-o", tmp_path / "g")
    assert "gaussian" in fails(*other, "--warm-start", tmp_path / "g")
    assert "class" in fails(
        "train",
        penguins,
        "--target",
        "island",
        "--ignore",
        "species,sex,year",
        "--model",
        "softmax",
        "-o",
        tmp_path / "x",
        "--warm-start",
        tmp_path / "m",
    )
    same = ("--warm-start", tmp_path / "m", "-o", tmp_path / "m")
    assert "-o" in fails("train", penguins, "--target", "species", *same)


def test_decay_auto_takes_the_least_held_out_loss(tmp_path):
    data = shared_data("esl_saheart/SAheart.csv")
    answer = train(
        data, "chd", tmp_path / "m", "--model", "softmax", "--decay", "auto", "--standardize"
    )
    table = answer["tables"][0]
    assert len(table["rows"]) == 19
    losses = [row[1] for row in table["rows"]]
    taken = [row for row in table["rows"] if row[2] == "taken"]
    assert taken == [table["rows"][losses.index(min(losses))]]
    assert float(answer["options"]["decay"]) == taken[0][0]
    assert min(losses) < losses[0] and min(losses) < losses[-1]
    assert ok_json("inspect", tmp_path / "m")["options"]["decay"] == answer["options"]["decay"]
    again = train(
        data,
        "chd",
        tmp_path / "n",
        "--model",
        "softmax",
        "--decay",
        "auto",
        "--standardize",
        "--threads",
        "1",
    )
    assert (tmp_path / "m").read_bytes() == (tmp_path / "n").read_bytes()
    assert again["tables"] == answer["tables"]


def test_without_an_intercept_the_scores_at_0_are_equal(penguins, tmp_path):
    words = ("--ignore", "island,sex,year", "--model", "softmax", "--decay", "0.1")
    train(penguins, "species", tmp_path / "m", *words, "--intercept", "off")
    (tmp_path / "zero.csv").write_text(",".join(MEASUREMENTS) + "\n0,0,0,0\n")
    shown = read_csv(ok("predict", tmp_path / "m", tmp_path / "zero.csv", "--proba").stdout)[0]
    for name in ("Adelie", "Chinstrap", "Gentoo"):
        assert float(shown[f"p_{name}"]) == pytest.approx(1 / 3, abs=1e-9)
    assert all(name != "(intercept)" for _, name in coefficients(tmp_path / "m")[0])


def test_coefficients_are_for_models_that_have_them(penguins_model):
    assert "--model softmax" in fails("inspect", penguins_model, "--coefficients")
    assert "--coefficients" in fails("inspect", penguins_model, "--level", "0.9")
    assert "two answers" in fails("inspect", penguins_model, "--coefficients", "--boundaries")


@pytest.mark.parametrize("weight", ["1e37", "1e300", "1e-47", "1e-200"])
def test_weights_that_no_float_holds_change_nothing(tmp_path, weight):
    """Enough rows for the way that begins in single precision."""
    numbers = random.Random(7)
    rows = []
    for n in range(20_000):
        row = {f"x{i}": numbers.gauss(0.3 * (n % 3 == i), 1) for i in range(60)}
        rows.append({**row, "y": str(n % 3), "w": "1"})
    data = write_csv(tmp_path / "data.csv", rows)
    weighted = write_csv(tmp_path / "weighted.csv", [{**row, "w": weight} for row in rows])
    found = []
    for path in (data, weighted):
        report = train(path, "y", tmp_path / "m", "--weights", "w", *BARE)
        assert not [note for note in report["notes"] if "stopped" in note]
        found.append({k: row["estimate"] for k, row in coefficients(tmp_path / "m")[0].items()})
    assert found[1] == pytest.approx(found[0], rel=1e-5, abs=1e-6)
