"""--format: the same rows give the same model whatever the way in."""

import gzip
import random
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from support import BINARY, ROOT, fails, ok, ok_json, read_csv, run, write_csv

SMS = ROOT / "data" / "sms_spam.txt"
ROWS = [
    ("ham", "see you at lunch"),
    ("spam", "win a free prize now"),
    ("ham", "are you home, see you"),
    ("spam", "free entry: win cash"),
    ("ham", ""),
    ("spam", "Ünïcode ПРИЗ prize"),
]


def write_lines(path: Path, rows=ROWS, end="\n") -> Path:
    path.write_bytes("".join(f"{label}\t{text}{end}" for label, text in rows).encode())
    return path


def write_folders(path: Path, rows=ROWS) -> Path:
    for number, (label, text) in enumerate(rows):
        (path / label).mkdir(parents=True, exist_ok=True)
        (path / label / f"{number:06}.txt").write_bytes(text.encode())
    return path


def tables(model) -> dict:
    """What inspect says of a model, but for the way in which it was trained."""
    return ok_json("inspect", model)


@pytest.fixture
def lines(tmp_path) -> Path:
    return write_lines(tmp_path / "rows.txt")


@pytest.fixture
def lines_model(tmp_path, lines) -> Path:
    ok("train", lines, "--format", "lines", "-o", tmp_path / "lines.model")
    return tmp_path / "lines.model"


def predictions(*words, **options) -> list[dict[str, str]]:
    return read_csv(ok("predict", *words, "--proba", "--quiet", **options).stdout)


def run_bytes(*words, stdin: bytes) -> bytes:
    """Standard output as it is, decoded by nobody."""
    return subprocess.run(
        [BINARY, *map(str, words)], input=stdin, capture_output=True, check=True
    ).stdout


def test_lines_need_no_target(lines, tmp_path):
    summary = ok_json("train", lines, "--format", "lines", "-o", tmp_path / "m")
    assert summary["target"] == "label"
    assert summary["classes"] == ["ham", "spam"]
    assert summary["class_counts"] == [3, 3]
    assert summary["columns"] == [{"name": "text", "kind": "text"}]


def test_csv_tsv_lines_and_folders_give_one_model(lines_model, tmp_path):
    table = [{"label": label, "text": text} for label, text in ROWS]
    kinds = ["--target", "label", "--kinds", "text=text"]
    csv = write_csv(tmp_path / "rows.csv", table)
    ok("train", csv, *kinds, "-o", tmp_path / "csv.model")
    tsv = tmp_path / "rows.txt.tsv"
    tsv.write_text("label\ttext\n" + "".join(f"{label}\t{text}\n" for label, text in ROWS))
    ok("train", tsv, "--format", "tsv", *kinds, "-o", tmp_path / "tsv.model")
    # Classes of folders come one after the other; sums of whole numbers do not care.
    folders = write_folders(tmp_path / "folders")
    ok("train", folders, "--format", "folders", "-o", tmp_path / "folders.model")
    wanted = lines_model.read_bytes()
    for name in ("csv", "tsv", "folders"):
        assert (tmp_path / f"{name}.model").read_bytes() == wanted, name


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_by_pipe_and_compressed(end, lines_model, tmp_path):
    path = write_lines(tmp_path / "again.txt", end=end)
    packed = tmp_path / "again.txt.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    ok("train", packed, "--format", "lines", "-o", tmp_path / "gz")
    ok("train", "-", "--format", "lines", "-o", tmp_path / "pipe", stdin=path.read_bytes())
    assert (tmp_path / "gz").read_bytes() == lines_model.read_bytes()
    assert (tmp_path / "pipe").read_bytes() == lines_model.read_bytes()


def test_predict_takes_lines_with_and_without_labels(lines_model, lines):
    labelled = predictions(lines_model, lines, "--format", "lines")
    bare = "".join(text + "\n" for _, text in ROWS)
    unlabelled = predictions(lines_model, "-", "--format", "lines", stdin=bare)
    assert len(labelled) == len(ROWS)
    assert labelled == unlabelled
    tabbed = predictions(lines_model, "-", "--format", "lines", stdin="other\tfree prize")
    assert tabbed == predictions(lines_model, "-", "--format", "lines", stdin="other free prize")


def test_evaluate_lines(lines_model, lines):
    result = ok_json("evaluate", lines_model, lines, "--format", "lines")
    assert result["rows"] == len(ROWS) and result["accuracy"] == pytest.approx(1.0)


