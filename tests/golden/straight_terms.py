"""A document to its terms, and terms to a vocabulary: in a straight way, with Python's re."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass

WORD = re.compile(r"(?u)\b\w\w+\b")
WHITE_SPACES = re.compile(r"\s\s+")
MASK = 0xFFFFFFFF


@dataclass(frozen=True)
class Rules:
    """The options of the command, by their names."""

    family: str = "multinomial"
    tokens: str = "words"
    ngrams: tuple[int, int] = (1, 1)
    chars: tuple[int, int] | None = None
    min_df: int | float = 1  # int: documents; float: share of them
    max_df: int | float = 1.0
    vocabulary: tuple[str, ...] | None = None
    stop_words: frozenset[str] = frozenset()
    hash_bits: int = 0
    keep_case: bool = False
    binary: bool = False
    max_vocabulary: int = 0
    normalize: str = "none"
    tf_idf: bool = False
    smoothing: float = 1.0
    backoff: float = 100.0


def words_of(document: str, rules: Rules) -> list[str]:
    text = document if rules.keep_case else document.lower()
    return [word for word in WORD.findall(text) if word not in rules.stop_words]


def runs(items, lengths: tuple[int, int], glue: str) -> list[str]:
    """All runs of so many neighbors."""
    return [
        glue.join(items[begin : begin + length])
        for length in range(lengths[0], lengths[1] + 1)
        for begin in range(len(items) - length + 1)
    ]


def terms_of(document: str, rules: Rules) -> list[tuple[str, float]]:
    """Terms with their amounts, one by one; hashed ones as # and hexadecimal digits."""
    if rules.tokens == "pairs":
        items = [item.rpartition(":") for item in document.split()]
        pairs = [(name, float(amount)) for name, _, amount in items]
    elif rules.chars is not None:
        text = WHITE_SPACES.sub(" ", document if rules.keep_case else document.lower())
        pairs = [(term, 1.0) for term in runs(text, rules.chars, "")]
    else:
        pairs = [(term, 1.0) for term in runs(words_of(document, rules), rules.ngrams, " ")]
    if rules.hash_bits:
        return [(f"#{bucket(term, rules.hash_bits):x}", amount) for term, amount in pairs]
    return pairs


def amounts_of(document: str, rules: Rules) -> dict[str, float]:
    """x_t of all terms that are read, known or not: clipped, then divided by their norm."""
    amounts: Counter[str] = Counter()
    for term, amount in terms_of(document, rules):
        amounts[term] += amount
    if rules.binary:
        amounts = Counter({term: 1.0 for term, amount in amounts.items() if amount})
    if rules.normalize == "none" or not amounts:
        return dict(amounts)
    power = {"l1": 1, "l2": 2}[rules.normalize]
    norm = math.fsum(amount**power for amount in amounts.values()) ** (1 / power)
    return {term: amount / norm for term, amount in amounts.items()}


def limit(bound: int | float, documents: float) -> float:
    return bound if isinstance(bound, int) else bound * documents


def vocabulary_of(
    counted: list[dict[str, float]], weights: list[float], rules: Rules
) -> tuple[list[str], dict[str, float]]:
    """The terms that count, in the order of their bytes, and df_t, the documents that have them."""
    found: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for amounts, weight in zip(counted, weights, strict=True):
        for term, amount in amounts.items():
            found[term] += weight
            total[term] += weight * amount
    if rules.hash_bits:
        return [f"#{number:x}" for number in range(1 << rules.hash_bits)], found
    if rules.vocabulary is not None:
        return sorted(set(rules.vocabulary), key=str.encode), found
    documents = math.fsum(weights)
    least, most = limit(rules.min_df, documents), limit(rules.max_df, documents)
    kept = [term for term, count in found.items() if least <= count <= most]
    kept.sort(key=str.encode)
    if rules.max_vocabulary:
        kept.sort(key=lambda term: -total[term])  # stable: of equals the first by bytes
        kept = sorted(kept[: rules.max_vocabulary], key=str.encode)
    return kept, found


def rotated(x: int, bits: int) -> int:
    return (x << bits | x >> (32 - bits)) & MASK


def murmur(data: bytes) -> int:
    """MurmurHash3_x86_32 with seed 0 (A. Appleby, public domain), as a signed number."""

    def mixed(block: int) -> int:
        return rotated(block * 0xCC9E2D51 & MASK, 15) * 0x1B873593 & MASK

    state = 0
    whole = len(data) // 4 * 4
    for place in range(0, whole, 4):
        state ^= mixed(int.from_bytes(data[place : place + 4], "little"))
        state = (rotated(state, 13) * 5 + 0xE6546B64) & MASK
    if whole < len(data):
        state ^= mixed(int.from_bytes(data[whole:], "little"))
    state ^= len(data)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        state = (state ^ state >> shift) * factor & MASK
    return state - (1 << 32) if state >> 31 else state


def bucket(term: str, bits: int) -> int:
    return abs(murmur(term.encode())) % (1 << bits)
