"""KMeans: the same centers as scikit-learn from the same start, and what scikit-learn's has."""

import logodds
import numpy as np
import pandas
import polars
import pytest
from conftest import shared_data
from logodds import compat
from scipy import sparse
from sklearn.cluster import KMeans as Theirs
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


def real_data(name):
    """The numbers of a data set."""
    frame = pandas.read_csv(shared_data(name))
    return frame.select_dtypes("number").to_numpy(dtype=np.float64)


def untied(X):
    return X * (1.0 + 0.1 * np.sqrt(np.arange(1, X.shape[1] + 1)))


def drawn(rows, columns, offset=0.0):
    rng = np.random.default_rng(rows)
    heaps = rng.normal(size=(12, columns)) * 2
    return heaps[rng.integers(12, size=rows)] + rng.normal(size=(rows, columns)) + offset


DATA = {
    "iris": (lambda: real_data("iris/iris.csv"), 3),
    "old_faithful": (lambda: real_data("old_faithful/faithful.csv"), 2),
    # Whole numbers, in other units: rows are equally near to many others, and which center such a
    # row goes to scikit-learn leaves to rounding.
    "letter": (lambda: untied(real_data("letter/letter.csv")[:6000]), 26),
    "drawn": (lambda: drawn(3000, 8), 20),
    "drawn, one column": (lambda: drawn(500, 1), 5),
    "drawn, far out": (lambda: drawn(3000, 4, offset=1e5), 9),
}


def theirs(X, centers, **parameters):
    """scikit-learn's answer from these centers, until nothing changes."""
    given = {"n_init": 1, "max_iter": 300, "tol": 0.0, **parameters}
    return Theirs(len(centers), init=centers, **given)


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("method", ["lloyd", "triangle"])
@pytest.mark.parametrize("max_iter", [1, 5, 300])
def test_centers_are_scikit_learns_from_the_same_start(name, method, max_iter):
    read, k = DATA[name]
    X = read()
    start = X[np.random.default_rng(1).choice(np.unique(X, axis=0, return_index=True)[1], k, False)]
    ours = logodds.KMeans(k, init=start, max_iter=max_iter, method=method).fit(X)
    expected = theirs(X, start, max_iter=max_iter).fit(X)
    scale = np.abs(X - X.mean(0)).max()
    assert np.abs(ours.cluster_centers_ - expected.cluster_centers_).max() <= 1e-10 * scale
    assert ours.inertia_ == pytest.approx(expected.inertia_, rel=1e-10)
    assert (ours.labels_ == expected.labels_).all()
    assert (ours.predict(X) == ours.labels_).all()


def test_weights_are_scikit_learns():
    X = drawn(2000, 5)
    weights = np.random.default_rng(2).uniform(0.1, 3.0, len(X))
    ours = logodds.KMeans(9, init=X[:9]).fit(X, sample_weight=weights)
    expected = theirs(X, X[:9]).fit(X, sample_weight=weights)
    np.testing.assert_allclose(ours.cluster_centers_, expected.cluster_centers_, rtol=0, atol=1e-10)
    assert ours.inertia_ == pytest.approx(expected.inertia_, rel=1e-10)
    assert ours.score(X, sample_weight=weights) == pytest.approx(-ours.inertia_, rel=1e-12)


def test_rows_of_weight_0_change_nothing_but_have_a_cluster():
    X = drawn(300, 3)
    weights = np.ones(len(X))
    weights[::3] = 0.0
    kept = weights > 0
    ours = logodds.KMeans(4, init=X[1:5]).fit(X, sample_weight=weights)
    alone = logodds.KMeans(4, init=X[1:5]).fit(X[kept])
    np.testing.assert_array_equal(ours.cluster_centers_, alone.cluster_centers_)
    np.testing.assert_array_equal(ours.labels_[kept], alone.labels_)
    np.testing.assert_array_equal(ours.labels_, ours.predict(X))


def test_ties_go_to_the_lower_index():
    X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]])
    ours = logodds.KMeans(2, init=[[0.0], [4.0]], max_iter=0)
    for method in ("lloyd", "triangle"):
        labels = ours.set_params(method=method).fit_predict(X)
        assert labels.tolist() == [0, 0, 0, 1, 1]


