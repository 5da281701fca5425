"""Bad input for --model binary: a sentence with the cure, and nothing written."""

import pytest
from support import MEASUREMENTS, fails, ok, ok_json, penguin_rows, write_csv

BINARY = ["--target", "species", "--model", "binary"]


def rows_of(*classes):
    return [
        {name: row[name] for name in ["species", *MEASUREMENTS]}
        for row in penguin_rows()
        if row["species"] in classes
    ]


def refused(tmp_path, rows, *options) -> str:
    data = write_csv(tmp_path / "d.csv", rows)
    sentence = fails("train", data, *BINARY, *options, "-o", tmp_path / "new")
    assert not (tmp_path / "new").exists()
    return sentence


def overlapping():
    """Adelie and Chinstrap penguins overlap in all measurements but the length of the bill."""
    rows = rows_of("Adelie", "Chinstrap")
    return [{k: v for k, v in row.items() if k != "bill_length_mm"} for row in rows]


def test_three_classes(tmp_path):
    sentence = refused(tmp_path, rows_of("Adelie", "Chinstrap", "Gentoo"))
    assert "two classes" in sentence and "3" in sentence and "--model softmax" in sentence


def test_one_class(tmp_path):
    sentence = refused(tmp_path, rows_of("Adelie"))
    assert "one class" in sentence and "'Adelie'" in sentence


@pytest.mark.parametrize("decay", ["-1", "nan", "inf", "much"])
def test_decay(tmp_path, decay):
    sentence = refused(tmp_path, overlapping(), "--decay", decay)
    assert "--decay" in sentence and decay in sentence


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--link", "logti"),
        ("--intercept", "maybe"),
        ("--tolerance", "0"),
        ("--max-iterations", "0"),
        ("--max-iterations", "1.5"),
    ],
)
def test_other_options(tmp_path, option, value):
    sentence = refused(tmp_path, overlapping(), option, value)
    assert option in sentence and value in sentence


@pytest.mark.parametrize("decay", ["0", "1e-06"])
def test_constant_column(tmp_path, decay):
    """No error: the coefficient is 0, and a note says why."""
    data = write_csv(tmp_path / "d.csv", [{**row, "planet": "3.5"} for row in overlapping()])
    result = ok("train", data, *BINARY, "--decay", decay, "-o", tmp_path / "m")
    assert "'planet' is constant" in result.stderr and "not identifiable" in result.stderr
    [table] = ok_json("inspect", tmp_path / "m")["tables"]
    assert dict(table["rows"])["planet"] == 0.0


def test_collinear_columns(tmp_path):
    rows = [{**row, "twice": str(2 * float(row["bill_depth_mm"]) + 1)} for row in overlapping()]
    data = write_csv(tmp_path / "d.csv", rows)
    result = ok("train", data, *BINARY, "--decay", "0", "-o", tmp_path / "m")
    assert "'twice' is a linear function of 'bill_depth_mm'" in result.stderr


@pytest.mark.parametrize("link", ["logit", "probit", "cloglog"])
def test_separable_classes(tmp_path, link):
    rows = rows_of("Adelie", "Gentoo")
    sentence = refused(tmp_path, rows, "--decay", "0", "--link", link)
    assert "'Adelie' and 'Gentoo' are separable" in sentence
    assert any(name in sentence for name in MEASUREMENTS)
    assert "--decay 0.01" in sentence
    ok(
        "train",
        tmp_path / "d.csv",
        *BINARY,
        "--decay",
        "0.01",
        "--link",
        link,
        "-o",
        tmp_path / "m",
    )


def test_values_that_overflow(tmp_path):
    rows = overlapping()
    for i, row in enumerate(rows):
        row["body_mass_g"] = f"{i % 2}e308"
    assert "'body_mass_g'" in refused(tmp_path, rows)
