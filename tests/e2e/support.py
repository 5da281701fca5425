"""Runs the command as a user would, and reads what it wrote."""

import csv
import io
import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("LOGODDS", ROOT / "build" / "bin" / "logodds")).resolve()
DATA = ROOT / "data"
PENGUINS = DATA / "penguins.csv"
FAMILIES = ["naive-bayes", "gaussian", "softmax", "neighbors"]  # those that take any table
NO_DENSITIES = ["softmax", "neighbors"]
MEASUREMENTS = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]
TIMEOUT_SECONDS = 300


def shared_data(relative: str) -> Path:
    """A file of the shared data folder; the test is skipped where it is not there."""
    folder = Path(os.environ.get("LOGODDS_SHARED_DATA", ROOT.parent / "shared" / "data"))
    if not (folder / relative).exists():
        pytest.skip(f"{relative} is not in the shared data folder")
    return folder / relative


def run(*words, stdin=None, env=None, cwd=None, user=None) -> subprocess.CompletedProcess:
    """Text in, text out; `stdin` may be text or bytes. `user`: a user id to run as."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    result = subprocess.run(
        [str(BINARY), *map(str, words)],
        input=data if data is not None else b"",
        capture_output=True,
        env={**os.environ, **(env or {})},
        cwd=cwd,
        user=user,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    result.stdout = result.stdout.decode()
    result.stderr = result.stderr.decode()
    return result


def ok(*words, **options) -> subprocess.CompletedProcess:
    """Runs a command that must succeed."""
    result = run(*words, **options)
    assert result.returncode == 0, result.stderr
    return result


def fails(*words, **options) -> str:
    """Runs a command that must be refused: status 2, nothing on standard output, one sentence."""
    result = run(*words, **options)
    assert result.returncode == 2, (result.returncode, result.stdout, result.stderr)
    assert result.stdout == ""
    assert result.stderr.startswith("logodds: "), result.stderr
    assert result.stderr.count("\n") == 1 and result.stderr.endswith("\n"), result.stderr
    return result.stderr.removeprefix("logodds: ").rstrip("\n")


def ok_json(*words, **options) -> dict:
    return json.loads(ok(*words, "--json", **options).stdout)


def read_csv(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def write_csv(path: Path, rows: list[dict], delimiter: str = ",") -> Path:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
    return path


def penguin_rows(complete: bool = True) -> list[dict[str, str]]:
    rows = read_csv(PENGUINS.read_text())
    return [row for row in rows if not complete or "NA" not in row.values()]


def posteriors(text: str, classes: list[str]) -> list[list[float]]:
    """The p_ columns of what `predict --proba` wrote."""
    return [[float(row[f"p_{name}"]) for name in classes] for row in read_csv(text)]
