"""Words one by one: those that speak for a class, those that decided, those that nobody knows."""

import html
import json
import math
import os
import pty
import re
import select
import subprocess

import pytest
from documents import LINES, Rules, messages, straight, trained, write_lines
from support import BINARY, fails, ok, ok_json

OPTIONS = {
    "": Rules(),
    "--smoothing 0.2": Rules(smoothing=0.2),
    "--family bernoulli": Rules(family="bernoulli"),
    "--family complement": Rules(family="complement"),
    "--family markov": Rules(family="markov"),
    "--ngrams 1-2 --min-df 2": Rules(ngrams=(1, 2), min_df=2),
    "--tf-idf": Rules(tf_idf=True),
    "--normalize l2": Rules(normalize="l2"),
    "--binary": Rules(binary=True),
}
UNKNOWN = [
    ("", "free free qqq"),  # one of three is unknown
    ("", "zzyzx qqq rrr"),  # all are
    ("", ""),
    ("", "call me"),
]


def explained(model, path, *options):
    words = ["--explain", "--json", "--quiet", *options]
    lines = ok("predict", model, path, *LINES, *words).stdout
    return [json.loads(line) for line in lines.splitlines()]


# -- Unknown words --------------------------------------------------------------------------------


def test_unknown_words_are_counted(tmp_path):
    model = trained(tmp_path, messages(0, 300))
    path = write_lines(tmp_path / "new.txt", UNKNOWN)
    found = ok_json("predict", model, path, *LINES, "-o", tmp_path / "out.csv")
    assert found["texts"] == {
        "documents": 4,
        "without_words": 2,
        "terms": 8,
        "unknown_terms": 4,
        "bad_characters": 0,
    }
    notes = ok("predict", model, path, *LINES, "-o", tmp_path / "out.csv").stderr
    assert "4 of 8 " in notes and "(50.0 %) are not in the vocabulary" in notes
    assert "2 documents hold no known " in notes and "get the prior" in notes


def test_unknown_words_of_real_messages(tmp_path):
    known, new = messages(0, 1000), messages(1000, 1500)
    model = trained(tmp_path, known)
    labelled = write_lines(tmp_path / "new.txt", new)
    found = ok_json("evaluate", model, labelled, *LINES)["texts"]
    reference = straight(known, Rules()).columns["text"]
    words = [word.lower() for _, text in new for word in re.findall(r"(?u)\b\w\w+\b", text)]
    assert found["terms"] == len(words)
    assert found["unknown_terms"] == sum(word not in reference.known for word in words)
    assert found["without_words"] == sum(reference.unknown(text) for _, text in new)


def test_invalid_utf8_is_counted_and_stops_nothing(tmp_path):
    path = tmp_path / "d.txt"
    path.write_bytes(b"a\tone\xfftwo \xe2\x82 three\nb\tfour \xc3\x28 five\n")
    result = ok("train", path, *LINES, "-o", tmp_path / "m")
    assert "invalid UTF-8 sequences were read as U+FFFD" in result.stderr
    found = ok_json("predict", tmp_path / "m", path, *LINES, "-o", tmp_path / "out.csv")
    assert found["texts"]["bad_characters"] == 3
    assert (found["texts"]["terms"], found["texts"]["unknown_terms"]) == (5, 0)


# -- Words that speak for a class -----------------------------------------------------------------


@pytest.mark.parametrize("options", ["", "--smoothing 0.2", "--family bernoulli"])
def test_top_words(tmp_path, options):
    """ln p(t | C_k) - ln p(t | all others together), and the counts behind it."""
    pairs = messages(0, 600)
    model = trained(tmp_path, pairs, *options.split())
    [column] = ok_json("inspect", model, "--top-words", "10")["top_words"]
    rules = OPTIONS[options]
    reference = straight(pairs, rules).columns["text"]
    bernoulli = rules.family == "bernoulli"
    counts = reference.having if bernoulli else reference.counts
    totals = reference.documents if bernoulli else reference.totals
    room = rules.smoothing * (2 if bernoulli else reference.size)
    assert (column["column"], column["vocabulary"]) == ("text", reference.size)
    for k, found in enumerate(column["classes"]):
        rest = math.fsum(totals) - totals[k] + room
        odds = {}
        for term in reference.vocabulary:
            elsewhere = math.fsum(c[term] for c in counts) - counts[k][term]
            here = (counts[k][term] + rules.smoothing) / (totals[k] + room)
            odds[term] = math.log(here / ((elsewhere + rules.smoothing) / rest))
        best = sorted(odds, key=lambda t: (-odds[t], t))[:10]
        assert [word["log_odds"] for word in found["words"]] == pytest.approx(
            [odds[t] for t in best], rel=1e-12
        )
        for word in found["words"]:
            assert word["count"] == counts[k][word["word"]]
            assert word["log_odds"] == pytest.approx(odds[word["word"]], rel=1e-12)
            others = math.fsum(c[word["word"]] for c in counts) - word["count"]
            assert word["elsewhere"] == others


def test_top_words_as_a_table(tmp_path):
    model = trained(tmp_path, messages(0, 1672))
    lines = ok("inspect", model, "--top-words", "3").stdout
    table = lines[lines.index("top words") :].splitlines()
    assert table[1].split() == ["class", "word", "count", "elsewhere", "log", "odds"]
    assert [line.split()[0] for line in table[2:8]] == ["ham"] * 3 + ["spam"] * 3


def test_models_without_text_have_no_words(penguins_model):
    assert "text" in fails("inspect", penguins_model, "--top-words", "3")


# -- Words that decided ---------------------------------------------------------------------------


