"""scikit-learn: LDA by both solvers without an eigenproblem of their own, QDA, GaussianNB."""

from functools import partial

from harness import Run
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

NAME = "scikit-learn"

# The solver svd divides by N - K instead of N: nearly the same model, not the same.
ESTIMATORS = [
    ("shared", "lsqr", True, lambda: LinearDiscriminantAnalysis(solver="lsqr")),
    ("shared", "svd", False, lambda: LinearDiscriminantAnalysis(solver="svd")),
    ("own", "QDA", True, lambda: QuadraticDiscriminantAnalysis()),
    ("diagonal", "GaussianNB", True, lambda: GaussianNB(var_smoothing=0.0)),
]


def runs(data):
    models = {}

    def fit(variant, make):
        models[variant] = make().fit(data.X, data.y)
        return models[variant]

    def call(variant, method):
        return getattr(models[variant], method)(data.X)

    found = []
    for structure, variant, same, make in ESTIMATORS:
        found.append(Run(f"{structure} fit", lambda v=variant, m=make: fit(v, m), variant, same))
        for method in ("predict_proba", "predict"):
            step = partial(call, variant, method)
            found.append(Run(f"{structure} {method}", step, variant, same))
    return found
