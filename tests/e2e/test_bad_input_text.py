"""Bad documents: handled or refused with a sentence, never a crash."""

import gzip
import os
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from support import BINARY, fails, ok, ok_json, read_csv, write_csv

GOOD = b"ham\tsee you at lunch\nspam\twin a free prize\n"


@pytest.fixture
def model(tmp_path) -> Path:
    (tmp_path / "good.txt").write_bytes(GOOD)
    ok("train", tmp_path / "good.txt", "--format", "lines", "-o", tmp_path / "good.model")
    return tmp_path / "good.model"


def train_lines(tmp_path: Path, data: bytes) -> list:
    (tmp_path / "t.txt").write_bytes(data)
    return ["train", tmp_path / "t.txt", "--format", "lines", "-o", tmp_path / "m"]


def trained_classes(tmp_path: Path, data: bytes) -> list[str]:
    return ok_json(*train_lines(tmp_path, data))["classes"]


@pytest.mark.parametrize(
    "document",
    [
        b"\xfd\xff\xfe",
        b"caf\xe9 au lait",
        b"\xed\xa0\x80 surrogate",
        b"\xc0\x80 overlong",
        b"cut short \xf0\x9f\x98",
        b"nul\x00byte \x00\x00",
        b"bell \x07 escape \x1b[31m",
        b"",
        b"\t\t\t",
        b'"an open quote, never closed',
        b"x" * 3_000_000,
        b"word " * 600_000,
        b"\xff" * 100_000,
    ],
    ids=lambda document: repr(document[:12]),
)
def test_any_bytes_are_a_document(document, model, tmp_path):
    data = GOOD + b"ham\t" + document + b"\nspam\tafter it\n"
    assert trained_classes(tmp_path, data) == ["ham", "spam"]
    assert ok_json(*train_lines(tmp_path, data))["rows"] == 4
    rows = read_csv(
        ok("predict", model, "-", "--format", "lines", stdin=document + b"\nwin").stdout
    )
    assert [row["prediction"] for row in rows][1] == "spam"
    assert len(rows) == 2


def test_label_that_is_no_utf8(tmp_path):
    sentence = fails(*train_lines(tmp_path, GOOD + b"sp\xe9cial\ttext\n"))
    assert "t.txt, line 3: the label 'sp\\xe9cial' is not valid UTF-8" in sentence
    assert "iconv" in sentence
    sentence = fails(*train_lines(tmp_path, GOOD + b"a\x00b\ttext\n"))
    assert "line 3" in sentence and "NUL" in sentence


def test_lines_that_are_none(model, tmp_path):
    assert "t.txt, line 3: there is no tab" in fails(*train_lines(tmp_path, GOOD + b"no tab\n"))
    assert "t.txt, line 3: there is no label" in fails(*train_lines(tmp_path, GOOD + b" \tx\n"))
    for data in (b"", b"\n\n\r\n"):
        assert "holds no row" in fails(*train_lines(tmp_path, data))
    (tmp_path / "empty.txt").write_bytes(b"")
    assert "holds no row" in fails("predict", model, tmp_path / "empty.txt", "--format", "lines")
    assert "holds no row" in fails("predict", model, "-", "--format", "lines", stdin="")
    assert not (tmp_path / "m").exists()


def test_a_label_that_the_model_does_not_know(model, tmp_path):
    (tmp_path / "t.txt").write_bytes(GOOD + b"egg\tbreakfast\n")
    sentence = fails("evaluate", model, tmp_path / "t.txt", "--format", "lines")
    assert "line 3: the label 'egg' is not one of the classes of the model (ham, spam)" in sentence


def test_one_class_is_allowed_and_noted(tmp_path):
    result = ok(*train_lines(tmp_path, b"ham\ta text\nham\tanother\n"))
    assert "every row is of class 'ham'" in result.stderr and "--target" not in result.stderr
    folder = tmp_path / "folders" / "only"
    folder.mkdir(parents=True)
    (folder / "1").write_text("a text")
    result = ok(
        "train", tmp_path / "folders", "--format", "folders", "-o", tmp_path / "folders.model"
    )
    assert "every row is of class 'only'" in result.stderr


