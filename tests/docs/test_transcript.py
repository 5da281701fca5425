"""The comparison of transcripts is neither too strict nor too lax."""

import pytest
from transcript import Step, abridged, read_steps, same_line, same_lines, write_steps

TEXT = "$ logodds train a.csv \\\n    -o a.model\nrows  3\n$ true\n"


def test_steps_are_read_and_written():
    steps = read_steps(TEXT)
    assert steps == [Step("logodds train a.csv \\\n    -o a.model", ["rows  3"]), Step("true", [])]
    assert write_steps(steps) == TEXT


def test_a_transcript_begins_with_a_command():
    with pytest.raises(AssertionError, match="begins with a command"):
        read_steps("rows 3\n")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("seconds  0.042", "seconds  1.3"),
        ('  "seconds": 0.0182,', '  "seconds": 1e-05,'),
        ("gaussian   1.0   9.1 ms", "gaussian   1.0  12.3 ms"),
        ("Adelie,0.9999999943752871,5.6e-09", "Adelie,0.9999999943752999,5.7e-09"),
        ("p 0.123456", "p 0.1234561"),
    ],
)
def test_lines_that_are_the_same(left, right):
    assert same_line(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("rows     333", "rows     334"),
        ("errors 1", "errors 2"),
        ("p 0.1234", "p 0.1235"),
        ("x1 is real", "x2 is real"),
        ("penguins.model", "penguin.model"),
        ("1e-6", "-1e-6"),
    ],
)
def test_lines_that_differ(left, right):
    assert not same_line(left, right)


def test_wildcard_stands_for_any_lines():
    lines = ["a", "b", "c", "d"]
    assert same_lines(["a", "...", "d"], lines)
    assert same_lines(["a", "b", "...", "c", "d"], lines)
    assert not same_lines(["a", "...", "c"], lines)
    assert not same_lines([], lines)


def test_what_was_cut_stays_cut():
    assert abridged(["a", "...", "z"], ["b", "c", "d", "e"]) == ["b", "...", "e"]
    assert abridged(["a"], ["b", "c"]) == ["b", "c"]
