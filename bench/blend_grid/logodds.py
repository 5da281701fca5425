"""logodds: blend='auto', 5 values of lambda by 4 of gamma, from the statistics of the folds."""

from harness import Run
from logodds import GaussianClassifier

NAME = "logodds"


def runs(data):
    return [
        Run("own", lambda: GaussianClassifier(covariance="own", blend="auto").fit(data.X, data.y))
    ]
