"""scikit-learn: GridSearchCV over 20 values of LDA's shrinkage, which is the same as ours, and of
QDA's reg_param, on all cores.
"""

import os

from harness import Run
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.model_selection import GridSearchCV

NAME = "scikit-learn"
ROUNDS = 1  # each takes a hundred times as long as ours
SHARES = [i / 20 for i in range(20)]


def runs(data):
    def search(model, grid):
        return GridSearchCV(model, grid, scoring="neg_log_loss", cv=10, n_jobs=os.cpu_count()).fit(
            data.X, data.y
        )

    return [
        Run(
            "shared",
            lambda: search(LinearDiscriminantAnalysis(solver="lsqr"), {"shrinkage": SHARES}),
            rounds=ROUNDS,
        ),
        Run(
            "own",
            lambda: search(
                QuadraticDiscriminantAnalysis(),
                {"reg_param": SHARES},
            ),
            rounds=ROUNDS,
        ),
    ]
