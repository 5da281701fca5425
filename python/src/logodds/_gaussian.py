"""The Gaussian family. The signature repeats the registry's options, and a test compares them."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from logodds import _core
from logodds._classifier import Fitted, TrainingRows
from logodds._errors import CovarianceWarning, NumericError
from logodds._features import mean_variance
from logodds._gaussian_options import Groups, Priors, gaussian_options
from logodds._geometry import GeometricClassifier
from logodds._label_values import ordered_classes, texts_of, values_by_text
from logodds._online import OnlineClassifier
from logodds._threads import get_threads

if TYPE_CHECKING:
    from sklearn.utils import Tags
    from typing_extensions import Self

RIDGE_SHARE = 1e-3
"""Of the mean variance: for standardized columns it is what the error advises, --ridge 0.001."""
REGULARIZERS = ("ridge", "ridge-relative", "wishart")


class GaussianClassifier(GeometricClassifier, OnlineClassifier):
    """Gaussian class densities, fitted in one pass: LDA, QDA, naive, and everything between.

    covariance: 'shared' (linear boundaries, LDA), 'own' (quadratic, QDA), 'groups', 'diagonal'
    (Gaussian naive Bayes), 'shared-diagonal', 'spherical' or 'shared-spherical'.
    groups: with 'groups': lists of labels that share one covariance, or the text 'a+b,c'.
    priors: 'ml', 'uniform', 'smoothed:ALPHA', a mapping of labels, or one a class in the order of
    `classes_`.
    ridge: added to every variance, in squared units of the columns; ridge_relative: as a multiple
    of the mean variance.
    shrinkage: 'ledoit-wolf', 'oas', a number from 0 to 1, or 'none'.
    blend: (lambda, gamma), 'auto' for the pair that 10-fold cross-validation likes best, or 'none';
    lambda leads from own to shared covariances, gamma from these to the blend_target, 'diagonal'
    or 'spherical'.
    wishart: pseudo-count of an inverse-Wishart prior with the matrix wishart_scale, or 'identity'
    for the mean variance times the identity.
    components: project onto so many leading principal components first; 0 for none.
    divisor: 'n' (maximum likelihood) or 'n-1' (unbiased).
    missing: what fit() does with rows that lack a value (NaN, null): 'em', 'available', 'skip' or
    'error'. Prediction integrates missing values out, and refuses them after 'error'.
    unlabeled: 'em' uses rows without a label (None, NaN, NA or '' in y, and -1 among integers),
    'error' refuses them; max_iterations: steps of that EM at most; tolerance: it ends when a step
    changes the mean log-likelihood of a row by less.

    Attributes after fit, besides `classes_` and so on: `means_` (K x D), `covariances_`
    (K x D x D), `priors_`, `class_count_` (sums of weights), `log_likelihood_`, `n_parameters_`,
    `boundaries_`, `design_columns_` (what the D columns are), `ridge_`, `blend_` (the pair in use,
    or None), `blend_table_` (after blend='auto') and `em_trace_` (log-likelihoods, where EM ran).

    scikit-learn requires that fit() copes with more columns than rows and with columns that do not
    vary inside a class. So without a ridge or a Wishart prior, where the covariance (with 'own'
    that of any class, with 'diagonal' a variance) is singular, fit() warns with a
    CovarianceWarning and fits again with a ridge of a thousandth of the mean, over the columns of
    numbers, of their variances in all rows. `ridge_` tells which ridge is in use: after fit() it
    differs from `ridge` exactly when this happened. With such a regularizer, or where no column of
    numbers varies at all, fit() raises NumericError instead; fit_csv() always does, as the command
    refuses such data.
    """

    _family = "gaussian"
    _always_estimable: Mapping[str, str] = {
        "blend": "0,1",
        "blend-target": "diagonal",
        "shrinkage": "none",
        "wishart": "0",
        "ridge": "0",
        "ridge-relative": "0.001",
        "components": "0",
        "divisor": "n",
        "priors": "ml",
    }

    ridge_: float
    blend_: tuple[float, float] | None
    blend_table_: dict[str, Any]
    em_trace_: list[float]

    def __init__(
        self,
        covariance: str = "shared",
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
        unlabeled: str = "error",
        max_iterations: int = 1000,
        tolerance: float = 1e-6,
    ) -> None:
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
        self.unlabeled = unlabeled
        self.max_iterations = max_iterations
        self.tolerance = tolerance

    @classmethod
    def define(
        cls,
        classes: Sequence[Any],
        priors: ArrayLike,
        means: ArrayLike,
        covariances: ArrayLike,
        columns: Sequence[str] | None = None,
    ) -> Self:
        """A model written by hand: one prior and mean a class, and one covariance a class or one
        for all. It counts as one row in partial_fit() and merge().
        """
        sigmas = np.asarray(covariances, dtype=np.float64)
        model = _core.define_gaussian(
            texts_of(classes),
            np.asarray(priors, dtype=np.float64).tolist(),
            np.asarray(means, dtype=np.float64).tolist(),
            (sigmas[np.newaxis] if sigmas.ndim == 2 else sigmas).tolist(),
            [] if columns is None else [str(name) for name in columns],
        )
        values = np.asarray(classes)
        estimator = cls(covariance=model.options["covariance"])
        labels = ordered_classes(values_by_text(values), values.dtype)
        estimator._adopt(model, None, labels, columns is not None)
        return estimator

    # -- training ---------------------------------------------------------------------------------

    def _options(self) -> dict[str, str]:
        return gaussian_options(self.get_params())

    def _train(self, rows: TrainingRows, options: dict[str, str]) -> Fitted:
        try:
            return super()._train(rows, options)
        except NumericError as error:
            if any(float(options[name]) > 0.0 for name in REGULARIZERS):
                raise
            ridge = RIDGE_SHARE * mean_variance(rows.features, rows.weights)
            if ridge == 0.0 or not math.isfinite(ridge):
                raise
            mended = super()._train(rows, options | {"ridge": repr(ridge)})
            warn_of_ridge(error, ridge)
            return mended

    def _settle(
        self, model: _core.Model, report: _core.FitReport | None, declared: NDArray[Any] | None
    ) -> tuple[_core.Model, _core.FitReport | None]:
        wanted = self._options()
        wanted["priors"] = self._priors_text(model.labels, declared)
        if wanted["blend"] == "auto":
            wanted["blend"] = (
                self._model.options["blend"]
                if self.__sklearn_is_fitted__()
                else (model.options["blend"])
            )
        wanted = _core.canonical_options(self._family, wanted)
        if model.options == wanted:
            return model, report
        try:
            return model.with_options(wanted, get_threads())
        except NumericError as error:
            if any(float(wanted[name]) > 0.0 for name in REGULARIZERS):
                raise
            ridge = RIDGE_SHARE * self._spread(model)
            mended = model.with_options(wanted | {"ridge": repr(ridge)}, get_threads())
            warn_of_ridge(error, ridge)
            return mended

    def _spread(self, model: _core.Model) -> float:
        """Mean of the variances, in all rows, of the columns of numbers, out of the statistics:
        under _always_estimable the diagonals are s_ki + r, with r a share of the mean of all s.
        """
        estimable = self._estimable(model)
        weights, means = estimable.array("weights"), estimable.array("means")
        shares = weights / weights.sum()
        owners = estimable.array("covariance_of_class").astype(np.intp)
        within = shares @ estimable.array("variances")[owners]
        relative = float(self._always_estimable["ridge-relative"])
        within = within - relative / (1.0 + relative) * within.mean()
        between = shares @ (means - shares @ means) ** 2
        numbers = sum(not column["levels"] for column in model.columns)
        return float((within + between)[:numbers].mean())

    def _after_fit(self, report: _core.FitReport | None) -> None:
        super()._after_fit(report)
        self.ridge_ = float(self._model.options["ridge"])
        pair = self._model.options["blend"]
        self.blend_ = None
        if pair != "none":
            mixed, simple = pair.split(",")
            self.blend_ = (float(mixed), float(simple))
        self._keep_table("blend_table_", report, "blend")
        self._keep_em_trace(report)

    # -- the fitted densities ---------------------------------------------------------------------

    @property
    def means_(self) -> NDArray[np.float64]:
        """One row a class; of the components, where there are any."""
        means: NDArray[np.float64] = self._by_class(self._fitted_array("means"), np.nan)
        return means

    @property
    def covariances_(self) -> NDArray[np.float64]:
        """One matrix a class, whether it is shared or not."""
        sigmas = self._fitted_array("covariances")
        owners = self._fitted_array("covariance_of_class").astype(np.intp)
        covariances: NDArray[np.float64] = self._by_class(sigmas[owners], np.nan)
        return covariances

    @property
    def components_(self) -> NDArray[np.float64]:
        """The principal axes that rows are projected on, one a row; without `components`, none."""
        return self._fitted_array("projection_axes").T

    def __sklearn_tags__(self) -> Tags:
        from sklearn.utils import TransformerTags

        tags = super().__sklearn_tags__()
        tags.transformer_tags = TransformerTags(preserves_dtype=[])
        tags.input_tags.allow_nan = self.missing != "error" and self.components == 0
        return tags


def warn_of_ridge(error: NumericError, ridge: float) -> None:
    message = f"{error}. This fit takes ridge={ridge:.3g}; choose ridge to silence this."
    warnings.warn(message, CovarianceWarning, stacklevel=4)
