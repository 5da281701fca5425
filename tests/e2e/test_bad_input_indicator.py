"""Bad input for --model indicator: a sentence with the cure, and nothing written."""

import pytest
from support import MEASUREMENTS, fails, ok, ok_json, penguin_rows, posteriors, write_csv

INDICATOR = ["--target", "species", "--model", "indicator"]


def rows():
    return [{name: row[name] for name in ["species", *MEASUREMENTS]} for row in penguin_rows()]


def refused(tmp_path, bad, *options) -> str:
    data = write_csv(tmp_path / "d.csv", bad)
    sentence = fails("train", data, *INDICATOR, *options, "-o", tmp_path / "new")
    assert not (tmp_path / "new").exists()
    return sentence


def note(tmp_path, odd, *options) -> str:
    data = write_csv(tmp_path / "d.csv", odd)
    return ok("train", data, *INDICATOR, *options, "-o", tmp_path / "m").stderr


def coefficients(tmp_path, name) -> list[float]:
    tables = ok_json("inspect", tmp_path / "m")["tables"]
    table = next(table for table in tables if table["title"] == "coefficients")
    return next(row[1:] for row in table["rows"] if row[0] == name)


@pytest.mark.parametrize("ridge", ["-1", "nan", "inf", "much"])
def test_ridge(tmp_path, ridge):
    sentence = refused(tmp_path, rows(), "--ridge", ridge)
    assert "--ridge" in sentence and ridge in sentence


@pytest.mark.parametrize("option", ["--decay", "--optimizer", "--link"])
def test_options_of_other_models(tmp_path, option):
    assert option in refused(tmp_path, rows(), option, "1")


@pytest.mark.parametrize("basis", ["spline", "polynomial:0", "cubic"])
def test_basis(tmp_path, basis):
    assert basis in refused(tmp_path, rows(), "--basis", basis)


def test_one_class(tmp_path):
    """No error: the command says what will come of it."""
    said = note(tmp_path, [row for row in rows() if row["species"] == "Adelie"])
    assert "every row is of class 'Adelie'" in said and "--target species" in said


@pytest.mark.parametrize("ridge", [0, 0.5])
def test_constant_column(tmp_path, ridge):
    said = note(tmp_path, [{**row, "planet": "3.5"} for row in rows()], "--ridge", ridge)
    if ridge == 0:
        assert "'planet' is constant or a linear function of other columns" in said
        assert "not identifiable" in said
    assert coefficients(tmp_path, "planet") == pytest.approx([0.0, 0.0, 0.0], abs=1e-12)


def test_collinear_columns(tmp_path):
    odd = [{**row, "twice": str(2 * float(row["bill_depth_mm"]) + 1)} for row in rows()]
    assert "'twice' is constant or a linear function of other columns" in note(tmp_path, odd)
    assert coefficients(tmp_path, "twice") == [0.0, 0.0, 0.0]


def test_more_columns_than_rows(tmp_path):
    """What the rows do not tell is said, and the rows themselves are met."""
    odd = rows()[:3] + rows()[-3:]
    for j, row in enumerate(odd):
        row |= {f"x{i}": (i + 2) ** j % 101 for i in range(9)}
    assert "not identifiable" in note(tmp_path, odd)
    measured = ok_json("evaluate", tmp_path / "m", tmp_path / "d.csv")
    assert measured["error_rate"] == 0.0


def test_rows_with_gaps(tmp_path):
    odd = rows()
    odd[3]["body_mass_g"] = "NA"
    data = write_csv(tmp_path / "d.csv", odd)
    assert ok_json("train", data, *INDICATOR, "-o", tmp_path / "m")["rows_skipped"] == 1
    sentence = refused(tmp_path, odd, "--missing", "error")
    assert "line 5" in sentence and "'body_mass_g'" in sentence


def test_units_do_not_matter(tmp_path):
    """Not even where squares of the values would overflow, or vanish."""
    answers = []
    for unit in ("", "e300", "e-300"):
        for_unit = [{**row, "body_mass_g": row["body_mass_g"] + unit} for row in rows()]
        note(tmp_path, for_unit)
        shown = ok("predict", tmp_path / "m", tmp_path / "d.csv", "--proba").stdout
        answers.append(posteriors(shown, ["Adelie", "Chinstrap", "Gentoo"]))
    for other in answers[1:]:
        for expected, found in zip(answers[0], other, strict=True):
            assert found == pytest.approx(expected, abs=1e-9)


def test_values_that_are_no_numbers(tmp_path):
    odd = rows()
    odd[3]["body_mass_g"] = "1e999"
    sentence = refused(tmp_path, odd)
    assert "line 5" in sentence and "'body_mass_g'" in sentence and "1e999" in sentence