def test_folders_are_predicted_with_and_without_classes(lines_model, tmp_path):
    folders = write_folders(tmp_path / "folders")
    rows = predictions(lines_model, folders, "--format", "folders")
    assert [row["prediction"] for row in rows] == ["ham"] * 3 + ["spam"] * 3
    flat = tmp_path / "flat"
    flat.mkdir()
    for number, (_, text) in enumerate(sorted(ROWS, key=lambda row: row[0])):
        (flat / f"{number}.txt").write_text(text)
    assert predictions(lines_model, flat, "--format", "folders") == rows
    assert ok_json("evaluate", lines_model, folders, "--format", "folders")["accuracy"] == 1.0


def test_update_and_forget_lines_and_folders(lines_model, tmp_path):
    more = [("egg", "spam spam and prize"), ("ham", "new words")]
    write_lines(tmp_path / "more.txt", more)
    words = ["--format", "lines", "-o"]
    ok("update", lines_model, tmp_path / "more.txt", *words, tmp_path / "both.model")
    write_lines(tmp_path / "all.txt", ROWS + more)
    ok("train", tmp_path / "all.txt", *words, tmp_path / "all.model")
    assert (tmp_path / "both.model").read_bytes() == (tmp_path / "all.model").read_bytes()
    folders = write_folders(tmp_path / "more", more)
    ok("forget", tmp_path / "both.model", folders, "--format", "folders", "-o", tmp_path / "less")
    assert tables(tmp_path / "less")["classes"] == ["ham", "spam"]
    assert predictions(tmp_path / "less", tmp_path / "all.txt", "--format", "lines") == predictions(
        lines_model, tmp_path / "all.txt", "--format", "lines"
    )


def test_threads_do_not_change_the_model(tmp_path):
    rows = random.Random(1)
    words = [f"w{k}" for k in range(500)]
    path = tmp_path / "many.txt"
    with path.open("w") as file:
        for _ in range(5000):
            text = " ".join(rows.choices(words, k=rows.randrange(60)))
            file.write(f"c{rows.randrange(3)}\t{text}\n")
    for threads in (1, 2, 5):
        model = tmp_path / f"m{threads}"
        ok("train", path, "--format", "lines", "--threads", threads, "-o", model)
        assert model.read_bytes() == (tmp_path / "m1").read_bytes()


def test_notes_and_json_of_what_is_not_known(lines_model):
    text = "free zebra lion\nlion\n\nwin\n"
    result = run("predict", lines_model, "-", "--format", "lines", stdin=text)
    assert "note: 3 of 5 words (60.0 %) are not in the vocabulary and count for" in result.stderr
    assert "note: 2 documents hold no known word and get the prior" in result.stderr
    bad = run("predict", lines_model, "-", "--format", "lines", stdin=b"win \xff \xc3( \n")
    assert "note: 2 invalid UTF-8 sequences were read as U+FFFD" in bad.stderr
    rows = read_csv(result.stdout)
    assert [row["prediction"] for row in rows][3] == "spam"


def test_texts_in_json(lines_model, tmp_path):
    data = tmp_path / "new.txt"
    data.write_bytes(b"ham\tsee zebra\nspam\tlion\xff\n")
    wanted = {
        "documents": 2,
        "without_words": 1,
        "terms": 3,
        "unknown_terms": 2,
        "bad_characters": 1,
    }
    assert ok_json("evaluate", lines_model, data, "--format", "lines")["texts"] == wanted
    words = ["predict", lines_model, data, "--format", "lines", "-o", tmp_path / "out.csv"]
    assert ok_json(*words)["texts"] == wanted


def test_texts_are_not_in_the_json_of_other_models(penguins, penguins_model):
    assert "texts" not in ok_json("evaluate", penguins_model, penguins)


def test_sms_spam_as_the_references_have_it(tmp_path):
    """scikit-learn 1.9: CountVectorizer() and MultinomialNB(), .981804 of 3902 rows."""
    rows = SMS.read_bytes().splitlines(keepends=True)
    (tmp_path / "train.txt").write_bytes(b"".join(rows[:1672]))
    (tmp_path / "test.txt").write_bytes(b"".join(rows[1672:]))
    ok("train", tmp_path / "train.txt", "--format", "lines", "-o", tmp_path / "m")
    result = ok_json("evaluate", tmp_path / "m", tmp_path / "test.txt", "--format", "lines")
    assert result["rows"] == 3902
    assert round(result["accuracy"], 6) == 0.981804


