"""Naive Bayes and joint tables: more rows, fewer rows, drawn rows, likelihoods, other priors."""

import math

import numpy as np
import pytest
from support import (
    PENGUINS,
    fails,
    ok,
    ok_json,
    penguin_rows,
    posteriors,
    read_csv,
    write_csv,
)

SPECIES = ["Adelie", "Chinstrap", "Gentoo"]
MIXES = {
    "default": [],
    "families": ["--families", "bill_length_mm=kernel,bill_depth_mm=histogram,count=geometric"],
    "logs": ["--families", "real=gamma,count=negative-binomial"],
    "blocks": ["--blocks", "bill_length_mm+bill_depth_mm,island+sex"],
    "tree": ["--structure", "tree"],
    "table": ["--model", "table", "--ignore",
              "bill_length_mm,bill_depth_mm,flipper_length_mm,body_mass_g,year"],
}  # fmt: skip


def train(data, output, *options):
    model = [] if "--model" in options else ["--model", "naive-bayes"]
    ok("train", data, "--target", "species", *model, *options, "-o", output, "--quiet")
    return output


def predicted(model, *options):
    return ok("predict", model, PENGUINS, "--proba", "--quiet", *options).stdout


def table(model, *options):
    return np.array(posteriors(predicted(model, *options), SPECIES))


@pytest.fixture
def parts(tmp_path):
    """Every third row, and the others."""
    rows = penguin_rows(complete=False)
    return [
        write_csv(tmp_path / f"part{i}.csv", [r for p, r in enumerate(rows) if (p % 3 == 0) == i])
        for i in (True, False)
    ]


@pytest.mark.parametrize("mix", MIXES)
def test_updated_and_merged_models_are_those_of_all_rows(parts, tmp_path, mix):
    whole = table(train(PENGUINS, tmp_path / "whole", *MIXES[mix]))
    first = train(parts[0], tmp_path / "first", *MIXES[mix])
    second = train(parts[1], tmp_path / "second", *MIXES[mix])
    ok("update", first, parts[1], "-o", tmp_path / "updated", "--quiet")
    ok("merge", first, second, "-o", tmp_path / "merged", "--quiet")
    np.testing.assert_allclose(table(tmp_path / "updated"), whole, rtol=0, atol=1e-10)
    np.testing.assert_allclose(table(tmp_path / "merged"), whole, rtol=0, atol=1e-10)


@pytest.mark.parametrize("mix", MIXES)
def test_a_model_that_forgets_is_that_of_the_remaining_rows(parts, tmp_path, mix):
    whole = train(PENGUINS, tmp_path / "whole", *MIXES[mix])
    first = train(parts[0], tmp_path / "first", *MIXES[mix])
    ok("forget", whole, parts[1], "-o", tmp_path / "less", "--quiet")
    np.testing.assert_allclose(table(tmp_path / "less"), table(first), rtol=0, atol=1e-9)


def test_forgetting_counts_is_exact(parts, tmp_path):
    """Whole numbers: not a bit differs."""
    options = ["--ignore", "bill_length_mm,bill_depth_mm"]
    whole = train(PENGUINS, tmp_path / "whole", *options)
    first = train(parts[0], tmp_path / "first", *options)
    ok("forget", whole, parts[1], "-o", tmp_path / "less", "--quiet")
    assert predicted(tmp_path / "less") == predicted(first)
    ok("update", tmp_path / "less", parts[1], "-o", tmp_path / "again", "--quiet")
    assert predicted(tmp_path / "again") == predicted(whole)


def test_rows_that_were_never_there_are_not_forgotten(parts, tmp_path):
    model = train(parts[0], tmp_path / "m")
    sentence = fails("forget", model, PENGUINS, "-o", tmp_path / "less")
    assert "forget" in sentence and not (tmp_path / "less").exists()


