"""logodds.compat.KNeighborsClassifier beside scikit-learn's."""

import pickle

import numpy as np
import pytest
import sklearn.neighbors
from logodds.compat import KNeighborsClassifier
from scipy.sparse import csr_matrix


@pytest.fixture
def rows():
    rng = np.random.default_rng(11)
    y = rng.integers(0, 3, size=500)
    return rng.normal(size=(500, 4)) + y[:, None], y, rng.normal(size=(80, 4)) + 1


def pair(X, y, *args, **kwargs):
    theirs = sklearn.neighbors.KNeighborsClassifier(*args, **kwargs).fit(X, y)
    return KNeighborsClassifier(*args, **kwargs).fit(X, y), theirs


METRICS = [
    {},
    {"p": 1},
    {"p": 3},
    {"p": np.inf},
    {"metric": "euclidean"},
    {"metric": "l1"},
    {"metric": "cityblock"},
    {"metric": "chebyshev"},
    {"metric": "canberra"},
    {"metric": "cosine"},
    {"metric": "sqeuclidean"},
    {"metric": "seuclidean", "metric_params": {"V": np.array([1.0, 2.0, 3.0, 4.0])}},
    {"metric": "mahalanobis", "metric_params": {"VI": np.diag([1.0, 2.0, 3.0, 4.0]) + 0.1}},
    {"metric": "minkowski", "p": 2, "metric_params": {"w": np.array([1.0, 0.0, 2.0, 3.0])}},
    {"metric": "minkowski", "p": 1, "metric_params": {"w": np.array([1.0, 0.5, 2.0, 3.0])}},
    {"metric": lambda a, b: np.abs(a - b).max()},
]


@pytest.mark.parametrize("kwargs", METRICS, ids=str)
def test_metrics(kwargs, rows):
    X, y, queries = rows
    ours, theirs = pair(X, y, 6, algorithm="brute", **kwargs)
    distances, places = ours.kneighbors(queries)
    expected, found = theirs.kneighbors(queries)
    np.testing.assert_array_equal(places, found)
    np.testing.assert_allclose(distances, expected, rtol=1e-7, atol=1e-12)
    np.testing.assert_allclose(ours.predict_proba(queries), theirs.predict_proba(queries))
    np.testing.assert_array_equal(ours.predict(queries), theirs.predict(queries))
    np.testing.assert_array_equal(ours.kneighbors()[1], theirs.kneighbors()[1])
    assert ours.effective_metric_ == theirs.effective_metric_
    assert ours.effective_metric_params_.keys() == theirs.effective_metric_params_.keys()


@pytest.mark.parametrize("weights", ["uniform", "distance", None, lambda d: np.exp(-d)])
def test_weights(weights, rows):
    X, y, queries = rows
    ours, theirs = pair(X, y, weights=weights)
    both = np.vstack([queries, X[:5]])  # at distance 0 of themselves
    np.testing.assert_allclose(ours.predict_proba(both), theirs.predict_proba(both), atol=1e-12)
    np.testing.assert_array_equal(ours.predict(both), theirs.predict(both))
    assert ours.score(X, y) == theirs.score(X, y)


def test_of_equal_votes_the_first_class_wins_as_in_scikit_learn():
    ours, theirs = pair([[0.0], [1.0]], ["b", "a"], 2)
    assert ours.predict([[0.1]]) == theirs.predict([[0.1]]) == ["a"]


def test_several_targets(rows):
    X, y, queries = rows
    targets = np.column_stack([y, y[::-1] % 2])
    ours, theirs = pair(X, targets)
    np.testing.assert_array_equal(ours.predict(queries), theirs.predict(queries))
    for mine, other in zip(ours.predict_proba(queries), theirs.predict_proba(queries), strict=True):
        np.testing.assert_allclose(mine, other)
    assert ours.outputs_2d_ and theirs.outputs_2d_


def test_sparse_rows_and_graphs(rows):
    X, y, queries = rows
    X, queries = np.where(X > 0.5, X, 0), np.where(queries > 0.5, queries, 0)
    ours = KNeighborsClassifier(3).fit(csr_matrix(X), y)
    dense = KNeighborsClassifier(3).fit(X, y)
    theirs = sklearn.neighbors.KNeighborsClassifier(3, algorithm="brute").fit(X, y)
    np.testing.assert_array_equal(
        ours.kneighbors(csr_matrix(queries))[1], dense.kneighbors(queries)[1]
    )
    for mode in ("connectivity", "distance"):
        graph = dense.kneighbors_graph(queries, mode=mode)
        expected = theirs.kneighbors_graph(queries, mode=mode)
        np.testing.assert_allclose(
            np.sort(graph.toarray(), axis=1), np.sort(expected.toarray(), axis=1), atol=1e-7
        )
        assert type(graph) is type(expected)
    assert dense.kneighbors_graph().shape == (500, 500)
    assert not dense.kneighbors_graph().diagonal().any()


def test_rows_of_zeros_are_at_distance_1_by_cosine(rows):
    X, y, queries = rows
    zeros = np.vstack([queries[:3], np.zeros((1, 4))])
    ours, theirs = pair(X, y, metric="cosine", algorithm="brute")
    np.testing.assert_allclose(ours.kneighbors(zeros)[0], theirs.kneighbors(zeros)[0], atol=1e-12)
    X = np.vstack([X, np.zeros((2, 4))])
    ours, theirs = pair(X, np.append(y, [0, 1]), metric="cosine", algorithm="brute")
    np.testing.assert_allclose(ours.kneighbors(zeros)[0], theirs.kneighbors(zeros)[0], atol=1e-12)


def test_precomputed(rows):
    X, y, queries = rows
    between = sklearn.metrics.pairwise_distances(queries, X)
    ours = KNeighborsClassifier(4, metric="precomputed")
    ours.fit(sklearn.metrics.pairwise_distances(X), y)
    plain = KNeighborsClassifier(4).fit(X, y)
    np.testing.assert_array_equal(ours.predict(between), plain.predict(queries))
    with pytest.raises(ValueError, match="square"):
        ours.fit(between, y[:80])


def test_a_pickle_is_the_same(rows):
    X, y, queries = rows
    for metric in ("euclidean", "seuclidean", "chebyshev"):
        model = KNeighborsClassifier(metric=metric, n_jobs=2).fit(X, y)
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(again.predict_proba(queries), model.predict_proba(queries))


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"n_neighbors": 0}, "n_neighbors=0"),
        ({"weights": "heavy"}, "weights='heavy'"),
        ({"algorithm": "octree"}, "octree"),
        ({"metric": "crow"}, "crow"),
        ({"leaf_size": 0}, "leaf_size=0"),
        ({"p": 0}, "p=0"),
    ],
)
def test_refusals(kwargs, message, rows):
    X, y, _ = rows
    with pytest.raises(ValueError, match=message):
        KNeighborsClassifier(**kwargs).fit(X, y)


def test_more_neighbors_than_rows(rows):
    X, y, queries = rows
    model = KNeighborsClassifier(501).fit(X, y)
    with pytest.raises(ValueError, match="n_neighbors <= n_samples_fit"):
        model.predict(queries)
    with pytest.raises(ValueError, match="n_neighbors < n_samples_fit"):
        KNeighborsClassifier().fit(X, y).kneighbors(n_neighbors=500)
