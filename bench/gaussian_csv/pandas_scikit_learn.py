"""pandas to read (its default engine), scikit-learn to fit."""

import pandas
from harness import Run
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

NAME = "pandas + scikit-learn"


def runs(data):
    def train(model):
        frame = pandas.read_csv(data.csv)
        return model.fit(frame.drop(columns="class").to_numpy(), frame["class"].to_numpy())

    return [
        Run("shared", lambda: train(LinearDiscriminantAnalysis(solver="lsqr"))),
        Run("diagonal", lambda: train(GaussianNB(var_smoothing=0.0))),
    ]
