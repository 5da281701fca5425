"""logodds.compat's discrete naive Bayes next to scikit-learn's."""

import inspect
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
import sklearn.naive_bayes as theirs_module
from logodds import compat
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV

NAMES = ["BernoulliNB", "CategoricalNB", "ComplementNB", "MultinomialNB"]
COUNTING = [name for name in NAMES if name != "CategoricalNB"]
ARRAYS = ["class_count_", "class_log_prior_", "feature_count_", "feature_all_", "n_categories_"]
LISTS = ["category_count_", "feature_log_prob_"]


def pair(name, **parameters):
    return getattr(compat, name)(**parameters), getattr(theirs_module, name)(**parameters)


def close(actual, expected, rtol=1e-9, atol=1e-12):
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=atol)


def same(ours, theirs, X):
    """Attributes and predictions."""
    public = {name for name in vars(theirs) if name.endswith("_") and not name.startswith("_")}
    assert {name for name in vars(ours) if name.endswith("_")} == public
    for name in set(ARRAYS) & public:
        close(getattr(ours, name), getattr(theirs, name))
    for name in set(LISTS) & public:
        for mine, other in zip(getattr(ours, name), getattr(theirs, name), strict=True):
            close(mine, other)
    np.testing.assert_array_equal(ours.classes_, theirs.classes_)
    assert ours.classes_.dtype == theirs.classes_.dtype
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    for method in ("predict_proba", "predict_log_proba", "predict_joint_log_proba"):
        close(getattr(ours, method)(X), getattr(theirs, method)(X), rtol=1e-8, atol=1e-8)


@pytest.fixture(scope="module")
def rows():
    """5000 rows of small counts in four classes: enough for several blocks of rows."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 4, size=5000)
    rates = rng.gamma(1.0, size=(4, 7))
    return rng.poisson(rates[y]), y, rng.gamma(2.0, size=5000)


@pytest.mark.parametrize("name", NAMES)
def test_signatures_are_scikit_learns(name):
    ours, theirs = (type(estimator) for estimator in pair(name))
    assert inspect.signature(ours).parameters.keys() == inspect.signature(theirs).parameters.keys()
    for parameter in inspect.signature(theirs).parameters.values():
        mine = inspect.signature(ours).parameters[parameter.name]
        assert (mine.default, mine.kind) == (parameter.default, parameter.kind)
    public = {member for member in dir(theirs) if not member.startswith("_")}
    assert public <= set(dir(ours))


PARAMETERS = [
    {},
    {"alpha": 0.3},
    {"fit_prior": False},
    {"class_prior": [0.1, 0.2, 0.3, 0.4]},
    {"alpha": 1e-12, "force_alpha": False},
    {"alpha": 1e-12},
]


@pytest.mark.filterwarnings("ignore:alpha too small")
@pytest.mark.parametrize("parameters", PARAMETERS, ids=str)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("weighted", [False, True])
def test_fit(name, parameters, weighted, rows):
    X, y, weights = rows
    given = weights if weighted else None
    ours, theirs = pair(name, **parameters)
    same(ours.fit(X, y, given), theirs.fit(X, y, given), X)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("BernoulliNB", {"binarize": 2.0}),
        ("ComplementNB", {"norm": True}),
        ("MultinomialNB", {"alpha": np.arange(1.0, 8.0)}),
        ("CategoricalNB", {"min_categories": 60}),
        ("CategoricalNB", {"min_categories": [60, 61, 62, 63, 64, 65, 66]}),
    ],
    ids=str,
)
def test_parameters_of_one_class(name, parameters, rows):
    X, y, _ = rows
    ours, theirs = pair(name, **parameters)
    same(ours.fit(X, y), theirs.fit(X, y), X)


def test_bernoulli_takes_an_alpha_for_each_column(rows):
    """scikit-learn's documentation says so, and its class fails unless K = D."""
    X, y, _ = rows
    alpha = np.arange(1.0, 8.0)
    fitted = compat.BernoulliNB(alpha=alpha).fit(X, y)
    for column, pseudo in enumerate(alpha):
        alone = compat.BernoulliNB(alpha=pseudo).fit(X[:, [column]], y)
        close(fitted.feature_log_prob_[:, column], alone.feature_log_prob_[:, 0])


def test_bernoulli_without_binarizing(rows):
    X, y, _ = rows
    ours, theirs = pair("BernoulliNB", binarize=None)
    same(ours.fit(X > 1, y), theirs.fit(X > 1, y), X > 1)


@pytest.mark.parametrize("name", NAMES)
def test_digits(name):
    X, y = load_digits(return_X_y=True)
    ours, theirs = pair(name, **({"min_categories": 17} if name == "CategoricalNB" else {}))
    same(ours.fit(X, y), theirs.fit(X, y), X)


