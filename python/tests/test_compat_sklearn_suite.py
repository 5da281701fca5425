"""scikit-learn's own tests of LDA, QDA, naive Bayes, logistic regression, neighbors, K-means, PCA
and vectorizers, run against logodds.compat.

The test files come from the installed scikit-learn. A test that is named in FAIL must fail, one
in NOT_FOR_US is not run, every other must pass. docs/compat.md names them too.
"""

import inspect
import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
import sklearn.cluster
import sklearn.decomposition
import sklearn.discriminant_analysis
import sklearn.feature_extraction.text
import sklearn.linear_model
import sklearn.naive_bayes
import sklearn.neighbors
from logodds import compat

SKLEARN = Path(sklearn.__file__).parent
OURS = {
    "cluster/tests/test_k_means": (sklearn.cluster, ["KMeans"]),
    "decomposition/tests/test_pca": (sklearn.decomposition, ["PCA"]),
    "feature_extraction/tests/test_text": (
        sklearn.feature_extraction.text,
        ["CountVectorizer", "HashingVectorizer"],
    ),
    "linear_model/tests/test_logistic": (sklearn.linear_model, ["LogisticRegression"]),
    "neighbors/tests/test_neighbors": (sklearn.neighbors, ["KNeighborsClassifier"]),
    "tests/test_discriminant_analysis": (
        sklearn.discriminant_analysis,
        ["LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"],
    ),
    "tests/test_naive_bayes": (
        sklearn.naive_bayes,
        ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB"],
    ),
}
FAIL = {
    "test_gnb_check_update_with_no_data": (
        "calls the private GaussianNB._update_mean_variance; the core does that work"
    ),
    "test_countvectorizer_sort_features_64bit_sparse_indices": (
        "calls the private CountVectorizer._sort_features; the core does that work"
    ),
    "test_sample_weight_init": "calls the private KMeans._init_centroids; the core does that work",
    "test_sample_weight_zero": "calls the private KMeans._init_centroids; the core does that work",
    "test_liblinear_dual_random_state": "wants another answer for another seed; nothing is drawn",
    "test_logreg_predict_proba_multinomial": "calls the private _predict_proba_lr",
}
OTHER_ARRAYS = "arrays of other libraries than NumPy: the core reads memory that the CPU can see"
CALLBACKS = "scikit-learn's callbacks; SoftmaxClassifier has a trace instead"
NOT_FOR_US = {
    "test_pca_array_api_compliance": OTHER_ARRAYS,
    "test_pca_mle_array_api_compliance": OTHER_ARRAYS,
    "test_array_api_error_and_warnings_on_unsupported_params": OTHER_ARRAYS,
    "test_gnb_array_api_compliance": OTHER_ARRAYS,
    "test_logistic_regression_array_api_compliance": OTHER_ARRAYS,
    "test_logistic_regression_array_api_warm_start": OTHER_ARRAYS,
    "test_logistic_regression_callback_fitted_estimator": CALLBACKS,
    "test_logistic_regression_callback_support": CALLBACKS,
    "test_logistic_regression_callback_support_warning": CALLBACKS,
    "test_elastic_net_vs_l1_l2": (
        "a search by accuracies of fits stopped at tol=1e-2, and ours stop elsewhere"
    ),
    "test_large_sparse_matrix": (
        "liblinear, sag and saga are to refuse indices of 64 bits; here every solver takes them"
    ),
    "test_newton_cholesky_fallback_to_lbfgs": "counts the iterations of scikit-learn's solvers",
    "test_scores_attribute_layout_elasticnet": "of scikit-learn's LogisticRegressionCV",
    "test_neigh_predictions_algorithm_agnosticity": (
        "asks whether the class derives from scikit-learn's KNeighborsMixin"
    ),
    "test_unsupervised_inputs": "gives scikit-learn's trees in the place of rows",
    "test_neighbors_validate_parameters": "the metric haversine, which there is not",
    "test_nan_euclidean_support": "the metric nan_euclidean, which there is not",
}
SLOW = {
    "test_l1_ratio_None_deprecated",
    "test_logistic_regression_sample_weights",
    "test_logistic_regression_solvers_multiclass",
    "test_multinomial_logistic_regression_string_inputs",
    "test_n_iter",
    "test_pca_sparse",
}
"""Most of their time is scikit-learn's LogisticRegressionCV; of PCA there are hundreds of runs."""
OF_CV = re.compile("CV|_cv_|_cv$")
"""Tests of scikit-learn's LogisticRegressionCV, which has no counterpart."""


@pytest.fixture
def global_random_seed():
    """scikit-learn's own fixture, with its usual value."""
    return 42


@pytest.fixture(params=[np.float32, np.float64])
def global_dtype(request):
    return request.param


def load_suite(name):
    """A copy of scikit-learn's test module that has imported our classes instead."""
    home, classes = OURS[name]
    path = SKLEARN / f"{name}.py"
    spec = spec_from_file_location(f"{path.stem}_of_compat", path)
    suite = module_from_spec(spec)
    sys.modules.setdefault(spec.name, suite)  # where pickles find the module's functions
    ours = {cls: getattr(compat, cls) for cls in classes}
    with mock.patch.multiple(home, **ours):
        spec.loader.exec_module(suite)
    return suite


def about_ours(function, classes):
    """Whether a test uses one of our classes, by name or as a parameter."""
    given = [value for mark in getattr(function, "pytestmark", []) for value in mark.args[1:]]
    source = inspect.getsource(function)
    ours = [getattr(compat, cls) for cls in classes]
    return any(re.search(rf"\b{cls}\b", source) for cls in classes) or any(
        value is cls for cls in ours for values in given for value in values
    )


def with_our_classes_alone(function, classes):
    """Of a test that is run for many classes, the runs for ours."""
    ours = [getattr(compat, cls) for cls in classes]
    marks = []
    for mark in getattr(function, "pytestmark", []):
        values = mark.args[1] if mark.args[1:] else []
        chosen = [value for value in values if any(value is cls for cls in ours)]
        marks.append(pytest.mark.parametrize(mark.args[0], chosen).mark if chosen else mark)
    function.pytestmark = marks
    return function


for _name, (_, _classes) in OURS.items():
    for _test, _function in vars(load_suite(_name)).copy().items():
        if not _test.startswith("test_") or _test in NOT_FOR_US or OF_CV.search(_test):
            continue
        if not about_ours(_function, _classes):
            continue
        _chosen = with_our_classes_alone(_function, _classes)
        if _test in FAIL:
            _chosen = pytest.mark.xfail(reason=FAIL[_test], strict=True)(_chosen)
        globals()[_test] = pytest.mark.slow(_chosen) if _test in SLOW else _chosen


def test_the_named_tests_exist():
    suites = {name: vars(load_suite(name)) for name in OURS}
    for test in {**FAIL, **NOT_FOR_US}:
        assert any(test in suite for suite in suites.values()), test