def test_new_classes_and_levels_join_in_an_update(tmp_path):
    rows = penguin_rows(complete=False)
    few = [row for row in rows if row["species"] != "Gentoo" and row["island"] != "Biscoe"]
    rest = [row for row in rows if row["species"] == "Gentoo" or row["island"] == "Biscoe"]
    model = train(write_csv(tmp_path / "few.csv", few), tmp_path / "m")
    more = write_csv(tmp_path / "rest.csv", rest)
    ok("update", model, more, "-o", tmp_path / "all", "--quiet")
    whole = train(PENGUINS, tmp_path / "whole")
    np.testing.assert_allclose(table(tmp_path / "all"), table(whole), rtol=0, atol=1e-12)


@pytest.mark.parametrize("mix", ["default", "blocks", "tree", "table"])
def test_a_row_of_weight_2_is_the_row_twice(tmp_path, mix):
    rows = [{**row, "w": str(p % 3)} for p, row in enumerate(penguin_rows(complete=False))]
    weighted = write_csv(tmp_path / "w.csv", rows)
    repeated = [row for row in rows for _ in range(int(row["w"]))]
    long = write_csv(tmp_path / "l.csv", [{**row, "w": "1"} for row in repeated])
    a = train(weighted, tmp_path / "a", *MIXES[mix], "--weights", "w")
    b = train(long, tmp_path / "b", *MIXES[mix], "--weights", "w")
    np.testing.assert_allclose(table(a), table(b), rtol=0, atol=1e-10)


@pytest.mark.parametrize("mix", MIXES)
def test_drawn_rows(tmp_path, mix):
    """The same seed draws the same rows; their shares and means are those of the model."""
    model = train(PENGUINS, tmp_path / "m", *MIXES[mix])
    words = ["sample", model, "-n", "4000", "--seed", "5"]
    text = ok(*words).stdout
    assert text == ok(*words, "--threads", "1").stdout
    assert text.startswith(ok("sample", model, "-n", "20", "--seed", "5").stdout)
    drawn, rows = read_csv(text), penguin_rows(complete=False)
    shares = [np.mean([row["species"] == name for row in drawn]) for name in SPECIES]
    assert shares == pytest.approx([152 / 344, 68 / 344, 124 / 344], abs=0.03)
    for name in ("island", "sex"):
        for level in {row[name] for row in rows} - {"NA"}:
            known = [row[name] == level for row in rows if row[name] != "NA"]
            assert np.mean([row[name] == level for row in drawn]) == pytest.approx(
                np.mean(known), abs=0.05
            )
    for name in set(drawn[0]) & {"bill_length_mm", "flipper_length_mm", "body_mass_g"}:
        known = [float(row[name]) for row in rows if row[name] != "NA"]
        assert np.mean([float(row[name]) for row in drawn]) == pytest.approx(
            np.mean(known), rel=0.05
        )
    drawn_file = tmp_path / "drawn.csv"
    drawn_file.write_text(text)
    options = MIXES[mix] if mix != "table" else ["--model", "table"]
    again = train(drawn_file, tmp_path / "again", *options)
    assert ok_json("evaluate", again, PENGUINS)["error_rate"] < 0.35


def test_likelihood_and_parameters(tmp_path):
    """Of a table of one word column: sum n ln share, and K - 1 + K (L - 1) parameters."""
    rows = [{"island": row["island"], "species": row["species"]} for row in penguin_rows()]
    data = write_csv(tmp_path / "d.csv", rows)
    model = train(data, tmp_path / "m", "--smoothing", "0")
    expected = 0.0
    for row in rows:
        same = [other for other in rows if other == row]
        expected += math.log(len(same) / len(rows))
    for answer in (ok_json("inspect", model), ok_json("evaluate", model, data)):
        assert answer["log_likelihood"] == pytest.approx(expected, rel=1e-12)
        assert answer["parameters"] == 2 + 3 * 2
        assert answer["aic"] == pytest.approx(2 * 8 - 2 * expected)
        assert answer["bic"] == pytest.approx(8 * math.log(len(rows)) - 2 * expected)


