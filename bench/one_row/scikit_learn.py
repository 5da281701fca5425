"""scikit-learn, one row a call."""

from harness.loading import load_task
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

NAME = "scikit-learn"


def runs(data):
    estimators = {
        "shared": LinearDiscriminantAnalysis(solver="lsqr"),
        "own": QuadraticDiscriminantAnalysis(),
        "diagonal": GaussianNB(var_smoothing=0.0),
    }
    models = {s: estimator.fit(data.X, data.y) for s, estimator in estimators.items()}
    return load_task("one_row").runs_of(models, data)
