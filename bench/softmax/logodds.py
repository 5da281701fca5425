"""logodds: the optimizer that it picks by itself."""

from harness import Run
from harness.regressions import DECAY
from logodds import SoftmaxClassifier

NAME = "logodds"


def runs(data):
    return [Run(p.name, lambda p=p: SoftmaxClassifier(decay=DECAY).fit(p.X, p.y)) for p in data]
