"""misclassification_probability: against scikit-learn's errors on drawn rows, and closed forms."""

import math

import logodds
import numpy as np
import pytest
from sklearn.datasets import load_iris


@pytest.fixture
def rows():
    random = np.random.default_rng(3)
    X = np.vstack([random.normal(0, 1, (300, 3)), random.normal(1, 2, (200, 3))])
    return X, np.repeat(["a", "b"], [300, 200])


def test_one_covariance_has_the_closed_form(rows):
    model = logodds.GaussianClassifier(covariance="shared").fit(*rows)
    found = logodds.misclassification_probability(model)
    means = model.means_
    distance = math.sqrt(
        (means[0] - means[1]) @ np.linalg.solve(model.covariances_[0], means[0] - means[1])
    )
    odds = math.log(300 / 200)
    tail = [0.5 * math.erfc((distance / 2 + s * odds / distance) / math.sqrt(2)) for s in (1, -1)]
    assert found.exact
    assert found.by_class == pytest.approx(tail, rel=1e-9)
    assert found.error == pytest.approx(0.6 * tail[0] + 0.4 * tail[1], rel=1e-9)


def test_own_covariances_are_integrated(rows):
    model = logodds.GaussianClassifier(covariance="own").fit(*rows)
    found = logodds.misclassification_probability(model)
    X, y = model.sample(400_000, random_state=1)
    wrong = np.mean(model.predict(X) != y)
    assert found.exact
    assert abs(wrong - found.error) < 4 * math.sqrt(found.error / len(y))
    (pair,) = found.pairs
    assert pair.classes == ("a", "b")
    assert pair.first_as_second + pair.second_as_first == pytest.approx(found.error)
    assert found.error <= pair.chernoff <= pair.bhattacharyya


def test_three_classes_are_drawn():
    model = logodds.NaiveBayesClassifier().fit(*load_iris(return_X_y=True))
    found = logodds.misclassification_probability(model, standard_error=5e-4)
    assert not found.exact
    assert 0 < found.standard_error <= 5e-4
    X, y = model.sample(100_000, random_state=7)
    assert abs(np.mean(model.predict(X) != y) - found.error) < 4 * math.sqrt(found.error / 1e5)
    assert [pair.classes for pair in found.pairs] == [(0, 1), (0, 2), (1, 2)]
    again = logodds.misclassification_probability(model, standard_error=5e-4)
    assert again.error == found.error


def test_priors_and_a_threshold(rows):
    X, y = rows
    model = logodds.GaussianClassifier().fit(X[:, :1], y).set_priors("uniform")
    found = logodds.misclassification_probability(model, threshold=0.2)
    assert found.threshold_error > found.error
    assert len(found.boundaries) == 1
    best = logodds.misclassification_probability(model, threshold=found.boundaries[0])
    assert best.threshold_error == pytest.approx(best.error)


def test_models_without_densities_are_refused(rows):
    model = logodds.SoftmaxClassifier().fit(*rows)
    with pytest.raises(logodds.LogoddsError, match="densities"):
        logodds.misclassification_probability(model)
