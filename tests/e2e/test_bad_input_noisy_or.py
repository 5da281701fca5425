"""Bad input for noisy-or: a sentence with the cure, and nothing written."""

import pytest
from support import fails, ok, write_csv

NOISY = ["--target", "y", "--model", "noisy-or"]
ROWS = [
    {"y": "off", "a": 0, "b": 1},
    {"y": "on", "a": 1, "b": 0},
    {"y": "on", "a": 2, "b": 1},
    {"y": "off", "a": 1, "b": 0},
]


def refused(tmp_path, rows, *words) -> str:
    data = write_csv(tmp_path / "d.csv", rows)
    sentence = fails("train", data, *NOISY, *words, "-o", tmp_path / "m")
    assert not (tmp_path / "m").exists()
    return sentence


@pytest.mark.parametrize("value", ["-1", "-0.5", "-1e-300"])
def test_negative_number(tmp_path, value):
    rows = [*ROWS, {"y": "on", "a": 1, "b": value}]
    sentence = refused(tmp_path, rows)
    assert f"d.csv, line 6, column 'b': {value} is negative" in sentence
    assert "--model softmax" in sentence
    ok("train", write_csv(tmp_path / "d.csv", ROWS), *NOISY, "-o", tmp_path / "m", "--quiet")
    data = write_csv(tmp_path / "e.csv", rows)
    sentence = fails("predict", tmp_path / "m", data)
    assert f"e.csv, line 6, column 'b': {value} is negative" in sentence


@pytest.mark.parametrize(("count", "start"), [(1, "1 row is 'on'"), (3, "3 rows are 'on'")])
def test_on_without_cause_and_leak(tmp_path, count, start):
    rows = [*ROWS, *[{"y": "on", "a": 0, "b": 0}] * count]
    sentence = refused(tmp_path, rows, "--leak", "off")
    assert sentence.startswith(start)
    assert "--leak on" in sentence
    ok("train", tmp_path / "d.csv", *NOISY, "-o", tmp_path / "m", "--quiet")


def test_three_classes(tmp_path):
    sentence = refused(tmp_path, [*ROWS, {"y": "off again", "a": 1, "b": 1}])
    assert "two classes" in sentence
    assert "there are 3" in sentence
    assert "--model softmax" in sentence


@pytest.mark.parametrize("label", ["on", "off"])
def test_one_class(tmp_path, label):
    sentence = refused(tmp_path, [row for row in ROWS if row["y"] == label])
    assert f"every row is of class '{label}'" in sentence
    assert "add rows of the other class" in sentence


def test_sums_that_overflow(tmp_path):
    rows = [*ROWS, {"y": "off", "a": 1, "b": "1.5e308"}, {"y": "off", "a": 1, "b": "1.5e308"}]
    sentence = refused(tmp_path, rows)
    assert "column 'b'" in sentence
    assert "larger units" in sentence


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--leak", "maybe"], "on, off"),
        (["--optimizer", "adam"], "auto, em, newton"),
        (["--tolerance", "0"], "--tolerance"),
        (["--max-iterations", "0"], "--max-iterations"),
        (["--basis", "nothing"], "--basis"),
    ],
)
def test_options(tmp_path, words, part):
    assert part in refused(tmp_path, ROWS, *words)


def test_too_few_iterations_are_told(tmp_path):
    data = write_csv(tmp_path / "d.csv", ROWS)
    words = ["--optimizer", "em", "--max-iterations", "2", "-o", tmp_path / "m"]
    told = ok("train", data, *NOISY, *words).stderr
    assert "stopped after 2 iterations short of the optimum" in told
    assert "--max-iterations" in told


def test_a_model_file_that_was_tampered_with(tmp_path):
    data = write_csv(tmp_path / "d.csv", ROWS)
    ok("train", data, *NOISY, "-o", tmp_path / "m", "--quiet")
    content = bytearray((tmp_path / "m").read_bytes())
    content[-9] ^= 0x80
    (tmp_path / "m").write_bytes(content)
    assert "m" in fails("predict", tmp_path / "m", data)


def test_negative_number_in_sparse_rows(tmp_path):
    good = "0 1:1\n1 2:1 3:2\n1 1:1 2:1\n0 2:1\n"
    (tmp_path / "good.svm").write_text(good)
    (tmp_path / "bad.svm").write_text(good + "1 1:1 3:-2\n")
    words = ["--format", "svmlight", "--model", "noisy-or", "-o", tmp_path / "m"]
    sentence = fails("train", tmp_path / "bad.svm", *words)
    assert "bad.svm, line 5, column 'x3': -2 is negative" in sentence
    assert not (tmp_path / "m").exists()
    ok("train", tmp_path / "good.svm", *words, "--quiet")
    sentence = fails("predict", tmp_path / "m", tmp_path / "bad.svm", "--format", "svmlight")
    assert "bad.svm, line 5, column 'x3': -2 is negative" in sentence
