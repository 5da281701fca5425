"""More documents, fewer documents, documents elsewhere: the model is that of training at once."""

import gzip
import random
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from documents import LINES, SMS, messages, predicted, train, trained, write_lines
from support import BINARY, fails, ok

LABELS = ["ham", "spam"]
WHOLE_NUMBERS = [
    "",
    "--family bernoulli",
    "--family complement",
    "--family markov",
    "--ngrams 1-2",
    "--chars 2-3",
    "--min-df 3",
    "--min-df 0.005 --max-df 0.2",
    "--max-vocabulary 200",
    "--hash-bits 10",
    "--binary",
    "--tf-idf",
    "--keep-case",
]
FRACTIONS = ["--normalize l1", "--normalize l2 --tf-idf"]


@pytest.fixture
def parts(tmp_path):
    """One message in three, and the others: words of their own in each."""
    pairs = messages(0, 900)
    others = [pair for place, pair in enumerate(pairs) if place % 3]
    return [
        write_lines(tmp_path / f"{name}.txt", part)
        for name, part in zip(
            ["first", "second", "whole"], [pairs[::3], others, pairs], strict=True
        )
    ]


def rejoined(parts, folder, *options):
    """Trained at once, updated, merged both ways, and made to forget what came between."""
    first, second, whole = (train(p, folder / p.stem, *options) for p in parts)
    ok("update", first, parts[1], *LINES, "-o", folder / "updated", "--quiet")
    ok("merge", first, second, "-o", folder / "merged", "--quiet")
    ok("merge", second, first, "-o", folder / "reversed", "--quiet")
    ok("forget", whole, parts[1], *LINES, "-o", folder / "less", "--quiet")
    ok("update", folder / "less", parts[1], *LINES, "-o", folder / "again", "--quiet")
    return whole, first


@pytest.mark.parametrize("options", WHOLE_NUMBERS)
def test_the_same_bytes(parts, tmp_path, options):
    """Vocabulary, its order, and every count."""
    whole, first = (m.read_bytes() for m in rejoined(parts, tmp_path, *options.split()))
    for name in ("updated", "merged", "reversed", "again"):
        assert (tmp_path / name).read_bytes() == whole, name
    assert (tmp_path / "less").read_bytes() == first


@pytest.mark.parametrize("options", FRACTIONS)
def test_the_same_posteriors(parts, tmp_path, options):
    whole, first = rejoined(parts, tmp_path, *options.split())
    new = write_lines(tmp_path / "new.txt", messages(5300, 5500))
    reference = predicted(whole, new, LABELS)
    for name in ("updated", "merged", "reversed", "again"):
        found = predicted(tmp_path / name, new, LABELS)
        np.testing.assert_allclose(found, reference, rtol=0, atol=1e-12)
    found = predicted(tmp_path / "less", new, LABELS)
    np.testing.assert_allclose(found, predicted(first, new, LABELS), rtol=0, atol=1e-12)


def test_new_words_and_new_classes(tmp_path):
    few = [("a", "one two two"), ("b", "two three three")]
    more = [("c", "four five"), ("a", "zero five nought"), ("b", "three")]
    model = trained(tmp_path, few)
    path = write_lines(tmp_path / "more.txt", more)
    ok("update", model, path, *LINES, "-o", tmp_path / "all", "--quiet")
    whole = trained(tmp_path, few + more, name="whole")
    assert (tmp_path / "all").read_bytes() == whole.read_bytes()
    ok("forget", tmp_path / "all", path, *LINES, "-o", tmp_path / "few", "--quiet")
    assert (tmp_path / "few").read_bytes() == model.read_bytes()


def test_ten_models_merge_in_any_order(tmp_path):
    pairs = messages(0, 500)
    models = [trained(tmp_path, pairs[i::10], name=f"part{i}") for i in range(10)]
    whole = trained(tmp_path, pairs, name="whole").read_bytes()
    for seed in range(3):
        random.Random(seed).shuffle(models)
        ok("merge", *models, "-o", tmp_path / "merged", "--quiet")
        assert (tmp_path / "merged").read_bytes() == whole


