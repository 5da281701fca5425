"""scikit-learn's LDA, QDA, naive Bayes, regression, neighbors, K-means, PCA and vectorizers.

The classes take the parameters of scikit-learn's and have their fitted attributes, so that changing
the import is enough; docs/compat.md says what is the same and what differs. scikit-learn itself is
not needed; the vectorizers make SciPy's matrices.
"""

from logodds.compat._categorical import CategoricalNB
from logodds.compat._count_vectorizer import CountVectorizer
from logodds.compat._counting import BernoulliNB, ComplementNB, MultinomialNB
from logodds.compat._hashing_vectorizer import HashingVectorizer
from logodds.compat._k_means import KMeans
from logodds.compat._linear import LinearDiscriminantAnalysis
from logodds.compat._logistic import LogisticRegression
from logodds.compat._naive_bayes import GaussianNB
from logodds.compat._neighbors import KNeighborsClassifier
from logodds.compat._pca import PCA
from logodds.compat._quadratic import QuadraticDiscriminantAnalysis

__all__ = [
    "PCA",
    "BernoulliNB",
    "CategoricalNB",
    "ComplementNB",
    "CountVectorizer",
    "GaussianNB",
    "HashingVectorizer",
    "KMeans",
    "KNeighborsClassifier",
    "LinearDiscriminantAnalysis",
    "LogisticRegression",
    "MultinomialNB",
    "QuadraticDiscriminantAnalysis",
]