@pytest.mark.parametrize("name", NAMES)
def test_texts_and_booleans_as_labels(name, rows):
    X, y, _ = rows
    for labels in (np.array(["c", "a", "b", "d"])[y], y > 1, y.astype(np.float32), y * 7 - 3):
        ours, theirs = pair(name)
        same(ours.fit(X, labels), theirs.fit(X, labels), X)


LAYOUTS = {
    "columns first": np.asfortranarray,
    "float32": lambda X: X.astype(np.float32),
    "every other": lambda X: np.repeat(X, 2, axis=0)[::2],
    "lists": lambda X: X.tolist(),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", NAMES)
def test_layouts(name, layout, rows):
    X, y, _ = rows
    given = LAYOUTS[layout](X)
    ours, theirs = pair(name)
    same(ours.fit(given, y), theirs.fit(X, y), X)
    close(ours.predict_proba(given), theirs.predict_proba(X))


@pytest.mark.parametrize("container", ["csr_array", "csc_matrix", "coo_array", "lil_matrix"])
@pytest.mark.parametrize("name", COUNTING)
@pytest.mark.parametrize("weighted", [False, True])
def test_sparse_rows(name, container, weighted, rows):
    X, y, weights = rows
    given = weights if weighted else None
    sparse = getattr(scipy.sparse, container)(X)
    ours, theirs = pair(name)
    same(ours.fit(sparse, y, given), theirs.fit(sparse, y, given), sparse)
    close(ours.predict_proba(sparse), ours.predict_proba(X))


def test_categorical_refuses_sparse_rows(rows):
    X, y, _ = rows
    with pytest.raises(TypeError, match="Sparse"):
        compat.CategoricalNB().fit(scipy.sparse.csr_array(X), y)


@pytest.mark.parametrize("name", NAMES)
def test_partial_fit_in_pieces(name, rows):
    X, y, weights = rows
    X = np.vstack([X, np.full((1, 7), X.max())])  # all categories at once, as scikit-learn's asks
    y, weights = np.append(y, 0), np.append(weights, 1.0)
    ours, theirs = pair(name)
    for estimator in (ours, theirs):
        estimator.partial_fit(X[4000:], y[4000:], np.arange(4), weights[4000:])
        for first in range(0, 4000, 1000):
            piece = slice(first, first + 1000)
            estimator.partial_fit(X[piece], y[piece], sample_weight=weights[piece])
    if name == "CategoricalNB":
        theirs.n_categories_ = ours.n_categories_  # theirs are those of the last piece
    same(ours, theirs, X)
    whole = getattr(compat, name)().fit(X, y, weights)
    close(ours.predict_proba(X), whole.predict_proba(X))


@pytest.mark.parametrize("name", NAMES)
def test_classes_that_no_row_has(name, rows):
    X, y, _ = rows
    ours, theirs = pair(name)
    for estimator in (ours, theirs):
        estimator.partial_fit(X[y < 3], y[y < 3], np.arange(4))
    same(ours, theirs, X[y < 3])


@pytest.mark.parametrize("name", NAMES)
def test_rows_of_weight_zero_show_their_classes(name, rows):
    X, y, weights = rows
    weights = np.where((y == 3) | (np.arange(len(y)) % 3 == 0), 0.0, weights)
    ours, theirs = pair(name)
    same(ours.fit(X, y, weights), theirs.fit(X, y, weights), X)


@pytest.mark.parametrize("name", NAMES)
def test_alpha_zero_gives_no_nan(name):
    X = np.array([[1, 0, 2], [1, 1, 0], [2, 0, 1], [1, 0, 2]])
    y = np.array([0, 1, 2, 2])
    fitted = getattr(compat, name)(alpha=0.0).fit(X, y)
    rows = np.array(np.meshgrid([0, 1], [0, 1], [0, 1, 2])).reshape(3, -1).T
    posteriors = fitted.predict_proba(rows)
    close(posteriors.sum(axis=1), 1.0)
    with np.errstate(divide="ignore"):
        close(fitted.predict_log_proba(rows), np.log(posteriors))
    np.testing.assert_array_equal(
        fitted.predict(rows), fitted.classes_[fitted.predict_joint_log_proba(rows).argmax(axis=1)]
    )


def test_alpha_zero_is_the_limit():
    X = np.random.default_rng(0).integers(0, 2, size=(60, 4))
    y = np.arange(60) % 3
    X[y == 1, 2] = 0
    for name in ("BernoulliNB", "MultinomialNB", "CategoricalNB"):
        zero = getattr(compat, name)(alpha=0.0).fit(X, y)
        tiny = getattr(compat, name)(alpha=1e-13).fit(X, y)
        close(zero.predict_proba(X), tiny.predict_proba(X), atol=1e-8)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
@pytest.mark.parametrize("name", NAMES)
def test_frames_match_columns_by_name(name, make, rows):
    X, y, _ = rows
    columns = [f"word {i}" for i in range(X.shape[1])]
    frame = make({column: X[:, i] for i, column in enumerate(columns)})
    backward = make({column: X[:, columns.index(column)] for column in reversed(columns)})
    ours = getattr(compat, name)().fit(frame, y)
    assert list(ours.feature_names_in_) == columns
    expected = getattr(compat, name)().fit(X, y).predict_proba(X)
    close(ours.predict_proba(backward), expected)
    twice = getattr(compat, name)().partial_fit(frame, y, np.arange(4)).partial_fit(backward, y)
    close(twice.predict_proba(frame), getattr(compat, name)(alpha=0.5).fit(X, y).predict_proba(X))


def test_a_new_category_raises_the_count_of_all(rows):
    X, y, _ = rows
    ours = compat.CategoricalNB().partial_fit(X.clip(max=1), y, np.arange(4))
    with pytest.raises(IndexError, match="min_categories"):
        ours.predict(X)
    ours.partial_fit(X, y)
    assert ours.n_categories_.tolist() == (X.max(axis=0) + 1).tolist()
    assert ours.predict_proba(X).shape == (5000, 4)


@pytest.mark.parametrize(
    ("name", "parameters", "sentence"),
    [
        ("MultinomialNB", {"alpha": -1.0}, "alpha"),
        ("BernoulliNB", {"binarize": -1.0}, "binarize"),
        ("BernoulliNB", {"class_prior": [0.5, 0.5]}, "Number of priors must match"),
        ("CategoricalNB", {"alpha": np.ones(7)}, "alpha"),
        ("CategoricalNB", {"min_categories": 0}, "min_categories"),
        ("CategoricalNB", {"min_categories": 2.5}, "integral type"),
        ("CategoricalNB", {"min_categories": [2, 2]}, "should have shape"),
        ("ComplementNB", {"alpha": np.ones(3)}, "n_features"),
    ],
    ids=str,
)
def test_bad_parameters(name, parameters, sentence, rows):
    X, y, _ = rows
    ours, theirs = pair(name, **parameters)
    with pytest.raises(ValueError, match=sentence):
        ours.fit(X, y)
    with pytest.raises(ValueError, match=".."):  # its sentences change from version to version
        theirs.fit(X, y)


@pytest.mark.parametrize("name", NAMES)
def test_bad_rows(name, rows):
    X, y, weights = rows
    estimator = getattr(compat, name)()
    spoiled = X.astype(float)
    spoiled[17, 2] = np.nan
    with pytest.raises(ValueError, match="NaN|missing"):
        estimator.fit(spoiled, y)
    with pytest.raises(ValueError, match="weight"):
        estimator.fit(X, y, -weights)
    with pytest.raises(ValueError, match="inconsistent"):
        estimator.fit(X, y[:-1])
    with pytest.raises(ValueError, match="do not exist in the initial classes"):
        estimator.partial_fit(X, y, classes=[0, 1, 2])
    if name != "BernoulliNB":
        with pytest.raises(ValueError, match="Negative values in data passed to"):
            estimator.fit(-X, y)
    estimator.fit(X, y)
    with pytest.raises(ValueError, match="NaN|missing"):
        estimator.predict(spoiled)
    with pytest.raises(ValueError, match="features"):
        estimator.predict(X[:, :3])


def test_a_huge_category_is_refused():
    with pytest.raises(ValueError, match="too large"):
        compat.CategoricalNB().fit([[0], [1e12]], [0, 1])


@pytest.mark.parametrize("name", NAMES)
def test_tools_of_scikit_learn(name, rows):
    X, y, _ = rows
    search = GridSearchCV(
        getattr(compat, name)(**({"min_categories": 60} if name == "CategoricalNB" else {})),
        {"alpha": [0.1, 1.0]},
        cv=3,
    ).fit(X, y)
    copy = pickle.loads(pickle.dumps(search.best_estimator_))
    np.testing.assert_array_equal(copy.predict(X), search.predict(X))
    assert clone(copy).get_params() == copy.get_params()


def test_neither_scikit_learn_nor_scipy_is_imported():
    program = (
        "import sys, numpy as np; from logodds.compat import BernoulliNB, CategoricalNB; "
        "X, y = np.eye(4), [0, 0, 1, 1]; "
        "[cls().fit(X, y).predict_proba(X) for cls in (BernoulliNB, CategoricalNB)]; "
        "assert not {'sklearn', 'scipy', 'pandas'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
