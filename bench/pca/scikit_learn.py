"""scikit-learn: the covariance's eigenvalues, its quickest solver for tall data, and the SVD."""

from harness import Run
from sklearn.decomposition import PCA

NAME = "scikit-learn"


def runs(data):
    return [
        Run("fit", lambda: PCA(svd_solver="covariance_eigh").fit(data.X), "covariance_eigh"),
        Run("fit", lambda: PCA(svd_solver="full").fit(data.X), "full", rounds=2),
    ]
