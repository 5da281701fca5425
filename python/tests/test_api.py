"""The estimators as people use them: labels, weights, names, copies, threads, interruption."""

import copy
import pickle
import signal
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import logodds
import numpy as np
import pandas as pd
import polars as pl
import pytest
from conftest import CLASSES, ONE_ANSWER, model_bytes
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

LABELS = {
    "int64": np.array([5, -3, 40]),
    "int8": np.array([5, -3, 40], dtype=np.int8),
    "uint64": np.array([5, 2**64 - 1, 40], dtype=np.uint64),
    "float": np.array([5.0, -3.0, 40.0]),
    "text": np.array(["b", "a", "ü"]),
    "objects": np.array(["b", "a", "ü"], dtype=object),
    "integers in objects": np.array([5, -3, 40], dtype=object),
}


@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("cls", CLASSES)
def test_labels_keep_their_type(cls, kind, blobs):
    X, codes = blobs
    y = LABELS[kind][codes]
    model = cls().fit(X, y)
    assert model.classes_.dtype == y.dtype
    np.testing.assert_array_equal(model.classes_, np.unique(y))
    predictions = model.predict(X)
    assert predictions.dtype == y.dtype
    # The same rows with the labels in another order of appearance, as codes 0, 1, 2.
    ranks = cls().fit(X, np.unique(y, return_inverse=True)[1])
    np.testing.assert_array_equal(model.predict_proba(X), ranks.predict_proba(X))
    assert model.score(X, y) == np.mean(predictions == y)


def test_boolean_labels(blobs):
    X, codes = blobs
    model = logodds.GaussianClassifier().fit(X, codes == 1)
    assert model.classes_.tolist() == [False, True]
    assert model._model.labels == ["False", "True"]
    assert model.predict(X).dtype == bool
    assert model.score(X, codes == 1) > 0.7


@pytest.mark.parametrize("values", [[False, True], [True], [False]])
def test_boolean_labels_survive_a_file(values, blobs, tmp_path):
    X, codes = blobs
    y = np.isin(codes, [1]) if len(values) == 2 else np.full(len(X), values[0])
    model = logodds.NaiveBayesClassifier().fit(X, y)
    model.save(tmp_path / "model")
    again = logodds.load(tmp_path / "model")
    assert again.classes_.dtype == bool
    assert again.classes_.tolist() == values
    assert again.score(X, y) == model.score(X, y) > 0.7
    assert again.partial_fit(X, y).classes_.dtype == bool


def test_other_words_than_false_and_true_stay_texts(blobs, tmp_path):
    X, codes = blobs
    for words in (["False", "True", "maybe"], ["false", "true", "true"]):
        logodds.NaiveBayesClassifier().fit(X, np.array(words)[codes]).save(tmp_path / "model")
        assert logodds.load(tmp_path / "model").classes_.tolist() == sorted(set(words))


def test_texts_that_are_numbers_are_ordered_by_value(blobs):
    X, codes = blobs
    model = logodds.GaussianClassifier().fit(X, np.array(["10", "9", "x"])[codes])
    assert model.classes_.tolist() == ["9", "10", "x"]
    np.testing.assert_allclose(
        model.predict_proba(X)[:, [1, 0, 2]],
        logodds.GaussianClassifier().fit(X, codes).predict_proba(X),
        rtol=1e-12,
    )


@pytest.mark.parametrize(
    ("y", "sentence"),
    [
        (np.linspace(0, 1, 6), "continuous"),
        (np.array([0, 1, np.nan, 0, 1, 0]), "NaN"),
        (np.array([0, 1, np.inf, 0, 1, 0]), "infinity"),
        (np.array(["a", "b", None, "a", "b", "a"], dtype=object), "every row needs a label"),
        (pd.Series(["a", "b", pd.NA, "a", "b", "a"], dtype="string"), "every row needs a label"),
        (np.array(["a", 1, "b", "a", 2, "a"], dtype=object), "Unknown label type"),
        (np.zeros((6, 2)), "1d array"),
        (np.zeros(5, dtype=int), "inconsistent numbers of samples"),
        (None, "requires y"),
    ],
)
def test_labels_that_cannot_be_used(y, sentence):
    X = np.random.default_rng(0).normal(size=(6, 2))
    with pytest.raises(ValueError, match=sentence):
        logodds.NeighborsClassifier().fit(X, y)


@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf])
def test_weights_that_cannot_be_used(weight, blobs):
    X, y = blobs
    weights = np.ones(len(y))
    weights[2000] = weight
    for cls in CLASSES:
        with pytest.raises(logodds.LogoddsError, match="row 2001: the weight"):
            cls().fit(X, y, sample_weight=weights)


