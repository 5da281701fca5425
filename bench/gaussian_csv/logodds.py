"""logodds train FILE: the command, from the start of the process to the saved model."""

import subprocess

import logodds
from harness import Run
from harness.limits import REPOSITORY

NAME = "logodds"
COMMAND = REPOSITORY / "build" / "bin" / "logodds"


def runs(data):
    if not COMMAND.exists():
        raise FileNotFoundError(f"{COMMAND}: build it with make")
    model = data.csv.with_suffix(".model")

    def train(structure):
        arguments = ["train", data.csv, "--target", "class", "--model", "gaussian"]
        arguments += ["--covariance", structure]
        quietly = ["--quiet", "-o", model]
        subprocess.run([COMMAND, *arguments, *quietly], check=True)
        return lambda: logodds.load(model)

    return [Run(s, lambda s=s: train(s)) for s in ("shared", "diagonal")]