def test_files_of_another_kind(model, tmp_path):
    assert "UTF-16" in fails(*train_lines(tmp_path, "ham\tx\n".encode("utf-16")))
    words = ["predict", model, model, "--format", "lines"]
    assert "model file" in fails(*words)
    broken = gzip.compress(GOOD * 1000)[:-50]
    assert "t.txt" in fails(*train_lines(tmp_path, broken))


def test_folders_that_are_none(model, tmp_path):
    def sentence(path):
        return fails("train", path, "--format", "folders", "-o", tmp_path / "m")

    folder = tmp_path / "folder"
    folder.mkdir()
    assert "the folder is empty" in sentence(folder)
    (folder / "1.txt").write_text("a document")
    assert "there is no sub-folder" in sentence(folder)
    assert "is a file, not a folder" in sentence(folder / "1.txt")
    assert "cannot read the folder" in sentence(tmp_path / "nowhere")
    assert "not read from standard input" in sentence("-")
    (folder / "a").mkdir()
    assert "no sub-folder holds a file" in sentence(folder)
    assert "there is no sub-folder" not in sentence(folder)
    (tmp_path / "none").mkdir()
    words = ["predict", model, tmp_path / "none", "--format", "folders"]
    assert "the folder is empty" in fails(*words)


def test_an_unreadable_document_is_named(tmp_path):
    for label in ("a", "b"):
        (tmp_path / "docs" / label).mkdir(parents=True)
        (tmp_path / "docs" / label / "1.txt").write_text("some text")
    (tmp_path / "docs" / "b" / "2.txt").symlink_to("nowhere")
    words = ["train", tmp_path / "docs", "--format", "folders", "-o", tmp_path / "m"]
    sentence = fails(*words)
    assert f"cannot open {tmp_path}/docs/b/2.txt" in sentence and "permissions" in sentence
    assert not (tmp_path / "m").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run as another user")
def test_a_folder_without_permission_is_named():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        (folder / "docs" / "closed").mkdir(parents=True)
        (folder / "docs" / "closed").chmod(0o000)
        shutil.copy(BINARY, folder / "logodds")
        result = subprocess.run(
            [folder / "logodds", "train", "docs", "--format", "folders", "-o", "m"],
            capture_output=True,
            text=True,
            cwd=folder,
            user=65534,
            check=False,
        )
    assert result.returncode == 2, result.stderr
    assert "cannot read the folder docs/closed: Permission denied" in result.stderr


def test_pipes_in_folders_are_noted_and_circles_refused(tmp_path):
    for label in ("a", "b"):
        (tmp_path / "docs" / label).mkdir(parents=True)
        (tmp_path / "docs" / label / "1.txt").write_text("some text")
    os.mkfifo(tmp_path / "docs" / "a" / "pipe")
    words = ["train", tmp_path / "docs", "--format", "folders", "-o", tmp_path / "m"]
    result = ok(*words)
    assert "1 pipe, socket or device is no document and is left out: a/pipe" in result.stderr
    (tmp_path / "docs" / "b" / "loop").symlink_to("loop")
    assert f"cannot open {tmp_path}/docs/b/loop" in fails(*words)


@pytest.mark.skipif("asan" in str(BINARY), reason="a sanitizer takes all addresses")
def test_memory_does_not_grow_with_what_packed_files_hold(tmp_path):
    """100 files of 20 MB of blanks each, which are 20 kB when packed, in a block's memory."""
    packed = gzip.compress(b" " * 20_000_000)
    for number in range(100):
        folder = tmp_path / "docs" / f"c{number % 2}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.gz").write_bytes(packed)
    (tmp_path / "docs" / "c0" / "words").write_text("some words")
    words = ["train", tmp_path / "docs", "--format", "folders", "--threads", "2", "-o"]
    result = subprocess.run(
        [BINARY, *words, tmp_path / "m"],
        capture_output=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (600_000_000, 600_000_000)),
        check=False,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr


