"""A model trained in Python opens in the shell and the other way round, bit for bit."""

import csv
import io

import logodds
import numpy as np
import polars as pl
import pytest
from conftest import CLASSES, PENGUINS

MEASURES = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]


@pytest.mark.parametrize("cls", CLASSES)
def test_the_same_file_gives_the_same_bytes(cls, command, tmp_path):
    shell, python, again = (tmp_path / name for name in ("shell", "python", "again"))
    command("train", PENGUINS, "--target", "species", "--model", cls._family, "-o", shell)
    cls().fit_csv(PENGUINS, target="species").save(python)
    assert python.read_bytes() == shell.read_bytes()
    logodds.load(shell).save(again)
    assert again.read_bytes() == shell.read_bytes()


def test_options_and_reading_options_agree(command, tmp_path):
    shell, python = tmp_path / "shell", tmp_path / "python"
    words = ["--covariance", "own", "--ridge", "0.1", "--ignore", "island,sex", "--weights", "year"]
    train = ["train", PENGUINS, "--target", "species", "--model", "gaussian"]
    command(*train, *words, "-o", shell)
    model = logodds.GaussianClassifier(covariance="own", ridge=0.1)
    model.fit_csv(PENGUINS, target=1, ignore=["island", "sex"], weights="year").save(python)
    assert python.read_bytes() == shell.read_bytes()
    loaded = logodds.load(shell)
    assert loaded.get_params()["covariance"] == "own"
    assert loaded.get_params()["ridge"] == 0.1


@pytest.mark.parametrize("cls", CLASSES)
def test_the_shell_predicts_with_a_model_of_arrays(cls, command, tmp_path):
    """Posteriors that the command prints read back as the very same doubles."""
    rows = pl.read_csv(PENGUINS, null_values="NA").drop_nulls()
    model = cls().fit(rows.select(MEASURES), rows["species"])
    model.save(tmp_path / "model")
    rows.select(MEASURES).write_csv(tmp_path / "rows.csv")
    text = command("predict", tmp_path / "model", tmp_path / "rows.csv", "--proba")
    printed = list(csv.DictReader(io.StringIO(text)))
    expected = model.predict_proba(rows.select(MEASURES))
    assert [row["prediction"] for row in printed] == model.predict(rows.select(MEASURES)).tolist()
    posteriors = [[float(row[f"p_{name}"]) for name in model.classes_] for row in printed]
    np.testing.assert_array_equal(np.array(posteriors), expected)


@pytest.mark.parametrize("cls", CLASSES)
def test_python_predicts_with_a_model_of_the_shell(cls, command, tmp_path):
    rows = pl.read_csv(PENGUINS, null_values="NA").drop_nulls()
    rows.write_csv(tmp_path / "rows.csv")
    train = ["train", tmp_path / "rows.csv", "--target", "species", "--model", cls._family]
    command(*train, "-o", tmp_path / "model")
    text = command("predict", tmp_path / "model", tmp_path / "rows.csv", "--proba")
    printed = list(csv.DictReader(io.StringIO(text)))
    model = logodds.load(tmp_path / "model")
    assert model.classes_.tolist() == ["Adelie", "Chinstrap", "Gentoo"]
    frame = rows.drop("species")
    posteriors = [[float(row[f"p_{name}"]) for name in model.classes_] for row in printed]
    np.testing.assert_array_equal(model.predict_proba(frame), np.array(posteriors))
    np.testing.assert_array_equal(
        model.predict_proba_csv(tmp_path / "rows.csv"), np.array(posteriors)
    )
