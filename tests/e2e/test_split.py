"""split: training, validation and test rows, class by class."""

import resource
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from support import BINARY, PENGUINS, fails, ok, ok_json, penguin_rows, read_csv

SHARES = ["--train", ".6", "--validation", ".2", "--test", ".2"]


def split(data, prefix, *words, **options):
    return ok_json("split", data, "--target", "species", "-o", prefix, *words, **options)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def parts(result):
    return {part["part"]: Path(part["output"]).read_text() for part in result["parts"]}


def test_rows_are_divided_class_by_class(tmp_path):
    result = split(PENGUINS, tmp_path / "p", *SHARES, "--seed", "1")
    texts = parts(result)
    assert names(tmp_path) == ["p.test.csv", "p.train.csv", "p.validation.csv"]
    header, *lines = PENGUINS.read_text().splitlines()
    found = []
    for part in result["parts"]:
        first, *rows = texts[part["part"]].splitlines()
        assert first == header
        assert len(rows) == part["rows"]
        found += rows
    assert Counter(found) == Counter(lines)
    everything = Counter(row["species"] for row in penguin_rows(complete=False))
    for part, share in zip(result["parts"], [0.6, 0.2, 0.2], strict=True):
        counts = Counter(row["species"] for row in read_csv(texts[part["part"]]))
        for species, total in everything.items():
            assert abs(counts[species] - share * total) < 1
        assert counts == {row["class"]: row[part["part"]] for row in result["classes"]}


def test_a_seed_is_a_split_whichever_way_the_rows_come(tmp_path):
    one = parts(split(PENGUINS, tmp_path / "a", *SHARES, "--seed", "7"))
    text = PENGUINS.read_bytes()
    for threads in ["1", "3"]:
        piped = split("-", tmp_path / "b", *SHARES, "--seed", "7", "--threads", threads, stdin=text)
        assert parts(piped) == one
    assert parts(split(PENGUINS, tmp_path / "c", *SHARES, "--seed", "8")) != one


def test_a_share_that_is_not_given_is_the_rest(tmp_path):
    def shares(*words):
        result = split(PENGUINS, tmp_path / "p", *words)
        return {part["part"]: pytest.approx(part["share"]) for part in result["parts"]}

    assert shares("--train", ".7") == {"train": 0.7, "test": 0.3}
    assert shares("--test", ".3") == {"train": 0.7, "test": 0.3}
    assert shares("--validation", ".1") == {"validation": 0.1, "test": 0.9}
    assert shares("--train", ".7", "--test", ".2") == {"train": 0.7, "validation": 0.1, "test": 0.2}
    assert shares("--train", ".8", "--test", ".2") == {"train": 0.8, "test": 0.2}


def test_the_parts_can_be_used(tmp_path):
    split(PENGUINS, f"{tmp_path}/", "--train", ".7")
    assert names(tmp_path) == ["test.csv", "train.csv"]
    model = tmp_path / "m"
    ok("train", tmp_path / "train.csv", "--target", "species", "-o", model)
    assert ok_json("evaluate", model, tmp_path / "test.csv")["error_rate"] < 0.2


def test_other_formats_keep_their_form(tmp_path):
    lines = tmp_path / "docs.txt"
    lines.write_text("".join(f"{'ham' if i % 3 else 'spam'}\tdocument {i}\n" for i in range(30)))
    result = ok_json("split", lines, "--format", "lines", "--train", ".5", "-o", tmp_path / "d")
    assert [part["rows"] for part in result["parts"]] == [15, 15]
    assert (tmp_path / "d.train.txt").read_text().count("\tdocument ") == 15
    tsv = tmp_path / "t.tsv"
    tsv.write_text("y\tx\n" + "a\t1\nb\t2\n" * 10)
    result = ok_json("split", tsv, "--target", "y", "--train", ".5", "-o", tmp_path / "t")
    assert result["parts"][0]["output"].endswith("t.train.tsv")


def test_a_class_that_is_too_small_is_named(tmp_path):
    data = tmp_path / "small.csv"
    data.write_text("x,species\n" + "1,a\n" * 10 + "2,rare\n")
    result = split(data, tmp_path / "s", *SHARES)
    assert result["classes"][1] == {"class": "rare", "train": 1, "validation": 0, "test": 0}
    assert result["notes"] == ["1 class has too few rows to be in every part: rare"]


def test_a_long_pipe_needs_no_memory(tmp_path):
    """150 MB come through a pipe; the command may hold 400 MB of addresses less."""
    data = "x,species,filler\n" + "".join(
        f"{i},{'abc'[i % 3]},{'.' * 480}\n" for i in range(300_000)
    )
    limit = 1 << 30

    def small():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    if "asan" in str(BINARY):
        pytest.skip("sanitizers need all addresses")
    words = ["split", "-", "--target", "species", "--train", ".5", "-o", tmp_path / "p"]
    subprocess.run(
        [str(BINARY), *map(str, words), "--quiet"],
        input=data.encode(),
        check=True,
        preexec_fn=small,
    )
    sizes = [(tmp_path / f"p.{part}.csv").stat().st_size for part in ["train", "test"]]
    assert sum(sizes) == len(data) + len("x,species,filler\n")
    assert names(tmp_path) == ["p.test.csv", "p.train.csv"]


def test_nothing_is_written_when_something_is_wrong(tmp_path):
    bad = tmp_path / "bad.csv"
    bad.write_text("x,species\n1,a\n2,b\n3\n")
    (tmp_path / "p.train.csv").write_text("as it was")
    message = fails("split", bad, "--target", "species", "--train", ".5", "-o", tmp_path / "p")
    assert "bad.csv, line 4: 1 field, but the header has 2" in message
    assert (tmp_path / "p.train.csv").read_text() == "as it was"
    assert names(tmp_path) == ["bad.csv", "p.train.csv"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--train", ".6"], "option -o PREFIX is missing"),
        (["-o", "p"], "no share is given"),
        (["-o", "p", "--train", ".6", "--test", ".6"], "sum to 1.2"),
        (["-o", "p", "--train", ".6", "--validation", ".1", "--test", ".1"], "sum to 0.8"),
        (["-o", "p", "--train", "1.5"], "--train"),
        (["-o", "no/such/p", "--train", ".6"], "no/such"),
        (["-o", "p", "--train", ".6", "--format", "folders"], "leave"),
    ],
)
def test_bad_usage(words, sentence, tmp_path):
    assert sentence in fails("split", PENGUINS, "--target", "species", *words, cwd=tmp_path)
    assert names(tmp_path) == []


def test_the_input_is_not_overwritten(tmp_path):
    data = tmp_path / "p.train.csv"
    data.write_bytes(PENGUINS.read_bytes())
    words = ["--target", "species", "--train", ".6", "-o", tmp_path / "p"]
    assert "would replace" in fails("split", data, *words)
    assert data.read_bytes() == PENGUINS.read_bytes()
