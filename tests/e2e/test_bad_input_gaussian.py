"""Bad input for the Gaussian family: a sentence with the cure, and nothing written."""

import itertools

import pytest
from support import MEASUREMENTS, fails, ok, ok_json, penguin_rows, read_csv, write_csv

GAUSSIAN = ["--target", "species", "--model", "gaussian"]


def rows_of():
    return [{name: row[name] for name in ["species", *MEASUREMENTS]} for row in penguin_rows()]


@pytest.fixture
def data(tmp_path):
    return write_csv(tmp_path / "d.csv", rows_of())


@pytest.fixture
def model(data, tmp_path):
    ok("train", data, *GAUSSIAN, "-o", tmp_path / "m", "--quiet")
    return tmp_path / "m"


def refused(tmp_path, *words) -> str:
    """The sentence; no new file appears and none changes."""
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    sentence = fails(*words, "-o", tmp_path / "new")
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    return sentence


PRIORS = [
    ("Adelie=0.2,Chinstrap=0.5,Fox=0.3", ["'Fox'"]),
    ("Adelie=0.2,Chinstrap=0.5,Gento=0.3", ["'Gento'", "did you mean 'Gentoo'"]),
    ("Adelie=0.2,Chinstrap=0.5,Gentoo=0.4", ["1.1"]),
    ("Adelie=0.5,Chinstrap=0.5", ["'Gentoo'"]),
    ("Adelie=0.7,Chinstrap=0.5,Gentoo=-0.2", ["-0.2"]),
    ("Adelie=0.2,Adelie=0.5,Gentoo=0.3", ["'Adelie'", "twice"]),
    ("unifrom", ["'unifrom'", "uniform"]),
    ("smoothed:-1", ["-1"]),
    ("smoothed:", ["smoothed"]),
    ("Adelie=much,Chinstrap=0.5,Gentoo=0.3", ["much"]),
]


@pytest.mark.parametrize(("priors", "parts"), PRIORS)
def test_priors(data, model, tmp_path, priors, parts):
    train = ["train", data, *GAUSSIAN, "--priors", priors]
    for words in (train, ["predict", model, data, "--priors", priors]):
        sentence = refused(tmp_path, *words)
        assert "--priors" in sentence
        for part in parts:
            assert part in sentence


@pytest.mark.parametrize(
    ("groups", "parts"),
    [
        ("Adelie+Fox,Chinstrap,Gentoo", ["'Fox'"]),
        ("Adelie+Gento,Chinstrap", ["'Gento'", "did you mean 'Gentoo'"]),
        ("Adelie+Gentoo,Gentoo+Chinstrap", ["'Gentoo'"]),
    ],
)
def test_groups(data, tmp_path, groups, parts):
    options = ["--covariance", "groups", "--groups", groups]
    sentence = refused(tmp_path, "train", data, *GAUSSIAN, *options)
    assert "--groups" in sentence
    for part in parts:
        assert part in sentence


@pytest.mark.parametrize("weight", ["-1", "inf", "nan", "much"])
@pytest.mark.parametrize("command", ["train", "update", "forget"])
def test_weights(data, model, tmp_path, command, weight):
    rows = [{**row, "w": weight if i == 3 else "1"} for i, row in enumerate(rows_of())]
    weighted = write_csv(tmp_path / "w.csv", rows)
    words = [weighted, *GAUSSIAN] if command == "train" else [model, weighted]
    sentence = refused(tmp_path, command, *words, "--weights", "w")
    assert "line 5, column 'w'" in sentence and "weight" in sentence


@pytest.mark.parametrize("value", ["inf", "-Infinity", "1e999"])
@pytest.mark.parametrize("command", ["train", "update", "forget", "predict", "project"])
def test_infinite_values(model, tmp_path, command, value):
    rows = [{**row, "body_mass_g": value if i == 2 else row["body_mass_g"]}
            for i, row in enumerate(rows_of())]  # fmt: skip
    data = write_csv(tmp_path / "w.csv", rows)
    words = [data, *GAUSSIAN] if command == "train" else [model, data]
    sentence = refused(tmp_path, command, *words)
    assert "line 4, column 'body_mass_g'" in sentence and "finite" in sentence


def test_merge_of_models_with_other_columns(data, model, tmp_path):
    other = tmp_path / "other"
    words = ["train", data, *GAUSSIAN, "-o", other, "--quiet", "--ignore"]
    ok(*words, "body_mass_g")
    assert "'body_mass_g'" in refused(tmp_path, "merge", model, other)
    assert "'body_mass_g'" in refused(tmp_path, "merge", other, model)


def test_merge_of_models_with_a_column_of_another_kind(data, model, tmp_path):
    rows = [{**row, "body_mass_g": "heavy" if i % 2 else "light"}
            for i, row in enumerate(rows_of())]  # fmt: skip
    words = write_csv(tmp_path / "words.csv", rows)
    ok("train", words, *GAUSSIAN, "-o", tmp_path / "other", "--quiet")
    sentence = refused(tmp_path, "merge", model, tmp_path / "other")
    assert "'body_mass_g'" in sentence


def test_merge_of_models_with_another_target(data, model, tmp_path):
    rows = [{"kind": row["species"], **{n: row[n] for n in MEASUREMENTS}} for row in rows_of()]
    renamed = write_csv(tmp_path / "renamed.csv", rows)
    words = ["--target", "kind", "--model", "gaussian"]
    ok("train", renamed, *words, "-o", tmp_path / "other", "--quiet")
    sentence = refused(tmp_path, "merge", model, tmp_path / "other")
    assert "species" in sentence and "kind" in sentence


