"""scikit-learn-intelex: Intel's oneDAL under scikit-learn's interface; dense rows, L-BFGS."""

from harness import Run
from sklearnex.linear_model import LogisticRegression

NAME = "scikit-learn-intelex"


def runs(data):
    return [
        Run(p.name, lambda p=p: LogisticRegression(C=1.0, max_iter=1000).fit(p.X, p.y), rounds=2)
        for p in data
        if p.name in ("10 classes", "two classes")
    ]