def test_a_schema_that_does_not_fit(model, penguins, penguins_model, tmp_path):
    (tmp_path / "t.txt").write_bytes(GOOD)
    for command in (["predict"], ["evaluate"]):
        sentence = fails(*command, penguins_model, tmp_path / "t.txt", "--format", "lines")
        assert "the model wants the columns 'island'" in sentence and "CSV" in sentence
    table = write_csv(tmp_path / "t.csv", [{"label": "ham", "message": "see you"}])
    assert "has no column 'text'" in fails("predict", model, table)


@pytest.mark.parametrize("option", ["--vocabulary", "--stop-words"])
def test_word_lists_that_are_no_utf8(option, tmp_path):
    terms = tmp_path / "terms"
    words = train_lines(tmp_path, b"no rows, and nobody looks")
    for raw in (b"free\na\xffb\n", b"free\ncaf\xe9", b"free\n\xed\xa0\x80", b"x\n\xf0\x9f"):
        terms.write_bytes(raw)
        sentence = fails(*words, option, terms)
        assert f"option {option}: {terms}, line 2: the text is not valid UTF-8" in sentence
        assert "iconv" in sentence
    terms.write_bytes("free\n".encode("utf-16"))
    assert "iconv -f UTF-16" in fails(*words, option, terms)
    assert not (tmp_path / "m").exists()


def test_byte_order_mark_of_a_vocabulary(tmp_path):
    for name, mark in (("plain", b""), ("marked", b"\xef\xbb\xbf")):
        (tmp_path / "terms").write_bytes(mark + "free\nwin\nété\n".encode())
        words = train_lines(tmp_path, GOOD)[:-1]
        ok(*words, tmp_path / name, "--vocabulary", tmp_path / "terms")
    assert (tmp_path / "marked").read_bytes() == (tmp_path / "plain").read_bytes()


@pytest.mark.parametrize("terms", [b"", b"\n\r\n", b" \t\n", b"\xef\xbb\xbf"])
def test_vocabulary_without_a_term(terms, tmp_path):
    (tmp_path / "terms").write_bytes(terms)
    sentence = fails(*train_lines(tmp_path, GOOD), "--vocabulary", tmp_path / "terms")
    assert f"option --vocabulary: {tmp_path}/terms holds no term" in sentence
    assert not (tmp_path / "m").exists()


def test_vocabulary_without_end(tmp_path):
    words = train_lines(tmp_path, GOOD)
    assert "/dev/zero is longer than 256 MiB" in fails(*words, "--vocabulary", "/dev/zero")


def test_a_vocabulary_is_no_name_of_a_model(tmp_path):
    (tmp_path / "terms").write_text("win\nfree\nlunch\n")
    summary = ok(*train_lines(tmp_path, GOOD), "--vocabulary", tmp_path / "terms").stdout
    assert "vocabulary of 3 lines)" in summary and "lunch" not in summary


def test_no_stop_words_are_none(tmp_path):
    (tmp_path / "none").write_bytes(b"")
    words = train_lines(tmp_path, GOOD)[:-1]
    ok(*words, tmp_path / "plain")
    ok(*words, tmp_path / "empty", "--stop-words", tmp_path / "none")
    assert (tmp_path / "empty").read_bytes() == (tmp_path / "plain").read_bytes()


