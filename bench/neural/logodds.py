"""logodds from NumPy arrays."""

from harness import Run
from logodds import NeuralClassifier

NAME = "logodds"
# Half of scikit-learn's alpha is the decay, as it halves the squares.
COMMON = {"hidden": 64, "decay": 0.001}


def runs(data):
    def lbfgs():
        net = NeuralClassifier(optimizer="lbfgs", max_iterations=100, **COMMON)
        return net.fit(data.X, data.y)

    def adam():
        return NeuralClassifier(optimizer="adam", passes=20, **COMMON).fit(data.X, data.y)

    return [Run("lbfgs", lbfgs), Run("adam", adam)]
