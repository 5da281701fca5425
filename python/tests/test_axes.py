"""PCA and CanonicalAxes against LAPACK's SVD and scikit-learn; online, merged, in files."""

import pickle

import logodds
import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import decomposition
from sklearn.datasets import load_digits, load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

RNG = np.random.default_rng(5)


def made(rows, columns, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(rows, columns)) @ rng.normal(size=(columns, columns)) + 10.0


@pytest.mark.parametrize(("rows", "columns"), [(500, 12), (20, 60), (40, 40), (41, 40), (3, 2)])
def test_variances_are_those_of_lapack(rows, columns):
    X = made(rows, columns)
    model = logodds.PCA().fit(X)
    _, singular, axes = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    count = min(columns, rows - 1)
    expected = singular[:count] ** 2 / (rows - 1)
    assert model.n_components_ == count
    assert_allclose(model.explained_variance_, expected, rtol=0, atol=1e-13 * expected[0])
    assert_allclose(model.singular_values_, singular[:count], atol=1e-12 * singular[0])
    assert_allclose(abs((model.components_ * axes[:count]).sum(axis=1)), 1, atol=1e-9)
    assert_allclose(model.explained_variance_ratio_, expected / expected.sum(), atol=1e-13)
    assert_allclose(model.components_ @ model.components_.T, np.eye(count), atol=1e-12)


def test_real_images():
    X = load_digits().data
    model = logodds.PCA(n_components=10).fit(X)
    expected = decomposition.PCA(n_components=10, svd_solver="full").fit(X)
    assert_allclose(model.explained_variance_, expected.explained_variance_, rtol=1e-11)
    assert_allclose(model.components_, expected.components_, atol=1e-9)
    assert_allclose(model.transform(X), expected.transform(X), atol=1e-8)
    rebuilt = model.inverse_transform(model.transform(X))
    assert_allclose(rebuilt, expected.inverse_transform(expected.transform(X)), atol=1e-8)
    error = np.sqrt(((rebuilt - X) ** 2).sum(axis=1).mean())
    assert model.reconstruction_errors_[10] == pytest.approx(error, rel=1e-10)


@pytest.mark.parametrize("shape", [(200, 6), (7, 30)])
def test_whitened_and_standardized(shape):
    X = made(*shape) * np.logspace(0, 3, shape[1])
    model = logodds.PCA(whiten=True, standardize=True).fit(X)
    z = model.transform(X)
    assert_allclose(np.cov(z.T), np.eye(z.shape[1]), atol=1e-9)
    assert_allclose(model.scale_, X.std(axis=0, ddof=1), rtol=1e-12)
    assert model.explained_variance_.sum() == pytest.approx(shape[1])
    assert_allclose(model.inverse_transform(z), X, atol=1e-7)


def test_memory_layouts_and_float32():
    X = made(300, 5).astype(np.float32)
    expected = logodds.PCA().fit(X.astype(np.float64))
    for rows in (X, np.asfortranarray(X), np.repeat(X, 2, axis=1)[:, ::2]):
        assert_array_equal(logodds.PCA().fit(rows).components_, expected.components_)


def test_tables_and_names():
    frame = pd.DataFrame(made(50, 3), columns=["a", "b", "c"])
    model = logodds.PCA(n_components=2).set_output(transform="pandas").fit(frame)
    assert list(model.feature_names_in_) == ["a", "b", "c"]
    z = model.transform(frame[["c", "a", "b"]])
    assert list(z.columns) == ["pca0", "pca1"]
    other = logodds.PCA(n_components=2).fit(pl.DataFrame({name: frame[name] for name in frame}))
    assert_allclose(other.transform(pl.from_pandas(frame)), z, atol=1e-12)
    with pytest.raises(ValueError, match="convert string to float"):
        logodds.PCA().fit(pl.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]}))


@pytest.mark.parametrize(("rows", "columns"), [(300, 6), (30, 50)])
def test_online_and_merged(rows, columns):
    X = made(rows, columns)
    weights = RNG.integers(1, 4, rows).astype(float)
    whole = logodds.PCA().fit(X, sample_weight=weights)
    parts = np.array_split(np.arange(rows), 3)
    online = logodds.PCA()
    for part in parts:
        online.partial_fit(X[part], sample_weight=weights[part])
    models = [logodds.PCA().fit(X[part], sample_weight=weights[part]) for part in parts]
    merged = models[0].merge(*models[1:])
    repeated = logodds.PCA().fit(np.repeat(X, weights.astype(int), axis=0))
    for model in (online, merged, repeated):
        assert_allclose(model.explained_variance_, whole.explained_variance_, rtol=1e-9)
        assert_allclose(model.transform(X), whole.transform(X), atol=1e-7)
    for part in parts[1:]:
        online.forget(X[part], sample_weight=weights[part])
    assert_allclose(online.explained_variance_, models[0].explained_variance_, rtol=1e-8)
    with pytest.raises(ValueError, match="forget only rows"):
        logodds.PCA().fit(X).forget(X + 1e3)


