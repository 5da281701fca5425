"""Bad input for neighbors: what is said, and what still works."""

import pytest
from support import fails, ok, ok_json, posteriors, read_csv, write_csv

NEIGHBORS = ["--target", "y", "--model", "neighbors"]
ROWS = [{"y": "a", "u": 1, "v": 2}, {"y": "b", "u": 3, "v": 1}, {"y": "b", "u": 4, "v": 4}]


def trained(tmp_path, rows, *words):
    data = write_csv(tmp_path / "d.csv", rows)
    return ok("train", data, *NEIGHBORS, *words, "-o", tmp_path / "m").stderr


def refused(tmp_path, rows, *words) -> str:
    data = write_csv(tmp_path / "d.csv", rows)
    sentence = fails("train", data, *NEIGHBORS, *words, "-o", tmp_path / "none")
    assert not (tmp_path / "none").exists()
    return sentence


def decided(tmp_path) -> list[list[float]]:
    told = ok("predict", tmp_path / "m", tmp_path / "d.csv", "--proba").stdout
    return posteriors(told, ["a", "b"])


def test_k_larger_than_the_rows(tmp_path):
    assert "k is 50, but there are only 3 rows: all of them vote" in trained(
        tmp_path, ROWS, "--k", "50"
    )
    third = 1 / 3
    assert decided(tmp_path) == [pytest.approx([third, 2 * third])] * 3
    row = read_csv(ok("predict", tmp_path / "m", tmp_path / "d.csv", "--neighbors").stdout)[0]
    assert len(row) == 1 + 2 * 3


@pytest.mark.parametrize("k", ["0", "-3", "2.5", "many", "5-2", "0-4", ""])
def test_a_k_that_is_none(tmp_path, k):
    sentence = refused(tmp_path, ROWS, f"--k={k}")
    assert "option --k" in sentence and "auto" in sentence


def test_rows_of_zeros_by_cosine(tmp_path):
    zeros = [*ROWS, {"y": "a", "u": 0, "v": 0}]
    sentence = refused(tmp_path, zeros, "--metric", "cosine")
    assert "d.csv, line 5: every column is 0" in sentence and "--metric euclidean" in sentence
    trained(tmp_path, ROWS, "--metric", "cosine")
    data = write_csv(tmp_path / "e.csv", zeros)
    assert "e.csv, line 5: every column is 0" in fails("predict", tmp_path / "m", data)


def test_all_rows_equal(tmp_path):
    equal = [{"y": y, "u": 1, "v": 2} for y in "aabbb"]
    for words in (
        [],
        ["--standardize"],
        ["--metric", "manhattan"],
        ["--condense"],
        ["--k", "auto"],
    ):
        trained(tmp_path, equal, *words)
        assert decided(tmp_path)[0] == pytest.approx([0.4, 0.6])
    assert "constant: 'u', 'v'" in refused(tmp_path, equal, "--metric", "mahalanobis")


def test_a_singular_covariance_names_its_columns_and_the_cure(tmp_path):
    rows = [{"y": i % 2, "u": i * i % 7, "v": 2 * (i * i % 7)} for i in range(20)]
    sentence = refused(tmp_path, rows, "--metric", "mahalanobis")
    assert "rank 1 of 2" in sentence
    assert "determined by the columns before: 'v'" in sentence
    assert "--standardize" in sentence and "--ridge" not in sentence


def test_missing_values(tmp_path):
    rows = [*ROWS, {"y": "a", "u": "", "v": 1}]
    report = ok_json("train", write_csv(tmp_path / "d.csv", rows), *NEIGHBORS, "-o", tmp_path / "m")
    assert report["rows_skipped"] == 1
    assert "line 5, column 'u'" in refused(tmp_path, rows, "--missing", "error")
    assert read_csv(ok("predict", tmp_path / "m", tmp_path / "d.csv").stdout)[3]["prediction"] == ""


def test_one_column(tmp_path):
    rows = [{"y": "a" if i < 5 else "b", "u": i} for i in range(10)]
    for words in ([], ["--metric", "mahalanobis"], ["--metric", "manhattan"], ["--standardize"]):
        trained(tmp_path, rows, "--k", "3", *words)
        assert ok_json("evaluate", tmp_path / "m", tmp_path / "d.csv")["error_rate"] == 0
    directions = [{"y": y, "u": u} for y, u in zip("aabb", (1, 2, -1, -5), strict=True)]
    trained(tmp_path, directions, "--metric", "cosine", "--k", "1")
    assert ok_json("evaluate", tmp_path / "m", tmp_path / "d.csv")["error_rate"] == 0


@pytest.mark.parametrize("scale", ["e200", "e-200"])
def test_numbers_whose_squares_are_none(tmp_path, scale):
    rows = [{"y": "a", "u": f"1{scale}", "v": 0}, {"y": "b", "u": f"-3{scale}", "v": 0}]
    assert "column 'u': squared distances overflow or vanish" in refused(tmp_path, rows)


def test_queries_that_are_too_far(tmp_path):
    trained(tmp_path, ROWS)
    data = write_csv(tmp_path / "e.csv", [{"u": 1, "v": 1}, {"u": "1e300", "v": 1}])
    assert "e.csv, line 3: the values are so far" in fails("predict", tmp_path / "m", data)


def test_a_damaged_file(tmp_path):
    trained(tmp_path, ROWS, "--condense", "--standardize")
    whole = (tmp_path / "m").read_bytes()
    for cut in (0, 9, len(whole) // 2, len(whole) - 1):
        (tmp_path / "m").write_bytes(whole[:cut])
        assert str(tmp_path / "m") in fails("inspect", tmp_path / "m")
