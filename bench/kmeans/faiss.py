"""faiss: in floats, so that it ends near the same centers and not in them."""

import faiss
import numpy as np
from harness import Run

NAME = "faiss"
STEPS = 50


def fit(X, start):
    model = faiss.Kmeans(
        X.shape[1], len(start), niter=STEPS, max_points_per_centroid=len(X), verbose=False
    )
    model.train(X, init_centroids=start)
    return model.centroids


def runs(data):
    X, start = data.X.astype(np.float32), data.start.astype(np.float32)
    return [Run("50 steps", lambda: fit(X, start), same_model=False, rounds=3)]
