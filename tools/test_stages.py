"""The stages of `make test`: what each runs, what it needs first, and how its log is counted."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TIDY_SECONDS = 600  # of clang-tidy at the most; what it has found clean it does not look at again


@dataclass
class Count:
    passed: int = 0
    failed: int = 0
    skipped: int = 0


def count_doctest(log: str) -> Count:
    """Cases of all runs in the log. A check left out for want of data says 'skipped:' on a line."""
    runs = re.findall(r"test cases: *\d+ \| *(\d+) passed \| *(\d+) failed", log)
    skipped = len(set(re.findall(r"^skipped: .*$", log, re.MULTILINE)))
    return Count(sum(int(p) for p, _ in runs), sum(int(f) for _, f in runs), skipped)


def count_pytest(log: str) -> Count:
    """The last line of pytest: '3 failed, 12 passed, 1 skipped in 2.10s'."""
    summaries = re.findall(r"^=* ?((?:\d+ \w+,? ?)+)in [\d.]+s", log, re.MULTILINE)
    words = {word: int(n) for n, word in re.findall(r"(\d+) (\w+)", " ".join(summaries[-1:]))}
    failed = sum(words.get(word, 0) for word in ("failed", "error", "errors"))
    return Count(words.get("passed", 0), failed, words.get("skipped", 0))


def count_script(log: str) -> Count:
    """A script's own last line: '2 passed, 0 failed'."""
    found = re.findall(r"^(\d+) passed, (\d+) failed$", log, re.MULTILINE)
    return Count(int(found[-1][0]), int(found[-1][1])) if found else Count()


@dataclass
class Stage:
    key: str
    title: str
    commands: list[list[str]]
    needs: tuple[str, ...] = ()  # keys of the stages that must have succeeded
    counter: Callable[[str], Count] | None = None  # None: groundwork, which counts when it fails
    cores: int = 1
    environment: dict[str, str] = field(default_factory=dict)


def builds(make: list[str], cores: int) -> list[Stage]:
    def preset(name: str, *targets: str) -> list[list[str]]:
        build = ["cmake", "--build", "--preset", name, "--parallel", str(cores)]
        return [["cmake", "--preset", name], [*build, *targets]]

    requirements = [[*make, ".venv/requirements.stamp"]]
    return [
        Stage("packages", "Python packages", requirements, cores=0),
        Stage("build", "build", preset("release"), cores=cores),
        Stage("python-build", "build, Python", [[*make, "python"]], ("packages",), cores=cores),
        Stage("asan-build", "build, address sanitizer", preset("asan"), cores=cores),
        Stage(
            "tsan-build",
            "build, thread sanitizer",
            preset("tsan", "--target", "logodds_tests"),
            cores=cores,
        ),
    ]


def checks(cores: int, fuzz_seconds: int) -> list[Stage]:
    release = {"LOGODDS": str(ROOT / "build/bin/logodds")}
    asan = {"LOGODDS": str(ROOT / "build/asan/bin/logodds"), "LOGODDS_SANITIZED": "1"}
    threads = ["build/tsan/bin/logodds_tests", "--test-case=*[threads]*"]

    def doctest(key: str, title: str, command: list[str], need: str) -> Stage:
        return Stage(key, title, [command], (need,), count_doctest)

    def pytest(key: str, title: str, folder: str, needs: tuple[str, ...], env, *more: str) -> Stage:
        command = [".venv/bin/python", "-m", "pytest", "-q", "-ra", "--color=no", *more, folder]
        return Stage(key, title, [command], needs, count_pytest, environment=env)

    fuzz = [["tools/fuzz", str(fuzz_seconds)]]
    both = ("build", "python-build")
    return [
        doctest("cpp", "C++ tests", ["build/bin/logodds_tests"], "build"),
        pytest("e2e", "command", "tests/e2e", ("build", "packages"), release),
        pytest("python", "Python", "python/tests", both, release),
        pytest("docs", "documentation", "tests/docs", both, release),
        pytest("browser", "pictures", "tests/browser", ("build", "packages"), release),
        Stage("example", "C++ example", [["examples/cpp/run_test.sh"]], ("build",), count_script),
        pytest("tools", "tools", "tests/tools", ("packages",), {}),
        pytest("toy", "toy family", "tests/toy_family", ("build", "packages"), release),
        doctest("asan-cpp", "C++ tests, address", ["build/asan/bin/logodds_tests"], "asan-build"),
        pytest(
            "asan-e2e",
            "command, address",
            "tests/e2e",
            ("asan-build", "packages"),
            asan,
            *("-m", "not slow"),
        ),
        pytest(
            "asan-docs",
            "documentation, address",
            "tests/docs",
            ("asan-build", "python-build"),
            asan,
        ),
        Stage(
            "asan-python",
            "Python, address",
            [["tools/test_python_asan", "-m", "not slow", "python/tests"]],
            ("build", "asan-build", "python-build"),
            count_pytest,
            environment=release,
        ),
        doctest("tsan-cpp", "C++ tests, thread", threads, "tsan-build"),
        Stage("fuzz", "fuzzing", fuzz, ("asan-build",), count_script, min(2, cores)),
        Stage(
            "lint",
            "lint",
            [["tools/lint"]],
            ("asan-build", "packages"),
            count_script,
            cores,
            environment={"TIDY_SECONDS": str(TIDY_SECONDS)},
        ),
    ]


def all_stages(python: str, cores: int, fuzz_seconds: int) -> list[Stage]:
    make = ["make", "--no-print-directory", f"PYTHON={python}"]
    return builds(make, cores) + checks(cores, fuzz_seconds)
