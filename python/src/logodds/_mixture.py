"""Gaussian mixtures. The signature repeats the registry's options under scikit-learn's names, and a
test compares them.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from logodds import _core, _sklearn
from logodds._classifier import Fitted, records
from logodds._errors import NumericError
from logodds._estimator import Estimator
from logodds._features import (
    ArrayFeatures,
    Features,
    FrameFeatures,
    mean_variance,
    read_features,
)
from logodds._gaussian import REGULARIZERS, RIDGE_SHARE, warn_of_ridge
from logodds._gaussian_options import Groups, Priors, gaussian_options
from logodds._labels import read_weights
from logodds._parameters import seed_of
from logodds._threads import get_threads

if TYPE_CHECKING:
    from sklearn.utils import Tags
    from typing_extensions import Self

OF_THE_RUN = ("n_components", "init", "n_init", "max_iter", "tol", "random_state")
"""Parameters that are no options of the densities."""
STARTS = ("k-means", "random")


class GaussianMixture(Estimator):
    """A mixture of Gaussian densities, fitted by EM: rows in groups that nobody has labelled.

    n_components: how many.
    covariance: 'own', 'shared', 'groups', 'diagonal', 'shared-diagonal', 'spherical' or
    'shared-spherical', as for GaussianClassifier; 'own' is scikit-learn's 'full', 'shared' its
    'tied', 'diagonal' its 'diag'.
    groups, priors, ridge, ridge_relative, shrinkage, blend, blend_target, wishart, wishart_scale,
    components, divisor, missing: as for GaussianClassifier; the classes are named 1, 2, ...
    (`components` are principal ones). Where a component collapses on few points, and there is no
    ridge and no Wishart prior, fit() warns with a CovarianceWarning and takes a ridge of a
    thousandth of the mean variance, as GaussianClassifier does; `ridge_` tells which is in use.
    init: 'k-means' (clusters of the rows in units of the columns' deviations), 'random' (random
    shares of each row), an array of shares (rows x components), or one of centers (components x
    columns), each row beginning with the nearest.
    n_init: starts; the one with the largest likelihood is kept.
    max_iter: steps of EM at most.
    tol: EM ends when a step changes the mean log-likelihood of a row by less.
    random_state: seed of the starts.

    Attributes after fit: `weights_`, `means_` (K x D), `covariances_` (K x D x D), `n_iter_`,
    `converged_`, `lower_bound_` (the mean log-likelihood of a row), `log_likelihood_`,
    `n_parameters_`, `em_trace_` (log-likelihoods after each step), `notes_`, `n_features_in_`, and
    `feature_names_in_` where the columns have names.
    """

    _weighted: ClassVar[tuple[str, ...]] = ("fit",)

    n_iter_: int
    converged_: bool
    ridge_: float
    em_trace_: list[float]
    notes_: list[str]

    def __init__(
        self,
        n_components: int = 1,
        init: str | ArrayLike = "k-means",
        n_init: int = 1,
        max_iter: int = 1000,
        tol: float = 1e-6,
        covariance: str = "own",
        groups: Groups = "",
        priors: Priors = "ml",
        ridge: float = 0.0,
        ridge_relative: float = 0.0,
        shrinkage: str | float = "none",
        blend: str | Sequence[float] = "none",
        blend_target: str = "diagonal",
        wishart: float = 0.0,
        wishart_scale: str | ArrayLike = "identity",
        components: int = 0,
        divisor: str = "n",
        missing: str = "em",
        *,
        random_state: Any = 0,
    ) -> None:
        self.n_components = n_components
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.covariance = covariance
        self.groups = groups
        self.priors = priors
        self.ridge = ridge
        self.ridge_relative = ridge_relative
        self.shrinkage = shrinkage
        self.blend = blend
        self.blend_target = blend_target
        self.wishart = wishart
        self.wishart_scale = wishart_scale
        self.components = components
        self.divisor = divisor
        self.missing = missing
        self.random_state = random_state

    # -- training ---------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fits the mixture to the rows of X: an array, a pandas frame, or any table with an Arrow C
        stream. A row of weight 2 counts as two rows. y is not used.
        """
        features = read_features(X)
        rows = len(features.values) if isinstance(features, ArrayFeatures) else len(X)
        weights = read_weights(sample_weight, rows)
        model, report = self._train(features, weights, self._run(rows, weights))
        self._take_model(model, np.arange(len(model.labels)), features.named)
        self.notes_ = report.notes
        steps = records(report.trace) or []
        self.em_trace_ = [step["log-likelihood"] for step in steps]
        self.n_iter_ = len(steps) - 1
        self.converged_ = report.converged
        if not self.converged_:
            _warn_of_iterations(self.n_iter_)
        return self

    def _options(self) -> dict[str, str]:
        given: Mapping[str, Any] = self.get_params()
        return gaussian_options({k: v for k, v in given.items() if k not in OF_THE_RUN})

    def _run(self, rows: int, weights: NDArray[np.float64] | None) -> _core.MixtureRun:
        given: NDArray[np.float64] | None = None
        if not isinstance(self.init, str):
            given = np.ascontiguousarray(self.init, dtype=np.float64)
            if given.ndim != 2:
                raise ValueError(f"init has shape {given.shape}; give shares or centers")
        elif self.init not in STARTS:
            raise ValueError(f"init={self.init!r} is neither 'k-means' nor 'random' nor an array")
        for name in ("n_components", "n_init"):
            if int(getattr(self, name)) < 1:
                raise ValueError(f"{name}={getattr(self, name)!r} is less than 1")
        if self.tol < 0.0 or self.max_iter < 0:
            raise ValueError(f"tol={self.tol!r} or max_iter={self.max_iter!r} is negative")
        shares = given is not None and given.shape == (rows, self.n_components)
        centers = given is not None and not shares
        if given is not None and centers and len(given) != self.n_components:
            raise ValueError(
                f"init has shape {given.shape}; give shares of {rows} rows in "
                f"{self.n_components} components, or {self.n_components} centers"
            )
        if given is not None and shares and weights is not None:
            given = np.ascontiguousarray(given[weights > 0.0])
        return _core.MixtureRun(
            self.init if isinstance(self.init, str) else STARTS[0],
            int(self.n_components),
            int(self.n_init),
            int(self.max_iter),
            float(self.tol),
            given if shares else None,
            given if centers else None,
            get_threads(),
            seed_of(self.random_state),
        )

    def _train(
        self, features: Features, weights: NDArray[np.float64] | None, run: _core.MixtureRun
    ) -> Fitted:
        options = self._options()
        self.ridge_ = float(options["ridge"])
        try:
            return self._fit_options(features, weights, run, options)
        except NumericError as error:
            regularized = any(float(options[name]) > 0.0 for name in REGULARIZERS)
            ridge = RIDGE_SHARE * mean_variance(features, weights)
            if regularized or ridge == 0.0 or not np.isfinite(ridge):
                raise
            fitted = self._fit_options(features, weights, run, options | {"ridge": repr(ridge)})
            warn_of_ridge(error, ridge)
            self.ridge_ = ridge
            return fitted

    def _fit_options(
        self,
        features: Features,
        weights: NDArray[np.float64] | None,
        run: _core.MixtureRun,
        options: dict[str, str],
    ) -> Fitted:
        if isinstance(features, FrameFeatures):
            return _core.mixture_arrow(options, features.stream(), weights, run)
        assert isinstance(features, ArrayFeatures)
        return _core.mixture_array(options, features.values, features.names or [], weights, run)

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> NDArray[Any]:
        """fit(X), and the component of every row."""
        return self.fit(X, y, sample_weight).predict(X)

    # -- the fitted densities ---------------------------------------------------------------------

    @property
    def weights_(self) -> NDArray[np.float64]:
        """Priors of the components, summing to 1."""
        return self._array("priors")

    @property
    def means_(self) -> NDArray[np.float64]:
        """One row a component."""
        return self._array("means")

    @property
    def covariances_(self) -> NDArray[np.float64]:
        """One matrix a component, whether it is shared or not."""
        owners = self._array("covariance_of_class").astype(np.intp)
        covariances: NDArray[np.float64] = self._array("covariances")[owners]
        return covariances

    @property
    def log_likelihood_(self) -> float:
        """Of the training rows: sum_n w_n ln p(x_n)."""
        return self._training("log_likelihood")

    @property
    def lower_bound_(self) -> float:
        """The same for a mean row."""
        return self._training("log_likelihood") / self._training("weight")

    @property
    def n_parameters_(self) -> float:
        """Free parameters."""
        return self._training("parameters")

    def _array(self, name: str) -> NDArray[np.float64]:
        if not self.__sklearn_is_fitted__():
            raise AttributeError(f"{type(self).__name__} has no {name} before fit()")
        array: NDArray[np.float64] = self._model.array(name)
        return array

    def _training(self, name: str) -> float:
        if not self.__sklearn_is_fitted__():
            raise AttributeError(f"{type(self).__name__} has no {name} before fit()")
        likelihood = self._model.training_likelihood()
        assert likelihood is not None
        return likelihood[name]

    # -- rows -------------------------------------------------------------------------------------

    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """ln p(x) of every row; missing values are integrated out."""
        densities: NDArray[np.float64] = np.logaddexp.reduce(
            self._row_numbers("log_joint", X), axis=1
        )
        return densities

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The mean of score_samples(), weighted where weights are given."""
        densities = self.score_samples(X)
        return float(np.average(densities, weights=read_weights(sample_weight, len(densities))))

    def outlier_pvalue(self, X: Any) -> NDArray[np.float64]:
        """For every row the largest over the components of the probability that a row of it is as
        unlikely (chi-square): small for a row that no component explains.
        """
        return self._row_numbers("p_values", X)[:, 0]

    def aic(self, X: Any) -> float:
        """Akaike's criterion 2 k - 2 ln L of these rows."""
        return 2.0 * self._training("parameters") - 2.0 * float(self.score_samples(X).sum())

    def bic(self, X: Any) -> float:
        """Schwarz's criterion k ln n - 2 ln L of these rows."""
        densities = self.score_samples(X)
        penalty = self._training("parameters") * float(np.log(len(densities)))
        return penalty - 2.0 * float(densities.sum())

    def sample(
        self, n_samples: int = 1, random_state: Any = None
    ) -> tuple[NDArray[np.float64], NDArray[Any]]:
        """Draws rows: X, and the component of each. random_state: None takes that of the
        estimator. The same seed gives the same rows on every machine.
        """
        self._check_fitted()
        if n_samples < 1:
            raise ValueError(f"n_samples={n_samples} is less than 1")
        seed = seed_of(self.random_state if random_state is None else random_state)
        codes, numbers, levels = self._model.sample(seed, int(n_samples), get_threads())
        if levels:
            raise ValueError("columns of levels are no numbers to draw; see logodds.load()")
        return numbers, self.classes_[codes]

    # -- files ------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file, of the family gaussian with the classes 1, 2, ..., that the
        command reads; logodds.load() makes a GaussianClassifier of it.
        """
        self._check_fitted()
        self._model.save(os.fspath(path))

    # -- scikit-learn -----------------------------------------------------------------------------

    def set_fit_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """With scikit-learn's metadata routing: whether fit() is to be given sample_weight."""
        return self._request("fit", sample_weight)

    def __sklearn_tags__(self) -> Tags:
        tags = _sklearn.density_tags()
        tags.input_tags.allow_nan = self.missing != "error" and self.components == 0
        return tags


def _warn_of_iterations(steps: int) -> None:
    category: type[Warning] = UserWarning
    with suppress(ImportError):
        from sklearn.exceptions import ConvergenceWarning

        category = ConvergenceWarning
    warnings.warn(
        f"EM has not converged after {steps} steps; raise max_iter or tol", category, stacklevel=3
    )