@pytest.mark.parametrize("mix", MIXES)
def test_the_training_likelihood_is_that_of_the_training_rows(tmp_path, mix):
    """Of complete rows, the log densities of the rows with their classes add up to it."""
    rows = penguin_rows()
    data = write_csv(tmp_path / "d.csv", rows)
    model = train(data, tmp_path / "m", *MIXES[mix])
    inspected = ok_json("inspect", model)
    found = read_csv(ok("predict", model, data, "--proba", "--density", "--quiet").stdout)
    total = sum(
        float(line["log_density"]) + math.log(float(line[f"p_{row['species']}"]))
        for line, row in zip(found, rows, strict=True)
    )
    assert inspected["log_likelihood"] == pytest.approx(total, rel=1e-9)
    assert ok_json("evaluate", model, data)["log_likelihood"] == pytest.approx(total, rel=1e-9)
    assert inspected["parameters"] > 2


@pytest.mark.parametrize(
    "priors", ["uniform", "smoothed:10", "Adelie=0.2,Chinstrap=0.5,Gentoo=0.3"]
)
@pytest.mark.parametrize("mix", ["default", "blocks", "table"])
def test_priors_at_prediction_are_priors_at_training(tmp_path, mix, priors):
    model = train(PENGUINS, tmp_path / "m", *MIXES[mix])
    other = train(PENGUINS, tmp_path / "other", *MIXES[mix], "--priors", priors)
    np.testing.assert_allclose(table(model, "--priors", priors), table(other), rtol=1e-11)


@pytest.mark.parametrize("mix", ["default", "families", "table"])
def test_outliers_by_simulation(tmp_path, mix):
    """The p-values of drawn rows are not too small; that of a row which no class explains is."""
    model = train(PENGUINS, tmp_path / "m", *MIXES[mix])
    ok("sample", model, "-n", "2000", "--seed", "2", "-o", tmp_path / "d.csv", "--quiet")
    found = read_csv(ok("predict", model, tmp_path / "d.csv", "--density", "--quiet").stdout)
    values = np.array([float(row["outlier_p"]) for row in found])
    assert ((values >= 0) & (values <= 1)).all()
    # The class that explains a row best gives it at least the p-value of its own: never too small.
    for level in (0.01, 0.05, 0.1):
        assert (values < level).mean() < level + 3 * math.sqrt(level / 2000) + 0.01
    again = read_csv(ok("predict", model, tmp_path / "d.csv", "--density", "--threads", "1").stdout)
    assert [row["outlier_p"] for row in again] == [row["outlier_p"] for row in found]
    if mix == "table":
        return
    far = {**penguin_rows()[0], "bill_length_mm": "90", "bill_depth_mm": "40"}
    strange = write_csv(tmp_path / "s.csv", [far])
    words = ["predict", model, strange, "--density", "--reject-outliers", "0.01", "--quiet"]
    row = read_csv(ok(*words).stdout)[0]
    assert float(row["outlier_p"]) < 0.01 and row["prediction"] == "reject"


def test_any_number_of_threads_gives_the_same_bytes(tmp_path):
    options = ["--families", "real=kernel"]
    one = train(PENGUINS, tmp_path / "a", *options, "--threads", "1")
    many = train(PENGUINS, tmp_path / "b", *options, "--threads", "7")
    assert one.read_bytes() == many.read_bytes()
    assert predicted(one, "--threads", "1") == predicted(many, "--threads", "5")


def test_what_an_outlier_has_swallowed_is_not_made_up(tmp_path):
    rows = [{"x": f"{math.sin(i)}", "y": "ab"[i % 2]} for i in range(200)]
    far = [{"x": "1e9", "y": "a"}]
    ok("train", write_csv(tmp_path / "d.csv", rows + far), "--target", "y", "-o", tmp_path / "m",
       "--quiet")  # fmt: skip
    gone = write_csv(tmp_path / "g.csv", far)
    assert "lost in rounding" in fails("forget", tmp_path / "m", gone, "-o", tmp_path / "n")