@pytest.mark.parametrize("cls", ONE_ANSWER)
def test_weights_are_repetitions(cls, blobs):
    X, y = blobs[0][:400], blobs[1][:400]
    weights = np.random.default_rng(2).integers(0, 4, size=400)
    weighted = cls().fit(X, y, sample_weight=weights)
    repeated = cls().fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_allclose(
        weighted.predict_proba(X), repeated.predict_proba(X), rtol=1e-6, atol=1e-9
    )
    np.testing.assert_allclose(
        cls().fit(X, y, sample_weight=np.full(400, 2)).score(X, y, sample_weight=weights),
        np.average(cls().fit(np.repeat(X, 2, 0), np.repeat(y, 2)).predict(X) == y, weights=weights),
    )


@pytest.mark.parametrize("cls", CLASSES)
def test_copies_are_the_same_model(cls, blobs, tmp_path):
    X, y = blobs
    names = np.array(["x", "y", "z"])
    model = cls().fit(pd.DataFrame(X, columns=list("abcd")), names[y])
    model.save(tmp_path / "model")
    loaded = logodds.load(tmp_path / "model")
    assert type(loaded) is cls
    settled = {"optimizer"} if cls is logodds.NeuralClassifier else set()  # 'auto', by size
    asked = model.get_params()
    assert {name for name, value in loaded.get_params().items() if value != asked[name]} <= settled
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), loaded):
        assert model_bytes(other) == model_bytes(model)
        assert other.classes_.tolist() == ["x", "y", "z"]
        assert other.feature_names_in_.tolist() == list("abcd")
        assert other.n_features_in_ == 4
        frame = pd.DataFrame(X, columns=list("abcd"))
        np.testing.assert_array_equal(other.predict(frame), model.predict(frame))
    fresh = clone(model)
    assert not hasattr(fresh, "classes_")
    assert is_classifier(fresh)
    with pytest.raises(NotFittedError):
        fresh.predict(X)
    with pytest.raises(NotFittedError):
        check_is_fitted(fresh)
    check_is_fitted(model)


def test_loaded_labels_are_integers_when_all_are(blobs, tmp_path):
    X, y = blobs
    logodds.GaussianClassifier().fit(X, y - 1).save(tmp_path / "model")
    loaded = logodds.load(tmp_path / "model")
    assert loaded.classes_.dtype == np.int64
    assert loaded.classes_.tolist() == [-1, 0, 1]
    assert not hasattr(loaded, "feature_names_in_")
    assert loaded.score(X, y - 1) > 0.6


def test_refitting_forgets(blobs):
    X, y = blobs
    model = logodds.GaussianClassifier().fit(pd.DataFrame(X, columns=list("abcd")), y)
    model.fit(X[:, :2], np.array(["u", "v", "w"])[y])
    assert not hasattr(model, "feature_names_in_")
    assert model.n_features_in_ == 2
    assert model.classes_.tolist() == ["u", "v", "w"]


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("frame_of", [pd.DataFrame, pl.DataFrame])
def test_names_like_those_of_the_core_are_names(cls, frame_of, blobs):
    """x1, x2, ... is also what the core calls columns that have no names."""
    X, y = blobs
    names = ["x1", "x2", "x3", "x4"]
    frame = frame_of({name: X[:, i] for i, name in enumerate(names)})
    model = cls().fit(frame, y)
    assert model.feature_names_in_.tolist() == names
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(
            model.predict_proba(frame[names[::-1]]), model.predict_proba(frame)
        )
    assert not hasattr(model.fit(X, y), "feature_names_in_")


def test_a_failed_fit_leaves_the_old_model(blobs):
    X, y = blobs
    model = logodds.GaussianClassifier().fit(X, y)
    before = model_bytes(model)
    with pytest.raises(ValueError, match="infinity"):
        model.fit(np.full_like(X, np.inf), y)
    with pytest.raises(ValueError, match="every value is missing"):
        model.fit(np.full_like(X, np.nan), y)
    assert model_bytes(model) == before


def test_parameters_and_text():
    model = logodds.GaussianClassifier(covariance="own")
    assert repr(model) == "GaussianClassifier(covariance='own')"
    assert model.set_params(ridge=0.5).get_params()["ridge"] == 0.5
    with pytest.raises(ValueError, match="Invalid parameter 'ridgee'"):
        model.set_params(ridgee=1)


@pytest.mark.parametrize("cls", CLASSES)
def test_describe_is_plain_data(cls, blobs):
    description = cls().fit(*blobs).describe()
    assert description["family"] == cls._family
    assert set(description) == {"family", "options", "facts", "tables"}
    for table in description["tables"]:
        assert all(len(row) == len(table["columns"]) for row in table["rows"])


