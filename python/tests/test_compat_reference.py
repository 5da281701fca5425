"""logodds.compat next to scikit-learn's classes: parameters, attributes, posteriors."""

import inspect
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.discriminant_analysis as discriminant
import sklearn.naive_bayes as naive_bayes
from logodds import compat
from sklearn.base import clone
from sklearn.covariance import OAS, LedoitWolf
from sklearn.datasets import load_breast_cancer, load_iris, load_wine, make_classification
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.preprocessing import scale

DATA = {
    "iris": load_iris(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    "wdbc": load_breast_cancer(return_X_y=True),
    "synthetic": make_classification(5000, 12, n_informative=8, n_classes=5, random_state=0),
}
# The bound of QDA's tol is absolute, so that it takes the columns of wdbc only when scaled; of
# the 12 synthetic columns 2 are sums of others.
FULL_RANK = {
    "iris": DATA["iris"],
    "wine": DATA["wine"],
    "scaled wdbc": (scale(DATA["wdbc"][0]), DATA["wdbc"][1]),
    "synthetic": (
        DATA["synthetic"][0] + np.random.default_rng(0).normal(size=(5000, 12)) / 3,
        DATA["synthetic"][1],
    ),
}
PAIRS = [
    (compat.LinearDiscriminantAnalysis, discriminant.LinearDiscriminantAnalysis),
    (compat.QuadraticDiscriminantAnalysis, discriminant.QuadraticDiscriminantAnalysis),
    (compat.GaussianNB, naive_bayes.GaussianNB),
]


def close(actual, expected, rtol=1e-6, atol=1e-8):
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=atol)


def attributes(estimator):
    """Public fitted attributes."""
    return {name for name in vars(estimator) if name.endswith("_") and not name.startswith("_")}


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_signatures_are_scikit_learns(ours, theirs):
    assert inspect.signature(ours).parameters.keys() == inspect.signature(theirs).parameters.keys()
    for name, parameter in inspect.signature(theirs).parameters.items():
        mine = inspect.signature(ours).parameters[name]
        assert (mine.default, mine.kind) == (parameter.default, parameter.kind)
    public = {name for name in dir(theirs) if not name.startswith("_")}
    routing = {"get_metadata_routing", "set_fit_request", "set_score_request"}
    assert public - routing <= set(dir(ours))


LINEAR = [
    {},
    {"store_covariance": True},
    {"n_components": 1},
    {"solver": "lsqr"},
    {"solver": "lsqr", "shrinkage": "auto"},
    {"solver": "lsqr", "shrinkage": 0.3},
    {"solver": "eigen"},
    {"solver": "eigen", "shrinkage": "auto"},
    {"solver": "eigen", "shrinkage": 0.1},
    {"solver": "eigen", "covariance_estimator": OAS()},
    {"solver": "lsqr", "covariance_estimator": LedoitWolf()},
]


@pytest.mark.parametrize("parameters", LINEAR, ids=str)
@pytest.mark.parametrize("data", FULL_RANK)
@pytest.mark.parametrize("given_priors", [False, True])
def test_linear(parameters, data, given_priors):
    X, y = FULL_RANK[data]
    if given_priors:
        classes = len(np.unique(y))
        parameters = {**parameters, "priors": np.arange(1, classes + 1) / sum(range(classes + 1))}
    ours = compat.LinearDiscriminantAnalysis(**parameters).fit(X, y)
    theirs = discriminant.LinearDiscriminantAnalysis(**parameters).fit(X, y)
    assert attributes(ours) == attributes(theirs)
    close(ours.predict_proba(X), theirs.predict_proba(X))
    close(ours.decision_function(X), theirs.decision_function(X), atol=1e-6)
    close(ours.predict_log_proba(X), theirs.predict_log_proba(X), atol=1e-5)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    for name in attributes(theirs) - {"scalings_"}:
        close(getattr(ours, name), getattr(theirs, name), rtol=1e-5, atol=1e-7)
    assert ours.coef_.shape == theirs.coef_.shape
    if ours.solver != "lsqr":
        # Axes of large matrices that hardly separate depend on rounding; those that are kept count.
        mine, other = ours.transform(X), theirs.transform(X)
        signs = np.sign((mine * other).sum(axis=0))
        close(mine * signs, other, rtol=1e-4, atol=1e-5)
        np.testing.assert_array_equal(ours.get_feature_names_out(), theirs.get_feature_names_out())


@pytest.mark.parametrize("solver", ["svd", "lsqr"])
def test_linear_with_collinear_and_constant_columns(solver):
    X, y = DATA["iris"]
    X = np.column_stack([X, X[:, 0] + X[:, 1], np.full(len(y), 3.0), X[:, 2]])
    ours = compat.LinearDiscriminantAnalysis(solver=solver).fit(X, y)
    theirs = discriminant.LinearDiscriminantAnalysis(solver=solver).fit(X, y)
    close(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-5, atol=1e-7)
    close(ours.coef_, theirs.coef_, rtol=1e-4, atol=1e-6)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    plain = compat.LinearDiscriminantAnalysis().fit(X[:, :4], y)
    close(ours.predict_proba(X), plain.predict_proba(X[:, :4]), rtol=1e-5, atol=1e-7)


