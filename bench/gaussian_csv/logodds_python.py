"""logodds in Python, straight from the file."""

from harness import Run
from logodds import GaussianClassifier

NAME = "logodds, fit_csv"


def runs(data):
    def train(structure):
        return GaussianClassifier(covariance=structure).fit_csv(data.csv, target="class")

    return [Run(s, lambda s=s: train(s)) for s in ("shared", "diagonal")]