@pytest.mark.parametrize("cls", CLASSES)
def test_any_number_of_threads_gives_the_same_bits(cls, blobs):
    X, y = blobs
    results = []
    for threads in (1, 2, 7):
        logodds.set_threads(threads)
        assert logodds.get_threads() == threads
        model = cls().fit(X, y)
        results.append((model_bytes(model), model.predict_proba(X).tobytes()))
    logodds.set_threads(None)
    assert len(set(results)) == 1
    with pytest.raises(ValueError, match="at least 1"):
        logodds.set_threads(0)


@pytest.mark.parametrize("cls", CLASSES)
def test_models_may_be_shared_by_threads(cls, blobs):
    X, y = blobs
    model = cls().fit(X, y)
    rows = X[:1100]
    expected = model.predict_proba(rows)
    with ThreadPoolExecutor(8) as pool:
        for result in pool.map(lambda _: model.predict_proba(rows), range(16)):
            np.testing.assert_array_equal(result, expected)
        for other in pool.map(lambda _: model_bytes(cls().fit(X, y)), range(8)):
            assert other == model_bytes(model)


def test_singular_covariances_are_told_of(blobs):
    """Here scikit-learn's checks want a fit and the command wants a cure: see the class."""
    X, y = blobs
    twice = np.column_stack([X, X[:, 0]])
    with pytest.warns(logodds.CovarianceWarning, match=r"singular .* 'x5'"):
        model = logodds.GaussianClassifier().fit(twice, y)
    assert model.ridge == 0.0
    assert model.ridge_ == pytest.approx(1e-3 * twice.var(axis=0).mean())
    assert model.score(twice, y) == pytest.approx(
        logodds.GaussianClassifier().fit(X, y).score(X, y), abs=0.01
    )
    asked = logodds.GaussianClassifier(ridge=model.ridge_).fit(twice, y)
    assert model_bytes(asked) == model_bytes(model)
    lacking = twice.copy()
    lacking[7, 2] = np.nan
    with pytest.warns(logodds.CovarianceWarning, match="singular"):
        assert logodds.GaussianClassifier().fit(lacking, y).ridge_ == pytest.approx(
            1e-3 * np.nanvar(lacking, axis=0).mean()
        )
    frame = pd.DataFrame(twice).rename(columns=str).assign(word="w")
    with pytest.warns(logodds.CovarianceWarning, match="singular"):
        logodds.GaussianClassifier().fit(frame, y)
    with pytest.raises(logodds.NumericError, match="singular"):
        logodds.GaussianClassifier(ridge=1e-300).fit(twice, y)


def test_the_ridge_nobody_asked_for_is_for_singular_covariances_alone(blobs, tmp_path):
    X, y = blobs
    with warnings.catch_warnings():
        warnings.simplefilter("error", logodds.CovarianceWarning)
        assert logodds.GaussianClassifier().fit(X, y).ridge_ == 0.0
        with pytest.raises(logodds.NumericError, match="overflows"):
            logodds.GaussianClassifier().fit(X * 1e200, y)
        with pytest.raises(logodds.NumericError, match="nothing to divide by"):
            logodds.GaussianClassifier(covariance="own", divisor="n-1").fit(X[:3], [0, 1, 1])
        with pytest.raises(logodds.NumericError, match="constant"):
            logodds.GaussianClassifier().fit(np.ones((4, 2)), [0, 0, 1, 1])
    table = pd.DataFrame(np.column_stack([X, X[:, 0]])).assign(y=y)
    table.to_csv(tmp_path / "rows.csv", index=False)
    with pytest.raises(logodds.NumericError, match="singular"):
        logodds.GaussianClassifier().fit_csv(tmp_path / "rows.csv", target="y")


def test_errors_are_builtin_errors_too(tmp_path):
    (tmp_path / "no.model").write_bytes(b"this is no model file")
    with pytest.raises(logodds.ModelFileError, match=r"no\.model"):
        logodds.load(tmp_path / "no.model")
    with pytest.raises(OSError, match="absent"):
        logodds.load(tmp_path / "absent")
    with pytest.raises(logodds.FileError, match="absent"):
        logodds.GaussianClassifier().fit_csv(tmp_path / "absent", target="y")
    assert issubclass(logodds.LogoddsError, ValueError)


def test_ctrl_c_stops_a_fit():
    """A signal in the middle of a long fit ends it soon, with the exception of its handler."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400_000, 40)), rng.integers(0, 20, size=400_000)

    def fit_for_long():
        for _ in range(100):
            logodds.SoftmaxClassifier(decay=0.0).fit(X, y)

    def stop(number, frame):
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    begun = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            fit_for_long()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, previous)
    assert time.monotonic() - begun < 10.0