@pytest.mark.parametrize("options", OPTIONS)
def test_words_add_up_to_the_log_odds(tmp_path, options):
    """And each adds what the formula says."""
    known, new = messages(0, 400), messages(5400, 5440)
    model = trained(tmp_path, known, *options.split())
    reference = straight(known, OPTIONS[options])
    column = reference.columns["text"]
    rows = explained(model, write_lines(tmp_path / "new.txt", new))
    assert len(rows) == len(new)
    for row, (_, text) in zip(rows, new, strict=True):
        first, second = (reference.labels.index(row[k]) for k in ("prediction", "against"))
        scores = reference.scores({"text": text})
        assert row["log_odds"] == pytest.approx(scores[first] - scores[second], rel=1e-9, abs=1e-9)
        terms = row["contributions"]
        added = row["prior"] + math.fsum(term["contribution"] for term in terms)
        assert added == pytest.approx(row["log_odds"], rel=1e-10, abs=1e-10)
        if OPTIONS[options].family == "bernoulli" or column.unknown(text):
            continue
        one, other = (column.shares(text, k) for k in (first, second))
        terms = [term for term in terms if term["count"] > 0]  # of complements also "(no prior)"
        assert {term["word"]: term["contribution"] for term in terms} == pytest.approx(
            {t: one[t] - other[t] for t in one}, rel=1e-9, abs=1e-10
        )
        for term in terms:
            assert (term["column"], term["count"]) == ("text", occurrences(text, term["word"]))


def occurrences(text: str, term: str) -> int:
    words = re.findall(r"(?u)\b\w\w+\b", text.lower())
    size = len(term.split())
    return sum(words[i : i + size] == term.split() for i in range(len(words)))


def test_absent_words_have_one_term_together(tmp_path):
    """Of the Bernoulli law: sum of ln (1 - q) over the words that are not there."""
    known = messages(0, 400)
    reference = straight(known, Rules(family="bernoulli"))
    column = reference.columns["text"]
    model = trained(tmp_path, known, "--family", "bernoulli")
    path = write_lines(tmp_path / "new.txt", [("", "free prize call")])
    [row] = explained(model, path)
    first, second = (reference.labels.index(row[k]) for k in ("prediction", "against"))
    one, other = (column.shares("free prize call", k) for k in (first, second))
    there = {"free", "prize", "call"}
    absent = math.fsum(one[t] - other[t] for t in column.vocabulary if t not in there)
    [rest] = [t for t in row["contributions"] if t.get("word", "") not in there]
    assert rest["contribution"] == pytest.approx(absent, rel=1e-9)


def test_the_largest_words_come_first_and_the_others_are_added_up(tmp_path):
    model = trained(tmp_path, messages(0, 1000))
    path = write_lines(tmp_path / "new.txt", [("", "win a free prize, call now or see you later")])
    text = ok("predict", model, path, *LINES, "--explain", "--top", "3", "--quiet").stdout
    assert "prize" in text and "others" in text
    [full] = explained(model, path)
    [short] = explained(model, path, "--top", "3")
    assert short["log_odds"] == full["log_odds"]


def visible_text(page: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", page))


@pytest.mark.parametrize("format", ["lines,html", "html"])
def test_a_page_marks_the_words(tmp_path, format):
    texts = ["Free <b>prize</b> & call", 'see "you" later', "", "zzyzx"]
    model = trained(tmp_path, messages(0, 1000))
    asked = tmp_path / "new.txt"
    if format == "lines,html":
        write_lines(asked, [("", text) for text in texts])
    else:
        asked = tmp_path / "new.csv"
        quoted = [text.replace('"', '""') for text in texts]
        asked.write_text("text\n" + "".join(f'"{text}"\n' for text in quoted))
    page = ok("predict", model, asked, "--format", format, "--explain", "--quiet").stdout
    assert page.lstrip().lower().startswith("<!doctype html>")
    assert "<b>prize</b>" not in page and "<script" not in page
    for text in texts:
        assert text in visible_text(page)
    marked = re.findall(r"<mark[^>]*>(.*?)</mark>", page, re.DOTALL)
    assert {"Free", "prize", "call"} <= {html.unescape(word).strip() for word in marked}
    assert not any("zzyzx" in word for word in marked)
    assert "http" not in page  # self-contained


def test_html_without_explain_is_refused(tmp_path):
    model = trained(tmp_path, messages(0, 100))
    path = write_lines(tmp_path / "new.txt", messages(100, 110))
    assert "--explain" in fails("predict", model, path, "--format", "lines,html")


# -- A terminal -----------------------------------------------------------------------------------


def answer_within(stream, seconds: float) -> str:
    ready, _, _ = select.select([stream], [], [], seconds)
    return os.read(stream.fileno(), 1000).decode() if ready else ""


def test_what_one_types_is_answered_at_once(tmp_path):
    model = trained(tmp_path, messages(0, 1672))
    keyboard, terminal = pty.openpty()
    words = [str(BINARY), "predict", str(model), "-", *LINES, "--quiet"]
    process = subprocess.Popen(words, stdin=terminal, stdout=subprocess.PIPE)
    try:
        seen = ""
        for typed, answer in (("Win a free prize now", "spam"), ("see you later", "ham")):
            os.write(keyboard, f"{typed}\n".encode())
            while not seen.endswith(f"{answer}\n"):
                more = answer_within(process.stdout, 20)
                assert more, f"no answer to {typed!r} while the terminal is open"
                seen += more
        os.write(keyboard, b"\x04")
        assert process.wait(20) == 0
        assert seen == "prediction\nspam\nham\n"
    finally:
        process.kill()
        process.communicate()
        os.close(keyboard)
        os.close(terminal)
