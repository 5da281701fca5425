"""Neighbors against a brute force in NumPy, neighbor for neighbor, and what the class offers."""

import gzip
import pickle

import logodds
import numpy as np
import pandas as pd
import pytest
from conftest import model_bytes, shared_data
from logodds import NeighborsClassifier
from scipy.sparse import csr_matrix
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier


def nearest(sums, k):
    """Of each row the k least, equal ones by their place."""
    places = np.argsort(sums, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(sums, places, axis=1), places


def nearest_integers(queries, X, k):
    """Squared distances of whole numbers, exact in doubles; a place makes every key different."""
    squares = (X**2).sum(axis=1)
    for first in range(0, len(queries), 500):
        rows = queries[first : first + 500]
        sums = (rows**2).sum(axis=1)[:, None] - 2.0 * (rows @ X.T) + squares
        keys = sums.astype(np.int64) * len(X) + np.arange(len(X))
        yield np.sort(np.partition(keys, k - 1, axis=1)[:, :k], axis=1)


def check_integers(model, queries, X, k):
    keys = np.vstack(list(nearest_integers(queries, X, k)))
    distances, places = model.kneighbors(queries, k)
    np.testing.assert_array_equal(places, keys % len(X))
    np.testing.assert_array_equal(distances, np.sqrt(keys // len(X)))


@pytest.mark.parametrize("k", [1, 5])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_iris_neighbor_for_neighbor(k, metric):
    X, y = load_iris(return_X_y=True)
    sums = np.zeros((150, 150))
    for column in X.T:  # summed as the program does, so that ties are ties
        off = column[:, None] - column
        sums += off * off if metric == "euclidean" else abs(off)
    expected, rows = nearest(sums, k)
    distances, places = NeighborsClassifier(k, metric).fit(X, y).kneighbors(X)
    np.testing.assert_array_equal(places, rows)
    np.testing.assert_array_equal(
        distances, np.sqrt(expected) if metric == "euclidean" else expected
    )


def test_iris_votes_at_ties():
    """Rows at the last distance share what is left; of equal votes the nearest row's class wins."""
    X, y = load_iris(return_X_y=True)
    sums = np.zeros((150, 150))
    for column in X.T:
        off = column[:, None] - column
        sums += off * off
    tied = 0
    for k in (1, 2, 4, 5, 10):
        model = NeighborsClassifier(k).fit(X, y)
        posteriors, decisions = model.predict_proba(X), model.predict(X)
        for row in range(150):
            last = np.sort(sums[row])[k - 1]
            inside, at = sums[row] < last, sums[row] == last
            share = (k - inside.sum()) / at.sum()
            votes = np.array(
                [(inside * (y == c)).sum() + share * (at * (y == c)).sum() for c in range(3)]
            )
            np.testing.assert_allclose(posteriors[row], votes / k, rtol=0, atol=1e-14)
            best = [c for c in range(3) if votes[c] > votes.max() - 1e-9]
            near = [sums[row][(y == c) & (inside | at)].min() for c in best]
            assert decisions[row] == best[int(np.argmin(near))]
            tied += len(best) > 1 and best[int(np.argmin(near))] != best[0]
    assert tied > 0
    assert (decisions == posteriors.argmax(axis=1)).all()


@pytest.mark.parametrize("k", [1, 5])
def test_letter_neighbor_for_neighbor(k):
    table = pd.read_csv(shared_data("letter/letter.csv"))
    X = table.drop(columns="lettr").to_numpy(dtype=np.float64)
    y = table["lettr"].to_numpy()
    model = NeighborsClassifier(k).fit(X[:16000], y[:16000])
    check_integers(model, X[16000:], X[:16000], k)


def mnist(part):
    with gzip.open(shared_data(f"mnist/{part}-images-idx3-ubyte.gz")) as file:
        X = np.frombuffer(file.read(), dtype=np.uint8, offset=16).reshape(-1, 784)
    with gzip.open(shared_data(f"mnist/{part}-labels-idx1-ubyte.gz")) as file:
        y = np.frombuffer(file.read(), dtype=np.uint8, offset=8)
    return X.astype(np.float64), y.astype(np.int64)


@pytest.mark.slow
def test_mnist_neighbor_for_neighbor():
    X, y = mnist("train")
    queries, truth = mnist("t10k")
    model = NeighborsClassifier(1).fit(X, y)
    _, places = model.kneighbors(queries)
    wrong = y[places[:, 0]] != truth
    assert wrong.sum() == 309  # 3.09 %
    some = slice(0, 500)
    check_integers(model, queries[some], X, 5)
    assert model.score(queries[some], truth[some]) == 1.0 - wrong[some].mean()


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "cosine", "mahalanobis"])
@pytest.mark.parametrize("vote", ["majority", "distance"])
def test_against_scikit_learn(metric, vote):
    rng = np.random.default_rng(5)
    y = rng.integers(0, 4, size=1500)
    X = rng.normal(size=(1500, 5)) @ rng.normal(size=(5, 5)) + 0.5 * y[:, None]
    queries = rng.normal(size=(300, 5)) @ rng.normal(size=(5, 5))
    params = {}
    if metric == "mahalanobis":
        off = X - np.array([X[y == c].mean(axis=0) for c in range(4)])[y]
        params = {"metric_params": {"VI": np.linalg.inv(off.T @ off / len(X))}}
    theirs = KNeighborsClassifier(
        7,
        metric=metric,
        algorithm="brute",
        weights="uniform" if vote == "majority" else vote,
        **params,
    ).fit(X, y)
    ours = NeighborsClassifier(7, metric, vote).fit(X, y)
    expected, rows = theirs.kneighbors(queries)
    distances, places = ours.kneighbors(queries)
    np.testing.assert_array_equal(places, rows)
    np.testing.assert_allclose(distances, expected, rtol=1e-7, atol=1e-12)
    np.testing.assert_allclose(
        ours.predict_proba(queries), theirs.predict_proba(queries), rtol=0, atol=1e-7
    )


def test_the_k_that_was_chosen(blobs):
    X, y = blobs[0][:400], blobs[1][:400]
    model = NeighborsClassifier("3-9").fit(X, y)
    table = {row[0]: row[1] for row in model.k_table_["rows"]}
    assert list(table) == list(range(3, 10))
    assert model.k_ == min(table, key=table.get)
    assert model.k == "3-9"
    for k in (3, 8):
        _, places = NeighborsClassifier(k).fit(X, y).kneighbors(X, k + 1)
        others = np.array([row[row != i][:k] for i, row in enumerate(places)])
        theirs = KNeighborsClassifier(k).fit(X, y)
        decided = [np.bincount(y[row], minlength=3) for row in others]
        sure = [np.sort(votes)[-1] > np.sort(votes)[-2] for votes in decided]
        wrong = sum(
            votes.argmax() != label for votes, label, s in zip(decided, y, sure, strict=True) if s
        )
        unsure = len(y) - sum(sure)
        assert wrong <= table[k] <= wrong + unsure
        assert theirs.n_samples_fit_ == 400
    assert not hasattr(NeighborsClassifier().fit(X, y), "k_table_")


def test_condensed(blobs):
    X, y = blobs
    whole = NeighborsClassifier(3, standardize=True).fit(X, y)
    model = NeighborsClassifier(3, standardize=True, condense=True).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), whole.predict(X))
    assert model.n_samples_fit_ < whole.n_samples_fit_ == 3000
    assert f"{model.n_samples_fit_} of 3000 rows stay" in " ".join(model.notes_)
    _, places = model.kneighbors(X, 1)
    kept = np.unique(places)
    assert len(kept) <= model.n_samples_fit_
    # Places are those of X, and a row that is kept is its own nearest.
    np.testing.assert_array_equal(model.kneighbors(X[kept], 1)[1][:, 0], kept)


