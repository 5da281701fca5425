"""logodds, by all distances and by the triangle inequality: to the same bits."""

from harness import Run
from logodds import KMeans

NAME = "logodds"
STEPS = 50


def fit(data, method):
    model = KMeans(len(data.start), init=data.start, max_iter=STEPS, method=method)
    return model.fit(data.X).cluster_centers_


def runs(data):
    return [
        Run("50 steps", lambda: fit(data, "triangle"), "triangle"),
        Run("50 steps", lambda: fit(data, "lloyd"), "lloyd", rounds=2),
    ]
