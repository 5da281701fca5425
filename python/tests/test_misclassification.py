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


def random_gaussians(dimensions, kind, seed):
    """Two classes: 'any', 'near' each other, or 'flat', all but in some plane."""
    random = np.random.default_rng([dimensions, seed])
    covariances = []
    for _ in range(2):
        mixing = random.normal(size=(dimensions, dimensions)) / math.sqrt(dimensions)
        covariances.append(mixing @ mixing.T + 0.1 * np.eye(dimensions))
    means = random.normal(size=(2, dimensions)) / math.sqrt(dimensions)
    if kind == "near":
        covariances[1] = covariances[0] * 1.05 + 0.02 * covariances[1]
        means[1] = means[0] + 0.1 * means[1]
    if kind == "flat":
        flat = random.normal(size=(dimensions, 1))
        covariances = [1e-7 * c + flat @ flat.T for c in covariances]
        means[1] = means[0] + (flat * 0.7).ravel() + 1e-4 * means[1]
    prior = random.uniform(0.2, 0.8)
    return means, covariances, np.array([prior, 1 - prior])


def errors_drawn(means, covariances, priors, draws, seed):
    """How many of so many rows the larger density misses: x = mu + L z, scored by solving with both
    factors, without a line of logodds.
    """
    random = np.random.default_rng(seed)
    factors = [np.linalg.cholesky(c) for c in covariances]
    inverses = [np.linalg.inv(factor) for factor in factors]
    offsets = [math.log(p) - np.log(np.diag(f)).sum() for p, f in zip(priors, factors, strict=True)]
    wrong = 0
    for first in range(0, draws, 100_000):
        count = min(100_000, draws - first)
        ones = random.binomial(count, priors[1])
        for truth, rows in ((0, count - ones), (1, ones)):
            z = random.standard_normal((rows, len(means[0])))
            # Around the own mean, so that a mean far from 0 costs no digits.
            x = z @ factors[truth].T
            other = (x + (means[truth] - means[1 - truth])) @ inverses[1 - truth].T
            own = offsets[truth] - 0.5 * (z * z).sum(axis=1)
            rival = offsets[1 - truth] - 0.5 * (other * other).sum(axis=1)
            wrong += int((rival > own).sum())
    return wrong


CASES = [(2, "any"), (2, "near"), (3, "flat"), (5, "any"), (8, "near"), (12, "flat"), (20, "any"),
         (20, "near")]  # fmt: skip


def check_against_drawn(dimensions, kind, draws):
    means, covariances, priors = random_gaussians(dimensions, kind, 1)
    model = logodds.GaussianClassifier.define(["a", "b"], priors, means, covariances)
    found = logodds.misclassification_probability(model)
    assert found.exact
    assert found.bound <= 1e-8
    share = errors_drawn(means, covariances, priors, draws, 2) / draws
    standard_error = math.sqrt(found.error * (1 - found.error) / draws)
    assert abs(share - found.error) < 4 * standard_error, (found.error, share, standard_error)


@pytest.mark.parametrize(("dimensions", "kind"), CASES)
def test_random_gaussians_err_as_often_as_computed(dimensions, kind):
    check_against_drawn(dimensions, kind, 300_000)


@pytest.mark.slow
@pytest.mark.parametrize(("dimensions", "kind"), CASES)
def test_a_hundred_million_draws(dimensions, kind):
    check_against_drawn(dimensions, kind, 100_000_000)
