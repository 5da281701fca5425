"""What people do today: columns encoded and imputed, three models of scikit-learn, their sum.

GaussianNB for numbers and counts, BernoulliNB for flags, CategoricalNB for words.
"""

import numpy as np
from harness import Run
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

NAME = "scikit-learn"


class WordEncoder:
    """Words as Python objects, which the encoders of scikit-learn want, to codes."""

    def __init__(self):
        fill = SimpleImputer(strategy="most_frequent", missing_values=None)
        self.steps = make_pipeline(fill, OrdinalEncoder())

    def fit(self, frame):
        self.steps.fit(self.objects(frame))
        return self

    def transform(self, frame):
        return self.steps.transform(self.objects(frame))

    @staticmethod
    def objects(frame):
        return frame.to_numpy().astype(object)

    @staticmethod
    def labels(series):
        return series.to_numpy()


class Numbers:
    """A missing number is the mean, or the commonest."""

    def __init__(self, strategy):
        self.imputer = SimpleImputer(strategy=strategy)

    def fit(self, frame):
        self.imputer.fit(frame.to_numpy())
        return self

    def transform(self, frame):
        return self.imputer.transform(frame.to_numpy())


class Combined:
    """ln p(x, class) of the models added; the priors, which each of them has, counted once."""

    def __init__(self, table, words):
        self.words = words
        self.parts = [
            (names, encoder, model)
            for names, encoder, model in [
                (table.named("real", "count"), Numbers("mean"), GaussianNB()),
                (table.named("binary"), Numbers("most_frequent"), BernoulliNB()),
                (table.named("words"), words, CategoricalNB()),
            ]
            if names
        ]

    def fit(self, features, labels):
        y = self.words.labels(labels)
        for names, encoder, model in self.parts:
            part = features.select(names)
            model.fit(encoder.fit(part).transform(part), y)
        self.log_priors = np.log(np.unique(y, return_counts=True)[1] / len(y))
        return self

    def predict_proba(self, features):
        scores = -(len(self.parts) - 1) * self.log_priors
        for names, encoder, model in self.parts:
            part = encoder.transform(features.select(names))
            scores = scores + model.predict_joint_log_proba(part)
        scores -= scores.max(axis=1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=1, keepdims=True)
        return scores


def runs(data):
    return [run for table in data for run in runs_of(table, WordEncoder)]


def runs_of(table, encoder):
    models = {}

    def fit():
        model = Combined(table, encoder())
        models["fit"] = model.fit(table.features, table.labels)
        return models["fit"]

    def predict():
        return models["fit"].predict_proba(table.features)

    return [
        Run(f"{table.name} fit", fit, same_model=False),
        Run(f"{table.name} predict_proba", predict, same_model=False),
    ]
