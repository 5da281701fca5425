"""Models of documents straight from the formulas, independent of the library that they check.

Nothing but the standard library. c_kt: weighted count of term t in class k; n_k: its sum over the
vocabulary; N_k: weight of the documents of class k; V: terms of the vocabulary.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise

from straight_terms import Rules, amounts_of, vocabulary_of, words_of

Row = dict[str, object]  # texts, categories as str, numbers as float; None where there is no value


@dataclass
class TextColumn:
    """ln p(document | class) of one column of documents."""

    rules: Rules
    classes: int

    def fit(self, documents: list[str], classes: list[int], weights: list[float]) -> TextColumn:
        rules = self.rules
        counted = [amounts_of(document, rules) for document in documents]
        self.vocabulary, found = vocabulary_of(counted, weights, rules)
        self.known = set(self.vocabulary)
        self.size = len(self.vocabulary)
        self.idf = {}
        if rules.tf_idf:
            all_documents = 1 + math.fsum(weights)
            self.idf = {t: math.log(all_documents / (1 + found[t])) + 1 for t in self.known}
        self.counts: list[dict[str, float]] = [defaultdict(float) for _ in range(self.classes)]
        self.having: list[dict[str, float]] = [defaultdict(float) for _ in range(self.classes)]
        self.documents = [0.0] * self.classes
        for amounts, k, weight in zip(counted, classes, weights, strict=True):
            self.documents[k] += weight
            for term, amount in self.weighed(amounts).items():
                self.counts[k][term] += weight * amount
                self.having[k][term] += weight if amount else 0
        self.totals = [math.fsum(counts.values()) for counts in self.counts]
        self.all_counts = {t: math.fsum(c[t] for c in self.counts) for t in self.vocabulary}
        if rules.family == "markov":
            self.fit_pairs(documents, classes, weights)
        return self

    def fit_pairs(self, documents: list[str], classes: list[int], weights: list[float]) -> None:
        self.pairs: list[dict] = [defaultdict(float) for _ in range(self.classes)]
        self.followed: list[dict] = [defaultdict(float) for _ in range(self.classes)]
        for document, k, weight in zip(documents, classes, weights, strict=True):
            words = words_of(document, self.rules)
            for before, word in pairwise(words):
                if before in self.known and word in self.known:
                    self.pairs[k][before, word] += weight
                    self.followed[k][before] += weight

    def weighed(self, amounts: dict[str, float]) -> dict[str, float]:
        """Of the vocabulary's terms only, times idf."""
        return {t: x * self.idf.get(t, 1.0) for t, x in amounts.items() if t in self.known}

    def unknown(self, document: str) -> bool:
        return not self.weighed(amounts_of(document, self.rules))

    def share(self, term: str, k: int) -> float:
        """The multinomial's p(t | C_k)."""
        alpha = self.rules.smoothing
        return (self.counts[k][term] + alpha) / (self.totals[k] + alpha * self.size)

    def shares(self, document: str, k: int) -> dict[str, float]:
        """What each term adds to the score, in the order of first occurrence."""
        return getattr(self, self.rules.family)(document, k)

    def score(self, document: str | None, k: int) -> float:
        """0 for a document that is missing or has no known term."""
        if document is None or self.unknown(document):
            return 0.0
        return math.fsum(self.shares(document, k).values())

    def multinomial(self, document: str, k: int) -> dict[str, float]:
        amounts = self.weighed(amounts_of(document, self.rules))
        return {t: x * math.log(self.share(t, k)) for t, x in amounts.items()}

    def complement(self, document: str, k: int) -> dict[str, float]:
        alpha = self.rules.smoothing
        others = math.fsum(self.totals) - self.totals[k] + alpha * self.size
        amounts = self.weighed(amounts_of(document, self.rules))
        rest = {t: self.all_counts[t] - self.counts[k][t] + alpha for t in amounts}
        return {t: -x * math.log(rest[t] / others) for t, x in amounts.items()}

    def bernoulli(self, document: str, k: int) -> dict[str, float]:
        """Every term of the vocabulary adds something, there or not."""
        alpha = self.rules.smoothing
        there = self.weighed(amounts_of(document, self.rules))
        divisor = self.documents[k] + 2 * alpha
        q = {t: (self.having[k][t] + alpha) / divisor for t in self.vocabulary}
        return {t: math.log(q[t] if there.get(t) else 1 - q[t]) for t in self.vocabulary}

    def markov(self, document: str, k: int) -> dict[str, float]:
        """p_k(w | v) = (c_k(vw) + beta p_k(w)) / (c_k(v.) + beta)."""
        beta = self.rules.backoff
        added: dict[str, float] = defaultdict(float)
        before = None
        for word in words_of(document, self.rules):
            if word in self.known:
                p = self.share(word, k)
                if before in self.known:
                    pairs, followed = self.pairs[k][before, word], self.followed[k][before]
                    p = (pairs + beta * p) / (followed + beta)
                added[word] += math.log(p)
            before = word
        return added


