"""K-means."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from logodds._clusterer import Clusterer
from logodds._features import FloatArray, read_array
from logodds._labels import read_weights
from logodds._parameters import option_text


class KMeans(Clusterer):
    """K-means: every row belongs to the nearest of n_clusters centers, ties to the lower index.

    init: 'k-means++', 'random', or an array of centers, one a row.
    n_init: starts, of which the one with the smallest inertia is kept.
    max_iter: steps of each start at most.
    tol: ends a start when the squared moves of all centers sum to this share of the columns' mean
    variance; 0: when no row changes its cluster.
    standardize: measures distances in units of the columns' standard deviations.
    method: 'lloyd' (all distances), 'triangle' (those that the triangle inequality does not rule
    out) or 'auto'; the result is the same to the last bit.
    random_state: seed of the starts.

    Attributes after fit: `cluster_centers_`, `labels_`, `inertia_` (the sum of the squared
    distances to the nearest centers), `n_iter_` (times that centers were moved), and those of every
    estimator.
    """

    _clustering = "k-means"
    _weighted: ClassVar[tuple[str, ...]] = ("fit", "score")

    def __init__(
        self,
        n_clusters: int = 8,
        init: Any = "k-means++",
        n_init: int = 1,
        max_iter: int = 300,
        tol: float = 0.0,
        *,
        standardize: bool = False,
        method: str = "auto",
        random_state: Any = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.standardize = standardize
        self.method = method
        self.random_state = random_state

    def _options(self) -> dict[str, str]:
        options = {
            "k": self.n_clusters,
            "init": self.init if isinstance(self.init, str) else "given",
            "restarts": self.n_init,
            "max-iterations": self.max_iter,
            "tolerance": self.tol,
            "standardize": self.standardize,
            "method": self.method,
        }
        return {name: option_text(value) for name, value in options.items()}

    def _take_options(self, options: dict[str, str]) -> None:
        self.n_clusters = int(options["k"])
        self.init = options["init"] if options["init"] != "given" else "k-means++"
        self.n_init = int(options["restarts"])
        self.max_iter = int(options["max-iterations"])
        self.tol = float(options["tolerance"])
        self.standardize = options["standardize"] == "true"
        self.method = options["method"]

    def _start(self) -> FloatArray | None:
        return None if isinstance(self.init, str) else read_array(self.init)

    @property
    def cluster_centers_(self) -> NDArray[np.float64]:
        """One center a row, in the units of the columns; indicators stand behind the numbers."""
        return self._fitted_array("centers")

    @property
    def inertia_(self) -> float:
        """The sum of w |x - nearest center|^2 over the training rows."""
        return float(self._fact("E"))

    @property
    def n_iter_(self) -> int:
        """Times that centers were moved."""
        return int(self._fact("steps"))

    def transform(self, X: Any) -> NDArray[np.float64]:
        """The distances of every row to every center."""
        return self._row_numbers("center_distances", X)

    def fit_transform(
        self, X: Any, y: Any = None, sample_weight: Any = None
    ) -> NDArray[np.float64]:
        """fit(), and the distances of every row to every center."""
        return self.fit(X, sample_weight=sample_weight).transform(X)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Minus the sum of w |x - nearest center|^2 over the rows of X."""
        squares = self.transform(X).min(axis=1) ** 2
        weights = read_weights(sample_weight, len(squares))
        return -float(squares.sum() if weights is None else weights @ squares)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns of transform(): kmeans0, kmeans1, ..."""
        self._check_fitted()
        names = [f"{type(self).__name__.lower()}{k}" for k in range(len(self._model.labels))]
        return np.array(names, dtype=object)
