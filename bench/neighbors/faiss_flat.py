"""faiss: IndexFlatL2, which computes in float32; queries are given to it as such."""

import faiss
import numpy as np
from harness import Run

NAME = "faiss"
K = 5


def runs(data):
    found = []
    for p in data:
        if p.X.shape[1] < 32:
            continue
        X, queries = p.X.astype(np.float32), p.queries.astype(np.float32)

        def index(X=X):
            made = faiss.IndexFlatL2(X.shape[1])
            made.add(X)
            return made

        def search(made, queries=queries):
            squares, places = made.search(queries, K)
            return np.sqrt(squares), places

        made = index()
        found += [
            Run(p.whole, lambda index=index, search=search: search(index()), same_model=False),
            Run(p.asked, lambda made=made, search=search: search(made), same_model=False),
        ]
    return found
