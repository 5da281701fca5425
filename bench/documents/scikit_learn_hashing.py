"""scikit-learn without a dictionary: words go to one of 2^20 places by their hash."""

from harness import Run
from harness.corpora import read_lines
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

NAME = "scikit-learn, hashing"


def runs(data):
    def train():
        labels, documents = read_lines(data.train)
        hashing = HashingVectorizer(alternate_sign=False, norm=None)
        model = make_pipeline(hashing, MultinomialNB()).fit(documents, labels)
        return lambda: model.predict(data.tests[1])

    return [Run("train", train, same_model=False)]
