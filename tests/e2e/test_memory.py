"""The memory of predict and of one-pass training does not grow with the rows."""

import os
import subprocess

import pytest
from support import BINARY, PENGUINS, ok

ROW_COUNTS = (20_000, 400_000)


def peak_kilobytes(*words) -> int:
    process = subprocess.Popen(
        [str(BINARY), *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """Streams, because the pages of a mapped file count as memory though they cost none."""
    folder = tmp_path_factory.mktemp("memory")
    header, body = PENGUINS.read_text().split("\n", 1)
    paths = []
    for rows in ROW_COUNTS:
        path = folder / f"{rows}.csv"
        repeats = rows // body.count("\n")
        path.write_text(header + "\n" + body * repeats)
        subprocess.run(["gzip", "-1", str(path)], check=True)
        paths.append(path.with_suffix(".csv.gz"))
    return paths


@pytest.mark.slow
@pytest.mark.skipif("asan" in str(BINARY), reason="a sanitizer keeps freed memory")
def test_predict(packed, penguins_model):
    small, large = (peak_kilobytes("predict", penguins_model, path, "--proba") for path in packed)
    assert large - small < 8_000


@pytest.mark.slow
@pytest.mark.skipif("asan" in str(BINARY), reason="a sanitizer keeps freed memory")
def test_predict_to_a_file(packed, penguins_model, tmp_path):
    small, large = (
        peak_kilobytes("predict", penguins_model, path, "--proba", "-o", tmp_path / "out.csv")
        for path in packed
    )
    assert large - small < 8_000


@pytest.mark.slow
@pytest.mark.skipif("asan" in str(BINARY), reason="a sanitizer keeps freed memory")
def test_train_in_one_pass(packed, tmp_path):
    ok("models", "gaussian")
    small, large = (
        peak_kilobytes("train", path, "--target", "species", "-o", tmp_path / "m")
        for path in packed
    )
    assert large - small < 8_000
