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
    logodds.SoftmaxClassifier(),
    logodds.NeighborsClassifier(),
    compat.LinearDiscriminantAnalysis(),
    compat.LinearDiscriminantAnalysis(solver="eigen", shrinkage=0.1),
    compat.QuadraticDiscriminantAnalysis(reg_param=0.1),
    compat.GaussianNB(),
]


# Some checks have more columns than rows: see GaussianClassifier.
pytestmark = pytest.mark.filterwarnings("ignore::logodds.CovarianceWarning")


@parametrize_with_checks(ESTIMATORS)
def test_estimator(estimator, check):
    check(estimator)
