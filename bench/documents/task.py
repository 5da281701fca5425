"""Documents: from a file of text to a model, decisions, and counts of words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness import Entry, Run, Verdict, WrongAnswerError, corpora
from harness.corpora import Corpus

ROUNDS = 5
SPLITTING = "splitting at white space"
COUNTING = "scikit-learn"
HASHING = "scikit-learn, hashing"
FASTTEXT = "fastText"
# How many times as fast logodds is to be.
GOALS = {
    ("train", COUNTING): 20,
    ("train", HASHING): 14,
    ("train", FASTTEXT): 100,
    ("predict", COUNTING): 20,
    ("predict list", COUNTING): 20,
    ("count", COUNTING): 10,
}
RATE_KEPT = 0.8  # of the large file, against the small one


def make(quick: bool) -> Corpus:
    return corpora.make(quick)


def title(data: Corpus) -> str:
    training, tests = len(data.training[0]), len(data.tests[0])
    sizes = ", ".join(f"{path.stat().st_size / 1e6:.1f} MB" for path in (data.train, data.test))
    large = f"{data.large.stem} {data.large.stat().st_size / 1e6:.0f} MB"
    return f"{data.name}: {training:,} to learn, {tests:,} to decide ({sizes}); {large}"


def entries(data: Corpus) -> list[Entry]:
    train, test, large = (p.stat().st_size for p in (data.train, data.test, data.large))
    return [
        Entry("train", train),
        Entry("predict", test),
        Entry("fit list", train),
        Entry("predict list", test),
        Entry("count", train),
        Entry("train large", large),
    ]


def check(data: Corpus, entry: Entry, who: str, run: Run, answer: Any) -> None:
    """The answer: decisions, what gives them, a number of words, or counts by term and document."""
    if who.startswith(SPLITTING):
        check_words(data.large if entry.name == "train large" else data.train, who, answer)
    elif entry.name == "count":
        check_counts(data, who, answer)
    elif entry.name != "train large":
        found = answer() if callable(answer) else answer
        (data.check if run.same_model else data.check_other_model)(who, found)


def check_words(path: Path, who: str, answer: int) -> None:
    with path.open("rb") as file:
        words = sum(len(line.split()) for line in file)
    if answer != words:
        raise WrongAnswerError(f"{who}: {answer} words in {path.name}, not {words}")


def check_counts(data: Corpus, who: str, answer: tuple[Any, Any]) -> None:
    from sklearn.feature_extraction.text import CountVectorizer

    counts, vectorizer = answer
    reference = CountVectorizer()
    expected = reference.fit_transform(data.training[1])
    if vectorizer.vocabulary_ != reference.vocabulary_ or counts.dtype != expected.dtype:
        raise WrongAnswerError(f"{who}: another vocabulary")
    if counts.shape != expected.shape or (counts != expected).nnz:
        raise WrongAnswerError(f"{who}: the counts differ")


def verdicts(data: Corpus, medians: dict[tuple[str, str], float]) -> list[Verdict]:
    found = []
    for (entry, other), wanted in GOALS.items():
        if {(entry, other), (entry, "logodds")} <= medians.keys():
            times = medians[entry, other] / medians[entry, "logodds"]
            claim = f"{entry}: {times:.1f} times as fast as {other}, wanted {wanted}"
            found.append(Verdict(claim, times >= wanted))
    return [*found, *rates(data, medians)]


def rates(data: Corpus, medians: dict[tuple[str, str], float]) -> list[Verdict]:
    """MB/s of training beside those of merely finding the words."""
    sizes = {entry.name: entry.bytes / 1e6 for entry in entries(data)}
    rate = {key: sizes[key[0]] / seconds for key, seconds in medians.items()}
    found = []
    for entry in ("train", "train large"):
        if {(entry, "logodds"), (entry, SPLITTING)} <= rate.keys():
            ours, splitting = rate[entry, "logodds"], rate[entry, SPLITTING]
            found.append(Verdict(f"{entry}: {ours:.0f} MB/s; {SPLITTING}: {splitting:.0f} MB/s"))
    if {("train", "logodds"), ("train large", "logodds")} <= rate.keys():
        kept = rate["train large", "logodds"] / rate["train", "logodds"]
        claim = f"the large file is read at {kept:.2f} of the rate, wanted {RATE_KEPT}"
        found.append(Verdict(claim, kept >= RATE_KEPT))
    return found
