"""The fitted densities and what follows from them, against formulas in NumPy and SciPy."""

import logodds
import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.linalg import eigh

STRUCTURES = [
    "shared",
    "own",
    "diagonal",
    "shared-diagonal",
    "spherical",
    "shared-spherical",
]


def expected_covariances(X, y, structure, weights):
    """Weighted maximum likelihood, one matrix a class."""
    sigmas = []
    for k in np.unique(y):
        w = weights[y == k]
        off = X[y == k] - np.average(X[y == k], axis=0, weights=w)
        sigmas.append((off.T * w) @ off / w.sum())
    counts = np.array([weights[y == k].sum() for k in np.unique(y)])
    if structure.startswith("shared"):
        pooled = np.tensordot(counts / counts.sum(), np.stack(sigmas), axes=1)
        sigmas = [pooled] * len(sigmas)
    if structure.endswith("diagonal"):
        sigmas = [np.diag(np.diag(sigma)) for sigma in sigmas]
    if structure.endswith("spherical"):
        sigmas = [np.eye(len(sigma)) * np.trace(sigma) / len(sigma) for sigma in sigmas]
    return np.stack(sigmas)


def log_joint(model, X):
    """ln pi_k + ln N(x; mu_k, Sigma_k) by SciPy."""
    return np.column_stack(
        [
            np.log(prior) + stats.multivariate_normal(mean, sigma).logpdf(X)
            for prior, mean, sigma in zip(
                model.priors_, model.means_, model.covariances_, strict=True
            )
        ]
    )


@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("weighted", [False, True])
def test_densities_are_the_formulas(structure, weighted, blobs):
    X, y = blobs
    weights = np.random.default_rng(3).uniform(0.1, 3.0, len(y)) if weighted else np.ones(len(y))
    model = logodds.GaussianClassifier(covariance=structure)
    model.fit(X, y, sample_weight=weights if weighted else None)
    counts = np.bincount(y, weights)
    np.testing.assert_allclose(model.class_count_, counts, rtol=1e-12)
    np.testing.assert_allclose(model.priors_, counts / counts.sum(), rtol=1e-12)
    for k in range(3):
        mean = np.average(X[y == k], axis=0, weights=weights[y == k])
        np.testing.assert_allclose(model.means_[k], mean, rtol=1e-11)
    sigmas = expected_covariances(X, y, structure, weights)
    np.testing.assert_allclose(model.covariances_, sigmas, rtol=1e-10, atol=1e-12)
    joint = log_joint(model, X)
    np.testing.assert_allclose(model.log_joint(X), joint, rtol=1e-10)
    np.testing.assert_allclose(model.log_density(X), np.logaddexp.reduce(joint, axis=1), rtol=1e-10)
    posteriors = np.exp(joint - np.logaddexp.reduce(joint, axis=1)[:, np.newaxis])
    np.testing.assert_allclose(model.predict_proba(X), posteriors, rtol=1e-9, atol=1e-13)
    log_likelihood = weights @ joint[np.arange(len(y)), y]
    assert model.log_likelihood_ == pytest.approx(log_likelihood, rel=1e-10)


@pytest.mark.parametrize(
    ("structure", "covariances"),
    list(zip(STRUCTURES, [10, 30, 12, 4, 3, 1], strict=True)),
)
def test_criteria(structure, covariances, blobs):
    X, y = blobs
    model = logodds.GaussianClassifier(covariance=structure).fit(X, y)
    parameters = 2 + 3 * 4 + covariances
    assert model.n_parameters_ == parameters
    assert model.aic() == pytest.approx(2 * parameters - 2 * model.log_likelihood_, rel=1e-12)
    assert model.bic() == pytest.approx(
        parameters * np.log(3000) - 2 * model.log_likelihood_, rel=1e-12
    )
    assert model.aic(X, y) == pytest.approx(model.aic(), rel=1e-12)
    weights = np.arange(3000) % 3
    joint = log_joint(model, X)[np.arange(3000), y]
    assert model.bic(X, y, weights) == pytest.approx(
        parameters * np.log(weights.sum()) - 2 * (weights @ joint), rel=1e-10
    )
    with pytest.raises(ValueError, match="labels that the model does not know"):
        model.aic(X, y + 1)


