"""scikit-learn's own checks of an estimator, every one of them, for every class."""

import logodds
import pytest
from logodds import compat
from sklearn.utils.estimator_checks import parametrize_with_checks

ESTIMATORS = [
    logodds.GaussianClassifier(),
    logodds.GaussianClassifier(covariance="own", ridge=1e-3),
    logodds.GaussianClassifier(covariance="diagonal", ridge=1e-3),
    logodds.GaussianClassifier(covariance="spherical", priors="uniform", missing="error"),
    logodds.GaussianClassifier(blend=(0.5, 0.1), shrinkage="oas", ridge_relative=1e-3),
    logodds.NaiveBayesClassifier(),
    logodds.NaiveBayesClassifier(families={"real": "kernel"}, smoothing=0.0),
    logodds.NaiveBayesClassifier(structure="tree", priors="uniform"),
    logodds.TableClassifier(),
    logodds.SoftmaxClassifier(),
    logodds.SoftmaxClassifier(decay=0.1, l1=0.1, optimizer="lbfgs"),
    logodds.BinaryClassifier(),
    logodds.BinaryClassifier(link="probit", decay=0.01),
    logodds.NeuralClassifier(),
    logodds.NoisyOrClassifier(),
    logodds.PerceptronClassifier(),
    logodds.PerceptronClassifier(kernel="rbf"),
    logodds.IndicatorClassifier(),
    logodds.NeighborsClassifier(),
    logodds.NeighborsClassifier(3, "manhattan", "distance", standardize=True),
    logodds.PCA(),
    logodds.PCA(n_components=1, whiten=True, standardize=True),
    logodds.CanonicalAxes(),
    logodds.LeastSquares(),
    logodds.LeastSquares(fit_intercept=False),
    logodds.KMeans(3),
    logodds.KMeans(2, init="random", standardize=True, method="lloyd"),
    logodds.GaussianMixture(),
    logodds.GaussianMixture(2, covariance="diagonal", ridge=1e-3, missing="error"),
    compat.LinearDiscriminantAnalysis(),
    compat.LinearDiscriminantAnalysis(solver="eigen", shrinkage=0.1),
    compat.QuadraticDiscriminantAnalysis(reg_param=0.1),
    compat.GaussianNB(),
    compat.KMeans(),
    compat.KNeighborsClassifier(),
    compat.BernoulliNB(),
    compat.CategoricalNB(),
    compat.ComplementNB(),
    compat.MultinomialNB(),
    compat.LogisticRegression(),
    compat.LogisticRegression(solver="liblinear"),
    compat.PCA(),
    compat.PCA(n_components=1, svd_solver="randomized"),
]


REAL_COLUMNS = [
    "check_array_api_input",
    "check_classifiers_one_label_sample_weights",
    "check_decision_proba_consistency",
    "check_positive_only_tag_during_fit",
    "check_sample_weight_equivalence_on_dense_data",
]


# Some checks have more columns than rows: see GaussianClassifier.
pytestmark = pytest.mark.filterwarnings("ignore::logodds.CovarianceWarning")


def expected_failures(estimator):
    """Checks that an estimator cannot pass, with the reason."""
    if isinstance(estimator, logodds.TableClassifier):
        return dict.fromkeys(REAL_COLUMNS, "columns of real numbers, which have no joint table")
    if isinstance(estimator, logodds.NaiveBayesClassifier):
        reason = "sparse rows are counts, and the check has negative ones"
        return {"check_sample_weight_equivalence_on_sparse_data": reason}
    if isinstance(estimator, logodds.PerceptronClassifier):
        reason = "rows are learnt one by one, so that two of weight 1 are not one of weight 2"
        return {
            "check_sample_weight_equivalence_on_dense_data": reason,
            "check_sample_weight_equivalence_on_sparse_data": reason,
        }
    if isinstance(estimator, (logodds.KMeans, compat.KMeans)) or (
        isinstance(estimator, logodds.GaussianMixture) and estimator.n_components > 1
    ):
        reason = "starts are drawn row by row, and two equal rows are drawn otherwise than one"
        return {
            "check_sample_weight_equivalence_on_dense_data": reason,
            "check_sample_weight_equivalence_on_sparse_data": reason,
        }
    if isinstance(estimator, logodds.NoisyOrClassifier):
        return {"check_decision_proba_consistency": "scores rows of negative numbers"}
    return {}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_estimator(estimator, check):
    check(estimator)
