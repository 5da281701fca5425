"""logodds: cross_validate() from the statistics of the folds, and blend='auto', which is a grid of
5 values of lambda by 4 of gamma.
"""

import logodds
from harness import Run
from logodds import GaussianClassifier

NAME = "logodds"
SHRINKAGES = [i / 20 for i in range(20)]


def runs(data):
    def search(covariance):
        found = logodds.cross_validate(
            data.X,
            data.y,
            GaussianClassifier(covariance=covariance),
            {"shrinkage": SHRINKAGES},
            folds=10,
        )
        best = GaussianClassifier(covariance=covariance, **found.best.params)
        return best.fit(data.X, data.y)

    return [
        Run("shared", lambda: search("shared")),
        Run("own", lambda: search("own")),
        Run(
            "own",
            lambda: GaussianClassifier(covariance="own", blend="auto").fit(data.X, data.y),
            variant="blend='auto'",
        ),
    ]