# words


def test_top_words_of_every_class_are_shown(tmp_path):
    rows = [(f"c{k}", " ".join(f"w{k}x{i}" for i in range(12))) for k in range(5)]
    write_lines(tmp_path / "rows.txt", rows)
    ok("train", tmp_path / "rows.txt", "--format", "lines", "-o", tmp_path / "m")
    table = ok("inspect", tmp_path / "m", "--top-words", "10").stdout
    assert [len(re.findall(rf"^c{k} +w{k}x", table, re.MULTILINE)) for k in range(5)] == [10] * 5
    assert "more rows" not in table


# html


def test_a_page_is_utf8_whatever_the_documents(lines_model):
    """As Python replaces: the longest beginning of a character, or one byte, is one U+FFFD."""
    documents = [
        b"win caf\xe9 prize",
        b"\xed\xa0\x80 see \xf0\x9f\x98",
        b"\xc0\x80 free \xff\xfe",
        b"\xf4\x90\x80\x80 \xe0\x80\x80 \xf0\x80\x80\x80 \xe2\x82",
        "Ünïcode ПРИЗ 😀".encode(),
    ]
    words = ["predict", lines_model, "-", "--explain", "--quiet", "--format", "lines,html"]
    page = run_bytes(*words, stdin=b"\n".join(documents) + b"\n").decode()
    shown = re.findall('<p class="document">(.*?)</p>', page, re.DOTALL)
    plain = [re.sub("<[^>]*>", "", document) for document in shown]
    assert plain == [document.decode(errors="replace") for document in documents]


def test_a_page_names_what_the_model_begins_with(lines, lines_model, penguins, tmp_path):
    words = ["--explain", "--quiet", "--format"]
    assert "(prior)" in ok("predict", lines_model, lines, *words, "lines,html").stdout
    table = ["train", penguins, "--target", "species", "--model", "softmax", "-o", tmp_path / "m"]
    ok(*table)
    page = ok("predict", tmp_path / "m", penguins, *words, "html", "--top", "100").stdout
    assert "(intercept)" in page and "(prior)" not in page


# svmlight


def sparse_rows(count=400, columns=30, seed=1) -> tuple[np.ndarray, np.ndarray]:
    random_numbers = np.random.default_rng(seed)
    labels = random_numbers.integers(0, 3, count)
    rates = random_numbers.gamma(0.3, 1.0, (3, columns))
    return random_numbers.poisson(rates[labels]).astype(float), labels


def write_svmlight(path: Path, rows, labels) -> Path:
    lines = ["# a comment"]
    for number, (row, label) in enumerate(zip(rows, labels, strict=True)):
        pairs = " ".join(f"{c + 1}:{value:g}" for c, value in enumerate(row) if value != 0)
        lines.append(f"{label} qid:{number} {pairs} # row {number}")
    path.write_text("\n".join(lines) + "\n")
    return path


def test_svmlight_pairs_are_the_counts_of_multinomial_naive_bayes(tmp_path):
    naive_bayes = pytest.importorskip("sklearn.naive_bayes")
    rows, labels = sparse_rows()
    rows[:, -1] = 0
    rows[:300, -1] = 1  # so that every term is in the vocabulary
    data = write_svmlight(tmp_path / "rows.svm", rows, labels)
    words = ["--format", "svmlight"]
    summary = ok_json("train", data, *words, "--model", "naive-bayes", "-o", tmp_path / "m")
    assert summary["options"]["tokens"] == "pairs"
    assert summary["columns"] == [{"name": "features", "kind": "text"}]
    used = rows[:, rows.sum(axis=0) > 0]
    wanted = naive_bayes.MultinomialNB().fit(used, labels).predict_proba(used)
    got = [
        [float(row[f"p_{k}"]) for k in range(3)]
        for row in predictions(tmp_path / "m", data, *words)
    ]
    np.testing.assert_allclose(got, wanted, rtol=1e-9, atol=1e-12)
    accuracy = ok_json("evaluate", tmp_path / "m", data, *words)["accuracy"]
    assert accuracy == pytest.approx((wanted.argmax(axis=1) == labels).mean())


