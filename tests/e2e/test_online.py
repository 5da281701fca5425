"""update, merge and forget: the result is the model of the resulting rows."""

import random

import numpy as np
import pytest
from support import fails, ok, ok_json, penguin_rows, posteriors, read_csv, shared_data, write_csv

GAUSSIAN = ["--model", "gaussian"]
COVARIANCES = ["shared", "own", "diagonal"]
NUMBERS = ["species", "bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]


def measured() -> list[dict[str, str]]:
    """Complete penguins, numbers only, in an order that mixes the species."""
    rows = [{name: row[name] for name in NUMBERS} for row in penguin_rows()]
    random.Random(4).shuffle(rows)
    return rows


def trained(folder, name, rows, *options, target="species"):
    data = write_csv(folder / f"{name}.csv", rows)
    words = options if "--model" in options else [*GAUSSIAN, *options]
    summary = ok_json("train", data, "--target", target, *words, "-o", folder / name)
    return folder / name, summary


def assert_same_model(first, second, data):
    """Posteriors within 1e-10 relative, counts exactly."""
    classes = ok_json("inspect", first)["classes"]
    assert ok_json("inspect", second)["classes"] == classes
    tables = [
        np.array(posteriors(ok("predict", model, data, "--proba", "--quiet").stdout, classes))
        for model in (first, second)
    ]
    np.testing.assert_allclose(tables[0], tables[1], rtol=1e-10, atol=1e-300)


def assert_same_counts(first: dict, second: dict):
    for key in ["classes", "class_counts", "weight", "columns", "options", "target"]:
        assert first[key] == second[key], key


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_update_is_training_on_all_rows(tmp_path, covariance):
    rows = measured()
    options = ["--covariance", covariance]
    part, _ = trained(tmp_path, "part", rows[:200], *options)
    whole, summary = trained(tmp_path, "whole", rows, *options)
    more = write_csv(tmp_path / "more.csv", rows[200:])
    answer = ok_json("update", part, more, "-o", tmp_path / "updated")
    assert answer["rows"] == len(rows) - 200
    assert_same_counts(answer, summary)
    assert_same_model(tmp_path / "updated", whole, tmp_path / "whole.csv")


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_forgetting_what_was_added_gives_the_model_back(tmp_path, covariance):
    rows = measured()
    part, summary = trained(tmp_path, "part", rows[:200], "--covariance", covariance)
    more = write_csv(tmp_path / "more.csv", rows[200:])
    ok("update", part, more, "-o", tmp_path / "updated")
    answer = ok_json("forget", tmp_path / "updated", more, "-o", tmp_path / "back")
    assert_same_counts(answer, summary)
    assert_same_model(tmp_path / "back", part, tmp_path / "part.csv")


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_merge_is_training_on_all_rows(tmp_path, covariance):
    rows = measured()
    options = ["--covariance", covariance]
    cuts = [(0, 120), (120, 125), (125, len(rows))]
    parts = [
        trained(tmp_path, f"part{i}", rows[a:b], *options, "--ridge", "0.001")[0]
        for i, (a, b) in enumerate(cuts)
    ]
    whole, summary = trained(tmp_path, "whole", rows, *options, "--ridge", "0.001")
    answer = ok_json("merge", *parts, "-o", tmp_path / "merged")
    assert_same_counts(answer, summary)
    assert_same_model(tmp_path / "merged", whole, tmp_path / "whole.csv")


def test_other_order_of_columns_new_class_and_new_level(tmp_path):
    """The second part alone has Gentoo, and with it the island Biscoe."""
    names = ["species", "island", "sex", "bill_length_mm", "body_mass_g"]
    rows = [{name: row[name] for name in names} for row in penguin_rows()]
    first = [r for r in rows if r["species"] != "Gentoo" and r["island"] != "Biscoe"]
    second = [r for r in rows if r not in first]
    options = ["--ridge-relative", "1e-3", "--covariance", "own"]
    model, _ = trained(tmp_path, "first", first, *options)
    whole, summary = trained(tmp_path, "whole", rows, *options)
    turned = [{name: row[name] for name in reversed(names)} for row in second]
    other = write_csv(tmp_path / "second.csv", turned)
    answer = ok_json("update", model, other, "-o", tmp_path / "updated")
    assert_same_counts(answer, summary)
    assert_same_model(tmp_path / "updated", whole, tmp_path / "whole.csv")
    back = ok_json("forget", tmp_path / "updated", other, "-o", tmp_path / "back")
    assert back["classes"] == ["Adelie", "Chinstrap"]
    assert back["columns"][0]["levels"] == ["Dream", "Torgersen"]
    assert_same_model(tmp_path / "back", model, tmp_path / "first.csv")


def test_merge_of_models_with_other_classes_and_levels(tmp_path):
    names = ["species", "island", "body_mass_g", "bill_depth_mm"]
    rows = [{name: row[name] for name in names} for row in penguin_rows()]
    options = ["--ridge-relative", "1e-3"]
    parts = []
    for species in ["Gentoo", "Chinstrap", "Adelie"]:
        own = [row for row in rows if row["species"] == species]
        parts.append(trained(tmp_path, species, own, *options)[0])
    whole, summary = trained(tmp_path, "whole", rows, *options)
    sentence = fails("merge", *parts, "-o", tmp_path / "merged")
    assert "class 'Gentoo'" in sentence and "--join-classes" in sentence
    assert not (tmp_path / "merged").exists()
    answer = ok_json("merge", *parts, "--join-classes", "-o", tmp_path / "merged")
    assert_same_counts(answer, summary)
    assert_same_model(tmp_path / "merged", whole, tmp_path / "whole.csv")


def test_weights_are_kept(tmp_path):
    rows = [{**row, "w": i % 4} for i, row in enumerate(measured())]
    words = ["--weights", "w"]
    part, _ = trained(tmp_path, "part", rows[:150], *words)
    whole, summary = trained(tmp_path, "whole", rows, *words)
    more = write_csv(tmp_path / "more.csv", rows[150:])
    answer = ok_json("update", part, more, *words, "-o", tmp_path / "updated")
    assert answer["class_counts"] == summary["class_counts"]
    assert answer["weight"] == summary["weight"]
    assert_same_model(tmp_path / "updated", whole, tmp_path / "whole.csv")
    ok("forget", tmp_path / "updated", more, *words, "-o", tmp_path / "back")
    assert_same_model(tmp_path / "back", part, tmp_path / "part.csv")


def test_the_new_file_may_be_the_old_one(tmp_path):
    rows = measured()
    part, _ = trained(tmp_path, "part", rows[:200])
    other, _ = trained(tmp_path, "other", rows[200:])
    more = write_csv(tmp_path / "more.csv", rows[200:])
    before = part.read_bytes()
    ok("update", part, more, "-o", part)
    assert part.read_bytes() != before
    ok("forget", part, more, "-o", part)
    assert_same_model(part, trained(tmp_path, "again", rows[:200])[0], tmp_path / "more.csv")
    ok("merge", part, other, "-o", other)
    assert ok_json("inspect", other)["facts"]["weight"] == len(rows)


def test_the_data_is_never_overwritten(tmp_path):
    rows = measured()
    part, _ = trained(tmp_path, "part", rows[:200])
    more = write_csv(tmp_path / "more.csv", rows[200:])
    before = more.read_bytes()
    for command in ["update", "forget"]:
        assert "is being read" in fails(command, part, more, "-o", more)
    assert more.read_bytes() == before


def test_labels_may_stand_under_another_name(tmp_path):
    rows = measured()
    part, _ = trained(tmp_path, "part", rows[:200])
    renamed = [{"kind": row["species"], **row} for row in rows[200:]]
    for row in renamed:
        del row["species"]
    more = write_csv(tmp_path / "more.csv", renamed)
    assert "has no label column 'species'" in fails("update", part, more, "-o", tmp_path / "n")
    answer = ok_json("update", part, more, "--target", "kind", "-o", tmp_path / "n")
    assert answer["target"] == "species"
    assert sum(answer["class_counts"]) == len(rows)


def test_columns_that_the_model_does_not_know_are_left_out_with_a_note(tmp_path):
    rows = measured()
    part, _ = trained(tmp_path, "part", rows[:200])
    more = write_csv(tmp_path / "more.csv", [{**row, "extra": "x"} for row in rows[200:]])
    result = ok("update", part, more, "-o", tmp_path / "n")
    assert "columns not used by the model: extra" in result.stderr
    assert ok("update", part, more, "-o", tmp_path / "n", "--quiet").stdout == ""


def test_the_summary_shows_classes_and_counts(tmp_path):
    rows = measured()
    part, _ = trained(tmp_path, "part", rows[:200])
    more = write_csv(tmp_path / "more.csv", rows[200:])
    text = ok("update", part, more, "-o", tmp_path / "n").stdout
    counts = {name: sum(row["species"] == name for row in rows) for name in ["Adelie", "Gentoo"]}
    lines = [line.split() for line in text.splitlines()]
    for name, count in counts.items():
        assert [name, str(count)] in lines


def test_the_same_bits_for_any_number_of_threads(tmp_path):
    rows = measured() * 9  # three blocks
    part, _ = trained(tmp_path, "part", rows[:500])
    more = write_csv(tmp_path / "more.csv", rows[500:])
    for threads in ["1", "2", "5"]:
        ok("update", part, more, "--threads", threads, "-o", tmp_path / f"n{threads}")
    assert (tmp_path / "n1").read_bytes() == (tmp_path / "n2").read_bytes()
    assert (tmp_path / "n1").read_bytes() == (tmp_path / "n5").read_bytes()


def test_from_standard_input_and_without_a_header(tmp_path):
    rows = measured()
    words = [",".join(row.values()) for row in rows]
    first = "\n".join(words[:200]) + "\n"
    rest = "\n".join(words[200:]) + "\n"
    plain = ["--no-header", "--target", "1"]
    ok("train", "-", *GAUSSIAN, *plain, "-o", tmp_path / "part", stdin=first)
    ok("train", "-", *GAUSSIAN, *plain, "-o", tmp_path / "whole", stdin=first + rest)
    ok("update", tmp_path / "part", "-", *plain, "-o", tmp_path / "n", stdin=rest)
    given = ok("predict", tmp_path / "n", "-", "--no-header", "--proba", stdin=first).stdout
    wanted = ok("predict", tmp_path / "whole", "-", "--no-header", "--proba", stdin=first).stdout
    classes = ["Adelie", "Chinstrap", "Gentoo"]
    np.testing.assert_allclose(posteriors(given, classes), posteriors(wanted, classes), rtol=1e-10)


@pytest.mark.parametrize(
    ("path", "target"),
    [("iris/iris.csv", "Species"), ("wine/wine.csv", "class"), ("esl_vowel/vowel.train.csv", "y")],
)
def test_shared_data_in_three_parts(tmp_path, path, target):
    rows = read_csv(shared_data(path).read_text())
    random.Random(1).shuffle(rows)
    third = len(rows) // 3
    whole, summary = trained(tmp_path, "whole", rows, target=target)
    model, _ = trained(tmp_path, "first", rows[:third], target=target)
    for number, part in enumerate([rows[third : 2 * third], rows[2 * third :]]):
        data = write_csv(tmp_path / f"{number}.csv", part)
        answer = ok_json("update", model, data, "-o", tmp_path / "updated")
        model = tmp_path / "updated"
    assert_same_counts(answer, summary)
    assert_same_model(model, whole, tmp_path / "whole.csv")


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_missing_values_join_as_in_training(tmp_path, covariance):
    rows = [{name: row[name] for name in NUMBERS} for row in penguin_rows(complete=False)]
    random.Random(2).shuffle(rows)
    assert any("NA" in row.values() for row in rows[200:])
    options = ["--covariance", covariance, "--missing", "skip"]
    part, _ = trained(tmp_path, "part", rows[:200], *options)
    whole, summary = trained(tmp_path, "whole", rows, *options)
    more = write_csv(tmp_path / "more.csv", rows[200:])
    answer = ok_json("update", part, more, "-o", tmp_path / "n")
    assert answer["class_counts"] == summary["class_counts"]
    assert_same_model(tmp_path / "n", whole, tmp_path / "whole.csv")


def test_families_without_statistics_say_so(tmp_path):
    rows = measured()
    part, _ = trained(tmp_path, "part", rows[:200], "--model", "softmax")
    more = write_csv(tmp_path / "more.csv", rows[200:])
    for words in [["update", part, more], ["forget", part, more], ["merge", part, part]]:
        sentence = fails(*words, "-o", tmp_path / "n")
        assert "softmax" in sentence
        assert not (tmp_path / "n").exists()


def test_forgetting_what_was_never_there_is_refused(tmp_path):
    rows = measured()
    part, _ = trained(tmp_path, "part", rows[:200])
    fox = write_csv(tmp_path / "fox.csv", [{**rows[0], "species": "fox"}])
    assert "'fox'" in fails("forget", part, fox, "-o", tmp_path / "n")
    more = write_csv(tmp_path / "more.csv", rows + rows)
    assert "Adelie" in fails("forget", part, more, "-o", tmp_path / "n")
    far = [{**row, "body_mass_g": "1e6"} for row in rows[:3]]
    strange = write_csv(tmp_path / "strange.csv", far)
    assert fails("forget", part, strange, "-o", tmp_path / "n")
    assert not (tmp_path / "n").exists()


def test_one_model_is_not_enough_for_a_merge(tmp_path):
    part, _ = trained(tmp_path, "part", measured()[:200])
    assert fails("merge", part, "-o", tmp_path / "n").startswith("B is missing")
