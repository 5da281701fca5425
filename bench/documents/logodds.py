"""logodds: the command on files, and the package on lists of strings."""

import subprocess

from harness import Run
from harness.limits import REPOSITORY
from logodds import DocumentClassifier
from logodds.compat import CountVectorizer

NAME = "logodds"
COMMAND = REPOSITORY / "build" / "bin" / "logodds"


def runs(data):
    if not COMMAND.exists():
        raise FileNotFoundError(f"{COMMAND}: build it with make")
    return [*command_runs(data), *package_runs(data)]


def command_runs(data):
    model = data.train.with_suffix(".model")
    decided = data.test.with_suffix(".decisions")

    def logodds(*words):
        subprocess.run([COMMAND, *words, "--format", "lines", "--quiet"], check=True)

    def train(path, output):
        logodds("train", path, "-o", output)

    def predict():
        logodds("predict", model, data.test, "-o", decided)
        return decisions

    def decisions():
        return decided.read_text().splitlines()[1:]

    def train_small():
        train(data.train, model)
        return predict_and_read

    def predict_and_read():
        predict()
        return decisions()

    return [
        Run("train", train_small),
        Run("predict", predict),
        Run("train large", lambda: train(data.large, data.large.with_suffix(".model"))),
    ]


def package_runs(data):
    labels, documents = data.training
    tests = data.tests[1]
    models = {}

    def fit():
        models["fit"] = DocumentClassifier().fit(documents, labels)
        return lambda: models["fit"].predict(tests)

    def count():
        vectorizer = CountVectorizer()
        return vectorizer.fit_transform(documents), vectorizer

    return [
        Run("fit list", fit),
        Run("predict list", lambda: models["fit"].predict(tests)),
        Run("count", count),
    ]
