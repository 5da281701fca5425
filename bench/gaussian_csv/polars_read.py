"""polars, reading the file and nothing else."""

import polars
from harness import Run

NAME = "polars, reading only"


def runs(data):
    return [Run(s, lambda: polars.read_csv(data.csv).shape) for s in ("shared", "diagonal")]