def test_outliers_are_told_by_chi_square(blobs):
    X, y = blobs
    model = logodds.GaussianClassifier(covariance="own").fit(X, y)
    squares = np.column_stack(
        [
            np.einsum("ni,ij,nj->n", X - mean, np.linalg.inv(sigma), X - mean)
            for mean, sigma in zip(model.means_, model.covariances_, strict=True)
        ]
    )
    expected = stats.chi2(4).sf(squares.min(axis=1))
    np.testing.assert_allclose(model.outlier_pvalue(X), expected, rtol=1e-8)
    strange = np.vstack([X[:5], np.full((1, 4), 50.0)])
    assert model.outlier_pvalue(strange)[-1] < 1e-12
    decisions = model.predict(strange, reject_outliers=1e-6)
    assert decisions[-1] is None
    np.testing.assert_array_equal(decisions[:-1].astype(int), model.predict(X[:5]))
    with pytest.raises(ValueError, match="neither 'map' nor 'likelihood'"):
        model.predict(X, rule="maximum")


def test_decision_by_likelihood_has_no_priors(blobs):
    X, y = blobs
    model = logodds.GaussianClassifier(covariance="own", priors=[0.98, 0.01, 0.01]).fit(X, y)
    equal = logodds.GaussianClassifier(covariance="own", priors="uniform").fit(X, y)
    np.testing.assert_array_equal(model.predict(X, rule="likelihood"), equal.predict(X))
    assert (model.predict(X) != equal.predict(X)).any()


def test_decision_function(blobs):
    X, y = blobs
    for structure in ("shared", "own"):
        model = logodds.GaussianClassifier(covariance=structure).fit(X, y)
        scores = model.decision_function(X)
        assert scores.shape == (3000, 3)
        np.testing.assert_array_equal(model.classes_[scores.argmax(axis=1)], model.predict(X))
        joint = model.log_joint(X)
        np.testing.assert_allclose(
            scores - scores[:, :1], joint - joint[:, :1], rtol=1e-9, atol=1e-10
        )
        two = logodds.GaussianClassifier(covariance=structure).fit(X, np.where(y == 1, "b", "a"))
        odds = two.decision_function(X)
        posteriors = two.predict_proba(X)
        assert odds.shape == (3000,)
        np.testing.assert_allclose(odds, np.log(posteriors[:, 1] / posteriors[:, 0]), atol=1e-6)
        np.testing.assert_array_equal(np.where(odds > 0, "b", "a"), two.predict(X))


def test_canonical_axes_are_fishers(blobs):
    X, y = blobs
    model = logodds.GaussianClassifier().fit(X, y)
    coordinates = model.transform(X)
    assert coordinates.shape == (3000, 2)
    np.testing.assert_allclose(coordinates.mean(axis=0), 0.0, atol=1e-12)
    within = sum(np.cov(coordinates[y == k].T, bias=True) * (y == k).mean() for k in range(3))
    np.testing.assert_allclose(within, np.eye(2), atol=1e-12)
    means = model.means_ - model.priors_ @ model.means_
    between = (means.T * model.priors_) @ means
    values, vectors = eigh(between, model.covariances_[0])
    centered = X - X.mean(axis=0)
    expected = centered @ vectors[:, ::-1][:, :2]
    np.testing.assert_allclose(np.abs(coordinates), np.abs(expected), rtol=1e-8, atol=1e-9)
    np.testing.assert_array_equal(model.transform(X, axes=1), coordinates[:, :1])
    np.testing.assert_array_equal(logodds.GaussianClassifier().fit_transform(X, y), coordinates)
    for axes in (0, 3):
        with pytest.raises(ValueError, match="2 axes"):
            model.transform(X, axes=axes)
    assert model.set_output(transform="pandas").transform(X).columns.tolist() == [
        "gaussianclassifier0",
        "gaussianclassifier1",
    ]
    assert values[-1] > values[-2] > 0


def test_boundaries(blobs):
    X, y = blobs
    names = np.array(["u", "v", "w"])
    model = logodds.GaussianClassifier().fit(X[:, :2], names[y])
    first = model.boundaries_[0]
    assert [(b.first, b.second) for b in model.boundaries_] == [
        ("u", "v"),
        ("u", "w"),
        ("v", "w"),
    ]
    assert first.kind == "line"
    assert first.linear
    precision = np.linalg.inv(model.covariances_[0])
    normal = precision @ (model.means_[1] - model.means_[0])
    np.testing.assert_allclose(first.normal, normal, rtol=1e-9)
    scores = model.decision_function(X[:, :2])
    np.testing.assert_allclose(first.value(X[:, :2]), scores[:, 1] - scores[:, 0], atol=1e-9)
    np.testing.assert_allclose(
        X[:, :2] @ first.normal + first.offset, scores[:, 1] - scores[:, 0], atol=1e-9
    )
    length = np.linalg.norm(first.normal)
    assert first.distance_from_origin == pytest.approx(-first.offset / length)
    distances = model.signed_distances(X[:, :2])
    assert distances.shape == (3000, 3)
    np.testing.assert_allclose(
        distances[:, 0], (X[:, :2] @ first.normal + first.offset) / length, atol=1e-10
    )
    assert model.design_columns_ == ["x1", "x2"]