def test_transform_and_score_are_distances():
    X = drawn(400, 6)
    ours = logodds.KMeans(5).fit(X)
    distances = np.linalg.norm(X[:, None, :] - ours.cluster_centers_, axis=2)
    np.testing.assert_allclose(ours.transform(X), distances, rtol=1e-12)
    np.testing.assert_array_equal(ours.predict(X), distances.argmin(1))
    assert ours.score(X) == pytest.approx(-(distances.min(1) ** 2).sum(), rel=1e-12)
    assert ours.inertia_ == pytest.approx(-ours.score(X), rel=1e-12)
    np.testing.assert_allclose(ours.fit_transform(X), distances, rtol=1e-12)
    assert ours.get_feature_names_out().tolist() == [f"kmeans{k}" for k in range(5)]


def test_standardize_is_scikit_learns_scaler():
    X = drawn(800, 4) * [1.0, 10.0, 0.01, 5.0] + [0.0, 3.0, 7.0, 0.0]
    scaler = StandardScaler().fit(X)
    ours = logodds.KMeans(6, init=X[:6], standardize=True).fit(X)
    scaled = scaler.transform(X)
    expected = theirs(scaled, scaled[:6]).fit(scaled)
    assert ours.inertia_ == pytest.approx(expected.inertia_, rel=1e-10)
    centers = scaler.inverse_transform(expected.cluster_centers_)
    np.testing.assert_allclose(ours.cluster_centers_, centers, rtol=1e-9)
    np.testing.assert_array_equal(ours.predict(X), expected.labels_)
    np.testing.assert_allclose(ours.transform(X), expected.transform(scaled), rtol=1e-8)


def test_restarts_find_no_worse_and_the_seed_tells_all():
    X = drawn(600, 2)
    one = logodds.KMeans(12, init="random", random_state=3).fit(X)
    again = logodds.KMeans(12, init="random", random_state=3).fit(X)
    other = logodds.KMeans(12, init="random", random_state=4).fit(X)
    many = logodds.KMeans(12, init="random", n_init=10, random_state=3).fit(X)
    np.testing.assert_array_equal(one.cluster_centers_, again.cluster_centers_)
    assert one.inertia_ != other.inertia_
    assert many.inertia_ < one.inertia_


def test_k_means_plus_plus_starts_well():
    """Heaps far from each other get a center each, which random rows seldom do."""
    rng = np.random.default_rng(5)
    heaps = np.array([[100.0 * i, 100.0 * j] for i in range(5) for j in range(5)])
    X = np.repeat(heaps, 40, axis=0) + rng.normal(size=(1000, 2))
    found = [logodds.KMeans(25, random_state=seed).fit(X).inertia_ for seed in range(5)]
    assert min(found) < 2.5 * len(X)
    labels = logodds.KMeans(25, n_init=5).fit(X).labels_
    assert adjusted_rand_score(np.repeat(np.arange(25), 40), labels) == 1.0


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_threads_change_nothing(threads):
    X = drawn(5000, 5)
    before = logodds.get_threads()
    expected = logodds.KMeans(17).fit(X)
    try:
        logodds.set_threads(threads)
        ours = logodds.KMeans(17).fit(X)
    finally:
        logodds.set_threads(before)
    np.testing.assert_array_equal(ours.cluster_centers_, expected.cluster_centers_)
    assert ours.inertia_ == expected.inertia_


def test_frames_sparse_rows_and_other_layouts_are_the_same_rows():
    X = drawn(300, 3).round(2)
    expected = logodds.KMeans(4, init=X[:4]).fit(X)
    names = ["a", "b", "c"]
    frame = pandas.DataFrame(X, columns=names)
    for rows in (np.asfortranarray(X), sparse.csr_array(X), frame, polars.DataFrame(frame)):
        ours = logodds.KMeans(4, init=X[:4]).fit(rows)
        np.testing.assert_array_equal(ours.cluster_centers_, expected.cluster_centers_)
        np.testing.assert_array_equal(ours.predict(rows), expected.labels_)
    assert logodds.KMeans(4).fit(frame).feature_names_in_.tolist() == names
    single = logodds.KMeans(4, init=X[:4]).fit(X.astype(np.float32))
    np.testing.assert_allclose(single.cluster_centers_, expected.cluster_centers_, atol=1e-5)