def test_linear_with_more_columns_than_rows():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(30, 80)), np.arange(30) % 3
    X += y[:, np.newaxis]
    ours = compat.LinearDiscriminantAnalysis().fit(X, y)
    theirs = discriminant.LinearDiscriminantAnalysis().fit(X, y)
    fresh = rng.normal(size=(50, 80)) + 1.0
    close(ours.predict_proba(fresh), theirs.predict_proba(fresh), rtol=1e-4, atol=1e-7)
    assert ours.scalings_.shape == theirs.scalings_.shape


def test_eigen_refuses_a_singular_covariance():
    X, y = DATA["iris"]
    with pytest.raises(np.linalg.LinAlgError):
        compat.LinearDiscriminantAnalysis(solver="eigen").fit(np.column_stack([X, X[:, 0]]), y)


QUADRATIC = [
    {},
    {"reg_param": 0.2},
    {"store_covariance": True, "reg_param": 0.01},
    {"solver": "eigen"},
    {"solver": "eigen", "shrinkage": "auto", "store_covariance": True},
    {"solver": "eigen", "shrinkage": 0.2},
    {"solver": "eigen", "covariance_estimator": OAS()},
]


@pytest.mark.parametrize("parameters", QUADRATIC, ids=str)
@pytest.mark.parametrize("data", FULL_RANK)
@pytest.mark.parametrize("given_priors", [False, True])
def test_quadratic(parameters, data, given_priors):
    X, y = FULL_RANK[data]
    if given_priors:
        parameters = {**parameters, "priors": np.arange(1, len(np.unique(y)) + 1)}
    theirs = discriminant.QuadraticDiscriminantAnalysis(**parameters)
    ours = compat.QuadraticDiscriminantAnalysis(**parameters)
    try:
        theirs.fit(X, y)
    except np.linalg.LinAlgError as error:
        with pytest.raises(np.linalg.LinAlgError, match=str(error)[:40]):
            ours.fit(X, y)
        return
    ours.fit(X, y)
    assert attributes(ours) == attributes(theirs)
    close(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-9)
    close(ours.decision_function(X), theirs.decision_function(X), rtol=1e-7, atol=1e-7)
    close(ours.predict_log_proba(X), theirs.predict_log_proba(X), rtol=1e-7, atol=1e-6)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    for k in range(len(ours.classes_)):
        close(ours.scalings_[k], theirs.scalings_[k])
        close(np.abs(ours.rotations_[k]), np.abs(theirs.rotations_[k]), rtol=1e-4, atol=1e-5)
        if ours.store_covariance:
            close(ours.covariance_[k], theirs.covariance_[k])
    close(ours.means_, theirs.means_)
    close(ours.priors_, theirs.priors_)


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("var_smoothing", [1e-9, 0.1])
@pytest.mark.parametrize("given_priors", [False, True])
def test_naive(data, var_smoothing, given_priors):
    X, y = DATA[data]
    parameters = {"var_smoothing": var_smoothing}
    if given_priors:
        classes = len(np.unique(y))
        parameters["priors"] = np.arange(1, classes + 1) / sum(range(classes + 1))
    ours = compat.GaussianNB(**parameters).fit(X, y)
    theirs = naive_bayes.GaussianNB(**parameters).fit(X, y)
    assert attributes(ours) == attributes(theirs)
    for name in attributes(theirs):
        close(getattr(ours, name), getattr(theirs, name), rtol=1e-9, atol=0)
    close(ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X), rtol=1e-7)
    close(ours.predict_log_proba(X), theirs.predict_log_proba(X), rtol=1e-6, atol=1e-6)
    close(ours.predict_proba(X), theirs.predict_proba(X))
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_naive_weights_and_pieces():
    X, y = DATA["wine"]
    weights = np.random.default_rng(1).uniform(0.0, 2.0, len(y))
    ours = compat.GaussianNB().fit(X, y, weights)
    theirs = naive_bayes.GaussianNB().fit(X, y, weights)
    for name in ("theta_", "class_count_", "class_prior_"):
        close(getattr(ours, name), getattr(theirs, name), rtol=1e-9)
    close(ours.var_ - ours.epsilon_, theirs.var_ - theirs.epsilon_, rtol=1e-7)
    mean = np.average(X, axis=0, weights=weights)
    largest = np.average((X - mean) ** 2, axis=0, weights=weights).max()
    assert ours.epsilon_ == pytest.approx(1e-9 * largest)
    pieces = compat.GaussianNB()
    for start in range(0, len(y), 30):
        rows = slice(start, start + 30)
        pieces.partial_fit(X[rows], y[rows], classes=[0, 1, 2], sample_weight=weights[rows])
    for name in ("theta_", "var_", "class_count_", "class_prior_", "epsilon_"):
        close(getattr(pieces, name), getattr(ours, name), rtol=1e-9)
    close(pieces.predict_proba(X), ours.predict_proba(X), rtol=1e-7)