def test_kneighbors_of_every_kind_of_rows():
    X = np.array([[0.0, 1.0], [2.0, 0.0], [0.0, 3.0], [5.0, 5.0]])
    y = ["a", "b", "a", "b"]
    queries = np.array([[0.0, 2.0], [4.0, 4.0]])
    model = NeighborsClassifier(2).fit(X, y)
    expected = [[0, 2], [3, 2]]
    distances, places = model.kneighbors(queries)
    np.testing.assert_array_equal(places, expected)
    np.testing.assert_allclose(distances, [[1, 1], [np.sqrt(2), np.sqrt(17)]])
    np.testing.assert_array_equal(model.kneighbors(csr_matrix(queries))[1], expected)
    assert model.kneighbors(queries, 4, return_distance=False).shape == (2, 4)
    frame = pd.DataFrame(X, columns=["u", "v"]).assign(w=["x", "x", "y", "y"])
    mixed = NeighborsClassifier(2).fit(frame, y)
    np.testing.assert_array_equal(mixed.kneighbors(frame, 1)[1][:, 0], range(4))


def test_places_count_rows_of_weight_0(blobs):
    X, y = blobs[0][:50], blobs[1][:50]
    weights = np.ones(50)
    weights[[0, 3, 20]] = 0
    model = NeighborsClassifier(3).fit(X, y, sample_weight=weights)
    assert model.n_samples_fit_ == 47
    kept = np.flatnonzero(weights)
    np.testing.assert_array_equal(model.kneighbors(X[kept], 1)[1][:, 0], kept)


