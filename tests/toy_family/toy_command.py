"""The command with one family and one column family more."""

import json
import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("LOGODDS", ROOT / "build/bin/logodds")).resolve().parent
PENGUINS = ROOT / "data" / "penguins.csv"


def run(*arguments, program="logodds_command_with_toy"):
    command = [str(BIN / program), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def run_json(*arguments):
    result = run(*arguments, "--json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def assertions(program, files):
    """How many there are in the C++ tests of these files, all of which must hold."""
    result = run(f"--source-file={files}", program=program)
    assert result.returncode == 0, result.stdout[-4000:]
    return int(re.search(r"assertions: *(\d+)", result.stdout)[1])
