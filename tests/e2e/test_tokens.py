"""The tokenizer against scikit-learn's: real text in many scripts, and every code point."""

import random
import re
import struct
import subprocess
import unicodedata
from collections import Counter

import pytest
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer
from support import BINARY, ROOT, TIMEOUT_SECONDS

TOKENS = BINARY.parent / "logodds_tokens"
PASSAGES = sorted((ROOT / "tests" / "text" / "passages").glob("*.txt"))
UNITS = {"word": 0, "char": 1, "char_wb": 2}
UNICODE_VERSION = re.search(
    r'kUnicodeVersion = "([\d.]+)"', (ROOT / "src/text/unicode_tables.cpp").read_text()
).group(1)
same_unicode = pytest.mark.skipif(
    unicodedata.unidata_version != UNICODE_VERSION,
    reason=f"this Python has another Unicode than {UNICODE_VERSION}",
)


def tokens(documents: list[bytes], unit="word", ngrams=(1, 1), keep_case=False, bits=0, stop=()):
    """The terms of every document, by the C++ reader."""
    numbers = (UNITS[unit], *ngrams, int(keep_case), bits)
    result = subprocess.run(
        [str(TOKENS), *map(str, numbers), *stop],
        input=b"".join(struct.pack("Q", len(document)) + document for document in documents),
        capture_output=True,
        timeout=TIMEOUT_SECONDS,
        check=True,
    )
    return parsed(memoryview(result.stdout))


def parsed(output: memoryview) -> list[list[str]]:
    """Of each document the number of terms; of each term its length, its bytes and its amount."""
    documents, at = [], 0
    while at < len(output):
        (count,) = struct.unpack_from("Q", output, at)
        at += 8
        terms = []
        for _ in range(count):
            (size,) = struct.unpack_from("Q", output, at)
            terms.append(bytes(output[at + 8 : at + 8 + size]).decode())
            at += 16 + size
        documents.append(terms)
    return documents


def check(documents: list[bytes], unit="word", ngrams=(1, 1), keep_case=False, stop=()):
    """Words in order; n-grams, whose order differs, as a multiset."""
    analyze = CountVectorizer(
        analyzer=unit,
        ngram_range=ngrams,
        lowercase=not keep_case,
        stop_words=list(stop) or None,
        decode_error="replace",
    ).build_analyzer()
    found = tokens(documents, unit, ngrams, keep_case, 0, stop)
    collect = list if ngrams == (1, 1) and unit != "char_wb" else Counter
    for document, terms in zip(documents, found, strict=True):
        assert collect(terms) == collect(analyze(document)), document[:200]


def passage_documents() -> list[bytes]:
    texts = [path.read_text() for path in PASSAGES]
    every = [*texts, *(text.upper() for text in texts), " ".join(texts) * 20]
    return [text.encode() for text in every]


@pytest.mark.parametrize("path", PASSAGES, ids=lambda path: path.stem)
def test_real_text_gives_the_tokens_of_scikit_learn(path):
    lines = path.read_text().splitlines()
    text = [*lines, *(line.upper() for line in lines), "\n".join(lines)]
    documents = [line.encode() for line in text]
    check(documents)
    check(documents, keep_case=True)
    assert sum(map(len, tokens(documents))) > 10


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("ngrams", [(1, 1), (1, 2), (3, 5), (2, 2)], ids=str)
def test_ngrams_are_those_of_scikit_learn(unit, ngrams):
    check([*passage_documents(), b"", b" ", b"a", b" a\n", b"ab c", b"a  b"], unit, ngrams)


def test_stop_words_are_left_out_before_ngrams_are_made():
    check(passage_documents(), ngrams=(1, 3), stop=("and", "les", "και", "в", "ve"))


@same_unicode
@pytest.mark.parametrize(
    "around", ["{}", "a{}b", "A{}Σ", "A{}Σ b", "AΣ{}B", " {}Σ", "{0}{0}", "Σ{}Σ"]
)
def test_every_code_point_in_context(around):
    characters = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    chunks = [characters[i : i + 2000] for i in range(0, len(characters), 2000)]
    check(["  ".join(map(around.format, chunk)).encode() for chunk in chunks])


@same_unicode
def test_every_code_point_as_white_space():
    spaces = [chr(code) for code in range(0x110000) if chr(code).isspace()]
    others = [chr(code) for code in (0x200B, 0x180E, 0xFEFF, 0x1B, 0x7F, 0)]
    for unit in ("char", "char_wb"):
        check([f"a{c}b{c}{c}d {c}".encode() for c in spaces + others], unit, (1, 3))


def test_any_bytes_are_a_document():
    draw = random.Random(6)
    some = "aZ_9 .'ΣςİéΩ中😀\u00a0\n".encode() + b"\x00\xff\xc0\xed\xa0\x80\xf4\x90\xe4"
    documents = [bytes(draw.choices(some, k=draw.randrange(80))) for _ in range(20000)]
    check(documents)
    check(documents[:3000], "char", (2, 3))
    check(documents[:3000], "char_wb", (2, 3))


def test_long_documents_are_read_in_pieces_that_nobody_sees():
    draw = random.Random(7)
    letters = "aZΣİé .:'x中\n "
    documents = ["".join(draw.choices(letters, k=90_000)).encode() for _ in range(8)]
    check(documents)
    check(documents[:1], "word", (1, 3))
    check(documents[:1], "char", (3, 5))
    check(documents[:1], "char_wb", (3, 5))


def test_hashed_terms_are_the_columns_of_hashing_vectorizer():
    bits = 10
    documents = passage_documents()
    vectorizer = HashingVectorizer(n_features=2**bits, alternate_sign=False, norm=None)
    rows = vectorizer.transform(documents)
    for terms, row in zip(tokens(documents, bits=bits), rows, strict=True):
        counts = Counter(int(term.removeprefix("#"), 16) for term in terms)
        assert counts == dict(zip(row.indices.tolist(), row.data.tolist(), strict=True))
