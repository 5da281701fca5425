"""logodds from NumPy arrays."""

from harness import Run
from logodds import GaussianClassifier

NAME = "logodds"


def runs(data):
    models = {}

    def fit(structure):
        models[structure] = GaussianClassifier(covariance=structure).fit(data.X, data.y)
        return models[structure]

    found = []
    for structure in ("shared", "own", "diagonal"):
        found += [
            Run(f"{structure} fit", lambda s=structure: fit(s)),
            Run(f"{structure} predict_proba", lambda s=structure: models[s].predict_proba(data.X)),
            Run(f"{structure} predict", lambda s=structure: models[s].predict(data.X)),
        ]
    return found
