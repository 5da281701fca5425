"""scikit-learn: MLPClassifier, told not to stop before its iterations are done."""

import warnings

from harness import Run
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

NAME = "scikit-learn"
COMMON = {"hidden_layer_sizes": (64,), "activation": "tanh", "alpha": 0.002, "random_state": 0}


def runs(data):
    def fit(**options):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            return MLPClassifier(**COMMON, **options).fit(data.X, data.y)

    return [
        Run("lbfgs", lambda: fit(solver="lbfgs", max_iter=100, max_fun=10**6, tol=0.0)),
        Run("adam", lambda: fit(solver="adam", max_iter=20, tol=0.0, n_iter_no_change=1000)),
    ]
