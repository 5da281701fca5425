"""Probabilistic classifiers: statistics, posteriors, decisions.

LOGODDS_SIMD in the environment forces a level of vector instructions, as for the command.
"""

import importlib as _importlib
import os as _os
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from logodds import _core, metrics
from logodds._adjust import Calibration, ClassShares, ThresholdChoice
from logodds._axes import PCA, CanonicalAxes
from logodds._choose import (
    ComparedModel,
    Comparison,
    CrossValidation,
    Difference,
    Estimate,
    GridPoint,
    McNemar,
    compare,
    cross_validate,
)
from logodds._classifier import Classifier
from logodds._csv import CsvOptions
from logodds._decisions import CostSensitive
from logodds._document_classifier import DocumentClassifier
from logodds._errors import (
    CovarianceWarning,
    FileError,
    LogoddsError,
    ModelFileError,
    NumericError,
)
from logodds._evidence import Explanation, WordShare
from logodds._families import load
from logodds._gaussian import GaussianClassifier
from logodds._geometry import Boundary
from logodds._k_means import KMeans
from logodds._lines import LeastSquares
from logodds._misclassification import (
    Misclassification,
    PairError,
    misclassification_probability,
)
from logodds._mixture import GaussianMixture
from logodds._naive_bayes import NaiveBayesClassifier, TableClassifier, TopWord
from logodds._neighbors import NeighborsClassifier
from logodds._neural import NeuralClassifier
from logodds._noisy_or import NoisyOrClassifier
from logodds._perceptron import IndicatorClassifier, PerceptronClassifier
from logodds._report import Report, report
from logodds._softmax import BinaryClassifier, SoftmaxClassifier
from logodds._threads import get_threads, set_threads

__version__ = "0.1.0"

__all__ = [
    "PCA",
    "BinaryClassifier",
    "Boundary",
    "Calibration",
    "CanonicalAxes",
    "ClassShares",
    "Classifier",
    "ComparedModel",
    "Comparison",
    "CostSensitive",
    "CovarianceWarning",
    "CrossValidation",
    "CsvOptions",
    "Difference",
    "DocumentClassifier",
    "Estimate",
    "Explanation",
    "FileError",
    "GaussianClassifier",
    "GaussianMixture",
    "GridPoint",
    "IndicatorClassifier",
    "KMeans",
    "LeastSquares",
    "LogoddsError",
    "McNemar",
    "Misclassification",
    "ModelFileError",
    "NaiveBayesClassifier",
    "NeighborsClassifier",
    "NeuralClassifier",
    "NoisyOrClassifier",
    "NumericError",
    "PairError",
    "PerceptronClassifier",
    "Report",
    "SoftmaxClassifier",
    "TableClassifier",
    "ThresholdChoice",
    "TopWord",
    "WordShare",
    "clusterings",
    "compare",
    "cross_validate",
    "get_threads",
    "load",
    "metrics",
    "misclassification_probability",
    "models",
    "plot",
    "report",
    "set_threads",
]

if _TYPE_CHECKING:
    from logodds import plot
else:

    def __getattr__(name: str) -> _Any:
        """Pictures are imported when they are first asked for."""
        if name == "plot":
            return _importlib.import_module("logodds.plot")
        raise AttributeError(f"module 'logodds' has no attribute {name!r}")


_core.set_level(_os.environ.get("LOGODDS_SIMD", ""))


def clusterings() -> list[dict[str, _Any]]:
    """The registry of what groups rows without labels, as models() has the others."""
    return _core.clusterings()


def models() -> list[dict[str, _Any]]:
    """The registry: name, summary, options with type, default and help, and capabilities."""
    return _core.models()
