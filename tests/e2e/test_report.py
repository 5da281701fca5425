"""report: one page about a model; its numbers are those of evaluate."""

import csv
import html
import math
import random
import re
from html.parser import HTMLParser

import pytest
from support import (
    DATA,
    MEASUREMENTS,
    PENGUINS,
    fails,
    ok,
    ok_json,
    posteriors,
    read_csv,
    write_csv,
)


class Page(HTMLParser):
    """Tables by caption, text, and every address that is named."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.addresses, self.scripts = {}, [], 0
        self._cell = self._row = self._rows = None
        self._caption = False
        self.open_tags = []
        self.feed(text)

    VOID = frozenset({"meta", "br", "rect", "image", "path", "circle"})

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.addresses += [values[name] for name in ("href", "src") if name in values]
        if tag == "table":
            self._rows = []
        elif tag == "tr":
            self._row = []
        elif tag in ("td", "th"):
            self._cell = ""
        elif tag == "caption":
            self._caption, self._cell = True, ""
        if tag not in self.VOID:
            self.open_tags.append(tag)

    def handle_endtag(self, tag):
        if tag in self.VOID:
            return
        assert self.open_tags.pop() == tag
        if tag in ("td", "th"):
            self._row.append(self._cell)
            self._cell = None
        elif tag == "tr":
            self._rows.append(self._row)
        elif tag == "caption":
            self.tables[self._cell] = self._rows
            self._cell = None

    def handle_data(self, data):
        if self._cell is not None:
            self._cell += data

    def table(self, beginning):
        (found,) = [rows for caption, rows in self.tables.items() if caption.startswith(beginning)]
        return found


def penguins(folder, *words):
    rows = read_csv(PENGUINS.read_text())
    write_csv(folder / "train.csv", rows[::2])
    write_csv(folder / "test.csv", rows[1::2])
    ok("train", folder / "train.csv", "--target", "species", "-o", folder / "m", "--quiet", *words)
    return folder


def report(folder, *words, data="test.csv"):
    page = folder / "report.html"
    result = ok("report", folder / "m", folder / data, "-o", page, *words)
    return Page(page.read_text()), page.read_text(), result


@pytest.mark.parametrize("model", ["naive-bayes", "gaussian", "softmax", "neighbors"])
def test_its_measures_are_those_of_evaluate(tmp_path, model):
    folder = penguins(tmp_path, "--model", model, "--ignore", "island,sex,year")
    page, _, _ = report(folder)
    found = {row[0]: row for row in page.table("Measures with")}
    evaluation = ok_json("evaluate", folder / "m", folder / "test.csv")
    for name, key in [
        ("accuracy", "accuracy"),
        ("log loss", "log_loss"),
        ("Brier score", "brier"),
        ("error rate", "error_rate"),
    ]:
        assert float(found[name][1].split()[0]) == pytest.approx(evaluation[key], rel=1e-3)


def test_one_file_that_needs_no_network(tmp_path):
    page, text, _ = report(penguins(tmp_path, "--model", "gaussian", "--ignore", "island,sex,year"))
    assert all(a.startswith(("#", "data:image/png;base64,")) for a in page.addresses)
    assert not re.search(r"@import|url\((?!#)|<link", text)
    assert page.open_tags == []
    assert text.count("<svg") >= 3
    assert len(set(re.findall(r'\bid="([^"]+)"', text))) == len(re.findall(r'\bid="([^"]+)"', text))


def test_its_level_is_that_of_every_picture(tmp_path):
    folder = penguins(tmp_path, "--ignore", "island,sex,year")
    _, text, _ = report(folder, "--level", "0.9")
    pictures = " ".join(re.findall(r"<svg.*?</svg>", text, re.DOTALL))
    assert "90 %" in pictures
    assert "95 %" not in text


def test_a_picture_that_does_not_fit_says_why(tmp_path):
    rows = [{"y": f"class {i % 61:02}", "x": str(i % 61), "z": str(i % 7)} for i in range(610)]
    write_csv(tmp_path / "test.csv", rows)
    ok("train", tmp_path / "test.csv", "--target", "y", "-o", tmp_path / "m", "--quiet")
    _, text, _ = report(tmp_path)
    (sentence,) = re.findall(r'<p class="instead">(.*?)</p>', text)
    assert sentence.startswith("Not drawn: plot confusion draws up to 60 classes")
    assert "Densities" not in text  # of so many classes they would cover each other


def test_the_rows_it_shows_are_the_most_wrong_and_the_most_unsure(tmp_path):
    folder = penguins(tmp_path, "--ignore", "island,sex,year,body_mass_g,bill_length_mm")
    page, _, _ = report(folder, "--rows", "5")
    rows = read_csv((folder / "test.csv").read_text())
    classes = sorted({row["species"] for row in rows})
    proba = posteriors(
        ok("predict", folder / "m", folder / "test.csv", "--proba", "--quiet").stdout, classes
    )
    truths = [classes.index(row["species"]) for row in rows]
    wrong = sorted(
        (
            (-math.log(p[t]), -i)
            for i, (p, t) in enumerate(zip(proba, truths, strict=True))
            if max(p) > p[t]
        ),
        reverse=True,
    )[:5]
    lines = [int(re.search(r"line (\d+)$", row[0])[1]) for row in page.table("Most wrong")[1:]]
    assert lines == [2 - i for _, i in wrong]  # the header is line 1
    margin = [sorted(p)[-1] - sorted(p)[-2] for p in proba]
    unsure = sorted(range(len(rows)), key=lambda i: (round(margin[i], 12), i))[:5]
    lines = [int(re.search(r"line (\d+)$", row[0])[1]) for row in page.table("Most unsure")[1:]]
    assert lines == [i + 2 for i in unsure]


def test_missing_values_are_counted(tmp_path):
    folder = penguins(tmp_path)
    page, _, _ = report(folder)
    rows = read_csv((folder / "test.csv").read_text())
    for name, _, missing, _ in page.table("Columns of")[1:]:
        assert int(missing.replace(",", "")) == sum(row[name] in ("", "NA") for row in rows)
    assert any(row[2] != "0" for row in page.table("Columns of")[1:])


def test_a_column_without_information_matters_least(tmp_path):
    rng = random.Random(5)
    rows = []
    for _ in range(600):
        label = rng.choice("ab")
        rows.append(
            {
                "y": label,
                "strong": repr(rng.gauss(3.0 if label == "a" else 0.0, 1.0)),
                "weak": repr(rng.gauss(1.0 if label == "a" else 0.0, 1.0)),
                "noise": repr(rng.gauss(0.0, 1.0)),
            }
        )
    write_csv(tmp_path / "train.csv", rows[:300])
    write_csv(tmp_path / "test.csv", rows[300:])
    ok("train", tmp_path / "train.csv", "--target", "y", "-o", tmp_path / "m", "--quiet")
    _, text, _ = report(tmp_path)
    order = re.findall(r"<title>(strong|weak|noise): (-?[\d.e-]+)", text)
    assert [name for name, _ in order] == ["strong", "weak", "noise"]
    assert abs(float(order[2][1])) < 0.05 < float(order[0][1])


def test_columns_that_nothing_depends_on_are_not_praised(tmp_path):
    rows = [
        {"y": "ab"[i % 2], **{f"x{j}": str(i % 2 + i % 3 / 10) for j in range(40)}}
        for i in range(60)
    ]
    write_csv(tmp_path / "test.csv", rows)
    ok("train", tmp_path / "test.csv", "--target", "y", "-o", tmp_path / "m", "--quiet")
    _, text, _ = report(tmp_path)
    assert "No column surely costs something" in text


def test_warnings_say_what_is_wrong_with_the_numbers(tmp_path):
    folder = penguins(tmp_path)
    _, text, result = report(folder, "--train", folder / "test.csv")
    assert "These are the rows that the model was trained on" in text
    assert "note: These are the rows that the model was trained on" in result.stderr
    (folder / "copy.csv").write_bytes((folder / "test.csv").read_bytes())
    assert "These are the rows" in report(folder, "--train", folder / "copy.csv")[1]
    _, text, _ = report(folder, "--train", folder / "train.csv")
    assert "These are the rows" not in text
    assert "train.csv" in text


def test_rows_are_counted_where_they_are_weighted(tmp_path):
    rows = [{"y": "ab"[i % 2], "x": str(i), "w": "10"} for i in range(40)]
    write_csv(tmp_path / "test.csv", rows)
    words = ["--target", "y", "--weights", "w"]
    ok("train", tmp_path / "test.csv", *words, "-o", tmp_path / "m", "--quiet")
    page, text, _ = report(tmp_path, "--weights", "w")
    table = page.table("Measures by class")
    assert table[0][:3] == ["class", "rows", "weight"]
    assert [row[:3] for row in table[1:]] == [["a", "20", "200"], ["b", "20", "200"]]
    assert "Fewer than 30 rows are of class 'a', 'b'" in text


def test_rows_that_lack_a_value_are_counted_among_all(tmp_path):
    folder = penguins(tmp_path, "--model", "softmax", "--ignore", "island,sex,year")
    rows = read_csv((folder / "test.csv").read_text())
    lacking = sum("NA" in [row[name] for name in MEASUREMENTS] for row in rows)
    _, _, result = report(folder)
    assert lacking > 0
    assert f"note: {lacking} of {len(rows)} rows lack a value" in result.stderr


def test_a_guess_is_called_one(tmp_path):
    rows = [{"y": "ab"[i % 3 == 0], "x": str((i * 7919) % 101)} for i in range(300)]
    write_csv(tmp_path / "test.csv", rows)
    ok("train", tmp_path / "test.csv", "--target", "y", "-o", tmp_path / "m", "--quiet")
    _, text, _ = report(tmp_path)
    assert "Deciding always for 'a' would be right in 66.7 %" in html.unescape(text)


def test_hostile_names_stay_text(tmp_path):
    rng = random.Random(1)
    name, label = "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>'
    rows = [
        {"y": label if i % 2 else "b&c", name: repr(rng.gauss(i % 2, 1.0)), "z": str(i % 5)}
        for i in range(60)
    ]
    write_csv(tmp_path / "test.csv", rows)
    ok("train", tmp_path / "test.csv", "--target", "y", "-o", tmp_path / "m", "--quiet")
    page, text, _ = report(tmp_path)
    assert "<script>alert" not in text and "<img" not in text
    assert label in {row[0] for row in page.table("Measures by class")}


def test_long_names_leave_room(tmp_path):
    rows = [{"y": "ab"[i % 2] * 300, "\u00e9" * 300: str(i * 7 % 11)} for i in range(60)]
    write_csv(tmp_path / "test.csv", rows)
    ok("train", tmp_path / "test.csv", "--target", "y", "-o", tmp_path / "m", "--quiet")
    page, _, result = report(tmp_path)
    assert page.table("Measures by class")[1][0] == "a" * 80 + "\u2026"
    assert page.table("Most unsure")[0][-1] == "\u00e9" * 40 + "\u2026"
    assert "a" * 60 not in result.stderr


def test_same_bytes_for_any_number_of_threads(tmp_path):
    folder = penguins(tmp_path)
    pages = {report(folder, "--threads", threads)[1] for threads in ("1", "2", "7")}
    assert len(pages) == 1


def test_documents(tmp_path):
    lines = (DATA / "sms_spam.txt").read_text().splitlines(keepends=True)
    (tmp_path / "train.txt").write_text("".join(lines[:1500]))
    (tmp_path / "test.txt").write_text("".join(lines[1500:2500]))
    ok("train", tmp_path / "train.txt", "--format", "lines", "-o", tmp_path / "m", "--quiet")
    page, text, _ = report(tmp_path, "--format", "lines", data="test.txt")
    assert len(page.table("Most wrong")) > 1
    (words,) = [
        picture
        for picture in re.findall(r"<svg.*?</svg>", text, re.DOTALL)
        if "claim" in picture or "prize" in picture  # the words of spam
    ]
    assert "spam" in words and "ham" in words


def test_it_says_how_it_was_made(tmp_path):
    folder = penguins(tmp_path)
    _, text, _ = report(folder, "--rows", "3")
    made = html.unescape(re.search(r"<pre><code>(.*?)</code></pre>", text, re.DOTALL)[1]).strip()
    assert made == (
        f"logodds report {folder}/m {folder}/test.csv --output {folder}/report.html --rows 3"
    )


def test_bad_input(tmp_path):
    folder = penguins(tmp_path)
    data = folder / "test.csv"
    assert "ends in .html" in fails("report", folder / "m", data, "-o", tmp_path / "r.pdf")
    assert "-o" in fails("report", folder / "m", data)
    words = fails("report", folder / "m", "-", "--train", "-", "-o", tmp_path / "r.html")
    assert "cannot both be standard input" in words
    ok("cluster", data, "--k", "2", "--columns", ",".join(MEASUREMENTS), "-o", folder / "c")
    assert "clusters" in fails("report", folder / "c", data, "-o", tmp_path / "r.html")
    unlabelled = [
        {k: v for k, v in row.items() if k != "species"} for row in csv.DictReader(data.open())
    ]
    write_csv(folder / "unlabelled.csv", unlabelled)
    words = fails("report", folder / "m", folder / "unlabelled.csv", "-o", tmp_path / "r.html")
    assert "species" in words
    assert not (tmp_path / "r.html").exists()


def test_one_class_and_one_row(tmp_path):
    write_csv(tmp_path / "test.csv", [{"y": "only", "x": "1"}, {"y": "only", "x": "2"}])
    ok("train", tmp_path / "test.csv", "--target", "y", "-o", tmp_path / "m", "--quiet")
    _, text, _ = report(tmp_path)
    assert "2 rows of" in text
