"""scikit-learn: both algorithms."""

import warnings

from harness import Run
from sklearn.cluster import KMeans

NAME = "scikit-learn"
STEPS = 50


def fit(data, algorithm):
    model = KMeans(
        len(data.start), init=data.start, n_init=1, max_iter=STEPS, tol=0.0, algorithm=algorithm
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(data.X).cluster_centers_


def runs(data):
    return [
        Run("50 steps", lambda: fit(data, "lloyd"), "lloyd"),
        Run("50 steps", lambda: fit(data, "elkan"), "elkan", rounds=2),
    ]
