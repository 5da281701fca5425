"""KMeans with scikit-learn's parameters and attributes."""

from __future__ import annotations

import warnings
from contextlib import suppress
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from logodds import _core
from logodds._classifier import Fitted
from logodds._clusterer import Clusterer
from logodds._errors import LogoddsError
from logodds._features import (
    ArrayFeatures,
    FloatArray,
    FrameFeatures,
    GivenFeatures,
    read_array,
    read_numbers,
    select_columns,
    to_numpy,
)
from logodds._labels import read_weights
from logodds._parameters import option_text, seed_of
from logodds._sparse import is_sparse, refuse_if_too_large
from logodds._threads import get_threads

if TYPE_CHECKING:
    from typing_extensions import Self

STARTS_AT_RANDOM = 10
"""What n_init='auto' is for starts that are drawn without looking."""


class KMeans(Clusterer):
    """sklearn.cluster.KMeans, computed by logodds.

    n_clusters, init, n_init, max_iter, tol, verbose, random_state: as in scikit-learn. The rows
    that a seed draws are others than scikit-learn's.
    algorithm: 'lloyd' and 'elkan' are both the method that suits the size. copy_x: without effect,
    because X is never written to.

    Attributes after fit: `cluster_centers_`, `labels_`, `inertia_`, `n_iter_`, `n_features_in_`,
    `feature_names_in_`.
    """

    _clustering = "k-means"
    _weighted: ClassVar[tuple[str, ...]] = ("fit", "score")

    cluster_centers_: NDArray[Any]
    inertia_: float
    n_iter_: int
    _n_init: int
    _dtype: np.dtype[Any]

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Any = "k-means++",
        n_init: int | str = "auto",
        max_iter: int = 300,
        tol: float = 1e-4,
        verbose: int = 0,
        random_state: Any = None,
        copy_x: bool = True,
        algorithm: str = "lloyd",
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state
        self.copy_x = copy_x
        self.algorithm = algorithm

    # -- training ---------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Groups the rows of X; y is ignored."""
        values, names = self._read(X)
        _check_parameters(self)
        weights = read_weights(sample_weight, len(values))
        self._n_init = self._starts()
        if len(values) < self.n_clusters:
            raise ValueError(f"n_samples={len(values)} should be >= n_clusters={self.n_clusters}.")
        if self.algorithm == "elkan" and self.n_clusters == 1:
            warnings.warn(
                "algorithm='elkan' doesn't make sense for a single cluster. Using 'lloyd' instead.",
                RuntimeWarning,
                stacklevel=2,
            )
        features = ArrayFeatures(values, names)
        try:
            model, report = self._best(features, weights)
        except LogoddsError:
            places = _places(values, weights)
            if len(places) >= self.n_clusters:
                raise
            model, report = self._run(features, weights, "given", places, 0)
        self._take(model, report, features)
        self.labels_ = self.predict(values) if _weightless(weights) else report.clusters
        return self

    def _read(self, X: Any) -> tuple[FloatArray, list[str] | None]:
        if is_sparse(X):
            refuse_if_too_large(X, type(self).__name__)
            X = X.toarray()
        return read_numbers(X)

    def _starts(self) -> int:
        if self.n_init == "auto":
            drawn = callable(self.init) or self._init_name == "random"
            return STARTS_AT_RANDOM if drawn else 1
        starts = int(self.n_init)
        if not isinstance(self.init, str) and not callable(self.init) and starts != 1:
            warnings.warn(
                "Explicit initial center position passed: performing only one init in "
                f"{type(self).__name__} instead of n_init={starts}.",
                RuntimeWarning,
                stacklevel=3,
            )
            return 1
        return starts

    @property
    def _init_name(self) -> str:
        """What init is called, 'given' where it is an array."""
        return self.init if isinstance(self.init, str) else "given"

    def _best(self, features: ArrayFeatures, weights: NDArray[np.float64] | None) -> Fitted:
        if not callable(self.init):
            start = None if isinstance(self.init, str) else self._checked(self.init, features)
            seed = seed_of(self.random_state)
            return self._run(features, weights, self._init_name, start, seed)
        fits = []
        random = np.random.RandomState(seed_of(self.random_state) % 2**32)
        for _ in range(self._n_init):
            centers = self.init(features.values, self.n_clusters, random_state=random)
            start = self._checked(centers, features)
            fits.append(self._run(features, weights, "given", start, 0))
        return min(fits, key=lambda fit: fit[1].facts["E"])

    def _checked(self, centers: Any, features: ArrayFeatures) -> FloatArray:
        start = read_array(centers)
        if len(start) != self.n_clusters:
            raise ValueError(
                f"The shape of the initial centers {start.shape} does not match the number of "
                f"clusters {self.n_clusters}."
            )
        if start.shape[1] != features.values.shape[1]:
            raise ValueError(
                f"The shape of the initial centers {start.shape} does not match the number of "
                f"features of the data {features.values.shape[1]}."
            )
        kind: Any = features.values.dtype
        return read_array(start.astype(kind))

    def _run(
        self,
        features: ArrayFeatures,
        weights: NDArray[np.float64] | None,
        init: str,
        start: FloatArray | None,
        seed: int,
    ) -> Fitted:
        options = {
            "k": self.n_clusters if start is None else len(start),
            "init": init,
            "restarts": self._n_init if start is None else 1,
            "max-iterations": self.max_iter,
            "tolerance": float(self.tol),
        }
        fitted = _core.cluster_array(
            self._clustering,
            {name: option_text(value) for name, value in options.items()},
            features.values,
            features.names or [],
            weights,
            get_threads(),
            seed,
            start,
            trace=bool(self.verbose),
        )
        if self.verbose:
            _tell(fitted[1])
        return fitted

    def _take(self, model: _core.Model, report: _core.FitReport, features: ArrayFeatures) -> None:
        self._adopt(model, report, features.named)
        self._dtype = features.values.dtype
        centers = model.array("centers")
        if len(centers) < self.n_clusters:
            _warn_of_places(len(centers), self.n_clusters)
            spare = np.repeat(centers[-1:], self.n_clusters - len(centers), axis=0)
            centers = np.concatenate([centers, spare])
        self.cluster_centers_ = centers.astype(self._dtype)
        self.inertia_ = float(report.facts["E"])
        # scikit-learn counts the iteration that finds nothing changed, if there is one left.
        steps = int(report.facts["steps"]) + (report.facts["ended"] == "no row changed")
        self.n_iter_ = min(self.max_iter, steps)

    # -- prediction -------------------------------------------------------------------------------

    def _rows(self, X: Any) -> FloatArray | GivenFeatures:
        rows = super()._rows(X)
        if isinstance(rows, FrameFeatures):
            return read_array(to_numpy(select_columns(rows.frame, list(self.feature_names_in_))))
        return rows

    def transform(self, X: Any) -> NDArray[Any]:
        """The distances of every row to every center."""
        distances = self._row_numbers("center_distances", X)
        spare = self.n_clusters - distances.shape[1]
        if spare > 0:
            distances = np.hstack([distances, np.repeat(distances[:, -1:], spare, axis=1)])
        return distances.astype(self._dtype)

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> NDArray[Any]:
        """fit(), and the distances of every row to every center."""
        return self.fit(X, sample_weight=sample_weight).transform(X)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Minus the sum of w |x - nearest center|^2 over the rows of X."""
        squares = self._row_numbers("center_distances", X).min(axis=1) ** 2
        weights = read_weights(sample_weight, len(squares))
        return -float(squares.sum() if weights is None else weights @ squares)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns of transform(): kmeans0, kmeans1, ..."""
        self._check_fitted()
        return np.array([f"kmeans{k}" for k in range(self.n_clusters)], dtype=object)