def test_refusals(blobs):
    X, y = blobs[0][:20], blobs[1][:20]
    model = NeighborsClassifier(30).fit(X, y)
    assert model.kneighbors(X)[1].shape == (20, 20)
    assert any("only 20 rows" in note for note in model.notes_)
    for count in (0, 21, -1):
        with pytest.raises(ValueError, match="1 to 20"):
            model.kneighbors(X, count)
    with pytest.raises(TypeError, match="whole number"):
        model.kneighbors(X, 2.5)
    with pytest.raises(ValueError, match="missing|NaN"):
        model.kneighbors(np.where(X[0, 0] == X, np.nan, X))
    with pytest.raises(logodds.LogoddsError, match="every column is 0"):
        NeighborsClassifier(metric="cosine").fit(X, y).predict(np.zeros((2, 4)))
    with pytest.raises(logodds.LogoddsError, match="--k: '0'"):
        NeighborsClassifier(0).fit(X, y)
    with pytest.raises(logodds.NumericError, match="singular"):
        NeighborsClassifier(metric="mahalanobis").fit(np.column_stack([X, X[:, 0]]), y)


def test_same_bits_for_any_threads(blobs):
    X, y = blobs
    found = []
    for threads in (1, 2, 7):
        with_threads = logodds.get_threads()
        logodds.set_threads(threads)
        try:
            model = NeighborsClassifier(4, vote="distance", condense=True).fit(X, y)
            found.append((model_bytes(model), *(part.tobytes() for part in model.kneighbors(X))))
        finally:
            logodds.set_threads(with_threads)
    assert found[0] == found[1] == found[2]


def test_a_model_file_and_a_pickle_keep_all(tmp_path, blobs):
    X, y = blobs
    model = NeighborsClassifier("1-4", "manhattan", standardize=True, condense=True).fit(X, y)
    model.save(tmp_path / "m.model")
    loaded = logodds.load(tmp_path / "m.model")
    assert isinstance(loaded, NeighborsClassifier)
    assert loaded.get_params() == {**model.get_params(), "k": model.k_}
    for other in (loaded, pickle.loads(pickle.dumps(model))):
        assert (other.index_, other.n_samples_fit_) == (model.index_, model.n_samples_fit_)
        for ours, theirs in zip(other.kneighbors(X), model.kneighbors(X), strict=True):
            np.testing.assert_array_equal(ours, theirs)
