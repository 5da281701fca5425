"""polars, reading the file and nothing else."""

import polars
from harness import Run

NAME = "polars, reading only"


def runs(data):
    return [
        Run(f"{table.name} csv", lambda t=table: polars.read_csv(t.csv).shape) for table in data
    ]