def test_quadratic_boundaries(blobs):
    X, y = blobs
    model = logodds.GaussianClassifier(covariance="own").fit(X, y)
    joint = model.log_joint(X)
    for boundary in model.boundaries_:
        assert boundary.kind == "quadric"
        assert boundary.distance_from_origin is None
        odds = joint[:, boundary.second] - joint[:, boundary.first]
        np.testing.assert_allclose(boundary.value(X), odds, rtol=1e-8, atol=1e-8)
        direct = ((X @ boundary.quadratic) * X).sum(axis=1) + X @ boundary.normal + boundary.offset
        np.testing.assert_allclose(direct, odds, rtol=1e-7, atol=1e-7)
    assert model.signed_distances(X).shape == (3000, 0)


def test_components_are_principal(blobs):
    X, y = blobs
    model = logodds.GaussianClassifier(covariance="own", components=2).fit(X, y)
    axes = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][:2]
    np.testing.assert_allclose(np.abs(model.components_), np.abs(axes), rtol=1e-8, atol=1e-9)
    projected = (X - X.mean(axis=0)) @ model.components_.T
    direct = logodds.GaussianClassifier(covariance="own").fit(projected, y)
    np.testing.assert_allclose(
        model.predict_proba(X), direct.predict_proba(projected), rtol=1e-8, atol=1e-12
    )
    with pytest.raises(ValueError, match="NaN"):
        model.predict(np.full((1, 4), np.nan))
    with pytest.raises(AttributeError):
        _ = direct.components_


def test_attributes_come_with_fit():
    model = logodds.GaussianClassifier()
    for name in (
        "means_",
        "covariances_",
        "priors_",
        "boundaries_",
        "log_likelihood_",
        "em_trace_",
    ):
        assert not hasattr(model, name)


def test_the_textbooks_covariance():
    """Mean (4.10, 2.08, .604); with divisor n - 1 variances .025, .0070, .00043."""
    rows = [
        [4.0, 2.0, 0.60],
        [4.2, 2.1, 0.59],
        [3.9, 2.0, 0.58],
        [4.3, 2.1, 0.62],
        [4.1, 2.2, 0.63],
    ]
    model = logodds.GaussianClassifier(divisor="n-1").fit(rows, [0] * 5)
    np.testing.assert_allclose(model.means_, [[4.10, 2.08, 0.604]], rtol=1e-12)
    expected = [[0.025, 0.0075, 0.00175], [0.0075, 0.0070, 0.00135], [0.00175, 0.00135, 0.00043]]
    np.testing.assert_allclose(model.covariances_[0], expected, rtol=1e-9)


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_every_number_of_a_frame_with_words(kind, blobs):
    X, y = blobs
    table = pd.DataFrame(X, columns=list("abcd"))
    table.insert(1, "word", np.where(X[:, 0] > 0, "p", np.where(X[:, 1] > 0, "q", "r")))
    frame = table
    if kind == "polars":
        polars = pytest.importorskip("polars")
        frame = polars.DataFrame({name: table[name].to_numpy() for name in table})
    model = logodds.GaussianClassifier().fit(frame, y)
    design = np.column_stack(
        [X, table["word"].to_numpy() == "q", table["word"].to_numpy() == "r"]
    ).astype(float)
    plain = logodds.GaussianClassifier().fit(design, y)
    assert model.design_columns_ == ["a", "b", "c", "d", "word=q", "word=r"]
    for name in (
        "log_density",
        "outlier_pvalue",
        "decision_function",
        "log_joint",
        "transform",
        "signed_distances",
        "predict_proba",
    ):
        np.testing.assert_allclose(
            getattr(model, name)(frame), getattr(plain, name)(design), rtol=1e-9, atol=1e-11
        )
    assert model.aic(frame, y) == pytest.approx(model.aic(), rel=1e-10)
    drawn, labels = model.sample(50)
    assert drawn.dtype == object
    assert set(drawn[:, 1]) <= {"p", "q", "r"}
    assert labels.dtype == y.dtype
