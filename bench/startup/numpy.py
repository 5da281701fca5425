"""The import of NumPy alone, which everybody pays."""

import subprocess
import sys

from harness import Run

NAME = "numpy"


def runs(data):
    return [Run("import", lambda: subprocess.run([sys.executable, "-c", "import numpy"]))]
