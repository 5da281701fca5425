"""logodds train --unlabeled em: rows whose label is empty."""

import pytest
from support import DATA, PENGUINS, fails, ok, ok_json, read_csv, write_csv

FAMILIES = ["gaussian", "naive-bayes"]


@pytest.fixture(scope="module")
def partly(tmp_path_factory):
    """The penguins with every label but each seventh taken away."""
    rows = read_csv(PENGUINS.read_text())
    for n, row in enumerate(rows):
        if n % 7:
            row["species"] = ""
    return write_csv(tmp_path_factory.mktemp("partly") / "penguins.csv", rows)


def train(data, model, family, *options):
    words = ("--target", "species", "--ignore", "year", "--model", family, "-o", model)
    return ok_json("train", data, *words, *options)


@pytest.mark.parametrize("family", FAMILIES)
def test_rows_without_labels_help(partly, tmp_path, family):
    options = ["--ignore", "year,island,sex"] if family == "gaussian" else ["--ignore", "year"]
    words = ("--target", "species", "--model", family, *options)
    with_em = ok_json("train", partly, *words, "--unlabeled", "em", "-o", tmp_path / "em")
    assert with_em["rows"] == 344
    assert with_em["rows_unlabeled"] == 344 - sum(with_em["class_counts"])
    assert sum(with_em["expected_counts"]) == pytest.approx(344.0)
    assert with_em["trace"]["columns"] == ["iteration", "log-likelihood", "gain"]
    labelled = [row for row in read_csv(partly.read_text()) if row["species"]]
    few = write_csv(tmp_path / "few.csv", labelled)
    ok("train", few, *words, "--quiet", "-o", tmp_path / "few")
    errors = [ok_json("evaluate", tmp_path / name, PENGUINS)["errors"] for name in ("em", "few")]
    assert errors[0] <= errors[1] + 3
    assert errors[0] < 20


@pytest.mark.parametrize("family", FAMILIES)
def test_what_people_read(partly, tmp_path, family):
    words = ("--target", "species", "--ignore", "year,island,sex", "--model", family)
    shown = ok("train", partly, *words, "--unlabeled", "em", "--trace", "-", "-o", tmp_path / "m")
    assert "unlabeled   294 rows have no label; EM used them in" in shown.stdout
    assert "with EM" in shown.stdout
    assert "EM: log-likelihood of the rows" in shown.stdout
    inspected = ok("inspect", tmp_path / "m").stdout
    assert "unlabeled em" in inspected and "log-likelihood" in inspected


def test_without_the_option_the_row_is_named(partly, tmp_path):
    sentence = fails("train", partly, "--target", "species", "-o", tmp_path / "m")
    assert "line 3, column 'species': the row has no label" in sentence
    assert "--unlabeled em" in sentence
    refused = fails(
        *("train", partly, "--target", "species", "--model", "softmax", "--unlabeled", "em"),
        *("-o", tmp_path / "m"),
    )
    assert "--unlabeled belongs to model" in refused


def test_no_label_at_all(tmp_path):
    data = write_csv(tmp_path / "d.csv", [{"x": n, "y": ""} for n in range(5)])
    for family in FAMILIES:
        sentence = fails(
            *("train", data, "--target", "y", "--model", family, "--unlabeled", "em"),
            *("-o", tmp_path / "m"),
        )
        assert "no row has a label" in sentence and "logodds cluster --soft" in sentence


def test_documents(tmp_path):
    lines = (DATA / "sms_spam.txt").read_text().splitlines()
    kept = [line if n % 40 == 0 else "\t" + line.split("\t", 1)[1] for n, line in enumerate(lines)]
    partly = tmp_path / "partly.txt"
    partly.write_text("\n".join(kept) + "\n")
    few = tmp_path / "few.txt"
    few.write_text("\n".join(lines[::40]) + "\n")
    sentence = fails("train", partly, "--format", "lines", "-o", tmp_path / "em")
    assert "line 2: there is no label" in sentence and "--unlabeled em" in sentence
    options = ("--format", "lines", "--quiet", "-o")
    ok("train", partly, "--unlabeled", "em", "--max-iterations", 10, *options, tmp_path / "em")
    ok("train", few, *options, tmp_path / "few")
    errors = [
        ok_json("evaluate", tmp_path / name, DATA / "sms_spam.txt", "--format", "lines")["errors"]
        for name in ("em", "few")
    ]
    assert errors[0] < errors[1]


def test_svmlight_rows_without_labels(tmp_path):
    data = tmp_path / "d.svm"
    data.write_text(
        "a 1:1 2:3\nb 1:4 2:1\n1:1 2:2\n1:5 2:1\na 1:0.5 2:2.5\nb 1:4.5 2:1.5\n1:1 2:4\n"
    )
    words = ("train", data, "--format", "svmlight", "--model", "gaussian", "--ridge", 0.1)
    assert "there is no label" in fails(*words, "-o", tmp_path / "m")
    answer = ok_json(*words, "--unlabeled", "em", "-o", tmp_path / "m")
    assert answer["rows_unlabeled"] == 3


def test_more_rows_for_a_model(partly, tmp_path):
    ok(
        *("train", PENGUINS, "--target", "species", "--ignore", "year,island,sex"),
        *("--model", "gaussian", "--quiet", "-o", tmp_path / "m"),
    )
    plain = ("update", tmp_path / "m", partly, "-o", tmp_path / "n")
    assert "the row has no label" in fails(*plain)
    answer = ok_json(*plain, "--unlabeled", "em")
    assert answer["rows_unlabeled"] == 294
    assert answer["weight"] == pytest.approx(688.0)
    assert "log_likelihood" not in ok_json("inspect", tmp_path / "n")
