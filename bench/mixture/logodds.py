"""logodds: GaussianMixture from given shares."""

import warnings

from harness import Run
from logodds import GaussianMixture

NAME = "logodds"


def runs(data):
    def fit():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it has not converged, and is not to
            components = data.shares.shape[1]
            return GaussianMixture(components, init=data.shares, max_iter=data.steps, tol=0.0).fit(
                data.X
            )

    return [Run("fit", fit)]