def test_counts_are_forgotten_exactly(tmp_path):
    rows = [{"n": n, "y": y} for n, y in [(0, "a"), (0, "a"), (1, "a"), (3, "b"), (0, "b")]]
    more = [{"n": 100000, "y": "a"}, {"n": 100000, "y": "a"}, {"n": 7, "y": "b"}]
    data, extra = write_csv(tmp_path / "d.csv", rows), write_csv(tmp_path / "e.csv", more)
    ok("train", data, "--target", "y", "--families", "n=geometric", "-o", tmp_path / "m", "--quiet")
    ok("update", tmp_path / "m", extra, "-o", tmp_path / "n", "--quiet")
    ok("forget", tmp_path / "n", extra, "-o", tmp_path / "o", "--quiet")
    predicted_by = [
        ok("predict", tmp_path / model, data, "--proba", "--quiet").stdout for model in "mo"
    ]
    assert predicted_by[0] == predicted_by[1]


def test_outliers_of_incomplete_rows(tmp_path):
    """Rows that lack a value are compared with drawn rows that lack it, in trees and blocks too."""
    random = np.random.default_rng(3)
    common = random.normal(size=2000)
    rows = [
        {"u": f"{g + random.normal() / 20}", "v": f"{g}", "w": f"{g + random.normal() / 20}",
         "y": "ab"[i % 2]}
        for i, g in enumerate(common)
    ]  # fmt: skip
    data = write_csv(tmp_path / "d.csv", rows)
    asked = [{"u": "0.1", "v": "", "w": "0.1"}, {"u": "50", "v": "50", "w": ""}]
    asked = write_csv(tmp_path / "a.csv", asked)
    for options in (["--structure", "tree"], ["--blocks", "u+v+w"]):
        ok("train", data, "--target", "y", *options, "-o", tmp_path / "m", "--quiet")
        answer = read_csv(ok("predict", tmp_path / "m", asked, "--density", "--quiet").stdout)
        assert float(answer[0]["outlier_p"]) > 0.05
        assert float(answer[1]["outlier_p"]) < 0.001


def test_impossible_rows_are_outliers(tmp_path):
    cells = [("u", "s", "a"), ("u", "s", "a"), ("v", "t", "b"), ("v", "t", "b"), ("u", "t", "d")]
    rows = [dict(zip("ghy", cell, strict=True)) for cell in cells]
    data = write_csv(tmp_path / "d.csv", rows)
    ok("train", data, "--target", "y", "--smoothing", "0", "-o", tmp_path / "m", "--quiet")
    asked = write_csv(tmp_path / "a.csv", [{"g": "v", "h": "s"}])
    words = ["--density", "--reject-outliers", "0.5", "--quiet"]
    [answer] = read_csv(ok("predict", tmp_path / "m", asked, *words).stdout)
    assert answer["prediction"] == "reject" and answer["log_density"] == "-inf"


def test_a_level_that_a_table_has_not_met_says_nothing_without_smoothing(tmp_path):
    cells = [("u", "s", "a"), ("u", "s", "a"), ("v", "t", "b"), ("v", "t", "b"), ("u", "t", "d")]
    rows = [dict(zip("ghy", cell, strict=True)) for cell in cells]
    data = write_csv(tmp_path / "d.csv", rows)
    words = ["--model", "table", "--smoothing", "0", "-o", tmp_path / "m", "--quiet"]
    ok("train", data, "--target", "y", *words)
    asked = write_csv(tmp_path / "a.csv", [{"g": "new", "h": "s"}])
    [answer] = read_csv(ok("predict", tmp_path / "m", asked, "--proba", "--quiet").stdout)
    assert float(answer["p_a"]) == 1.0
