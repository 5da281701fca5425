"""`make demo` shows what it promises, within 80 columns."""

import re
import subprocess

import pytest
from pages import COMMAND, ROOT

FAMILIES = ("naive-bayes", "gaussian", "softmax", "neighbors")


@pytest.fixture(scope="module")
def output() -> str:
    demo = [str(ROOT / "tools" / "demo"), str(COMMAND)]
    result = subprocess.run(demo, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def posteriors_of(output: str, title: str) -> list[float]:
    lines = output[output.index(f"  {title}: bill") :].splitlines()[1:4]
    return [float(line.split()[1]) for line in lines]


def test_rows_are_split_and_measured(output):
    assert "230 rows of data/penguins.csv to learn from, 114 held out" in output
    confusion = output[output.index("truth \\ decision") : output.index("share of the truth")]
    row = r"^(?:Adelie|Chinstrap|Gentoo) +(\d+) +(\d+) +(\d+)$"
    counts = re.findall(row, confusion, re.MULTILINE)
    assert sum(int(count) for row in counts for count in row) == 114


def test_surest_and_most_doubtful_rows(output):
    sure, doubtful = (posteriors_of(output, t) for t in ("the surest", "the most doubtful"))
    assert sum(sure) == pytest.approx(1, abs=2e-6)
    assert sum(doubtful) == pytest.approx(1, abs=2e-6)
    assert max(sure) > 0.999 and max(doubtful) < 0.7


def test_evidence_adds_up_to_the_log_odds(output):
    doubtful = output[output.index("  the most doubtful: bill") :]
    shown = float(re.search(r"largest over the second: ([\d.]+)$", doubtful, re.MULTILINE)[1])
    evidence = output[output.index("4. Why") : output.index("5. The")]
    total = float(re.search(r"^row 1: .* log odds ([+-][\d.]+),", evidence, re.MULTILINE)[1])
    terms = re.findall(r"^  \S+ +([+-][\d.]+)$", evidence, re.MULTILINE)
    assert len(terms) == 1 + 4  # the prior and the measures
    assert sum(map(float, terms)) == pytest.approx(total, abs=3e-3)
    assert total == pytest.approx(shown, abs=6e-3)


def test_families_side_by_side(output):
    pattern = r"^([\w-]+) +(\d+) +(0\.\d{4}) +\d+\.\d{4} +\d\.\d{4} +[\d.]+ ms$"
    rows = re.findall(pattern, output, re.MULTILINE)
    assert [name for name, _, _ in rows] == list(FAMILIES)
    for _, errors, rate in rows:
        assert int(errors) / 114 == pytest.approx(float(rate), abs=5e-5)


def test_it_ends_with_a_report(output):
    place = re.search(r"^open (build/demo/report\.html) in a browser$", output, re.MULTILINE)[1]
    page = (ROOT / place).read_text()
    assert "114 rows of heldout.csv" in page and page.count("<svg") >= 4


def test_what_to_try_next_works(output):
    lines = re.sub(r"\\\n +", "", output[output.index("What to try next\n") :]).splitlines()
    commands = [line.split("   ")[0].strip() for line in lines if line.startswith("  logodds")]
    assert len(commands) >= 3
    for command in commands:
        words = [str(COMMAND), *command.split()[1:]]
        subprocess.run(words, cwd=ROOT / "build" / "demo", check=True, capture_output=True)


def test_fits_a_terminal(output):
    assert max(map(len, output.splitlines())) <= 80
