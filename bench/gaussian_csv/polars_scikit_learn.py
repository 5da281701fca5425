"""polars to read, scikit-learn to fit."""

import polars
from harness import Run
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

NAME = "polars + scikit-learn"


def runs(data):
    def train(model):
        frame = polars.read_csv(data.csv)
        return model.fit(frame.drop("class").to_numpy(), frame["class"].to_numpy())

    return [
        Run("shared", lambda: train(LinearDiscriminantAnalysis(solver="lsqr"))),
        Run("diagonal", lambda: train(GaussianNB(var_smoothing=0.0))),
    ]
