"""scikit-learn-intelex: Intel's oneDAL under scikit-learn's interface, brute force in float64."""

from harness import Run
from sklearnex.neighbors import NearestNeighbors

NAME = "scikit-learn-intelex"
K = 5


def runs(data):
    found = []
    for p in data:
        if p.X.shape[1] < 32:
            continue

        def index(p=p):
            return NearestNeighbors(n_neighbors=K, algorithm="brute").fit(p.X)

        made = index()
        found += [
            Run(p.whole, lambda p=p, index=index: index().kneighbors(p.queries)),
            Run(p.asked, lambda p=p, made=made: made.kneighbors(p.queries)),
        ]
    return found
