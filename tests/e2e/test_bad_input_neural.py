"""Bad input for the net: a sentence with the cure, and nothing written."""

import pytest
from support import fails, ok, write_csv

TRAIN = ["--target", "y", "--model", "neural"]


@pytest.fixture
def data(tmp_path):
    rows = [{"a": i % 7, "b": (3 * i) % 5, "y": "no" if i % 3 else "yes"} for i in range(30)]
    return write_csv(tmp_path / "d.csv", rows)


def refused(tmp_path, *words) -> str:
    """The sentence; no file appears."""
    before = set(tmp_path.iterdir())
    sentence = fails(*words, "-o", tmp_path / "new")
    assert set(tmp_path.iterdir()) == before
    return sentence


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("hidden", 0),
        ("hidden", -3),
        ("hidden", 2.5),
        ("hidden", 1_000_000_000),
        ("decay", -1),
        ("decay", "nan"),
        ("restarts", 0),
        ("validation", 1),
        ("validation", -0.1),
        ("patience", 0),
        ("batch", 0),
        ("passes", 0),
        ("step", 0),
        ("tolerance", 0),
        ("max-iterations", 0),
        ("activation", "tan"),
        ("optimizer", "sgd"),
    ],
)
def test_option_out_of_range(tmp_path, data, option, value):
    sentence = refused(tmp_path, "train", data, *TRAIN, f"--{option}", value)
    assert f"--{option}" in sentence and str(value) in sentence


def test_validation_that_holds_out_no_row(tmp_path, data):
    sentence = refused(tmp_path, "train", data, *TRAIN, "--validation", 0.01)
    assert "--validation 0.01 of 30 rows" in sentence and "larger share" in sentence


def test_overflowing_column(tmp_path):
    rows = [{"a": i, "huge": f"{i}e200", "y": "no" if i % 3 else "yes"} for i in range(9)]
    path = write_csv(tmp_path / "d.csv", rows)
    sentence = refused(tmp_path, "train", path, *TRAIN)
    assert "'huge'" in sentence and "divide" in sentence


def test_overflowing_row_when_scored(tmp_path):
    rows = [{"a": i, "b": i % 3, "y": "small" if i < 5 else "large"} for i in range(10)]
    path = write_csv(tmp_path / "d.csv", rows)
    words = ["--activation", "linear", "--decay", "1e-09", "-o", tmp_path / "m", "--quiet"]
    ok("train", path, *TRAIN, *words)
    far = write_csv(tmp_path / "far.csv", [{"a": "1.7e308", "b": "-1.7e308"}])
    assert "overflow" in fails("predict", tmp_path / "m", far)


def test_step_that_leads_nowhere(tmp_path, data):
    words = ["--optimizer", "adam", "--activation", "relu", "--step", "1e200"]
    assert "--step" in refused(tmp_path, "train", data, *TRAIN, *words)
