"""logodds: PCA from the scatter of one pass."""

from harness import Run
from logodds import PCA

NAME = "logodds"


def runs(data):
    return [Run("fit", lambda: PCA().fit(data.X))]