def test_documents_that_were_never_there_are_not_forgotten(tmp_path):
    model = trained(tmp_path, messages(0, 100))
    other = write_lines(tmp_path / "other.txt", messages(3000, 3020))
    sentence = fails("forget", model, other, *LINES, "-o", tmp_path / "less")
    assert "forget" in sentence and not (tmp_path / "less").exists()


def test_models_that_count_otherwise_do_not_merge(tmp_path):
    a = trained(tmp_path, messages(0, 100), name="a")
    b = trained(tmp_path, messages(0, 100), "--ngrams", "1-2", name="b")
    fails("merge", a, b, "-o", tmp_path / "both")


@pytest.mark.parametrize("options", ["", *WHOLE_NUMBERS[1:5], "--hash-bits 12", *FRACTIONS])
def test_any_number_of_threads(tmp_path, options):
    model = train(SMS, tmp_path / "1", "--threads", "1", *options.split())
    answer = ok("predict", model, SMS, *LINES, "--proba", "--threads", "1", "--quiet").stdout
    for threads in ("2", "7"):
        other = train(SMS, tmp_path / threads, "--threads", threads, *options.split())
        assert other.read_bytes() == model.read_bytes()
        words = ["--proba", "--threads", threads, "--quiet"]
        assert ok("predict", other, SMS, *LINES, *words).stdout == answer


def test_pipes_and_packed_files(tmp_path):
    model = train(SMS, tmp_path / "m").read_bytes()
    content = SMS.read_bytes()
    ok("train", "-", *LINES, "-o", tmp_path / "pipe", "--quiet", stdin=content)
    assert (tmp_path / "pipe").read_bytes() == model
    (tmp_path / "d.txt.gz").write_bytes(gzip.compress(content))
    assert train(tmp_path / "d.txt.gz", tmp_path / "packed").read_bytes() == model


# -- Memory ---------------------------------------------------------------------------------------


def random_words(count: int, different: int, seed: int) -> list[str]:
    numbers = random.Random(seed)
    return [f"word{numbers.randrange(different):x}" for _ in range(count)]


def peak_kilobytes(pieces, *words) -> int:
    """Of the command while it reads the pieces through a pipe, as often as they come."""
    process = subprocess.Popen(
        [str(BINARY), *map(str, words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for piece in pieces:
        process.stdin.write(piece)
    # Not ru_maxrss: that of a child is at least what its parent had when it was started.
    status = Path(f"/proc/{process.pid}/status").read_text()
    process.stdin.close()
    assert process.wait() == 0
    return int(re.search(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)[1])


@pytest.mark.slow
@pytest.mark.skipif("asan" in str(BINARY), reason="a sanitizer keeps freed memory")
@pytest.mark.parametrize("options", ["", "--max-vocabulary 1000", "--hash-bits 16"])
def test_a_corpus_is_never_held(tmp_path, options):
    """Five times the text, the same words: the same memory. 64 MiB of a pipe are kept at first."""
    lines = [f"{LABELS[i % 2]}\t{' '.join(random_words(50, 3000, i))}\n" for i in range(4000)]
    piece = "".join(lines).encode()
    words = ["train", "-", *LINES, *options.split(), "-o", tmp_path / "m"]
    small, large = (peak_kilobytes([piece] * times, *words) for times in (50, 250))
    assert large - small < 12_000


@pytest.mark.slow
@pytest.mark.skipif("asan" in str(BINARY), reason="a sanitizer keeps freed memory")
@pytest.mark.parametrize("options", ["--max-vocabulary 1000", "--hash-bits 14"])
def test_ever_new_words_are_bounded(tmp_path, options):
    """Past the bound, three times as many different words take no more memory."""
    words = ["train", "-", *LINES, *options.split(), "-o", tmp_path / "m"]

    def pieces(times):
        for i in range(times):
            text = " ".join(random_words(100_000, 1 << 40, i))
            yield "".join(
                f"{LABELS[j % 2]}\tcommon {text[j * 5000 : (j + 1) * 5000]}\n" for j in range(200)
            ).encode()

    small, large = (peak_kilobytes(pieces(times), *words) for times in (40, 120))
    assert large - small < 20_000
