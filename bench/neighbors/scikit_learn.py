"""scikit-learn: brute force in 32 columns, its k-d tree in 3, all cores."""

from harness import Run
from sklearn.neighbors import NearestNeighbors

NAME = "scikit-learn"
K = 5


def runs(data):
    found = []
    for p in data:
        algorithm = "brute" if p.X.shape[1] > 15 else "kd_tree"

        def index(p=p, algorithm=algorithm):
            return NearestNeighbors(n_neighbors=K, algorithm=algorithm, n_jobs=-1).fit(p.X)

        made = index()
        found += [
            Run(p.whole, lambda p=p, index=index: index().kneighbors(p.queries), algorithm),
            Run(p.asked, lambda p=p, made=made: made.kneighbors(p.queries), algorithm),
        ]
    return found
