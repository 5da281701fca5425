"""Bad input for naive Bayes: a sentence with the cure, and nothing written."""

import pytest
from support import PENGUINS, fails, ok, ok_json, penguin_rows, write_csv


def refused(tmp_path, data, *options, target="species", model="naive-bayes") -> str:
    words = ["train", data, "--target", target, "--model", model, *options]
    sentence = fails(*words, "-o", tmp_path / "m")
    assert not (tmp_path / "m").exists()
    return sentence


def notes(tmp_path, data, *options, target="class", model="naive-bayes") -> list[str]:
    words = ["train", data, "--target", target, "--model", model, *options]
    return ok_json(*words, "-o", tmp_path / "m")["notes"]


def small_table(tmp_path, values, **others):
    """Column x with the values; the classes a and b take turns."""
    rows = [
        {"x": value, "class": "ab"[place % 2], **{n: v[place] for n, v in others.items()}}
        for place, value in enumerate(values)
    ]
    return write_csv(tmp_path / "d.csv", rows)


@pytest.mark.parametrize("family", ["poisson", "geometric", "negative-binomial"])
@pytest.mark.parametrize("value", ["-1", "2.5"])
def test_values_that_are_no_counts(tmp_path, family, value):
    data = small_table(tmp_path, ["3", "4", value, "0", "7", "2"])
    sentence = refused(tmp_path, data, "--families", f"x={family}", target="class")
    assert f"line 4, column 'x': {value} is " in sentence
    assert family in sentence and "; correct the value or" in sentence


@pytest.mark.parametrize(
    ("family", "value"), [("log-normal", "0"), ("gamma", "-2.5"), ("exponential", "-1")]
)
def test_values_outside_of_the_support(tmp_path, family, value):
    data = small_table(tmp_path, ["3.5", "4", "1", "1.25", value, "2"])
    sentence = refused(tmp_path, data, "--families", f"x={family}", target="class")
    assert f"line 6, column 'x': {value} is " in sentence
    assert family in sentence and "; correct the value or" in sentence


def test_a_new_value_outside_of_the_support(tmp_path):
    data = small_table(tmp_path, ["3.5", "4", "1", "1.25", "2", "2"])
    words = ["train", data, "--target", "class", "--model", "naive-bayes"]
    ok(*words, "--families", "x=gamma", "-o", tmp_path / "m", "--quiet")
    strange = write_csv(tmp_path / "s.csv", [{"x": "1"}, {"x": "-1"}])
    sentence = fails("predict", tmp_path / "m", strange, "-o", tmp_path / "out.csv")
    assert "line 3, column 'x': -1 is not positive" in sentence and ";" in sentence
    assert not (tmp_path / "out.csv").exists()


def test_a_column_that_looks_like_an_identifier(tmp_path):
    names = [f"name{i}" for i in range(40)]
    data = small_table(tmp_path, ["1.5", "2.5", "0.5", "4.5"] * 10, who=names)
    found = [note for note in notes(tmp_path, data) if "'who'" in note]
    assert len(found) == 1
    assert "identifier" in found[0] and "--ignore who" in found[0]
    assert not any("identifier" in note for note in notes(tmp_path, data, "--ignore", "who"))


@pytest.mark.parametrize(
    ("families", "parts"),
    [
        ("island=gaussian", ["'island'", "gaussian", "categorical"]),
        ("sex=poisson", ["'sex'", "poisson"]),
        ("island=kernel", ["'island'", "kernel"]),
        ("categorical=gamma", ["gamma"]),
    ],
)
def test_a_family_that_does_not_fit_the_kind(tmp_path, families, parts):
    sentence = refused(tmp_path, PENGUINS, "--families", families)
    for part in [*parts, ";"]:
        assert part in sentence


def test_a_family_that_does_not_exist(tmp_path):
    sentence = refused(tmp_path, PENGUINS, "--families", "bill_length_mm=gausian")
    assert "'gausian'" in sentence and "did you mean 'gaussian'" in sentence


@pytest.mark.parametrize(
    "options",
    [
        ["--families", "bill_lenght_mm=kernel"],
        ["--blocks", "bill_lenght_mm+bill_depth_mm"],
        ["--smoothing", "1,bill_lenght_mm=2"],
    ],
)
def test_columns_that_do_not_exist(tmp_path, options):
    sentence = refused(tmp_path, PENGUINS, *options)
    assert options[0] in sentence
    assert "'bill_lenght_mm'" in sentence and "did you mean 'bill_length_mm'" in sentence


def test_a_column_in_two_blocks(tmp_path):
    blocks = "bill_length_mm+bill_depth_mm,bill_length_mm+body_mass_g"
    sentence = refused(tmp_path, PENGUINS, "--blocks", blocks)
    assert "--blocks" in sentence and "'bill_length_mm'" in sentence


