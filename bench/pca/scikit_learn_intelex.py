"""scikit-learn-intelex: Intel's oneDAL under scikit-learn's interface."""

from harness import Run
from sklearnex.decomposition import PCA

NAME = "scikit-learn-intelex"


def runs(data):
    return [Run("fit", lambda: PCA(svd_solver="covariance_eigh").fit(data.X))]
