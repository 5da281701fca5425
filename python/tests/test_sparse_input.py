"""SciPy's sparse matrices: the same models and posteriors as of the dense rows."""

import warnings

import logodds
import numpy as np
import pytest
from conftest import model_bytes
from logodds import (
    DocumentClassifier,
    GaussianClassifier,
    NaiveBayesClassifier,
    NeighborsClassifier,
    NoisyOrClassifier,
    PerceptronClassifier,
    SoftmaxClassifier,
    _sparse,
)
from scipy import sparse
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB

FORMATS = ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"]
DENSE = [SoftmaxClassifier(decay=0.1), NeighborsClassifier(k=3)]
PAIRS = [DocumentClassifier(), NaiveBayesClassifier()]


@pytest.fixture
def counts():
    """3000 rows of 40 counts, most of them 0, in three classes."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, size=3000)
    rates = rng.gamma(0.2, size=(3, 40))
    return rng.poisson(rates[y]).astype(np.float64), y


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("make", [sparse.csr_matrix, sparse.csr_array], ids=["matrix", "array"])
@pytest.mark.parametrize("estimator", DENSE, ids=lambda e: type(e).__name__)
def test_numbers(estimator, make, kind, counts):
    X, y = counts[0][:300] - 0.5 * (counts[0][:300] > 2), counts[1][:300]
    S = make(X).asformat(kind)
    dense = type(estimator)(**estimator.get_params()).fit(X, y)
    model = estimator.fit(S, y)
    assert model_bytes(model) == model_bytes(dense)
    assert model.n_features_in_ == 40
    np.testing.assert_array_equal(model.predict_proba(S), dense.predict_proba(X))
    np.testing.assert_array_equal(model.predict(S), dense.predict(X))
    np.testing.assert_array_equal(dense.predict_proba(S), dense.predict_proba(X))


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.uint8, bool])
def test_types_of_numbers(dtype, counts):
    X, y = counts[0].astype(dtype), counts[1]
    S = sparse.csr_matrix(X)
    wide = S.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    expected = SoftmaxClassifier().fit(X.astype(np.float64), y)
    for rows in (S, wide):
        assert model_bytes(SoftmaxClassifier().fit(rows, y)) == model_bytes(expected)


REFERENCES = {"multinomial": MultinomialNB, "bernoulli": BernoulliNB, "complement": ComplementNB}


@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
@pytest.mark.parametrize("family", REFERENCES)
@pytest.mark.parametrize("estimator", PAIRS, ids=lambda e: type(e).__name__)
def test_pairs_are_scikit_learns(estimator, family, kind, counts):
    X, y = counts
    S = sparse.csr_matrix(X).asformat(kind)
    model = type(estimator)(family=family, smoothing=0.5)
    reference = REFERENCES[family](alpha=0.5).fit(S, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(S, y)
        posteriors = model.predict_proba(S)
    known = X.sum(axis=1) > 0  # without a known term there is the prior alone, in any family
    np.testing.assert_allclose(posteriors[known], reference.predict_proba(S)[known], rtol=1e-8)
    assert model.n_features_in_ == 40
    with pytest.raises(ValueError, match="X has 39 features, but"):
        model.predict(S.tocsc()[:, :39])


@pytest.mark.filterwarnings("ignore:.*no term of the vocabulary")
@pytest.mark.parametrize("estimator", PAIRS, ids=lambda e: type(e).__name__)
def test_pairs_come_and_go(estimator, counts):
    S, y = sparse.csr_matrix(counts[0]), counts[1]
    make = type(estimator)
    whole = make().fit(S, y)
    first, second = make().fit(S[:1000], y[:1000]), make().fit(S[1000:], y[1000:])
    merged = first.merge(second)
    assert model_bytes(merged) == model_bytes(whole)
    assert merged.n_features_in_ == 40
    grown = make().partial_fit(S[:1000], y[:1000]).partial_fit(S[1000:], y[1000:])
    assert model_bytes(grown) == model_bytes(whole)
    assert model_bytes(grown.forget(S[1000:], y[1000:])) == model_bytes(first)
    np.testing.assert_allclose(
        np.exp(grown.decision_function(S)).sum(), np.exp(first.decision_function(S)).sum()
    )


def test_pairs_are_saved(tmp_path, counts):
    S, y = sparse.csr_matrix(counts[0]), counts[1]
    model = DocumentClassifier().fit(S, y)
    model.save(tmp_path / "model")
    again = logodds.load(tmp_path / "model")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.testing.assert_array_equal(again.predict_proba(S), model.predict_proba(S))


def test_what_does_not_fit_is_refused(counts, monkeypatch):
    S, y = sparse.csr_matrix(counts[0]), counts[1]
    with pytest.raises(ValueError, match="is no amount"):
        DocumentClassifier().fit(-S, y)
    with pytest.raises(ValueError, match="NaN"):
        SoftmaxClassifier().fit(S * np.nan, y)
    with pytest.raises(TypeError, match="dense data is required"):
        GaussianClassifier().fit(S, y)
    with pytest.raises(ValueError, match="inconsistent"):
        SoftmaxClassifier().fit(S, y[:-1])
    with pytest.raises(ValueError, match="trained on documents"):
        DocumentClassifier().fit(["some words"], [0]).predict(S)
    with pytest.raises(ValueError, match="0 sample"):
        NeighborsClassifier().fit(S[:0], y[:0])
    monkeypatch.setattr(_sparse, "_free_memory", lambda: 1e5)
    with pytest.raises(logodds.LogoddsError, match="dense rows: 3000 x 40 numbers take 0.0 GB"):
        NeighborsClassifier().fit(S, y)


@pytest.mark.parametrize("leak", ["on", "off"])
def test_causes_of_a_noisy_or(leak, counts):
    X, y = counts[0][:500], (counts[0][:500, :5].sum(axis=1) > 0).astype(int)
    S = sparse.csc_matrix(X)
    dense = NoisyOrClassifier(leak=leak).fit(X[:, 3:], y)
    model = NoisyOrClassifier(leak=leak).fit(S[:, 3:], y)
    np.testing.assert_allclose(model.alpha_, dense.alpha_, atol=1e-7)
    np.testing.assert_allclose(model.predict_proba(S[:, 3:]), dense.predict_proba(X[:, 3:]))
    assert model.leak_ == 1.0 or leak == "on"


def test_perceptron_learns_from_sparse_rows(counts):
    """Sums of another order may turn a mistake, so that the models are not the same bits."""
    X, y = counts
    S = sparse.csc_matrix(X)
    model, dense = PerceptronClassifier().fit(S, y), PerceptronClassifier().fit(X, y)
    np.testing.assert_allclose(model.predict_proba(S), model.predict_proba(X), atol=1e-9)
    assert abs(model.score(S, y) - dense.score(X, y)) < 0.02


def test_memory_is_bounded():
    """20000 x 50000 numbers, dense, would be 8 GB."""
    rng = np.random.default_rng(0)
    wide = sparse.random(20000, 50000, density=1e-5, random_state=rng, format="csr")
    y = np.asarray(wide[:, :25000].sum(axis=1)).ravel() > 0.2
    for model in (SoftmaxClassifier(decay=1.0), PerceptronClassifier(passes=2)):
        assert model.fit(wide, y).predict_proba(wide).shape == (20000, 2)
        assert model.coef_.shape == (1, 50000)
        assert model.score(wide, y) > 0.8


def test_many_sparse_rows_that_are_separable_in_part():
    """Too many rows to be spread out: there is no Hessian that could be looked at."""
    random = np.random.default_rng(0)
    rows = sparse.random(45000, 400, 0.02, format="lil", random_state=1)
    labels = (rows @ random.normal(size=400) + random.logistic(size=45000) > 0).astype(int)
    rows[:, 0] = 0
    rows[np.flatnonzero(labels)[:5], 0] = 1  # what these five have only the second class has
    with pytest.raises(ValueError, match="separable: along 1 'x1'"):
        SoftmaxClassifier(decay=0).fit(rows.tocsr(), labels)


@pytest.mark.parametrize("decay", [1.0, 0.05])
@pytest.mark.parametrize("far", [0.0, 200.0, 1e6])
@pytest.mark.parametrize("classes", [2, 3])
def test_sparse_softmax_ends_where_dense_does(classes, far, decay):
    """More columns than rows, and more cells than are copied; duplicated rows besides."""
    random = np.random.default_rng(3)
    rows = sparse.random(300, 4000, 0.01, random_state=2, data_rvs=random.standard_normal).tolil()
    labels = np.asarray(rows @ random.normal(size=(4000, classes))).argmax(1)
    labels[:60] = random.integers(0, classes, 60)
    rows = sparse.vstack([rows, rows[:60]]).tolil()
    labels = np.r_[labels, random.integers(0, classes, 60)]
    rows[:, 0] = far + random.normal(size=(360, 1))
    thin = SoftmaxClassifier(decay=decay).fit(rows.tocsr(), labels)
    full = SoftmaxClassifier(decay=decay).fit(rows.toarray(), labels)
    assert thin.objective_ == pytest.approx(full.objective_, rel=1e-8)
    np.testing.assert_allclose(
        thin.predict_proba(rows.tocsr()), full.predict_proba(rows.toarray()), atol=2e-5
    )
