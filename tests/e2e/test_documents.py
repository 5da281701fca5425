"""Documents, against tests/golden/straight_documents.py: every option, every way in."""

import csv
from itertools import pairwise

import numpy as np
import pytest
from documents import (
    LINES,
    Documents,
    Rules,
    decisions,
    expected,
    messages,
    predicted,
    straight,
    train,
    trained,
    write_lines,
)
from straight_terms import amounts_of
from support import ok, ok_json, posteriors, read_csv, write_csv

TOLERANCE = 1e-10  # of a posterior
LABELS = ["ham", "spam"]
STOP_WORDS = ["the", "to", "you", "call"]
VOCABULARY = ["free", "call", "now", "txt", "ok", "later", "nowhere to be found"]
OPTIONS = {
    "": Rules(),
    "--smoothing 0.01": Rules(smoothing=0.01),
    "--smoothing 2,text=0.5": Rules(smoothing=0.5),
    "--family bernoulli": Rules(family="bernoulli"),
    "--family bernoulli --smoothing 0.1": Rules(family="bernoulli", smoothing=0.1),
    "--family bernoulli --ngrams 1-2 --min-df 3": Rules("bernoulli", ngrams=(1, 2), min_df=3),
    "--family complement": Rules(family="complement"),
    "--family complement --smoothing 0.3": Rules(family="complement", smoothing=0.3),
    "--family markov": Rules(family="markov"),
    "--family markov --backoff 20 --smoothing 0.2": Rules("markov", backoff=20, smoothing=0.2),
    "--family markov --min-df 3": Rules(family="markov", min_df=3),
    "--family markov --stop-words stop": Rules("markov", stop_words=frozenset(STOP_WORDS)),
    "--ngrams 1-2": Rules(ngrams=(1, 2)),
    "--ngrams 3": Rules(ngrams=(3, 3)),
    "--chars 3": Rules(chars=(3, 3)),
    "--chars 1-4": Rules(chars=(1, 4)),
    "--chars 2-3 --keep-case": Rules(chars=(2, 3), keep_case=True),
    "--min-df 3": Rules(min_df=3),
    "--min-df 0.01": Rules(min_df=0.01),
    "--max-df 30": Rules(max_df=30),
    "--max-df 0.05 --min-df 2": Rules(max_df=0.05, min_df=2),
    "--max-df 1": Rules(max_df=1),
    "--stop-words stop": Rules(stop_words=frozenset(STOP_WORDS)),
    "--stop-words stop --ngrams 2": Rules(stop_words=frozenset(STOP_WORDS), ngrams=(2, 2)),
    "--vocabulary known": Rules(vocabulary=tuple(VOCABULARY)),
    "--vocabulary known --ngrams 1-4": Rules(vocabulary=tuple(VOCABULARY), ngrams=(1, 4)),
    "--vocabulary known --family bernoulli": Rules("bernoulli", vocabulary=tuple(VOCABULARY)),
    "--hash-bits 9": Rules(hash_bits=9),
    "--hash-bits 12 --ngrams 1-2": Rules(hash_bits=12, ngrams=(1, 2)),
    "--hash-bits 8 --family bernoulli": Rules("bernoulli", hash_bits=8),
    "--hash-bits 10 --family complement": Rules("complement", hash_bits=10),
    "--keep-case": Rules(keep_case=True),
    "--binary": Rules(binary=True),
    "--binary --family complement": Rules("complement", binary=True),
    "--max-vocabulary 150": Rules(max_vocabulary=150),
    "--max-vocabulary 40 --max-df 0.1": Rules(max_vocabulary=40, max_df=0.1),
    "--normalize l1": Rules(normalize="l1"),
    "--normalize l2": Rules(normalize="l2"),
    "--normalize l2 --min-df 3": Rules(normalize="l2", min_df=3),
    "--tf-idf": Rules(tf_idf=True),
    "--tf-idf --normalize l2 --smoothing 0.1": Rules(tf_idf=True, normalize="l2", smoothing=0.1),
    "--tf-idf --family complement": Rules("complement", tf_idf=True),
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with the word lists that the options name."""
    (tmp_path / "stop").write_text("\n".join(STOP_WORDS) + "\n")
    (tmp_path / "known").write_text("\n".join(VOCABULARY) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("options", OPTIONS)
def test_posteriors(here, options):
    known, new = messages(0, 500), messages(5300, 5500)
    model = trained(here, known, *options.split())
    found = predicted(model, write_lines(here / "new.txt", new), LABELS)
    reference = expected(straight(known, OPTIONS[options]), new)
    np.testing.assert_allclose(found, reference, rtol=0, atol=TOLERANCE)


SCRIPTS = [
    ("en", "The quick brown fox jumps over the lazy dog, isn't it? snake_case x y zz 42 4"),
    ("en", "Don't panic: naïve café RÉSUMÉ, ﬁne ﬂow, I\u0307stanbul and ISTANBUL"),
    ("de", "Falsches Üben von Xylophonmusik quält jeden größeren Zwerg; STRASSE straße"),
    ("ru", "Съешь же ещё этих мягких французских булок, да выпей чаю"),
    ("ru", "В чащах юга жил бы цитрус? Да, но фальшивый экземпляр! И ЁЛКА"),
    ("el", "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. ΟΔΥΣΣΕΥΣ, Ὀδυσσεύς ΣΑΣ Σ"),
    ("ar", "نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر ومغلف بجلد أزرق ٤٢ مُحَمَّد"),
    ("hi", "ऋषियों को सताने वाले दुष्ट राक्षसों के राजा रावण का सर्वनाश करने वाले विष्णु ४२"),
    ("zh", "我能吞下玻璃而不伤身体。天地玄黃，宇宙洪荒。日月盈昃，辰宿列張。"),
    ("ja", "いろはにほへと ちりぬるを 私はガラスを食べられます。それは私を傷つけません。"),
    ("ko", "키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다"),
    ("th", "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน"),
    ("he", "דג סקרן שט בים מאוכזב ולפתע מצא חברה"),
    ("xx", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𐐔𐐯𐑅𐐨𐑉𐐯𐐻 😀😀 ①② ½ a\u200db a\u0301b ªº µm ǅ ſ K"),
]


@pytest.mark.parametrize("options", ["", "--keep-case", "--chars 2-3", "--ngrams 1-2"])
def test_words_of_many_scripts(here, options):
    """One term that is cut or folded otherwise, and the posteriors are others."""
    rules = OPTIONS.get(options) or Rules(chars=(2, 3))
    model = trained(here, SCRIPTS, *options.split())
    labels = sorted({label for label, _ in SCRIPTS})
    halves = [(label, text[: len(text) // 2]) for label, text in SCRIPTS]
    mixed = [("", f"{a} {b}") for (_, a), (_, b) in pairwise(halves)]
    reference = expected(straight(SCRIPTS, rules), mixed)
    found = predicted(model, write_lines(here / "new.txt", mixed), labels)
    np.testing.assert_allclose(found, reference, rtol=1e-9, atol=1e-300)


# -- Ways in --------------------------------------------------------------------------------------


def escaped(text: str) -> str:
    for character, letter in (("\\", "\\"), ("\t", "t"), ("\n", "n"), ("\r", "r"), ("\0", "0")):
        text = text.replace(character, "\\" + letter)
    return text


def test_every_format_gives_the_same_model(tmp_path):
    pairs = messages(0, 300)
    awkward = [("ham", 'He said "hello, you" and left'), ("spam", ""), ("ham", "NA ? back\\slash")]
    pairs += awkward
    lines = write_lines(tmp_path / "d.txt", pairs)
    expected_bytes = train(lines, tmp_path / "lines").read_bytes()
    table = [{"label": label, "text": text} for label, text in pairs]
    words = ["--target", "label", "--kinds", "text=text", "--quiet", "-o", tmp_path / "m"]

    ok("train", write_csv(tmp_path / "d.csv", table), *words)
    assert (tmp_path / "m").read_bytes() == expected_bytes

    rows = "".join(f"{label}\t{escaped(text)}\n" for label, text in pairs)
    (tmp_path / "d.tsv").write_text("label\ttext\n" + rows)
    ok("train", tmp_path / "d.tsv", "--format", "tsv", *words)
    assert (tmp_path / "m").read_bytes() == expected_bytes

    for number, (label, text) in enumerate(pairs):
        folder = tmp_path / "folders" / label
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number:05}").write_text(text)
    ok("train", tmp_path / "folders", "--format", "folders", "--quiet", "-o", tmp_path / "m")
    assert (tmp_path / "m").read_bytes() == expected_bytes

    ok("train", "-", *LINES, "--quiet", "-o", tmp_path / "m", stdin=lines.read_bytes())
    assert (tmp_path / "m").read_bytes() == expected_bytes


def test_line_breaks_within_a_document(tmp_path):
    """Quoted in CSV, escaped in TSV: the same as blanks."""
    pairs = [("a", "one two\nthree\tfour"), ("b", "five\r\nsix seven"), ("a", "two\n\nthree")]
    flat = [(label, " ".join(text.split())) for label, text in pairs]
    model = trained(tmp_path, flat).read_bytes()
    words = ["--target", "label", "--kinds", "text=text", "--quiet", "-o", tmp_path / "m2"]
    with (tmp_path / "d.csv").open("w", newline="") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows([("label", "text"), *pairs])
    ok("train", tmp_path / "d.csv", *words)
    assert (tmp_path / "m2").read_bytes() == model
    rows = "".join(f"{label}\t{escaped(text)}\n" for label, text in pairs)
    (tmp_path / "d.tsv").write_text("label\ttext\n" + rows)
    ok("train", tmp_path / "d.tsv", "--format", "tsv", *words)
    assert (tmp_path / "m2").read_bytes() == model


def test_a_column_of_documents_is_recognized(tmp_path):
    """Without --kinds: sentences are documents, short words are levels; a note says so."""
    rows = [{"label": label, "text": text} for label, text in messages(0, 200)]
    data = write_csv(tmp_path / "d.csv", rows)
    result = ok("train", data, "--target", "label", "-o", tmp_path / "m")
    assert "column 'text' is read as documents (17 words on average)" in result.stderr
    assert "--kinds text=categorical" in result.stderr
    ok("train", data, "--target", "label", "--kinds", "text=text", "-o", tmp_path / "told")
    assert (tmp_path / "m").read_bytes() == (tmp_path / "told").read_bytes()


def mixed_rows(pairs):
    """A document with a category and a number that say something too."""
    return [
        {
            "label": label,
            "text": text,
            "sender": ["friend", "shop", "bank"][(len(text) + 2 * (label == "spam")) % 3],
            "length": f"{len(text) + 0.5}",
        }
        for label, text in pairs
    ]


KINDS = {"text": "text", "sender": "categorical", "length": "real"}


def as_values(row):
    """As the straight way takes it; an empty text is a document, other empty fields are missing."""
    number = float(row["length"]) if row["length"] else None
    return {"text": row["text"], "sender": row["sender"] or None, "length": number}


@pytest.mark.parametrize(
    "options", ["", "--family bernoulli", "--family markov", "--tf-idf --ngrams 1-2"]
)
def test_documents_beside_other_columns(tmp_path, options):
    rules = {**OPTIONS, "--tf-idf --ngrams 1-2": Rules(tf_idf=True, ngrams=(1, 2))}[options]
    known, new = mixed_rows(messages(0, 400)), mixed_rows(messages(5400, 5500))
    new[3]["text"], new[5]["sender"], new[7]["length"] = "", "", ""
    new[9] |= {"text": "", "sender": "", "length": ""}
    data = write_csv(tmp_path / "d.csv", known)
    words = ["--target", "label", "--kinds", "text=text,length=real", *options.split()]
    ok("train", data, *words, "--quiet", "-o", tmp_path / "m")
    asked = write_csv(tmp_path / "new.csv", new)
    found = posteriors(ok("predict", tmp_path / "m", asked, "--proba", "--quiet").stdout, LABELS)
    model = Documents(rules, KINDS)
    model.fit([as_values(row) for row in known], [row["label"] for row in known])
    reference = [model.posteriors(as_values(row)) for row in new]
    np.testing.assert_allclose(found, reference, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("options", ["", "--family bernoulli", "--family complement", "--tf-idf"])
def test_a_document_of_weight_2_is_the_document_twice(tmp_path, options):
    rows = [
        {"label": label, "text": text, "w": str(place % 3)}
        for place, (label, text) in enumerate(messages(0, 200))
    ]
    words = ["--target", "label", "--kinds", "text=text", *options.split(), "--quiet", "-o"]
    weighted = write_csv(tmp_path / "w.csv", rows)
    ok("train", weighted, "--weights", "w", *words, tmp_path / "weighted")
    repeated = [(row["label"], row["text"]) for row in rows for _ in range(int(row["w"]))]
    model = trained(tmp_path, repeated, *options.split())
    asked = write_lines(tmp_path / "new.txt", messages(5300, 5400))
    np.testing.assert_allclose(
        predicted(tmp_path / "weighted", asked, LABELS), predicted(model, asked, LABELS), rtol=1e-12
    )


@pytest.mark.parametrize("options", ["", "--family bernoulli", "--tf-idf", "--normalize l2"])
def test_counts_from_elsewhere(tmp_path, options):
    """As NAME:AMOUNT items and as svmlight rows: the same posteriors as of the words."""
    known, new = messages(0, 400), messages(5400, 5500)
    names: dict[str, int] = {}

    def counted(text):
        found = amounts_of(text, Rules())
        return {names.setdefault(word, len(names) + 1): count for word, count in found.items()}

    for part, pairs in (("known", known), ("new", new)):
        rows = [(label, sorted(counted(text).items())) for label, text in pairs]
        items = [(label, " ".join(f"{n}:{x:g}" for n, x in row)) for label, row in rows]
        write_lines(tmp_path / f"{part}.txt", items)
        (tmp_path / f"{part}.svm").write_text("".join(f"{l == 'spam':d} {t}\n" for l, t in items))
    model = train(tmp_path / "known.txt", tmp_path / "m", "--tokens", "pairs", *options.split())
    reference = expected(straight(known, OPTIONS[options]), new)
    found = predicted(model, tmp_path / "new.txt", LABELS)
    np.testing.assert_allclose(found, reference, rtol=0, atol=TOLERANCE)
    words = ["--format", "svmlight", "--quiet"]
    ok("train", tmp_path / "known.svm", *words, *options.split(), "-o", tmp_path / "s")
    answer = ok("predict", tmp_path / "s", tmp_path / "new.svm", *words, "--proba").stdout
    np.testing.assert_allclose(posteriors(answer, ["0", "1"]), reference, rtol=0, atol=TOLERANCE)


# -- Words that are not known ---------------------------------------------------------------------


@pytest.mark.parametrize("family", ["multinomial", "bernoulli", "complement", "markov"])
def test_a_document_without_known_words_gets_the_prior(tmp_path, family):
    model = trained(tmp_path, messages(0, 300), "--family", family)
    new = [("", "zzyzx qwrtps"), ("", ""), ("", "?! a"), ("", "free call")]
    path = write_lines(tmp_path / "new.txt", new)
    spam = sum(label == "spam" for label, _ in messages(0, 300)) / 300
    found = predicted(model, path, LABELS)
    np.testing.assert_allclose(found[:3], [[1 - spam, spam]] * 3, rtol=1e-12)
    assert abs(found[3][1] - spam) > 0.01


def test_predict_reads_lines_with_and_without_labels(tmp_path):
    model = trained(tmp_path, messages(0, 1000))
    new = messages(5000, 5100)
    labelled = decisions(model, write_lines(tmp_path / "with.txt", new))
    (tmp_path / "bare.txt").write_text("".join(f"{text}\n" for _, text in new))
    assert decisions(model, tmp_path / "bare.txt") == labelled
    assert len(labelled) == 100


def test_evaluate_counts_the_errors_of_predict(tmp_path):
    model = trained(tmp_path, messages(0, 1672))
    path = write_lines(tmp_path / "new.txt", messages(1672))
    wrong = sum(
        label != decision
        for (label, _), decision in zip(messages(1672), decisions(model, path), strict=True)
    )
    result = ok_json("evaluate", model, path, *LINES)
    assert (result["rows"], result["errors"]) == (3902, wrong)
    assert round(1 - wrong / 3902, 6) == 0.981804


def test_columns_of_the_answer(tmp_path):
    model = trained(tmp_path, messages(0, 100))
    path = write_lines(tmp_path / "new.txt", messages(100, 103))
    rows = read_csv(ok("predict", model, path, *LINES, "--proba", "--quiet").stdout)
    assert list(rows[0]) == ["prediction", "p_ham", "p_spam"] and len(rows) == 3