def _check_parameters(model: KMeans) -> None:
    def demand(good: bool, parameter: str, wanted: str) -> None:
        if not good:
            raise ValueError(
                f"The {parameter!r} parameter of {type(model).__name__} must be {wanted}. Got "
                f"{getattr(model, parameter)!r} instead."
            )

    def whole(value: Any) -> bool:
        return isinstance(value, Integral) and int(value) >= 1

    demand(whole(model.n_clusters), "n_clusters", "an int from 1 on")
    demand(model.n_init == "auto" or whole(model.n_init), "n_init", "'auto' or an int from 1 on")
    demand(whole(model.max_iter), "max_iter", "an int from 1 on")
    demand(isinstance(model.tol, Real) and float(model.tol) >= 0.0, "tol", "a number from 0 on")
    demand(model.algorithm in ("lloyd", "elkan"), "algorithm", "'lloyd' or 'elkan'")
    named = not isinstance(model.init, str) or model.init in ("k-means++", "random")
    demand(named, "init", "'k-means++', 'random', an array or a callable")


def _weightless(weights: NDArray[np.float64] | None) -> bool:
    return weights is not None and not weights.all()


def _places(values: FloatArray, weights: NDArray[np.float64] | None) -> FloatArray:
    """The different rows that have a weight."""
    return read_array(np.unique(values if weights is None else values[weights > 0.0], axis=0))


def _warn_of_places(found: int, wanted: int) -> None:
    category: type[Warning] = UserWarning
    with suppress(ImportError):
        from sklearn.exceptions import ConvergenceWarning

        category = ConvergenceWarning
    warnings.warn(
        f"Number of distinct clusters ({found}) found smaller than n_clusters ({wanted}). Possibly "
        "due to duplicate points in X.",
        category,
        stacklevel=4,
    )


def _tell(report: _core.FitReport) -> None:
    """scikit-learn's sentences for verbose=1."""
    trace = report.trace
    assert trace is not None
    print("Initialization complete")
    for step, error, *_ in trace["rows"]:
        print(f"Iteration {step}, inertia {error}.")
    ended = {
        "no row changed": "strict convergence.",
        "centers still": "center shift is within tolerance.",
    }.get(report.facts["ended"])
    if ended is not None:
        print(f"Converged at iteration {len(trace['rows']) - 1}: {ended}")
