"""SciPy: cKDTree, two workers."""

from harness import Run
from scipy.spatial import cKDTree

NAME = "SciPy"
K = 5


def runs(data):
    found = []
    for p in data:
        if p.X.shape[1] > 3:
            continue

        def query(tree, p=p):
            return tree.query(p.queries, K, workers=2)

        tree = cKDTree(p.X)
        found += [
            Run(p.whole, lambda p=p, query=query: query(cKDTree(p.X))),
            Run(p.asked, lambda tree=tree, query=query: query(tree)),
        ]
    return found
