"""The test driver counts what it should, and the package check says what is missing."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS))
from test_stages import (  # noqa: E402
    INPUT_TESTS,
    LEFT_OUT,
    ROOT,
    Count,
    all_stages,
    count_doctest,
    count_pytest,
    count_script,
    e2e_files,
)


def test_doctest_cases_are_summed_and_absent_data_counts_as_skipped():
    log = (
        "skipped: iris/iris.csv is not in the shared data folder\n"
        "[doctest] test cases:  12 |  11 passed | 1 failed | 7 skipped\n"
        "[doctest] assertions: 400 | 399 passed | 1 failed |\n"
        "[doctest] test cases: 3 | 3 passed | 0 failed | 0 skipped\n"
    )
    assert count_doctest(log) == Count(14, 1, 1)


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("12 passed in 1.20s", Count(12, 0, 0)),
        ("2 failed, 10 passed, 3 skipped, 1 warning, 1 error in 61.20s (0:01:01)", Count(10, 3, 3)),
        ("===== 1 passed, 4 deselected in 0.10s =====", Count(1, 0, 0)),
        ("no tests ran in 0.01s", Count()),
    ],
)
def test_pytest_summary(line, count):
    assert count_pytest(f"5 passed in this sentence\n{line}\n") == count


def test_script_summary_is_the_last():
    assert count_script("1 passed, 0 failed\nthen\n4 passed, 2 failed\n") == Count(4, 2)


def stages(sanitize_all):
    return {stage.key: stage for stage in all_stages("python3", 2, 30, sanitize_all)}


@pytest.mark.parametrize("sanitize_all", [False, True])
def test_every_need_is_an_earlier_stage(sanitize_all):
    earlier = set()
    for stage in stages(sanitize_all).values():
        assert set(stage.needs) <= earlier
        earlier.add(stage.key)


def test_sanitizers_leave_stages_out_that_all_of_them_have_and_nothing_else_differs():
    part, whole = stages(False), stages(True)
    assert set(whole) - set(part) == {"asan-docs", "asan-python"}
    for key in ("build", "cpp", "e2e", "python", "docs", "browser", "toy", "example", "tools"):
        assert part[key] == whole[key]


def test_a_part_build_waits_for_the_objects_it_borrows():
    for key in ("asan-build", "tsan-build"):
        assert "build" in stages(False)[key].needs
        assert "build" not in stages(True)[key].needs


@pytest.mark.parametrize("name", INPUT_TESTS)
def test_the_tests_of_input_are_there(name):
    files = e2e_files(name)
    assert files
    words = stages(False)["asan-e2e"].commands[0]
    assert all((ROOT / file).is_file() and str(file) in words for file in files)


def run_tests(*stages, sanitize="part"):
    """The end of what the driver says after stages of a stand-in project, in which all is well."""
    folder = Path(tempfile.mkdtemp())
    (folder / "tools").mkdir()
    shutil.copy(TOOLS / "run_tests", folder / "tools")
    (folder / "tools" / "test_stages.py").write_text(STAND_IN)
    command = [sys.executable, "tools/run_tests", "--sanitize", sanitize, *stages]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    shutil.rmtree(folder)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout.splitlines()


STAND_IN = (
    (TOOLS / "test_stages.py").read_text()
    + """

def all_stages(python, cores, fuzz_seconds, sanitize_all):
    script = [["echo", "3 passed, 0 failed"]]
    return [Stage(key, key, script, counter=count_script) for key in ("one", "two")]
"""
)


def test_the_summary_says_what_sanitizers_left_out():
    assert run_tests()[-3:] == [*LEFT_OUT.splitlines(), "6 passed, 0 failed"]
    for lines in (run_tests(sanitize="all"), run_tests("one", "two")):
        assert lines[-1] == "6 passed, 0 failed"
        assert lines[-2].split()[:2] == ["two", "ok"]


@pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="not a Debian system")
def test_missing_package_without_root_prints_the_command(tmp_path):
    shutil.copy(TOOLS / "need", tmp_path)
    (tmp_path / "debian-packages.txt").write_text("here: dpkg\nthere: dpkg no-such-package\n")
    not_root = tmp_path / "bin" / "id"
    not_root.parent.mkdir()
    not_root.write_text("#!/bin/sh\necho 1000\n")
    not_root.chmod(0o755)
    environment = os.environ | {"PATH": f"{not_root.parent}:{os.environ['PATH']}"}

    def need(name):
        return subprocess.run(
            [tmp_path / "need", name], env=environment, capture_output=True, text=True, check=False
        )

    assert need("here").returncode == 0
    result = need("there")
    assert result.returncode == 1
    assert "sudo apt-get install -y no-such-package\n" in result.stderr
