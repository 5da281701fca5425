"""logodds, one row a call."""

from harness.loading import load_task
from logodds import GaussianClassifier

NAME = "logodds"


def runs(data):
    models = {
        structure: GaussianClassifier(covariance=structure).fit(data.X, data.y)
        for structure in ("shared", "own", "diagonal")
    }
    return load_task("one_row").runs_of(models, data)
