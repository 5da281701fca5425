"""logodds.compat.LogisticRegression next to scikit-learn's: parameters, attributes, answers."""

import inspect
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from logodds import compat
from scipy import sparse
from sklearn import linear_model
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.preprocessing import scale

X_WINE, Y_WINE = load_wine(return_X_y=True)
X_CANCER, Y_CANCER = load_breast_cancer(return_X_y=True)
X_IRIS, Y_IRIS = load_iris(return_X_y=True)
DATA = {
    "two classes": (scale(X_CANCER)[:, :12], Y_CANCER),
    "three classes": (scale(X_WINE), Y_WINE),
    "words for labels": (X_IRIS, np.array(["c", "a", "b"])[Y_IRIS]),
}
CONVERGED = {"tol": 1e-10, "max_iter": 100_000}


def both(parameters, X, y, sample_weight=None, solver=None, reference=None):
    """Our fit and scikit-learn's, both converged; `reference` replaces parameters of the latter."""
    chosen = {**CONVERGED, **parameters, **({"solver": solver} if solver else {})}
    ours = compat.LogisticRegression(**chosen).fit(X, y, sample_weight)
    theirs = linear_model.LogisticRegression(**{**chosen, **(reference or {})})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        theirs.fit(X, y, sample_weight)
    return ours, theirs


def compare(ours, theirs, X, atol=1e-6):
    np.testing.assert_array_equal(ours.classes_, theirs.classes_)
    assert ours.coef_.shape == theirs.coef_.shape
    assert ours.intercept_.shape == theirs.intercept_.shape
    assert ours.n_iter_.shape == theirs.n_iter_.shape
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=atol)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=10 * atol, rtol=1e-5)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=10 * atol, rtol=1e-5)
    np.testing.assert_allclose(
        ours.decision_function(X), theirs.decision_function(X), atol=100 * atol, rtol=1e-5
    )
    np.testing.assert_allclose(
        ours.predict_log_proba(X), theirs.predict_log_proba(X), atol=100 * atol, rtol=1e-5
    )
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_signature_is_scikit_learns():
    ours = inspect.signature(compat.LogisticRegression).parameters
    theirs = inspect.signature(linear_model.LogisticRegression).parameters
    assert list(ours) == list(theirs)
    for name, parameter in theirs.items():
        assert (ours[name].default, ours[name].kind) == (parameter.default, parameter.kind)
    public = {name for name in dir(linear_model.LogisticRegression) if not name.startswith("_")}
    assert public - {"set_callbacks"} <= set(dir(compat.LogisticRegression))


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize(
    "parameters",
    [{}, {"C": 0.01}, {"C": 100.0}, {"fit_intercept": False}, {"class_weight": "balanced"}],
    ids=str,
)
@pytest.mark.parametrize("weighted", [False, True])
def test_ridge(name, parameters, weighted):
    X, y = DATA[name]
    weights = np.arange(len(y)) % 3 if weighted else None
    ours, theirs = both(parameters, X, y, weights, reference={"solver": "newton-cholesky"})
    compare(ours, theirs, X)


@pytest.mark.parametrize("solver", ["lbfgs", "newton-cg", "newton-cholesky", "sag", "saga"])
def test_solvers_agree(solver):
    X, y = DATA["three classes"]
    ours, theirs = both({"C": 0.5}, X, y, solver=solver, reference={"solver": "newton-cholesky"})
    compare(ours, theirs, X)


@pytest.mark.parametrize("weights", [{0: 3.0, 1: 0.5}, {0: 3.0}])
def test_class_weights(weights):
    X, y = DATA["two classes"]
    ours, theirs = both({"class_weight": weights}, X, y, reference={"solver": "newton-cholesky"})
    compare(ours, theirs, X)


@pytest.mark.parametrize("name", ["two classes", "three classes"])
@pytest.mark.parametrize("l1_ratio", [0.3, 1.0])
@pytest.mark.slow  # scikit-learn's saga takes its time
def test_lasso_and_elastic_net(name, l1_ratio):
    X, y = DATA[name]
    parameters = {"l1_ratio": l1_ratio, "C": 0.2, "solver": "saga"}
    ours, theirs = both(parameters, X, y, reference={"tol": 1e-9, "max_iter": 20_000})
    compare(ours, theirs, X)
    np.testing.assert_array_equal(ours.coef_ == 0.0, np.abs(theirs.coef_) < 1e-7)
    assert (ours.coef_ == 0.0).any()


@pytest.mark.parametrize("name", ["two classes", "three classes"])
def test_no_penalty(name):
    """Of iris a class is separable; here none is."""
    X, y = DATA[name]
    X = X[:, :2]
    ours, theirs = both({"C": np.inf}, X, y, reference={"solver": "newton-cholesky"})
    compare(ours, theirs, X)


@pytest.mark.parametrize("l1_ratio", [0.0, 1.0])
@pytest.mark.parametrize("parameters", [{}, {"intercept_scaling": 5.0}, {"fit_intercept": False}])
def test_liblinear_penalizes_the_intercept(parameters, l1_ratio):
    X, y = DATA["two classes"]
    chosen = {"solver": "liblinear", "l1_ratio": l1_ratio, "C": 0.3, **parameters}
    ours, theirs = both(chosen, X, y, reference={"tol": 1e-12})
    theirs.intercept_ = np.atleast_1d(theirs.intercept_)  # 0.0 where there is none
    compare(ours, theirs, X, atol=1e-5)


