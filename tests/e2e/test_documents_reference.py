"""Real collections: the published accuracies, and every decision that of scikit-learn."""

import csv
import lzma
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from documents import messages, write_lines
from support import ok, ok_json, read_csv, shared_data, write_csv

sklearn_text = pytest.importorskip("sklearn.feature_extraction.text")
naive_bayes = pytest.importorskip("sklearn.naive_bayes")

MODELS = {
    "MultinomialNB(alpha=1)": ("--smoothing 1", naive_bayes.MultinomialNB(alpha=1)),
    "MultinomialNB(alpha=0.01)": ("--smoothing 0.01", naive_bayes.MultinomialNB(alpha=0.01)),
    "BernoulliNB(alpha=1)": ("--family bernoulli", naive_bayes.BernoulliNB(alpha=1)),
    "ComplementNB(alpha=1)": ("--family complement", naive_bayes.ComplementNB(alpha=1)),
}
ESCAPES = {"\\": "\\", "t": "\t", "n": "\n", "r": "\r", "0": "\0"}
Part = tuple[list[str], list[str]]  # labels and documents


@dataclass
class Collection:
    """Two files as the command reads them, and what is in them; counted once."""

    train: Path
    test: Path
    reading: list[str]  # options for both files
    training: list[str]  # options of train alone
    known: Part
    new: Part

    def __post_init__(self):
        vectorizer = sklearn_text.CountVectorizer()
        self.counts = vectorizer.fit_transform(self.known[1])
        self.new_counts = vectorizer.transform(self.new[1])


def unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: ESCAPES[found[1]], text)


def read_tsv(path: Path) -> Part:
    with path.open(encoding="utf-8", newline="\n") as file:
        names, *rows = (line.rstrip("\n").split("\t") for line in file)
    label, text = names.index("label"), names.index("text")
    return [row[label] for row in rows], [unescaped(row[text]) for row in rows]


def of_tsv(train: Path, test: Path, *ignored: str) -> Collection:
    options = ["--target", "label"]
    options += ["--ignore", ",".join(ignored)] if ignored else []
    return Collection(
        train, test, ["--format", "tsv"], options, read_tsv(train), read_tsv(test)
    )  # fmt: skip


def newsgroups(folder: Path) -> Collection:
    paths = []
    for part in ("train", "test"):
        packed = shared_data(f"20newsgroups/20news-bydate-{part}.tsv.xz")
        paths.append(folder / f"{part}.tsv")
        paths[-1].write_bytes(lzma.decompress(packed.read_bytes()))
    return of_tsv(*paths, "docid")


def reuters(folder: Path) -> Collection:
    return of_tsv(shared_data("reuters_r8/r8.train.tsv"), shared_data("reuters_r8/r8.test.tsv"))


def short_messages(folder: Path) -> Collection:
    """Shipped, so this one is never skipped."""
    parts = messages(0, 1672), messages(1672)
    known, new = (tuple(map(list, zip(*part, strict=True))) for part in parts)
    paths = [write_lines(folder / f"{i}.txt", part) for i, part in enumerate(parts)]
    return Collection(*paths, ["--format", "lines"], [], known, new)


def news(folder: Path) -> Collection:
    """CSV with quotes; the labels of the two files count from 0 and from 1."""
    train = shared_data("ag_news/noisyag_10000_label_gt_text.csv")
    known = read_csv(train.read_text(encoding="utf-8"))
    new = [
        {"gt": str(int(row["class"]) - 1), "text": f"{row['title']} {row['description']}"}
        for row in read_csv(shared_data("ag_news/test.csv").read_text(encoding="utf-8"))
    ]
    test = write_csv(folder / "test.csv", new)
    options = ["--target", "gt", "--ignore", "label,group", "--kinds", "text=text"]
    parts = [([row["gt"] for row in rows], [row["text"] for row in rows]) for rows in (known, new)]
    return Collection(train, test, [], options, *parts)


COLLECTIONS = {
    "20newsgroups": newsgroups,
    "reuters_r8": reuters,
    "sms_spam": short_messages,
    "ag_news": news,
}
PUBLISHED = {  # of sms_spam, in the order of MODELS; for the others REFERENCE_RESULTS.csv is there
    "sms_spam": [0.981804, 0.982573, 0.964377, 0.973347],
}


@pytest.fixture(scope="module", params=COLLECTIONS)
def collection(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    return request.param, COLLECTIONS[request.param](folder)


def published(name: str, method: str) -> float:
    if name in PUBLISHED:
        return PUBLISHED[name][list(MODELS).index(method)]
    with shared_data("REFERENCE_RESULTS.csv").open() as file:
        [value] = [
            float(line["value"])
            for line in csv.DictReader(file)
            if line["dataset"] == name and line["method"].startswith(method)
        ]
    return value


@pytest.mark.slow
@pytest.mark.parametrize("method", MODELS)
def test_accuracy_and_every_decision(collection, tmp_path, method):
    name, data = collection
    options, peer = MODELS[method]
    model = tmp_path / "m"
    words = [*data.reading, *data.training, *options.split(), "--quiet", "-o", model]
    ok("train", data.train, *words)
    accuracy = 1 - ok_json("evaluate", model, data.test, *data.reading)["error_rate"]
    assert accuracy == pytest.approx(published(name, method), abs=5e-7)
    peer.fit(data.counts, data.known[0])
    theirs = peer.predict(data.new_counts)
    answer = ok("predict", model, data.test, *data.reading, "--quiet").stdout
    ours = np.array([row["prediction"] for row in read_csv(answer)])
    assert (ours == theirs).all(), f"{(ours != theirs).sum()} documents are decided otherwise"
    assert np.mean(ours == data.new[0]) == pytest.approx(accuracy, abs=1e-12)


def test_vocabulary_is_that_of_scikit_learn(tmp_path):
    """In number, and in order as it stands in the model file."""
    lines = write_lines(tmp_path / "d.txt", messages())
    ok("train", lines, "--format", "lines", "--quiet", "-o", tmp_path / "m")
    vectorizer = sklearn_text.CountVectorizer().fit([text for _, text in messages()])
    terms = sorted(vectorizer.vocabulary_)
    assert ok_json("inspect", tmp_path / "m")["facts"]["terms of text"] == len(terms)
    together = "".join(terms).encode()
    assert together in (tmp_path / "m").read_bytes()
