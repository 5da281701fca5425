"""Documents at the edges: weights, numbers that are too large, rows that were never there."""

import pytest
from documents import LINES, predicted, trained, write_lines
from support import fails, ok, ok_json


def weighted(folder, rows):
    """A table of documents with weights, as a command reads it."""
    path = folder / "weighted.tsv"
    lines = ["label\ttext\tw", *("\t".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    kinds = ["--kinds", "text=text", "--weights", "w"]
    return ["train", path, "--format", "tsv", "--target", "label", *kinds, "--quiet"]


def vocabulary(model):
    [column] = ok_json("inspect", model, "--top-words", "99")["top_words"]
    return {word["word"] for group in column["classes"] for word in group["words"]}


@pytest.mark.parametrize("unit", [1, 0.1, 1e-6, 1e6])
def test_the_unit_of_weights_does_not_choose_the_words(tmp_path, unit):
    """2.3 + 1.7 + 1.7 is not 2.3 + (1.7 + 1.7) to the last bit; 'all' is in every document."""
    rows = [("a", "all qq", 2.3 * unit), ("b", "all pp", 1.7 * unit), ("b", "all qq", 1.7 * unit)]
    model = tmp_path / "m"
    ok(*weighted(tmp_path, rows), "-o", model)
    assert vocabulary(model) == {"all", "pp", "qq"}
    ok(*weighted(tmp_path, rows), "--max-df", "0.9", "-o", model)
    assert vocabulary(model) == {"pp", "qq"}


def test_a_document_of_weight_2_counts_twice(tmp_path):
    rows = [("a", "once more", 2), ("b", "never once", 1)]
    model = tmp_path / "m"
    ok(*weighted(tmp_path, rows), "--min-df", "2", "-o", model)
    assert vocabulary(model) == {"once", "more"}


def test_counts_that_overflow_are_refused(tmp_path):
    rows = [("a", "hello hello hello", 1e308), ("b", "good bye", 1)]
    message = fails(*weighted(tmp_path, rows), "-o", tmp_path / "m")
    assert "column 'text'" in message and "overflow" in message
    assert not (tmp_path / "m").exists()


def test_smoothing_that_overflows_is_refused(tmp_path):
    path = write_lines(tmp_path / "x.txt", [("a", "one two"), ("b", "three")])
    message = fails("train", path, *LINES, "--smoothing", "1e308", "-o", tmp_path / "m")
    assert "smoothing" in message and "overflow" in message


def test_small_smoothing_beside_large_weights(tmp_path):
    rows = [("a", "aa bb", 1e12), ("b", "aa cc", 1e12)]
    ok(*weighted(tmp_path, rows), "--smoothing", "1e-300", "-o", tmp_path / "m")
    new = write_lines(tmp_path / "new.txt", [("", "aa bb")])
    assert predicted(tmp_path / "m", new, ["a", "b"])[0][0] == pytest.approx(1.0)


def test_a_document_that_was_never_there_is_not_forgotten(tmp_path):
    """The counts of its one word would fit, but not those of the documents that have it."""
    model = trained(tmp_path, [("a", "xx yy"), ("a", "xx zz"), ("b", "qq rr")])
    before = model.read_bytes()
    gone = write_lines(tmp_path / "gone.txt", [("a", "xx xx")])
    assert "'xx'" in fails("forget", model, gone, *LINES, "-o", model)
    assert model.read_bytes() == before


def test_small_counts_stay_beside_large_ones(tmp_path):
    pairs = [("a", "x:1e15 y:1"), ("a", "x:1 z:1"), ("b", "y:3")]
    model = trained(tmp_path, pairs, "--tokens", "pairs")
    rest = trained(tmp_path, pairs[1:], "--tokens", "pairs", name="rest")
    gone = write_lines(tmp_path / "gone.txt", pairs[:1])
    ok("forget", model, gone, *LINES, "-o", model, "--quiet")
    assert model.read_bytes() == rest.read_bytes()


def test_what_a_bounded_vocabulary_dropped_cannot_be_forgotten(tmp_path):
    # more different words than any of the parts that are counted side by side may keep
    pairs = [(f"c{i % 2}", " ".join(f"word{i}x{j}" for j in range(900))) for i in range(400)]
    model = trained(tmp_path, pairs, "--max-vocabulary", "10")
    gone = write_lines(tmp_path / "gone.txt", pairs[:50])
    message = fails("forget", model, gone, *LINES, "-o", tmp_path / "less")
    assert "--max-vocabulary" in message


def test_negative_counts_are_refused_when_they_are_scored_too(tmp_path):
    model = trained(tmp_path, [("a", "x:1 y:2"), ("b", "y:3")], "--tokens", "pairs")
    new = write_lines(tmp_path / "new.txt", [("a", "y:1"), ("a", "x:-5")])
    message = fails("predict", model, new, *LINES)
    assert "line 2" in message and "-5" in message


def test_a_count_of_0_is_no_word(tmp_path):
    pairs = [("a", "x:1 y:2"), ("b", "y:3 x:0"), ("b", "z:0")]
    without = [("a", "x:1 y:2"), ("b", "y:3"), ("b", "")]
    for options in (["--binary"], ["--family", "bernoulli"], []):
        model = trained(tmp_path, pairs, "--tokens", "pairs", *options)
        other = trained(tmp_path, without, "--tokens", "pairs", *options, name="other")
        assert model.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("smoothing", ["1", "1e-300"])
def test_a_million_words(tmp_path, smoothing):
    """Two words that say the opposite, half a million times each: as likely as before."""
    pairs = [("x", "aa " * 3 + "bb " * 5 + "cc " * 7), ("y", "aa " * 5 + "bb " * 3 + "cc " * 7)]
    model = trained(tmp_path, pairs, "--smoothing", smoothing)
    new = write_lines(tmp_path / "new.txt", [("", "aa bb " * 500_000)])
    assert predicted(model, new, ["x", "y"])[0] == pytest.approx([0.5, 0.5], abs=1e-6)


def test_the_norm_is_over_all_words(tmp_path):
    """Those outside of a given vocabulary too, in training as in scoring."""
    (tmp_path / "words").write_text("aa\nbb\n")
    pairs = [("x", "aa ee"), ("y", "bb aa")]
    options = ["--vocabulary", tmp_path / "words", "--normalize", "l1"]
    model = trained(tmp_path, pairs, *options)
    [column] = ok_json("inspect", model, "--top-words", "9")["top_words"]
    counts = {
        (group["class"], word["word"]): word["count"]
        for group in column["classes"]
        for word in group["words"]
    }
    assert counts == {("x", "aa"): 0.5, ("y", "aa"): 0.5, ("y", "bb"): 0.5}