@pytest.mark.parametrize("name", ["two classes", "three classes"])
@pytest.mark.parametrize("make", [sparse.csr_matrix, sparse.csc_matrix, sparse.coo_array])
def test_sparse_rows(name, make):
    X, y = DATA[name]
    X = np.where(X > 0.5, X, 0.0)
    ours, theirs = both({"C": 0.3}, make(X), y, reference={"solver": "newton-cholesky"})
    compare(ours, theirs, make(X))
    dense = compat.LogisticRegression(C=0.3, **CONVERGED).fit(X, y)
    np.testing.assert_allclose(ours.coef_, dense.coef_, atol=1e-7)
    np.testing.assert_allclose(ours.predict_proba(X), dense.predict_proba(X), atol=1e-7)


def test_sparse_liblinear():
    X, y = DATA["two classes"]
    S = sparse.csr_matrix(np.where(X > 0.5, X, 0.0))
    ours, theirs = both({"solver": "liblinear", "C": 0.3}, S, y, reference={"tol": 1e-12})
    compare(ours, theirs, S, atol=1e-5)


def test_digits_with_the_default_tolerance():
    X, y = load_digits(return_X_y=True)
    X, y = X[:500] / 16.0, y[:500]
    ours = compat.LogisticRegression().fit(X, y)
    theirs = linear_model.LogisticRegression(tol=1e-6, max_iter=2000).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=5e-3)
    assert 1 <= ours.n_iter_[0] <= 100


def test_types_of_numbers():
    X, y = DATA["three classes"]
    narrow = compat.LogisticRegression().fit(X.astype(np.float32), y)
    assert narrow.coef_.dtype == narrow.intercept_.dtype == np.float32
    wide = compat.LogisticRegression().fit(X, y)
    assert wide.coef_.dtype == np.float64
    np.testing.assert_allclose(narrow.coef_, wide.coef_, atol=1e-3)


def test_frames_have_names():
    frame, y = load_iris(return_X_y=True, as_frame=True)
    model = compat.LogisticRegression().fit(frame, y)
    assert list(model.feature_names_in_) == list(frame.columns)
    turned = frame[frame.columns[::-1]]
    np.testing.assert_array_equal(model.predict(turned), model.predict(frame))
    assert isinstance(frame, pd.DataFrame)


def test_warm_start():
    X, y = DATA["three classes"]
    cold = compat.LogisticRegression(**CONVERGED).fit(X, y)
    warm = compat.LogisticRegression(warm_start=True, **CONVERGED).fit(X, y)
    first = warm.n_iter_[0]
    warm.fit(X, y)
    assert warm.n_iter_[0] < first
    np.testing.assert_allclose(warm.coef_, cold.coef_, atol=1e-7)


def test_too_few_iterations_warn():
    X, y = DATA["two classes"]
    with pytest.warns(ConvergenceWarning, match="lbfgs failed to converge after 2 iteration"):
        model = compat.LogisticRegression(max_iter=2, tol=1e-12).fit(X, y)
    assert model.n_iter_[0] == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compat.LogisticRegression().fit(X, y)


def test_written_coefficients_count():
    X, y = DATA["two classes"]
    model = compat.LogisticRegression().fit(X, y)
    model.coef_[:] = 0.0
    model.intercept_[:] = np.log(3.0)
    np.testing.assert_allclose(model.predict_proba(X), [[0.25, 0.75]] * len(X))
    assert (model.predict(X) == 1).all()


def test_sparse_coefficients():
    X, y = DATA["three classes"]
    model = compat.LogisticRegression(l1_ratio=1.0, C=0.1, solver="saga").fit(X, y)
    expected = model.decision_function(X)
    assert sparse.issparse(model.sparsify().coef_)
    np.testing.assert_allclose(model.decision_function(X), expected)
    np.testing.assert_allclose(model.decision_function(sparse.csr_matrix(X)), expected)
    assert isinstance(model.densify().coef_, np.ndarray)
    np.testing.assert_allclose(model.decision_function(X), expected)


def test_a_class_without_weight_is_never_decided_for():
    X, y = DATA["three classes"]
    model = compat.LogisticRegression().fit(X, y, sample_weight=(y != 1).astype(float))
    assert list(model.classes_) == [0, 1, 2]
    assert set(model.predict(X)) == {0, 2}
    assert model.predict_proba(X)[:, 1].max() < 1e-3


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"C": 0.0}, "'C' parameter"),
        ({"C": -1.0}, "'C' parameter"),
        ({"l1_ratio": 1.5}, "'l1_ratio' parameter"),
        ({"l1_ratio": 0.5}, "supports only 'l2' or None"),
        ({"tol": -1.0}, "'tol' parameter"),
        ({"max_iter": 1.5}, "'max_iter' parameter"),
        ({"solver": "bfgs"}, "'solver' parameter"),
        ({"dual": True}, "dual=False"),
        ({"class_weight": {"no": 1.0}}, "not in class_weight"),
        ({"class_weight": "even"}, "'class_weight' parameter"),
        ({"solver": "liblinear"}, "does not support multiclass"),
    ],
    ids=str,
)
def test_bad_parameters(parameters, sentence):
    X, y = DATA["three classes"]
    with pytest.raises(ValueError, match=sentence):
        compat.LogisticRegression(**parameters).fit(X, y)
    with pytest.raises(ValueError, match="only one class"):
        compat.LogisticRegression().fit(X, np.zeros(len(X), dtype=int))


def test_with_scikit_learns_tools():
    X, y = DATA["three classes"]
    search = GridSearchCV(compat.LogisticRegression(), {"C": [0.01, 1.0]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.95
    model = clone(compat.LogisticRegression(C=3.0)).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def test_scikit_learn_is_not_imported():
    code = (
        "import sys; from logodds.compat import LogisticRegression as L; "
        "L().fit([[0.0], [1.0], [2.0], [0.5]], [0, 1, 1, 1]).predict([[1.0]]); "
        "assert 'sklearn' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
