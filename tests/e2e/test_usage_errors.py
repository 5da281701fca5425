"""Bad usage: status 2 and one sentence that names the cure."""

import pytest
from support import fails, ok


def test_misspelt_subcommand():
    assert "did you mean 'train'" in fails("trian")
    assert "did you mean 'evaluate'" in fails("help", "evalute")


def test_misspelt_model(penguins, tmp_path):
    sentence = fails(
        "train", penguins, "--target", "species", "--model", "gausian", "-o", tmp_path / "m"
    )
    assert "'gausian'" in sentence and "did you mean 'gaussian'" in sentence
    assert "did you mean 'softmax'" in fails("models", "sofmax")
    assert "did you mean 'softmax'" in fails("train", "--model", "sofmax", "--help")


def test_misspelt_option(penguins, tmp_path):
    words = ["train", penguins, "--target", "species", "-o", tmp_path / "m"]
    assert "did you mean '--covariance'" in fails(*words, "--covarience", "own")
    assert "did you mean '--target'" in fails("train", penguins, "--traget", "species")
    assert "did you mean '--quiet'" in fails(*words, "--quite")
    assert "--help" in fails(*words, "--zzzzzzzz")


def test_option_of_another_family(penguins, tmp_path):
    words = ["train", penguins, "--target", "species", "--model", "gaussian"]
    sentence = fails(*words, "--k", "3", "-o", tmp_path / "m")
    assert sentence == "option --k belongs to model neighbors, not gaussian"
    assert not (tmp_path / "m").exists()


def test_option_of_another_subcommand(penguins):
    sentence = fails("train", penguins, "--proba")
    assert "--proba belongs to 'logodds predict', not to 'logodds train'" in sentence
    assert "comes after a subcommand" in fails("--json", "models")


@pytest.mark.parametrize(
    ("option", "value", "parts"),
    [
        ("--covariance", "onw", ["'onw'", "own"]),
        ("--ridge", "-1", ["'-1'", "0"]),
        ("--ridge", "much", ["'much'", "number"]),
        ("--ridge", "inf", ["'inf' is not finite"]),
        ("--ridge", "1e999", ["'1e999' is not finite"]),
        ("--threads", "0", ["'0'", "1"]),
        ("--threads", "9" * 20, ["is out of range", "from 1 to 1024"]),
        ("--seed", "9" * 20, ["is out of range", "from 0 to 9007199254740992"]),
        ("--seed", "1e999", ["is out of range"]),
        ("--threads", "two", ["'two'"]),
        ("--seed", "-3", ["'-3'"]),
        ("--missing", "drop", ["'drop'", "skip"]),
        ("--delimiter", "ab", ["'ab'", "comma"]),
        ("--kinds", "island", ["'island'", "NAME=KIND"]),
        ("--kinds", "island=nominal", ["nominal", "categorical"]),
        ("--kinds", "sex=real,sex=count", ["'sex'", "twice"]),
        ("--ignore", "island,,sex", ["empty item"]),
        ("--ignore", "islnad", ["'islnad'"]),
        ("--weights", "wieght", ["'wieght'"]),
    ],
)
def test_bad_values_are_named(penguins, tmp_path, option, value, parts):
    output = tmp_path / "m"
    sentence = fails("train", penguins, "--target", "species", f"{option}={value}", "-o", output)
    for part in parts:
        assert part in sentence
    assert list(tmp_path.iterdir()) == []


def test_repeated_option(penguins, tmp_path):
    words = ["train", penguins, "--target", "species", "-o", tmp_path / "m"]
    assert "--target is given twice" in fails(*words, "--target", "sex")
    assert "--ridge is given twice" in fails(*words, "--ridge", "1", "--ridge=2")
    assert "--output is given twice" in fails(*words, "--output", tmp_path / "n")


def test_option_without_its_value(penguins, tmp_path):
    assert "--target needs a value" in fails("train", penguins, "--target")
    sentence = fails("train", penguins, "--target", "-o", tmp_path / "m")
    assert "--target needs a value" in sentence and "'-o' is an option" in sentence
    assert "--target has an empty value" in fails("train", penguins, "--target=")
    assert "--quiet takes no value" in fails("train", penguins, "--quiet=yes")


def test_what_is_missing_is_named(penguins, penguins_model, tmp_path):
    assert fails("train").startswith("DATA is missing")
    assert fails("predict", penguins_model).startswith("DATA is missing")
    sentence = fails("train", penguins, "--target", "species")
    assert "-o MODEL" in sentence and "example: logodds train" in sentence
    assert "--target COLUMN" in fails("train", penguins, "-o", tmp_path / "m")


def test_an_empty_argument_is_named(penguins, penguins_model):
    assert fails("train", "", "--target", "species").startswith("argument DATA is empty")
    assert fails("predict", "", penguins).startswith("argument MODEL is empty")
    assert fails("predict", penguins_model, "").startswith("argument DATA is empty")
    assert fails("models", "").startswith("argument NAME is empty")


def test_a_model_is_not_read_from_standard_input(penguins, penguins_model):
    model = penguins_model.read_bytes()
    for words in (["predict", "-", penguins], ["evaluate", "-", penguins], ["inspect", "-"]):
        assert fails(*words, stdin=model).startswith(
            "a model is not read from standard input; name"
        )


def test_argument_too_many(penguins, penguins_model):
    assert "'extra' is one too many" in fails("predict", penguins_model, penguins, "extra")


def test_two_dashes_end_the_options(penguins, penguins_model, tmp_path):
    strange = tmp_path / "--strange.csv"
    strange.write_bytes(penguins.read_bytes())
    ok("evaluate", penguins_model, "--", strange.name, cwd=tmp_path)
    assert "unknown option --strange.csv" in fails(
        "evaluate", penguins_model, strange.name, cwd=tmp_path
    )


def test_predict_json_needs_a_file(penguins, penguins_model):
    assert "-o OUT.csv" in fails("predict", penguins_model, penguins, "--json")


def test_bad_vector_level():
    sentence = fails("models", env={"LOGODDS_SIMD": "mmx"})
    assert "LOGODDS_SIMD" in sentence and "plain" in sentence


def test_an_unknown_kind_names_option_column_and_kinds(penguins, tmp_path):
    words = ["train", penguins, "--target", "species", "-o", tmp_path / "m"]
    sentence = fails(*words, "--kinds", "year=foo")
    assert "--kinds" in sentence and "'year'" in sentence and "'foo'" in sentence
    assert "categorical" in sentence