def test_levels_of_a_frame_become_indicators():
    frame = polars.DataFrame({"x": [0.0, 0.1, 5.0, 5.1], "color": ["red", "red", "blue", "green"]})
    ours = logodds.KMeans(2).fit(frame)
    assert ours.cluster_centers_.shape == (2, 4)
    assert any("one-hot" in note for note in ours.notes_)
    assert ours.labels_[0] == ours.labels_[1] != ours.labels_[2]
    np.testing.assert_array_equal(ours.predict(frame), ours.labels_)


def test_a_model_file_comes_back(tmp_path):
    X = drawn(200, 3)
    ours = logodds.KMeans(3, tol=1e-3, n_init=2, standardize=True).fit(X)
    ours.save(tmp_path / "m")
    loaded = logodds.load(tmp_path / "m")
    assert repr(loaded) == repr(ours)
    np.testing.assert_array_equal(loaded.cluster_centers_, ours.cluster_centers_)
    np.testing.assert_array_equal(loaded.predict(X), ours.labels_)
    assert (loaded.inertia_, loaded.n_iter_) == (ours.inertia_, ours.n_iter_)
    assert not hasattr(loaded, "labels_")


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"n_clusters": 11}, "too few for 11 clusters"),
        ({"n_clusters": 5}, "only 4 different points"),
        ({"n_clusters": 0}, "--k"),
        ({"n_clusters": 2, "init": np.zeros((3, 2))}, "3 centers"),
        ({"n_clusters": 2, "init": "middle"}, "--init"),
        ({"n_clusters": 2, "init": np.array([[0.0, np.nan], [1.0, 1.0]])}, "row 1"),
        ({"n_clusters": 2, "n_init": 0}, "--restarts"),
    ],
)
def test_what_cannot_be_is_refused(parameters, sentence):
    X = np.repeat([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]], [4, 3, 2, 1], axis=0)
    with pytest.raises(logodds.LogoddsError, match=sentence):
        logodds.KMeans(**parameters).fit(X)


def test_nan_is_refused():
    X = drawn(20, 2)
    X[7, 1] = np.nan
    with pytest.raises(ValueError, match="row 8"):
        logodds.KMeans(2).fit(X)


def test_it_works_in_a_pipeline():
    X = drawn(200, 3)
    pipeline = make_pipeline(StandardScaler(), logodds.KMeans(3)).fit(X)
    assert set(pipeline.predict(X)) == {0, 1, 2}


# -- logodds.compat -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("tol", [0.0, 1e-4, 1e-2])
def test_compat_ends_where_scikit_learn_ends(name, tol):
    read, k = DATA[name]
    X = read()
    start = X[np.random.default_rng(3).choice(np.unique(X, axis=0, return_index=True)[1], k, False)]
    ours = compat.KMeans(k, init=start, tol=tol).fit(X)
    expected = theirs(X, start, tol=tol).fit(X)
    assert ours.n_iter_ == expected.n_iter_
    assert ours.inertia_ == pytest.approx(expected.inertia_, rel=1e-10)
    np.testing.assert_array_equal(ours.labels_, expected.labels_)
    scale = np.abs(X - X.mean(0)).max()
    assert np.abs(ours.cluster_centers_ - expected.cluster_centers_).max() <= 1e-10 * scale


def test_compat_has_scikit_learns_parameters_and_attributes():
    assert compat.KMeans().get_params() == Theirs().get_params()
    X = drawn(300, 3).astype(np.float32)
    ours = compat.KMeans(4, random_state=0).fit(X)
    expected = Theirs(4, random_state=0).fit(X)
    for name in ("cluster_centers_", "labels_"):
        assert getattr(ours, name).dtype == getattr(expected, name).dtype
        assert getattr(ours, name).shape == getattr(expected, name).shape
    assert ours.transform(X).dtype == expected.transform(X).dtype
    assert isinstance(ours.n_iter_, int)
