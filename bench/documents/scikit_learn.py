"""scikit-learn: words counted in a dictionary, and a multinomial model of the counts."""

from harness import Run
from harness.corpora import read_lines
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

NAME = "scikit-learn"


def runs(data):
    models = {}
    tests = data.tests[1]

    def train():
        labels, documents = read_lines(data.train)
        models["file"] = make_pipeline(CountVectorizer(), MultinomialNB()).fit(documents, labels)
        return lambda: models["file"].predict(tests)

    def fit():
        labels, documents = data.training
        models["list"] = make_pipeline(CountVectorizer(), MultinomialNB()).fit(documents, labels)
        return lambda: models["list"].predict(tests)

    def count():
        vectorizer = CountVectorizer()
        return vectorizer.fit_transform(data.training[1]), vectorizer

    return [
        Run("train", train),
        Run("predict", lambda: models["file"].predict(read_lines(data.test)[1])),
        Run("fit list", fit),
        Run("predict list", lambda: models["list"].predict(tests)),
        Run("count", count),
    ]