@pytest.mark.parametrize("model", ["softmax", "neighbors", "gaussian"])
def test_svmlight_is_the_dense_table_to_other_models(model, tmp_path):
    rows, labels = sparse_rows(columns=6)
    data = write_svmlight(tmp_path / "rows.svm", rows, labels)
    if model == "neighbors":  # which remembers the numbers of rows, here of lines
        data.write_text(data.read_text().removeprefix("# a comment\n"))
    table = [
        {"label": label} | {f"x{c + 1}": value for c, value in enumerate(row)}
        for row, label in zip(rows, labels, strict=True)
    ]
    csv = write_csv(tmp_path / "rows.csv", table)
    words = ["--model", model, "-o"]
    ok("train", data, "--format", "svmlight", *words, tmp_path / "sparse")
    ok("train", csv, "--target", "label", *words, tmp_path / "dense")
    assert (tmp_path / "sparse").read_bytes() == (tmp_path / "dense").read_bytes()
    piped = ["train", "-", "--format", "svmlight", *words, tmp_path / "piped"]
    ok(*piped, stdin=data.read_bytes())
    assert (tmp_path / "piped").read_bytes() == (tmp_path / "dense").read_bytes()
    assert predictions(tmp_path / "dense", data, "--format", "svmlight") == predictions(
        tmp_path / "sparse", csv
    )


def test_svmlight_update_and_forget(tmp_path):
    rows, labels = sparse_rows(columns=6)
    first = write_svmlight(tmp_path / "first.svm", rows[:200], labels[:200])
    rest = write_svmlight(tmp_path / "rest.svm", rows[200:], labels[200:])
    whole = write_svmlight(tmp_path / "all.svm", rows, labels)
    words = ["--format", "svmlight"]
    for model in ("naive-bayes", "gaussian"):
        start, both, once = (tmp_path / f"{model}{k}" for k in range(3))
        ok("train", first, *words, "--model", model, "-o", start)
        ok("update", start, rest, *words, "-o", both)
        ok("train", whole, *words, "--model", model, "-o", once)
        got = [list(row.values())[1:] for row in predictions(both, whole, *words)]
        wanted = [list(row.values())[1:] for row in predictions(once, whole, *words)]
        np.testing.assert_allclose(np.array(got, float), np.array(wanted, float), atol=1e-9)


# what does not go together


def test_format_and_flags_that_do_not_go_together(lines, tmp_path):
    words = ["train", lines, "--format", "lines", "-o", tmp_path / "m"]
    assert "leave --target out" in fails(*words, "--target", "label")
    for flag in (["--weights", "w"], ["--ignore", "a"], ["--kinds", "a=real"]):
        sentence = fails(*words, *flag)
        assert flag[0] in sentence and "--format lines" in sentence
    for flag in (["--delimiter", "tab"], ["--no-header"], ["--missing-tokens", "x"]):
        sentence = fails(*words, *flag)
        assert flag[0] in sentence and "--format lines" in sentence
    words = ["train", lines, "--format", "tsv", "--target", "a", "--delimiter", ",", "-o"]
    assert "--format tsv" in fails(*words, tmp_path / "m")
    assert not (tmp_path / "m").exists()


def test_formats_that_are_none(lines, lines_model, tmp_path):
    words = ["train", lines, "-o", tmp_path / "m", "--format"]
    sentence = fails(*words, "line")
    assert "'line'" in sentence and "did you mean 'lines'?" in sentence
    assert "csv, tsv, lines, folders, svmlight" in fails(*words, "parquet")
    assert "more than one" in fails(*words, "lines,csv")
    assert "--format html belongs to 'logodds predict --explain'" in fails(*words, "html")
    words = ["predict", lines_model, lines, "--format", "lines,html"]
    assert "give --explain as well" in fails(*words)


def test_a_folder_without_format(tmp_path, lines_model):
    folders = write_folders(tmp_path / "folders")
    sentence = fails("train", folders, "--target", "label", "-o", tmp_path / "m")
    assert "is a folder" in sentence and "--format folders" in sentence
    assert "--format folders" in fails("predict", lines_model, folders)
    assert "--format folders" in fails("evaluate", lines_model, folders)


def test_models_that_read_no_documents(lines, tmp_path):
    sentence = fails(
        "train", lines, "--format", "lines", "--model", "softmax", "-o", tmp_path / "m"
    )
    assert "model softmax does not read" in sentence and "--model naive-bayes" in sentence


def test_documents_are_not_drawn(lines_model):
    assert "documents cannot be drawn" in fails("sample", lines_model, "-n", "3")
