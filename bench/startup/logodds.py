"""logodds models, and import logodds after NumPy."""

import importlib.util
import subprocess
import sys

from harness import Run
from harness.limits import REPOSITORY

NAME = "logodds"
COMMAND = REPOSITORY / "build" / "bin" / "logodds"


def runs(data):
    if importlib.util.find_spec("logodds") is None:
        raise ImportError("the package is not installed: make python")
    if not COMMAND.exists():
        raise FileNotFoundError(f"{COMMAND}: build it with make")
    python = [sys.executable, "-c", "import numpy, logodds"]
    return [
        Run("command", lambda: subprocess.run([COMMAND, "models"], stdout=subprocess.DEVNULL)),
        Run("import", lambda: subprocess.run(python)),
    ]
