"""scikit-learn: GridSearchCV over 20 values of QDA's reg_param, on all cores."""

import os

import numpy as np
from harness import Run
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.model_selection import GridSearchCV

NAME = "scikit-learn"


def runs(data):
    def search():
        grid = {"reg_param": np.linspace(0.0, 0.95, 20)}
        return GridSearchCV(
            QuadraticDiscriminantAnalysis(),
            grid,
            scoring="neg_log_loss",
            cv=10,
            n_jobs=os.cpu_count(),
        ).fit(data.X, data.y)

    return [Run("own", search)]
