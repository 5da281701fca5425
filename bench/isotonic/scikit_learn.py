"""scikit-learn's IsotonicRegression."""

import numpy as np
from harness import Run
from sklearn.isotonic import IsotonicRegression

NAME = "scikit-learn"


def runs(data):
    def fit():
        found = IsotonicRegression().fit(data.x, data.y)
        return lambda: np.stack([found.X_thresholds_, found.y_thresholds_])

    return [Run("fit", fit, rounds=1)]