@dataclass
class CategoryColumn:
    smoothing: float
    classes: int

    def fit(self, values: list[str], classes: list[int], weights: list[float]) -> CategoryColumn:
        self.levels = set(values)
        self.counts: list[dict[str, float]] = [defaultdict(float) for _ in range(self.classes)]
        for value, k, weight in zip(values, classes, weights, strict=True):
            self.counts[k][value] += weight
        return self

    def score(self, value: str | None, k: int) -> float:
        if value is None:
            return 0.0
        total = math.fsum(self.counts[k].values()) + self.smoothing * len(self.levels)
        return math.log((self.counts[k][value] + self.smoothing) / total)


@dataclass
class NumberColumn:
    """A Gaussian with maximum-likelihood variance."""

    classes: int

    def fit(self, values: list[float], classes: list[int], weights: list[float]) -> NumberColumn:
        self.laws = []
        for k in range(self.classes):
            mine = [(x, w) for x, c, w in zip(values, classes, weights, strict=True) if c == k]
            total = math.fsum(w for _, w in mine)
            mean = math.fsum(w * x for x, w in mine) / total
            variance = math.fsum(w * (x - mean) ** 2 for x, w in mine) / total
            self.laws.append((mean, variance))
        return self

    def score(self, value: float | None, k: int) -> float:
        if value is None:
            return 0.0
        mean, variance = self.laws[k]
        return -((value - mean) ** 2) / (2 * variance) - math.log(2 * math.pi * variance) / 2


@dataclass
class Documents:
    """Rows with columns of documents, categories and numbers: `kinds` gives each its kind."""

    rules: Rules = field(default_factory=Rules)
    kinds: dict[str, str] = field(default_factory=lambda: {"text": "text"})
    smoothing: float = 1.0  # of categories

    def fit(self, rows: list[Row], labels: list[str], weights: list[float] | None = None):
        weights = weights or [1.0] * len(rows)
        self.labels = sorted(set(labels))
        classes = [self.labels.index(label) for label in labels]
        self.columns = {name: self.column(name, rows, classes, weights) for name in self.kinds}
        total = math.fsum(weights)
        self.log_priors = [
            math.log(math.fsum(w for w, c in zip(weights, classes, strict=True) if c == k) / total)
            for k in range(len(self.labels))
        ]
        return self

    def column(self, name: str, rows: list[Row], classes: list[int], weights: list[float]):
        count = len(self.labels)
        law = {
            "text": TextColumn(self.rules, count),
            "categorical": CategoryColumn(self.smoothing, count),
            "real": NumberColumn(count),
        }[self.kinds[name]]
        there = [i for i, row in enumerate(rows) if row[name] is not None]
        parts = ([rows[i][name] for i in there], [classes[i] for i in there])
        return law.fit(*parts, [weights[i] for i in there])

    def scores(self, row: Row) -> list[float]:
        """Complement naive Bayes has no prior, but where the document says nothing."""
        return [
            math.fsum(
                [
                    self.log_priors[k] if self.has_prior(row) else 0.0,
                    *(column.score(row[name], k) for name, column in self.columns.items()),
                ]
            )
            for k in range(len(self.labels))
        ]

    def has_prior(self, row: Row) -> bool:
        if self.rules.family != "complement":
            return True
        texts = [name for name, kind in self.kinds.items() if kind == "text"]
        return all(row[n] is None or self.columns[n].unknown(row[n]) for n in texts)

    def posteriors(self, row: Row) -> list[float]:
        scores = self.scores(row)
        top = max(scores)
        total = math.fsum(math.exp(score - top) for score in scores)
        return [math.exp(score - top) / total for score in scores]

    def decision(self, row: Row) -> str:
        scores = self.scores(row)
        return self.labels[scores.index(max(scores))]