def test_merge_of_other_families(data, model, tmp_path):
    options = ["--model", "softmax", "-o", tmp_path / "other", "--quiet"]
    ok("train", data, "--target", "species", *options)
    sentence = refused(tmp_path, "merge", model, tmp_path / "other")
    assert "softmax" in sentence


def test_update_with_a_new_class_is_allowed(data, model, tmp_path):
    rows = [{**row, "species": "fox"} for row in rows_of()[:20]]
    more = write_csv(tmp_path / "fox.csv", rows)
    answer = ok_json("update", model, more, "-o", tmp_path / "new")
    assert answer["classes"] == ["Adelie", "Chinstrap", "Gentoo", "fox"]
    assert answer["class_counts"][-1] == 20


def test_update_with_a_column_of_another_kind(model, tmp_path):
    rows = [{**row, "body_mass_g": "heavy"} for row in rows_of()[:20]]
    more = write_csv(tmp_path / "more.csv", rows)
    sentence = refused(tmp_path, "update", model, more)
    assert "line 2, column 'body_mass_g': 'heavy' is not a number" in sentence


def test_update_without_a_column(model, tmp_path):
    rows = [{k: v for k, v in row.items() if k != "body_mass_g"} for row in rows_of()]
    more = write_csv(tmp_path / "more.csv", rows)
    for command in ["update", "forget"]:
        assert "has no column 'body_mass_g'" in refused(tmp_path, command, model, more)


def test_options_of_text_are_checked_before_the_data_is_read(tmp_path):
    words = ["train", "-", *GAUSSIAN, "--priors", "unifrom"]
    sentence = fails(*words, "-o", tmp_path / "m")
    assert "--priors" in sentence


def test_an_option_that_is_a_file(data, tmp_path):
    words = ["train", data, *GAUSSIAN, "--wishart", "5"]
    sentence = refused(tmp_path, *words, "--wishart-scale", tmp_path / "none.csv")
    assert "--wishart-scale" in sentence and "cannot read" in sentence
    (tmp_path / "scale.csv").write_text("1,2\n3,4\n")
    assert refused(tmp_path, *words, "--wishart-scale", tmp_path / "scale.csv")


@pytest.mark.parametrize("value", ["em", "available", "skip"])
def test_missing_is_an_option_of_the_family(penguins, tmp_path, value):
    words = ["train", penguins, *GAUSSIAN, "--ignore", "island,sex,year"]
    answer = ok_json(*words, "--missing", value, "-o", tmp_path / "m")
    assert answer["options"]["missing"] == value
    assert answer["rows"] + answer["rows_skipped"] == 344
    assert (answer["rows_skipped"] > 0) == (value == "skip")
    assert (answer["rows_incomplete"] > 0) == (value != "skip")


def test_missing_of_other_families_stays_a_flag(penguins, tmp_path):
    words = ["train", penguins, "--target", "species", "--model", "softmax", "-o", tmp_path / "m"]
    assert ok_json(*words, "--missing", "skip")["rows_skipped"] == 11
    assert "'em'" in fails(*words, "--missing", "em")
    assert "--missing use|skip|error" in ok("train", "--model", "softmax", "--help").stdout
    text = ok("train", "--model", "gaussian", "--help").stdout
    assert text.count("--missing ") == 1 and "em" in text


@pytest.mark.parametrize(
    "words", [["--missing", "em"], ["--covariance", "own", "--missing", "skip"]]
)
def test_missing_without_a_model_is_that_of_the_family_taken(penguins, tmp_path, words):
    plain = ["train", penguins, "--target", "species", "--ignore", "island,sex,year", *words]
    result = ok(*plain, "-o", tmp_path / "a")
    assert "no --model was given: gaussian" in result.stderr
    answer = ok_json(*plain, "--model", "gaussian", "-o", tmp_path / "b")
    assert answer["rows_skipped"] == (2 if "skip" in words else 0)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_missing_of_the_family_can_be_given_to_update(data, model, tmp_path):
    answer = ok_json("update", model, data, "--missing", "available", "-o", tmp_path / "new")
    assert answer["options"]["missing"] == "available"
    ok("train", data, "--target", "species", "--model", "naive-bayes", "-o", tmp_path / "naive")
    sentence = refused(tmp_path, "update", tmp_path / "naive", data, "--missing", "em")
    assert sentence == "option --missing: 'em' belongs to model gaussian, not naive-bayes"
    twice = ["--missing", "em", "--missing", "skip"]
    assert "--missing is given twice" in refused(tmp_path, "update", model, data, *twice)


def test_missing_error_names_the_place(penguins, tmp_path):
    words = ["train", penguins, *GAUSSIAN, "--missing", "error"]
    assert "line 5, column 'bill_length_mm'" in refused(tmp_path, *words)


def test_the_trace_of_em_never_falls(penguins, tmp_path):
    words = ["train", penguins, *GAUSSIAN, "--ignore", "island,sex,year"]
    answer = ok_json(*words, "-o", tmp_path / "m")
    trace = answer["trace"]
    assert len(trace["rows"]) > 1
    place = trace["columns"].index("log-likelihood")
    values = [row[place] for row in trace["rows"]]
    assert all(b >= a - 1e-9 * abs(a) for a, b in itertools.pairwise(values))
    shown = ok(*words, "--trace", "-", "-o", tmp_path / "m").stdout
    assert trace["title"] in shown
    assert trace["title"] not in ok(*words, "-o", tmp_path / "m").stdout
    assert "they are used (--missing em)" in shown
    result = ok(*words, "--missing", "skip", "--trace", "-", "-o", tmp_path / "m")
    assert "no trace to show" in result.stderr
    ok(*words, "--trace", tmp_path / "trace.csv", "-o", tmp_path / "m")
    assert [
        float(row["log-likelihood"]) for row in read_csv((tmp_path / "trace.csv").read_text())
    ] == values
