"""The report: the pictures and numbers of the command's page about the same model and rows."""

import re
from pathlib import Path

import logodds
import polars as pl
import pytest
from conftest import PENGUINS

MEASURES = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]


@pytest.fixture(scope="module")
def penguins():
    return pl.read_csv(PENGUINS, null_values="NA").drop_nulls()


@pytest.fixture(scope="module")
def model(penguins):
    return logodds.GaussianClassifier().fit(penguins.select(MEASURES), penguins["species"])


def parts_of(page):
    """Pictures and tables."""
    return re.findall(r"<svg.*?</svg>", page, re.DOTALL), re.findall(
        r"<td[^>]*>(.*?)</td>", page, re.DOTALL
    )


@pytest.mark.parametrize("trained", [False, True])
def test_pictures_and_numbers_are_those_of_the_command(trained, model, penguins, command, tmp_path):
    half = penguins.gather_every(2)
    model.save(tmp_path / "model")
    half.select([*MEASURES, "species"]).write_csv(tmp_path / "X")
    penguins.select([*MEASURES, "species"]).write_csv(tmp_path / "train.csv")
    words = ["--train", tmp_path / "train.csv"] if trained else []
    words += ["--target", "species", "--level", "0.9", "--rows", "3", "--format", "csv"]
    command("report", tmp_path / "model", tmp_path / "X", *words, "-o", tmp_path / "r.html")
    page = logodds.report(
        model,
        half.select(MEASURES),
        half["species"],
        train=(penguins.select(MEASURES), penguins["species"]) if trained else None,
        level=0.9,
        rows=3,
    )
    pictures, cells = parts_of(page.html)
    expected_pictures, expected_cells = parts_of((tmp_path / "r.html").read_text())
    assert len(pictures) > 3
    assert pictures == expected_pictures
    assert len(cells) > 20
    assert cells == expected_cells
    trained_on = ", train=(X_train, y_train)" if trained else ""
    call = f"logodds.report(GaussianClassifier(), X, y{trained_on}, level=0.9, rows=3)"
    assert call in page.html


def test_the_training_rows_are_told_from_others(model, penguins):
    X, y = penguins.select(MEASURES), penguins["species"]
    for train in ((X, y), (X.to_pandas(), y.to_list())):
        page = logodds.report(model, X, y, train=train)
        assert page.notes[0].startswith("These are the rows that the model was trained on")
    half = penguins.gather_every(2)
    page = logodds.report(model, half.select(MEASURES), half["species"], train=(X, y))
    assert not any(note.startswith("These are the rows") for note in page.notes)
    assert "logodds.report(GaussianClassifier(), X, y, train=(X_train, y_train))" in page.html


def test_page_is_saved_and_shown(model, penguins, tmp_path):
    page = logodds.report(model, penguins.select(MEASURES), penguins["species"])
    page.save(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == page.html
    assert page.html.startswith("<!")
    assert page._repr_html_().startswith("<iframe")
    assert all(isinstance(note, str) for note in page.notes)


def test_what_has_no_labels_is_refused(model, penguins):
    X = penguins.select(MEASURES)
    with pytest.raises(TypeError, match="not KMeans"):
        logodds.report(logodds.KMeans(2).fit(X), X, penguins["species"])
    with pytest.raises(ValueError, match="no class of this"):
        logodds.report(model, X, ["Emperor"] * len(X))
    with pytest.raises(ValueError, match="different numbers"):
        logodds.report(model, X, ["Adelie"])
    with pytest.raises(ValueError, match="not fitted"):
        logodds.report(logodds.GaussianClassifier(), X, penguins["species"])


def test_options_that_make_no_sense_are_refused(model, penguins, tmp_path):
    X, y = penguins.select(MEASURES), penguins["species"]
    for rows in (-1, 2.5):
        with pytest.raises(ValueError, match=f"rows is {rows}; give a whole number"):
            logodds.report(model, X, y, rows=rows)
    for train in (X, (X,), (X, y, y)):
        with pytest.raises(ValueError, match="train is a pair"):
            logodds.report(model, X, y, train=train)
    with pytest.raises(ValueError, match="give y"):
        logodds.report(model, X, None)
    with pytest.raises(ValueError, match="between 0 and 1"):
        logodds.report(model, X, y, level=1.5)
    with pytest.raises(ValueError, match=r"ending \.html"):
        logodds.report(model, X, y).save(tmp_path / "report.pdf")


def test_a_file_is_written_in_whole_or_not_at_all(model, penguins, tmp_path, monkeypatch):
    page = logodds.report(model, penguins.select(MEASURES), penguins["species"])
    page.save(tmp_path / "report.html")
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    page.html = "half"
    with pytest.raises(KeyboardInterrupt):
        page.save(tmp_path / "report.html")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    assert (tmp_path / "report.html").read_text(encoding="utf-8") != "half"
