"""The stages of `make test`: what each runs, what it needs first, and how its log is counted."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TIDY_SECONDS = 60  # of clang-tidy at the most; what it has found clean it does not look at again
# Tests of the command that feed it what other people's files may hold.
INPUT_TESTS = ("bad_input_*", "documents_edges", "formats", "input_errors", "reading", "sparse")
LEFT_OUT = (
    "Sanitizers saw the sources that read files, keep memory or share it between threads, and of\n"
    "the command the tests of input; make test SANITIZE=all is for all sources and all tests."
)


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


def builds(make: list[str], cores: int, sanitize_all: bool) -> list[Stage]:
    def preset(name: str, *targets: str) -> list[list[str]]:
        build = ["cmake", "--build", "--preset", name, "--parallel", str(cores)]
        return [["cmake", "--preset", name], [*build, *targets]]

    requirements = [[*make, ".venv/requirements.stamp"]]
    part = "" if sanitize_all else "-part"
    needs = () if sanitize_all else ("build",)  # whose objects stand for what is not sanitized
    tests = ("--target", "logodds_tests")
    asan, tsan = preset("asan" + part), preset("tsan" + part, *tests)
    return [
        Stage("packages", "Python packages", requirements, cores=0),
        Stage("build", "build", preset("release"), cores=cores),
        Stage("python-build", "build, Python", [[*make, "python"]], ("packages",), cores=cores),
        Stage("asan-build", "build, address sanitizer", asan, needs, cores=cores),
        Stage("tsan-build", "build, thread sanitizer", tsan, needs, cores=cores),
    ]


def pytest(key: str, title: str, needs: tuple[str, ...], env: dict, *words: str) -> Stage:
    command = [".venv/bin/python", "-m", "pytest", "-q", "-ra", "--color=no", *words]
    return Stage(key, title, [command], needs, count_pytest, environment=env)


def release_checks() -> list[Stage]:
    """Every test, in the build that is used."""
    env = {"LOGODDS": str(ROOT / "build/bin/logodds")}
    command, both = ("build", "packages"), ("build", "python-build")
    example = [["examples/cpp/run_test.sh"]]
    return [
        pytest("python", "Python", both, env, "python/tests"),
        pytest("e2e", "command", command, env, "tests/e2e"),
        pytest("docs", "documentation", both, env, "tests/docs"),
        pytest("browser", "pictures", command, env, "tests/browser"),
        Stage("cpp", "C++ tests", [["build/bin/logodds_tests"]], ("build",), count_doctest),
        pytest("toy", "toy family", command, env, "tests/toy_family"),
        pytest("tools", "tools", ("packages",), {}, "tests/tools"),
        Stage("example", "C++ example", example, ("build",), count_script),
    ]


def sanitizer_checks(sanitize_all: bool) -> list[Stage]:
    part = "" if sanitize_all else "-part"
    asan, tsan = f"build/asan{part}/bin", f"build/tsan{part}/bin"
    env = {"LOGODDS": str(ROOT / asan / "logodds"), "LOGODDS_SANITIZED": "1"}
    threads = [[f"{tsan}/logodds_tests", "--test-case=*[threads]*"]]
    inputs = [str(path) for name in INPUT_TESTS for path in e2e_files(name)]
    files = ["tests/e2e"] if sanitize_all else inputs
    quick = [
        Stage(
            "asan-cpp",
            "C++ tests, address",
            [[f"{asan}/logodds_tests"]],
            ("asan-build",),
            count_doctest,
        ),
        pytest(
            "asan-e2e",
            "command, address",
            ("asan-build", "packages"),
            env,
            *("-m", "not slow", *files),
        ),
        Stage("tsan-cpp", "C++ tests, thread", threads, ("tsan-build",), count_doctest),
    ]
    return quick + (whole_sanitizer_checks(env) if sanitize_all else [])


def e2e_files(name: str) -> list[Path]:
    return sorted(path.relative_to(ROOT) for path in ROOT.glob(f"tests/e2e/test_{name}.py"))


def whole_sanitizer_checks(env: dict[str, str]) -> list[Stage]:
    builds = ("asan-build", "python-build")
    return [
        pytest("asan-docs", "documentation, address", builds, env, "tests/docs"),
        Stage(
            "asan-python",
            "Python, address",
            [["tools/test_python_asan", "-m", "not slow", "python/tests"]],
            ("build", *builds),
            count_pytest,
            environment={"LOGODDS": str(ROOT / "build/bin/logodds")},
        ),
    ]


def checks_on_all_cores(cores: int, fuzz_seconds: int, sanitize_all: bool) -> list[Stage]:
    folder = "build/asan" if sanitize_all else "build/asan-part"
    return [
        Stage(
            "fuzz",
            "fuzzing",
            [["tools/fuzz", str(fuzz_seconds), f"{folder}/bin"]],
            ("asan-build",),
            count_script,
            min(2, cores),
        ),
        Stage(
            "lint",
            "lint",
            [["tools/lint"]],
            ("packages",),
            count_script,
            cores,
            environment={"TIDY_SECONDS": str(TIDY_SECONDS)},
        ),
    ]


def all_stages(
    python: str, cores: int, fuzz_seconds: int, sanitize_all: bool = False
) -> list[Stage]:
    """In the order of their start: what takes all cores first, then the longest first, so that no
    core waits at the end."""
    make = ["make", "--no-print-directory", f"PYTHON={python}"]
    return [
        *builds(make, cores, sanitize_all),
        *checks_on_all_cores(cores, fuzz_seconds, sanitize_all),
        *release_checks(),
        *sanitizer_checks(sanitize_all),
    ]
