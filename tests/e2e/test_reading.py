"""How files are read: compression, standard input, delimiters, headers, tokens, weights, labels."""

import gzip
import shutil
import subprocess

import pytest
from support import ok, ok_json, penguin_rows, read_csv, write_csv

GAUSSIAN = ["--model", "gaussian"]


@pytest.fixture
def expected(penguins, penguins_model):
    return ok("predict", penguins_model, penguins, "--proba").stdout


def test_gzip(tmp_path, penguins, penguins_model, expected):
    packed = tmp_path / "penguins.csv.gz"
    packed.write_bytes(gzip.compress(penguins.read_bytes()))
    assert ok("predict", penguins_model, packed, "--proba").stdout == expected
    ok("train", packed, *GAUSSIAN, "--target", "species", "-o", tmp_path / "m")
    assert (tmp_path / "m").read_bytes() == penguins_model.read_bytes()


@pytest.mark.skipif(shutil.which("zstd") is None, reason="the zstd program is not there")
def test_zstd(tmp_path, penguins, penguins_model, expected):
    packed = tmp_path / "penguins.csv.zst"
    subprocess.run(["zstd", "-q", str(penguins), "-o", str(packed)], check=True)
    assert ok("predict", penguins_model, packed, "--proba").stdout == expected


def test_standard_input(tmp_path, penguins, penguins_model, expected):
    text = penguins.read_bytes()
    assert ok("predict", penguins_model, "-", "--proba", stdin=text).stdout == expected
    ok("train", "-", *GAUSSIAN, "--target", "species", "-o", tmp_path / "m", stdin=text)
    assert (tmp_path / "m").read_bytes() == penguins_model.read_bytes()
    assert ok_json("evaluate", penguins_model, "-", stdin=text)["rows"] == 344


@pytest.mark.parametrize(
    ("name", "character"),
    [
        ("tab", "\t"),
        ("\\t", "\t"),
        ("\t", "\t"),
        ("semicolon", ";"),
        ("pipe", "|"),
        ("space", " "),
        ("comma", ","),
        ("^", "^"),
    ],
)
def test_delimiters(tmp_path, penguins_model, expected, name, character):
    path = write_csv(tmp_path / "d.txt", penguin_rows(complete=False), delimiter=character)
    result = ok("predict", penguins_model, path, "--delimiter", name, "--proba")
    assert result.stdout == expected


def test_delimiter_is_found(tmp_path, penguins_model, expected):
    path = write_csv(tmp_path / "d.csv", penguin_rows(complete=False), delimiter=";")
    result = ok("predict", penguins_model, path, "--proba")
    assert result.stdout == expected
    assert "note: " in result.stderr and "';'" in result.stderr


def test_crlf_and_byte_order_mark(tmp_path, penguins, penguins_model, expected):
    path = tmp_path / "windows.csv"
    path.write_bytes(b"\xef\xbb\xbf" + penguins.read_bytes().replace(b"\n", b"\r\n"))
    assert ok("predict", penguins_model, path, "--proba").stdout == expected


def test_last_line_without_an_end(tmp_path, penguins, penguins_model, expected):
    path = tmp_path / "cut.csv"
    path.write_bytes(penguins.read_bytes().rstrip(b"\n"))
    assert ok("predict", penguins_model, path, "--proba").stdout == expected


def test_no_header(tmp_path, penguins, penguins_model):
    path = tmp_path / "bare.csv"
    path.write_text(penguins.read_text().split("\n", 1)[1])
    model = tmp_path / "m"
    answer = ok_json("train", path, *GAUSSIAN, "--no-header", "--target", "1", "-o", model)
    assert [column["name"] for column in answer["columns"]] == [f"x{i}" for i in range(2, 9)]
    assert answer["target"] == "x1"
    assert answer["rows"] == 344
    bare = ok_json("evaluate", model, path, "--no-header")
    named = ok_json("evaluate", penguins_model, penguins)
    assert bare["confusion"] == named["confusion"]
    assert bare["log_loss"] == named["log_loss"]


