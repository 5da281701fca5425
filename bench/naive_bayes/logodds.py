"""logodds: the command from file to saved model; in Python from a polars frame."""

import subprocess

import logodds
from harness import Run
from harness.limits import REPOSITORY
from logodds import NaiveBayesClassifier

NAME = "logodds"
COMMAND = REPOSITORY / "build" / "bin" / "logodds"


def runs(data):
    return [run for table in data for run in runs_of(table)]


def runs_of(table):
    models = {}

    def train():
        path = table.csv.with_suffix(".model")
        arguments = ["train", table.csv, "--target", table.target, "--model", "naive-bayes"]
        subprocess.run([COMMAND, *arguments, "--quiet", "-o", path], check=True)
        return lambda: logodds.load(path)

    def fit():
        models["fit"] = NaiveBayesClassifier().fit(table.features, table.labels)
        return models["fit"]

    found = [Run(f"{table.name} csv", train)] if COMMAND.exists() else []
    return [
        *found,
        Run(f"{table.name} fit", fit),
        Run(f"{table.name} predict_proba", lambda: models["fit"].predict_proba(table.features)),
    ]
