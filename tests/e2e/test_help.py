"""--help, --version and what the registry says of the families."""

import json
import re

import pytest
from support import DATA, MEASUREMENTS, fails, ok, ok_json, run

EVERY_FAMILY = [
    *("naive-bayes", "table", "gaussian", "softmax", "binary", "neural"),
    *("noisy-or", "perceptron", "indicator", "neighbors"),
]
SUBCOMMANDS = [
    "train",
    "predict",
    "evaluate",
    "inspect",
    "update",
    "merge",
    "forget",
    "sample",
    "project",
    "define",
    "models",
]


def test_root_help_lists_every_subcommand():
    text = ok("--help").stdout
    assert ok("-h").stdout == text == ok("help").stdout
    for name in SUBCOMMANDS:
        assert f"  {name} " in text
    assert "LOGODDS_SIMD" in text and "NO_COLOR" in text


def test_version():
    name, number = ok("--version").stdout.split()
    assert name == "logodds"
    assert len(number.split(".")) == 3


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_help_of_subcommand_has_usage_options_and_example(name):
    text = ok(name, "--help").stdout
    assert f"usage: logodds {name} " in text
    assert "--json" in text
    assert f"example:\n  logodds {name} " in text
    assert ok("help", name).stdout == text
    assert max(len(line) for line in text.splitlines()) < 130


def test_help_of_a_kind_of_picture_shows_its_own_options_only():
    kinds = [
        line.split()[0]
        for line in ok("plot", "--help").stdout.split("kinds:\n")[1].split("\n\n")[0].splitlines()
        if line.startswith("  ") and not line.startswith("   ")
    ]
    assert len(kinds) > 15
    own = {}
    for kind in kinds:
        text = ok("plot", kind, "--help").stdout
        assert ok("help", "plot", kind).stdout == text
        assert text.startswith(f"logodds plot {kind}: ")
        assert f"usage: logodds plot {kind} " in text
        assert f"example:\n  logodds plot {kind} " in text
        assert "  --title TEXT" in text and "  -o, --output " in text
        own[kind] = set(re.findall(r"^  --([a-z-]+)", text.split("options of all kinds")[0], re.M))
    assert own["overlap"] == {"x", "threshold"}
    assert own["trace"] == set()
    assert own["elbow"] == {"k", "restarts"}
    assert "MODEL DATA" in ok("plot", "roc", "--help").stdout
    assert "TABLE..." in ok("plot", "trace", "--help").stdout
    assert "did you mean 'regions'" in fails("plot", "region", "--help")
    assert "one too many" in fails("help", "train", "regions")


def test_help_wins_over_what_is_missing():
    assert "usage:" in ok("train", "--target", "x", "--help").stdout


@pytest.mark.parametrize("family", EVERY_FAMILY)
def test_train_help_shows_the_options_of_the_family(family):
    text = ok("train", "--model", family, "--help").stdout
    flowing = " ".join(text.split())
    records = {record["name"]: record for record in ok_json("models")["models"]}
    for option in records[family]["options"]:
        entry = flowing.split(f" --{option['name']} ")[1]
        default = "" if option["type"] == "flag" else option["default"]
        shown = f"{default:g}" if isinstance(default, float) else str(default)
        assert f"{option['help']}{f' (default: {shown})' if shown else ''}" in entry
        assert entry.startswith(option.get("form", ""))
    others = {o["name"] for n, r in records.items() if n != family for o in r["options"]}
    flags = {"missing"}  # of train, where the family has no option of that name
    for name in others - flags - {option["name"] for option in records[family]["options"]}:
        assert f"  --{name} " not in text
    assert f"--model {family}" in text.split("example:")[1]


def test_the_example_of_a_family_runs(tmp_path):
    measures = ",".join([*MEASUREMENTS, "year"])
    for record in ok_json("models")["models"]:
        family, takes = record["name"], record["capabilities"]
        example = ok("train", "--model", family, "--help").stdout.split("example:\n")[1].split()
        data = "penguins" if takes["many_classes"] else "alarms"
        assert example[:3] == ["logodds", "train", f"{data}.csv"]
        words = [str(DATA / word) if word == f"{data}.csv" else word for word in example[1:]]
        if data == "penguins":
            words += ["--ignore", "island,sex,year" if takes["numbers"] else measures]
        ok(*words, cwd=tmp_path)
        assert (tmp_path / f"{data}.model").exists()


def test_models_json_is_the_registry():
    records = {record["name"]: record for record in ok_json("models")["models"]}
    assert list(records)[: len(EVERY_FAMILY)] == EVERY_FAMILY
    naive = {option["name"]: option for option in records["naive-bayes"]["options"]}
    assert (naive["smoothing"]["type"], naive["smoothing"]["default"]) == ("text", "1")
    assert naive["structure"]["choices"] == ["naive", "tree"]
    gaussian = {option["name"]: option for option in records["gaussian"]["options"]}
    assert gaussian["covariance"]["type"] == "choice"
    assert gaussian["covariance"]["default"] == "shared"
    assert gaussian["covariance"]["choices"][:1] == ["shared"]
    assert gaussian["ridge"]["type"] == "real"
    assert gaussian["ridge"]["default"] == 0
    assert gaussian["ridge"]["minimum"] == 0
    neighbors = {option["name"]: option for option in records["neighbors"]["options"]}
    assert (neighbors["k"]["type"], neighbors["k"]["default"]) == ("text", "5")
    assert records["gaussian"]["capabilities"]["one_pass"] is True
    assert records["gaussian"]["capabilities"]["mergeable"] is True
    assert records["naive-bayes"]["capabilities"]["missing"] is True
    assert records["naive-bayes"]["capabilities"]["numbers"] is True
    assert records["table"]["capabilities"]["numbers"] is False
    assert records["softmax"]["capabilities"]["one_pass"] is False
    assert all(
        option["help"] and record["summary"]
        for record in records.values()
        for option in record["options"]
    )


def test_models_of_one_name():
    shown = json.loads(ok("models", "softmax", "--json").stdout)["models"]
    assert [record["name"] for record in shown] == ["softmax"]
    text = ok("models", "softmax").stdout
    assert "--decay" in text and "--covariance" not in text


def test_models_lists_the_families_and_the_default():
    text = ok("models").stdout
    for family in EVERY_FAMILY:
        assert family in text
    assert "train takes naive-bayes" in text


def test_no_subcommand_is_bad_usage():
    assert "logodds --help" in fails()


def test_output_has_no_color_in_a_pipe():
    for words in (["--help"], ["models"], ["train", "--help"]):
        assert "\x1b" not in run(*words).stdout