def test_missing_tokens(tmp_path):
    rows = [{"x": i % 7, "z": (i * i) % 5, "y": "ab"[i % 2]} for i in range(40)]
    rows[3]["x"], rows[5]["z"], rows[8]["x"] = "none", "-999", ""
    path = write_csv(tmp_path / "d.csv", rows)
    words = ["train", path, "--target", "y", "--missing-tokens", "none,-999"]
    answer = ok_json(*words, "--missing", "skip", "-o", tmp_path / "m")
    assert (answer["rows"], answer["rows_skipped"]) == (37, 3)
    used = ok_json(*words, "-o", tmp_path / "m")
    assert (used["rows"], used["rows_incomplete"]) == (40, 3)
    assert {column["kind"] for column in answer["columns"]} <= {"count", "real"}


def test_a_late_word_makes_the_column_categorical(tmp_path):
    rows = [{"x": i % 5, "z": i % 7, "y": "ab"[i % 2]} for i in range(5000)]
    rows[-1]["x"] = "word"
    answer = ok_json(
        "train", write_csv(tmp_path / "d.csv", rows), "--target", "y", "-o", tmp_path / "m"
    )
    columns = {column["name"]: column for column in answer["columns"]}
    assert columns["x"]["levels"] == ["0", "1", "2", "3", "4", "word"]
    assert answer["rows"] == 5000


def test_weight_two_is_the_row_twice_and_weight_zero_is_absence(tmp_path):
    rows = [row | {"w": str(i % 3)} for i, row in enumerate(penguin_rows())]
    weighted = write_csv(tmp_path / "weighted.csv", rows)
    repeated = write_csv(
        tmp_path / "repeated.csv", [row for row in rows for _ in range(int(row["w"]))]
    )
    words = ["--target", "species", "--ignore", "island,sex"]
    ok("train", weighted, *words, "--weights", "w", "-o", tmp_path / "a")
    ok("train", repeated, *words[:-1], "island,sex,w", "-o", tmp_path / "b")
    a = ok_json("evaluate", tmp_path / "a", weighted, "--weights", "w")
    b = ok_json("evaluate", tmp_path / "b", repeated)
    assert a["errors"] == b["errors"] and a["confusion"] == b["confusion"]
    assert a["log_loss"] == pytest.approx(b["log_loss"], rel=1e-9)
    assert (a["rows"], a["weight"], b["rows"]) == (222, 333, 333)


def test_labels_are_kept_as_written_and_ordered(tmp_path):
    labels = ["10", "9", "b", "1.50", "A", "-2"]
    rows = [{"x": (i * 7) % 11, "y": labels[i % 6]} for i in range(60)]
    path = write_csv(tmp_path / "d.csv", rows)
    model = tmp_path / "m"
    answer = ok_json("train", path, "--target", "y", "-o", model)
    assert answer["classes"] == ["-2", "1.50", "9", "10", "A", "b"]
    table = read_csv(ok("predict", model, path, "--proba").stdout)
    assert list(table[0]) == ["prediction", "p_-2", "p_1.50", "p_9", "p_10", "p_A", "p_b"]
    assert {row["prediction"] for row in table} <= set(labels)


def test_labels_that_need_quotes(tmp_path):
    labels = ['say "hi"', "a,b", "two\nlines", " padded"]
    rows = [{"x": 10 * (i % 4) + (i % 3), "y": labels[i % 4]} for i in range(80)]
    path = write_csv(tmp_path / "d.csv", rows)
    model = tmp_path / "m"
    ok("train", path, "--target", "y", "-o", model)
    table = read_csv(ok("predict", model, path, "--proba").stdout)
    assert {row["prediction"].strip() for row in table} == {label.strip() for label in labels}
    assert 'p_say "hi"' in table[0] and "p_a,b" in table[0] and "p_two\nlines" in table[0]
    assert len(table) == 80


def test_equals_and_space_are_the_same(tmp_path, penguins):
    ok("train", penguins, "--target=species", "--ridge=0.5", f"--output={tmp_path / 'a'}")
    ok("train", penguins, "--target", "species", "--ridge", "0.5", "-o", tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
