"""Sparse rows stay sparse: what they cost is what they hold, not what they would be spread out."""

import os
import random
import resource
import subprocess

import pytest
from support import BINARY, fails, ok, ok_json, posteriors, read_csv

ROWS = 40_000
COLUMNS = 3_000_000
MOST_KILOBYTES = 2_500_000  # spread out the rows are 960 GB
SANITIZED = "asan" in str(BINARY)


def sparse_families() -> list[str]:
    shown = ok_json("models")
    return [
        family["name"]
        for family in shown["models"]
        if family["capabilities"].get("sparse") and family["name"] != "naive-bayes"
    ]


def one_answer(name: str) -> bool:
    """The rows tell the model, which a perceptron's do not: it ends at the first one that fits."""
    models = ok_json("models")["models"]
    return next(m["capabilities"]["one_answer"] for m in models if m["name"] == name)


def write_rows(path, rows: int, columns: int, seed: int) -> None:
    """Two classes that differ in which of the columns occur; the last one does once."""
    numbers = random.Random(seed)
    lines = [f"a {columns}:1"]
    while len(lines) < rows:
        label = numbers.randrange(2)
        near = {numbers.randrange(50) * 2 + 1 + label for _ in range(3)}
        far = {numbers.randrange(101, columns) for _ in range(5)}
        pairs = " ".join(f"{index}:{1 + index % 2}" for index in sorted(near | far))
        lines.append(f"{'ab'[label]} {pairs}")
    path.write_text("\n".join(lines) + "\n")


def peak_kilobytes(*words) -> int:
    with subprocess.Popen(
        [str(BINARY), *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        said = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, said
    return usage.ru_maxrss


@pytest.mark.slow
@pytest.mark.skipif(SANITIZED, reason="a sanitizer keeps freed memory")
def test_three_million_columns(tmp_path):
    if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
        pytest.skip("the memory of this process is limited")
    data, model, out = tmp_path / "rows.svm", tmp_path / "m", tmp_path / "out.csv"
    write_rows(data, ROWS, COLUMNS, 1)
    families = sparse_families()
    assert families
    for family in families:
        words = ["--format", "svmlight"]
        train = peak_kilobytes("train", data, *words, "--model", family, "-o", model)
        assert train < MOST_KILOBYTES, (family, train)
        predict = peak_kilobytes("predict", model, data, *words, "-o", out)
        assert predict < MOST_KILOBYTES, (family, predict)
        decided = [row["prediction"] for row in read_csv(out.read_text())]
        truth = [line[0] for line in data.read_text().splitlines()]
        right = sum(a == b for a, b in zip(decided, truth, strict=True))
        assert right > 0.95 * ROWS, (family, right)


def test_the_same_model_from_sparse_and_from_dense_rows(tmp_path):
    """A CSV file of the same rows goes through the pipe dense."""
    data, table = tmp_path / "rows.svm", tmp_path / "rows.csv"
    write_rows(data, 300, 120, 2)
    lines = ["label," + ",".join(f"x{c}" for c in range(1, 121))]
    for line in data.read_text().splitlines():
        label, *pairs = line.split()
        values = ["0"] * 120
        for pair in pairs:
            index, value = pair.split(":")
            values[int(index) - 1] = value
        lines.append(label + "," + ",".join(values))
    table.write_text("\n".join(lines) + "\n")
    for family in sparse_families():
        shown = []
        for path, words in ((data, ["--format", "svmlight"]), (table, [])):
            model = tmp_path / f"{family}{len(shown)}"
            target = [] if words else ["--target", "label"]
            ok("train", path, *words, *target, "--model", family, "-o", model)
            for rows, form in ((data, ["--format", "svmlight"]), (table, [])):
                shown.append(posteriors(ok("predict", model, rows, *form, "--proba").stdout, "ab"))
        pairs = [(shown[0], shown[1]), (shown[2], shown[3])]  # one model, two forms of the rows
        if one_answer(family):
            pairs.append((shown[0], shown[2]))
        for first, second in pairs:
            for expected, row in zip(first, second, strict=True):
                assert row == pytest.approx(expected, abs=1e-4), family


def test_a_model_of_dense_rows_refuses_millions_of_columns(tmp_path):
    data = tmp_path / "rows.svm"
    write_rows(data, 50, COLUMNS, 3)
    sentence = fails(
        "train", data, "--format", "svmlight", "--model", "neighbors", "-o", tmp_path / "m"
    )
    assert "3000000 columns are more than the 1000000 that rows can be spread out to" in sentence
    assert "--model softmax" in sentence
