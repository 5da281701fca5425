"""scikit-learn: GaussianMixture from the estimates that the same shares give."""

import warnings

from harness import Run
from sklearn.mixture import GaussianMixture

NAME = "scikit-learn"


def runs(data):
    def fit():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it has not converged, and is not to
            return GaussianMixture(
                len(data.weights),
                max_iter=data.steps,
                tol=0.0,
                reg_covar=0.0,
                weights_init=data.weights,
                means_init=data.means,
                precisions_init=data.precisions,
            ).fit(data.X)

    return [Run("fit", fit)]
