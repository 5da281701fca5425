"""logodds: cross_validate(leave_one_out=True), with the log losses and their errors."""

import logodds
import numpy as np
from harness import Run
from logodds import GaussianClassifier

NAME = "logodds"


def runs(data):
    priors = (np.bincount(data.y) / data.n).tolist()
    model = GaussianClassifier(divisor="n-1", priors=priors)

    def leave_one_out():
        found = logodds.cross_validate(
            data.X, data.y, model, leave_one_out=True, return_posteriors=True
        )
        return lambda: found.grid[0].posteriors

    return [Run("shared", leave_one_out)]