def test_how_many():
    X = load_iris().data
    share = np.cumsum(logodds.PCA().fit(X).explained_variance_ratio_)
    assert logodds.PCA(n_components=0.95).fit(X).n_components_ == np.searchsorted(share, 0.95) + 1
    for wrong in (0, 5, -1, 1.5, "two"):
        with pytest.raises(ValueError, match="components"):
            logodds.PCA(n_components=wrong).fit(X)


def test_rows_that_tell_nothing():
    with pytest.raises(logodds.NumericError, match="all rows are equal"):
        logodds.PCA().fit(np.full((5, 3), 0.1))
    with pytest.raises(logodds.NumericError, match="at least two rows"):
        logodds.PCA().fit([[1.0, 2.0]])
    with pytest.raises(ValueError, match="row 2, column 'x1': input X contains NaN"):
        logodds.PCA().fit([[1.0, 2.0], [np.nan, 1.0], [3.0, 4.0]])
    model = logodds.PCA().fit([[1.0, 2.0], [2.0, 2.0], [4.0, 2.0]])
    assert model.n_components_ == 1
    assert any("does not vary" in note for note in model.notes_)
    with pytest.raises(ValueError, match="has 3 columns, but PCA has 1 axes"):
        model.inverse_transform(np.ones((1, 3)))


def test_canonical_axes_are_those_of_lda():
    X, y = load_iris(return_X_y=True)
    model = logodds.CanonicalAxes().fit(X, y)
    expected = LinearDiscriminantAnalysis(solver="svd").fit(X, y)
    z, other = model.transform(X), expected.transform(X)
    for axis in range(2):
        ratio = z[:, axis] @ other[:, axis] / (other[:, axis] @ other[:, axis])
        assert_allclose(z[:, axis], ratio * other[:, axis], atol=1e-9)
    assert_allclose(model.explained_variance_ratio_, expected.explained_variance_ratio_, atol=1e-12)
    assert_allclose(z, logodds.GaussianClassifier().fit(X, y).transform(X), rtol=1e-13, atol=1e-13)
    assert_allclose((X - model.mean_) @ model.scalings_, z, atol=1e-12)
    back = model.inverse_transform(z)
    assert_allclose(model.transform(back), z, atol=1e-9)
    assert_array_equal(model.classes_, [0, 1, 2])


def test_canonical_axes_online_and_merged():
    X, y = load_iris(return_X_y=True)
    names = np.array(["s", "ve", "vi"])[y]
    whole = logodds.CanonicalAxes().fit(X, names)
    order = RNG.permutation(150)
    first = logodds.CanonicalAxes().fit(X[order[:70]], names[order[:70]])
    second = logodds.CanonicalAxes().fit(X[order[70:]], names[order[70:]])
    merged = first.merge(second)
    online = first.partial_fit(X[order[70:]], names[order[70:]])
    for model in (merged, online):
        assert_allclose(model.eigenvalues_, whole.eigenvalues_, rtol=1e-10)
        assert_array_equal(model.classes_, ["s", "ve", "vi"])


def test_a_singular_spread_gets_a_ridge_and_a_warning():
    X, y = made(8, 20), [0, 0, 0, 0, 1, 1, 1, 1]
    with pytest.warns(logodds.CovarianceWarning, match="This fit takes ridge="):
        model = logodds.CanonicalAxes().fit(X, y)
    assert model.ridge_ > 0
    with pytest.raises(logodds.NumericError, match="one mean|too many|singular"):
        logodds.CanonicalAxes(ridge=1e-300).fit(X, y)


@pytest.mark.parametrize("columns", [4, 200])
def test_files_of_shell_and_python(tmp_path, columns, command):
    X = made(60, columns)
    names = [f"c{i}" for i in range(columns)]
    frame = pd.DataFrame(X, columns=names)
    frame.to_csv(tmp_path / "d.csv", index=False)
    shell = tmp_path / "shell.model"
    data = tmp_path / "d.csv"
    command("project", data, "--method", "pca", "--components", 3, "-o", shell, "--quiet")
    model = logodds.PCA(n_components=3).fit_csv(tmp_path / "d.csv")
    model.save(tmp_path / "python.model")
    assert (tmp_path / "python.model").read_bytes() == shell.read_bytes()
    loaded = logodds.load(shell)
    assert isinstance(loaded, logodds.PCA) and loaded.n_components == 3
    assert_array_equal(loaded.transform(frame), model.transform(frame))
    assert_array_equal(pickle.loads(pickle.dumps(model)).transform(frame), model.transform(frame))
    assert "rms error" in loaded.describe()["tables"][0]["columns"]
    with pytest.raises(logodds.ModelFileError, match="logodds project"):
        logodds._core.Model.load(str(shell))


def test_a_canonical_file_keeps_its_classes(tmp_path):
    X, y = load_iris(return_X_y=True)
    logodds.CanonicalAxes(n_components=1, ridge=0.1).fit(X, y).save(tmp_path / "m")
    loaded = logodds.load(tmp_path / "m")
    assert loaded.get_params() == {"n_components": 1, "ridge": 0.1}
    assert_array_equal(loaded.classes_, [0, 1, 2])