def test_vocabulary_with_duplicates(tmp_path):
    (tmp_path / "terms").write_text("free\nwin\nfree\n")
    sentence = fails(*train_lines(tmp_path, GOOD), "--vocabulary", tmp_path / "terms")
    assert "--vocabulary" in sentence and "names 'free' twice" in sentence
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("1 2:x", ["line 2", "'2:x'", "INDEX:VALUE"]),
        ("1 a:1", ["line 2", "'a:1'", "INDEX:VALUE"]),
        ("1 3", ["line 2", "'3'", "INDEX:VALUE"]),
        ("1 5:1 4:1", ["line 2", "'4:1' comes after the index 5"]),
        ("1 4:1 4:1", ["line 2", "each once"]),
        ("1 4:nan", ["line 2", "not finite"]),
        ("1 4:1e400", ["line 2", "not finite"]),
        ("4:1", ["line 2", "there is no label"]),
        ("1 99999999999999999999:1", ["line 2", "INDEX:VALUE"]),
    ],
)
@pytest.mark.parametrize("model", ["softmax", "naive-bayes"])
def test_svmlight_errors(line, parts, model, tmp_path):
    (tmp_path / "t.svm").write_text(f"1 1:1\n{line}\n2 2:1\n")
    words = ["train", tmp_path / "t.svm", "--format", "svmlight", "--model", model]
    sentence = fails(*words, "-o", tmp_path / "m")
    for part in parts:
        assert part in sentence
    assert not (tmp_path / "m").exists()


def test_svmlight_rows_that_a_model_cannot_take(tmp_path):
    (tmp_path / "t.svm").write_text("1 1:1\n2 2:1\n")
    words = ["--format", "svmlight"]
    ok("train", tmp_path / "t.svm", *words, "--model", "softmax", "-o", tmp_path / "softmax")
    sentence = fails("predict", tmp_path / "softmax", "-", *words, stdin="1 1:1\n1 3:1\n")
    assert "line 2: the model has no column x3, only x1 to x2" in sentence
    (tmp_path / "wide.svm").write_text("1 1000001:1\n2 2:1\n")
    train = ["train", tmp_path / "wide.svm", *words, "-o", tmp_path / "m", "--model"]
    assert "1000001 columns" in fails(*train, "neighbors")
    ok(*train, "naive-bayes")
    (tmp_path / "negative.svm").write_text("1 1:1\n2 2:-1\n")
    train[1] = tmp_path / "negative.svm"
    assert "line 2: the value of index 2 is -1" in fails(*train, "naive-bayes")
    ok(*train, "softmax")


def test_words_and_pairs_are_not_mixed(model, tmp_path):
    (tmp_path / "t.svm").write_text("ham 1:1\nspam 2:1\n")
    assert "already counted" in fails("predict", model, tmp_path / "t.svm", "--format", "svmlight")
    words = ["train", tmp_path / "t.svm", "--format", "svmlight", "--tokens", "words", "-o"]
    assert "--tokens words" in fails(*words, tmp_path / "m")


@pytest.mark.slow
def test_memory_does_not_grow_with_the_lines_of_a_pipe(tmp_path):
    """200 MB of lines through a pipe, in less than a third of that."""
    line = b"ham\t" + b"some words of no importance " * 40 + b"\n"
    feeder = subprocess.Popen(
        ["sh", "-c", f"yes '{line.decode().rstrip()}' | head -c 200000000; echo"],
        stdout=subprocess.PIPE,
    )

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (600_000_000, 600_000_000))

    result = subprocess.run(
        [BINARY, "train", "-", "--format", "lines", "--threads", "2", "-o", tmp_path / "m"],
        stdin=feeder.stdout,
        capture_output=True,
        preexec_fn=limit,
        check=False,
        timeout=300,
    )
    feeder.wait()
    assert result.returncode == 0, result.stderr


@pytest.mark.slow
def test_a_line_of_a_pipe_beyond_all_measure(tmp_path):
    feeder = subprocess.Popen(
        ["sh", "-c", "printf 'ham\\t'; head -c 300000000 /dev/zero | tr '\\0' 'x'"],
        stdout=subprocess.PIPE,
    )
    result = subprocess.run(
        [BINARY, "train", "-", "--format", "lines", "-o", tmp_path / "m"],
        stdin=feeder.stdout,
        capture_output=True,
        check=False,
        timeout=300,
    )
    feeder.stdout.close()
    feeder.wait()
    assert result.returncode == 2
    assert b"longer than 256 MiB" in result.stderr and b"Traceback" not in result.stderr
