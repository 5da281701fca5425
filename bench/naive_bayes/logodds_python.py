"""logodds in Python, straight from the file."""

from harness import Run
from logodds import NaiveBayesClassifier

NAME = "logodds, fit_csv"


def runs(data):
    def train(table):
        return NaiveBayesClassifier().fit_csv(table.csv, target=table.target)

    return [Run(f"{table.name} csv", lambda t=table: train(t)) for table in data]