def test_a_block_of_numbers_and_words(tmp_path):
    sentence = refused(tmp_path, PENGUINS, "--blocks", "bill_length_mm+island")
    assert "--blocks: column 'bill_length_mm' is real" in sentence and ";" in sentence


@pytest.mark.parametrize("value", ["-1", "much", "1,x", "nan"])
def test_smoothing_that_is_no_pseudo_count(tmp_path, value):
    assert "--smoothing" in refused(tmp_path, PENGUINS, "--smoothing", value)


@pytest.mark.parametrize("text", ["kernel", "bill_length_mm=", "=kernel"])
def test_families_that_cannot_be_read(tmp_path, text):
    assert "--families" in refused(tmp_path, PENGUINS, "--families", text)


@pytest.mark.parametrize("values", [["1.5", "2.5"], ["3", "5"], ["0", "1"], ["u", "v"]])
@pytest.mark.parametrize("smoothing", ["0", "1"])
def test_a_column_without_a_value_in_one_class(tmp_path, values, smoothing):
    """Trained all the same, and said; the column says nothing new about that class."""
    cells = [values[place // 2 % 2] if place % 2 == 0 else "" for place in range(20)]
    data = small_table(tmp_path, cells)
    found = notes(tmp_path, data, "--smoothing", smoothing)
    said = [note for note in found if "'x'" in note and "'b'" in note]
    assert len(said) == 1, found
    text = ok("predict", tmp_path / "m", data, "--proba", "--density", "--quiet").stdout
    assert "nan" not in text.lower()


def test_a_column_without_any_value(tmp_path):
    data = small_table(tmp_path, [""] * 6, y=["1.5", "2.5", "3", "4", "5", "6"])
    sentence = refused(tmp_path, data, target="class")
    assert "'x'" in sentence and "--ignore x" in sentence


def test_a_constant_column_says_nothing(tmp_path):
    rows = [{k: row[k] for k in ("bill_length_mm", "species")} for row in penguin_rows()]
    plain = write_csv(tmp_path / "p.csv", rows)
    words = ["--target", "species", "--model", "naive-bayes", "-o", tmp_path / "m"]
    ok("train", plain, *words, "--quiet")
    expected = ok("predict", tmp_path / "m", plain, "--proba", "--density").stdout
    for value in ("7", "1", "2.5", "word"):
        data = write_csv(tmp_path / "d.csv", [{**row, "c": value} for row in rows])
        answer = ok_json("train", data, *words)
        assert any("'c'" in note for note in answer["notes"])
        given = ok("predict", tmp_path / "m", data, "--proba", "--density").stdout
        assert [line.split(",")[:5] for line in given.split()] == [
            line.split(",")[:5] for line in expected.split()
        ]


def test_a_table_of_numbers(tmp_path):
    sentence = refused(tmp_path, PENGUINS, model="table")
    assert "'bill_length_mm'" in sentence and ";" in sentence


@pytest.mark.parametrize("family", ["gamma", "log-normal", "exponential"])
def test_a_family_by_kind_has_its_support(tmp_path, family):
    data = small_table(tmp_path, [-1.5, -2, -3, -4.5])
    sentence = refused(tmp_path, data, "--families", f"real={family}", target="class")
    assert "column 'x' holds -4.5" in sentence and f"cannot be {family}" in sentence


def test_values_whose_squares_overflow_leave_the_model_alone(tmp_path):
    good = small_table(tmp_path, [1, 2.5, 3, 4])
    ok("train", good, "--target", "class", "-o", tmp_path / "m", "--quiet")
    before = (tmp_path / "m").read_bytes()
    huge = write_csv(
        tmp_path / "h.csv", [{"x": "1e308", "class": "a"}, {"x": "1e308", "class": "b"}]
    )
    sentence = fails("update", tmp_path / "m", huge, "-o", tmp_path / "m")
    assert "column 'x'" in sentence and "overflow" in sentence
    assert (tmp_path / "m").read_bytes() == before


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["--families", "x=gamma,x=kernel"], "names 'x' twice"),
        (["--smoothing", "1,2"], "must begin with the one pseudo-count"),
        (["--blocks", "x"], "at least two"),
        (["--blocks", "x+y", "--families", "y=kernel"], "stands in --blocks and in --families"),
        (["--blocks", "u+v", "--smoothing", "1,u=2"], "part of a joint table"),
    ],
)
def test_options_that_would_have_no_effect(tmp_path, options, part):
    words = {"y": [1.5, 2.5, 3.5, 5], "u": ["p", "q", "q", "p"], "v": ["s", "t", "s", "t"]}
    data = small_table(tmp_path, [1.25, 2.5, 3, 4], **words)
    assert part in refused(tmp_path, data, *options, target="class")
