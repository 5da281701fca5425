"""scikit-learn: LDA by both solvers without an eigenproblem of their own, QDA, GaussianNB."""

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

    found = []
    for structure, variant, same, make in ESTIMATORS:
        found += [
            Run(f"{structure} fit", lambda v=variant, m=make: fit(v, m), variant, same),
            Run(
                f"{structure} predict_proba",
                lambda v=variant: models[v].predict_proba(data.X),
                variant,
                same,
            ),
        ]
    return found
