"""scikit-learn: the solvers of LogisticRegression that take such rows in a reasonable time."""

import warnings

from harness import Run
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

NAME = "scikit-learn"
# By problem: solvers, and how often the slow ones are run. Newton's method has K D squared second
# derivatives: too many for pixels and words.
SOLVERS = {
    "10 classes": {"lbfgs": None, "newton-cholesky": None, "newton-cg": 1, "saga": 1},
    "two classes": {
        "lbfgs": None,
        "newton-cholesky": None,
        "newton-cg": None,
        "liblinear": 1,
        "saga": 1,
    },
    "MNIST": {"lbfgs": 1, "saga": 1},
    "20newsgroups": {"lbfgs": 1, "liblinear": None, "saga": 1},
}


def fit(problem, solver):
    model = LogisticRegression(C=1.0, solver=solver, max_iter=1000 if solver != "saga" else 100)
    if solver == "liblinear" and problem.classes > 2:
        model = OneVsRestClassifier(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # its objective is looked at anyway
        return model.fit(problem.X, problem.y)


def runs(data):
    return [
        Run(
            problem.name,
            lambda p=problem, s=solver: fit(p, s),
            solver,
            same_model=problem.classes == 2 or solver != "liblinear",
            rounds=rounds,
        )
        for problem in data
        for solver, rounds in SOLVERS[problem.name].items()
    ]