def test_naive_classes_without_rows():
    X, y = DATA["iris"]
    names = np.array(["b", "10", "9"])
    ours, theirs = compat.GaussianNB(), naive_bayes.GaussianNB()
    for estimator in (ours, theirs):
        estimator.partial_fit(X[:100], names[y[:100]], classes=names)
    np.testing.assert_array_equal(ours.classes_, theirs.classes_)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        close(ours.predict_proba(X), theirs.predict_proba(X))
    close(ours.class_count_, theirs.class_count_)
    for estimator in (ours, theirs):
        estimator.partial_fit(X[100:], names[y[100:]])
    close(ours.predict_proba(X), theirs.predict_proba(X))
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_a_prior_of_zero(ours, theirs):
    X, y = DATA["iris"]
    mine = ours(priors=[0.5, 0.0, 0.5]).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = theirs(priors=[0.5, 0.0, 0.5]).fit(X, y)
        close(mine.predict_proba(X), other.predict_proba(X))
        np.testing.assert_array_equal(mine.predict(X), other.predict(X))
        close(
            mine.predict_log_proba(X)[:, [0, 2]], other.predict_log_proba(X)[:, [0, 2]], atol=1e-6
        )
    for method in (mine.predict, mine.predict_proba):
        with pytest.raises(ValueError, match="NaN"):
            method(np.full((1, 4), np.nan))


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_labels_are_in_scikit_learns_order(ours, theirs):
    X, y = DATA["iris"]
    for names in (["10", "9", "x"], [2.0, 1.0, 10.0], [True, True, False]):
        labels = np.array(names)[y]
        mine, other = ours().fit(X, labels), theirs().fit(X, labels)
        np.testing.assert_array_equal(mine.classes_, other.classes_)
        assert mine.classes_.dtype == other.classes_.dtype
        np.testing.assert_array_equal(mine.predict(X), other.predict(X))
        close(mine.predict_proba(X), other.predict_proba(X))


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
@pytest.mark.parametrize("frame_of", [pd.DataFrame, pl.DataFrame])
def test_frames(ours, theirs, frame_of):
    X, y = DATA["iris"]
    frame = frame_of({name: X[:, i] for i, name in enumerate("abcd")})
    mine, other = ours().fit(frame, y), theirs().fit(frame, y)
    np.testing.assert_array_equal(mine.feature_names_in_, other.feature_names_in_)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        close(mine.predict_proba(frame), other.predict_proba(frame))
        close(mine.predict_log_proba(frame), other.predict_log_proba(frame), atol=1e-6)
        np.testing.assert_array_equal(mine.predict(frame), other.predict(frame))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        mine.predict(X)


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_in_scikit_learns_tools(ours, theirs):
    X, y = DATA["wine"]
    np.testing.assert_array_equal(cross_val_score(ours(), X, y), cross_val_score(theirs(), X, y))
    fitted = ours().fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))
    assert not hasattr(clone(fitted), "classes_")
    assert str(ours()) == f"{ours.__name__}()"


def test_grid_search():
    X, y = FULL_RANK["iris"]
    grid = {"reg_param": [0.0, 0.1, 0.5]}
    found = [
        GridSearchCV(cls(), grid).fit(X, y).cv_results_["mean_test_score"]
        for cls in (
            compat.QuadraticDiscriminantAnalysis,
            discriminant.QuadraticDiscriminantAnalysis,
        )
    ]
    np.testing.assert_allclose(*found)


@pytest.mark.parametrize(
    ("estimator", "sentence"),
    [
        (compat.LinearDiscriminantAnalysis(solver="qr"), "solver='qr'"),
        (compat.LinearDiscriminantAnalysis(solver="lsqr", shrinkage=2.0), "shrinkage=2.0"),
        (compat.LinearDiscriminantAnalysis(priors=[0.5, 0.5]), "3 classes"),
        (compat.LinearDiscriminantAnalysis(tol=-1), "tol=-1"),
        (compat.QuadraticDiscriminantAnalysis(solver="lsqr"), "solver='lsqr'"),
        (compat.QuadraticDiscriminantAnalysis(reg_param=-0.1), "reg_param=-0.1"),
        (compat.QuadraticDiscriminantAnalysis(priors=[1.0, -1.0, 1.0]), "at least 0"),
    ],
)
def test_bad_parameters(estimator, sentence):
    with pytest.raises(ValueError, match=sentence):
        estimator.fit(*DATA["iris"])


def test_scikit_learn_is_not_needed():
    code = (
        "import sys; sys.modules['sklearn'] = sys.modules['scipy'] = None\n"
        "import numpy as np\n"
        "from logodds.compat import *\n"
        "X = np.random.default_rng(0).normal(size=(50, 2)); y = (X[:, 0] > 0).astype(int)\n"
        "for c in (LinearDiscriminantAnalysis(), LinearDiscriminantAnalysis(solver='eigen'),\n"
        "          QuadraticDiscriminantAnalysis(), GaussianNB()):\n"
        "    assert c.fit(X, y).score(X, y) > 0.9\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert result.returncode == 0, result.stderr
