"""PCA with scikit-learn's parameters and attributes."""

from __future__ import annotations

from math import lgamma, log, pi
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from logodds import _core, _sklearn
from logodds._described import Describing
from logodds._features import read_array
from logodds._output import OutputMixin
from logodds._sparse import core_rows, is_sparse
from logodds._threads import get_threads

if TYPE_CHECKING:
    from sklearn.utils import Tags
    from typing_extensions import Self

SOLVERS = ("auto", "full", "covariance_eigh", "arpack", "randomized")
NORMALIZERS = ("auto", "QR", "LU", "none")
NO_VARIANCE = 1e-15
"""scikit-learn's bound, below which 'mle' looks at no axis."""


class PCA(OutputMixin, Describing):
    """sklearn.decomposition.PCA, exact whatever the solver, from one pass over the rows.

    n_components: None, a number, a share of the variance between 0 and 1, or 'mle' (by Minka).
    whiten: divide each coordinate by its deviation.
    svd_solver: as in scikit-learn, which number of components goes with which; the numbers are the
    same for all, from the covariance of the columns, or where there are no more rows than columns
    from the Gram matrix of the rows.
    copy, tol, iterated_power, n_oversamples, power_iteration_normalizer, random_state: taken, and
    without effect: X is never written to, and nothing is iterated or drawn.

    Attributes after fit: `components_`, `explained_variance_`, `explained_variance_ratio_`,
    `singular_values_`, `mean_`, `n_components_`, `n_samples_`, `noise_variance_`, `n_features_in_`,
    `feature_names_in_`.
    """

    _kind = "pca"
    _weighted = ()

    components_: NDArray[Any]
    explained_variance_: NDArray[Any]
    explained_variance_ratio_: NDArray[Any]
    singular_values_: NDArray[Any]
    mean_: NDArray[Any]
    n_components_: int
    _fit_svd_solver: str
    n_samples_: int
    noise_variance_: float

    def __init__(
        self,
        n_components: int | float | str | None = None,
        *,
        copy: bool = True,
        whiten: bool = False,
        svd_solver: str = "auto",
        tol: float = 0.0,
        iterated_power: int | str = "auto",
        n_oversamples: int = 10,
        power_iteration_normalizer: str = "auto",
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.copy = copy
        self.whiten = whiten
        self.svd_solver = svd_solver
        self.tol = tol
        self.iterated_power = iterated_power
        self.n_oversamples = n_oversamples
        self.power_iteration_normalizer = power_iteration_normalizer
        self.random_state = random_state

    def _options(self) -> dict[str, str]:
        return {"components": "all"}

    # -- training ---------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None) -> Self:
        """Finds the principal axes of the rows of X; y is not looked at."""
        self._check_parameters()
        if is_sparse(X):
            self._fit_sparse(X)
        else:
            described, names = self._describe(X)
            self._take(described, len(described[0].column_names), names)
        rows = round(self._number("weight"))
        self._fit_svd_solver = self._solver(rows, is_sparse(X))
        self._take_axes(rows, _dtype_of(X))
        return self

    def _fit_sparse(self, X: Any) -> None:
        """The rows are spread out block by block."""
        if self.svd_solver not in ("auto", "arpack", "covariance_eigh"):
            raise TypeError(
                'PCA only support sparse inputs with the "arpack" and "covariance_eigh" solvers, '
                f'while "{self.svd_solver}" was passed.'
            )
        rows = core_rows(X, pairs=False)
        labels = np.zeros(X.shape[0], dtype=np.int64)
        self._take(
            _core.describe_given(self._kind, self._options(), rows, labels, get_threads()),
            X.shape[1],
            None,
        )

    def _solver(self, rows: int, sparse: bool) -> str:
        """What scikit-learn would choose: it decides which n_components are taken."""
        if self.svd_solver != "auto":
            return self.svd_solver
        columns = self.n_features_in_
        if sparse:
            return "arpack"
        if columns <= 1_000 and rows >= 10 * columns:
            return "covariance_eigh"
        wanted = min(rows, columns) if self.n_components is None else self.n_components
        if max(rows, columns) <= 500 or isinstance(wanted, str):
            return "full"
        return "randomized" if 1 <= wanted < 0.8 * min(rows, columns) else "full"

    def _check_parameters(self) -> None:
        if self.svd_solver not in SOLVERS:
            raise ValueError(f"svd_solver={self.svd_solver!r} is none of {', '.join(SOLVERS)}")
        if self.power_iteration_normalizer not in NORMALIZERS:
            raise ValueError(
                f"power_iteration_normalizer={self.power_iteration_normalizer!r} is none of "
                f"{', '.join(NORMALIZERS)}"
            )
        if not self.tol >= 0:
            raise ValueError(f"tol={self.tol!r} is negative")

    def _take_axes(self, rows: int, dtype: np.dtype[Any]) -> None:
        variances = self._array("eigenvalues")
        count = self._count(variances, rows)
        self._dtype = dtype
        self.n_samples_ = rows
        self.n_components_ = count
        self.noise_variance_ = float(variances[count:].mean()) if count < len(variances) else 0.0
        self.components_ = self._in_dtype(self._array("loadings")[:count])
        self.explained_variance_ = self._in_dtype(variances[:count])
        total = variances.sum()
        self.explained_variance_ratio_ = self._in_dtype(variances[:count] / total)
        self.singular_values_ = self._in_dtype(np.sqrt(variances[:count] * (rows - 1)))
        self.mean_ = self._in_dtype(self._array("center"))

    def _in_dtype(self, values: NDArray[np.float64]) -> NDArray[Any]:
        return values.astype(self._dtype, copy=False)

    def _count(self, variances: NDArray[np.float64], rows: int) -> int:
        """How many axes, of min(rows, columns), as scikit-learn takes n_components."""
        most = min(rows, self.n_features_in_)
        wanted, solver = self.n_components, self._fit_svd_solver
        if wanted is None:
            return most - 1 if solver == "arpack" else most
        if wanted == "mle":
            if solver not in ("full", "covariance_eigh"):
                raise ValueError(
                    f"n_components='mle' cannot be a string with svd_solver={solver!r}; "
                    "'full', 'covariance_eigh' and 'auto' can choose the number"
                )
            if rows < self.n_features_in_:
                raise ValueError("n_components='mle' is only supported if n_samples >= n_features")
            return minka_dimension(variances, rows)
        if isinstance(wanted, (str, bool)):
            raise ValueError(f"n_components={wanted!r} is neither a number nor 'mle'")
        if not isinstance(wanted, (int, np.integer)) and 0 < wanted < 1:
            if solver in ("arpack", "randomized"):
                raise ValueError(f"n_components={wanted!r} cannot be a share with {solver!r}")
            cumulative = np.cumsum(variances / variances.sum())
            return int(np.searchsorted(cumulative, wanted, side="right")) + 1
        least = 1 if solver in ("arpack", "randomized") else 0
        if not least <= wanted <= most or wanted != int(wanted):
            raise ValueError(
                f"n_components={wanted!r} must be between {least} and min(n_samples, n_features)="
                f"{most} with svd_solver={solver!r}"
            )
        if solver == "arpack" and wanted == most:
            raise ValueError(
                f"n_components={wanted!r} must be strictly less than min(n_samples, n_features)="
                f"{most} with svd_solver='arpack'"
            )
        return int(wanted)

    # -- coordinates ------------------------------------------------------------------------------

    def _units(self) -> NDArray[Any]:
        """Deviations along the axes, none 0."""
        units: NDArray[Any] = np.sqrt(self.explained_variance_)
        units[units < np.finfo(units.dtype).eps] = np.finfo(units.dtype).eps
        return units

    def transform(self, X: Any) -> Any:
        """Coordinates of the rows of X on the axes."""
        found, dtype = self._coordinates(X)
        if self.whiten:
            found /= self._units()
        single = dtype == np.float32 and self._dtype == np.float32
        return self._contained(found.astype(np.float32) if single else found, X)

    def _coordinates(self, X: Any) -> tuple[NDArray[np.float64], np.dtype[Any]]:
        self._check_fitted()
        if is_sparse(X):
            self._check_width(X.shape[1])
            rows = core_rows(X, pairs=False)
            return self._model.project_given(rows, self.n_components_, get_threads()), X.dtype
        values = self._rows(X)
        return self._model.project_array(values, self.n_components_, get_threads()), values.dtype

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """fit(X), then transform(X)."""
        return self.fit(X, y).transform(X)

    def inverse_transform(self, X: Any) -> NDArray[Any]:
        """Rows rebuilt from coordinates."""
        self._check_fitted()
        coordinates = read_array(X)
        if self.whiten:
            coordinates = coordinates * self._units()
        rebuilt: NDArray[Any] = coordinates @ self.components_ + self.mean_
        return rebuilt

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns of transform(): pca0, pca1, ..."""
        self._check_fitted()
        return np.array([f"pca{axis}" for axis in range(self.n_components_)], dtype=object)

    @property
    def _n_features_out(self) -> int:
        return self.n_components_

    # -- the density of probabilistic PCA ---------------------------------------------------------

    def get_covariance(self) -> NDArray[Any]:
        """Of the Gaussian with the kept variances, and the noise in every other direction (Tipping
        & Bishop, 1999). With whiten, axes are as long as their deviations, as in scikit-learn.
        """
        self._check_fitted()
        axes = self.components_
        if self.whiten:
            axes = axes * np.sqrt(self.explained_variance_)[:, np.newaxis]
        excess = np.maximum(self.explained_variance_ - self.noise_variance_, 0.0)
        covariance: NDArray[Any] = (axes.T * excess) @ axes
        covariance.flat[:: len(covariance) + 1] += self.noise_variance_
        return covariance

    def get_precision(self) -> NDArray[Any]:
        """The inverse of get_covariance()."""
        return np.linalg.inv(self.get_covariance())

    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """ln p(x) of every row under that Gaussian."""
        rows = self._rows(X) - self.mean_
        precision = self.get_precision()
        _, determinant = np.linalg.slogdet(precision)
        squares = np.einsum("ij,jk,ik->i", rows, precision, rows, optimize=True)
        logs: NDArray[np.float64] = -0.5 * (
            squares + self.n_features_in_ * log(2.0 * pi) - determinant
        )
        return logs

    def score(self, X: Any, y: Any = None) -> float:
        """The mean of score_samples(X)."""
        return float(self.score_samples(X).mean())

    # -- scikit-learn -----------------------------------------------------------------------------

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "components_")

    def __sklearn_tags__(self) -> Tags:
        tags = _sklearn.transformer_tags(required=False, dtypes=("float64", "float32"))
        tags.input_tags.sparse = self.svd_solver in ("auto", "arpack", "covariance_eigh")
        return tags


def _dtype_of(X: Any) -> np.dtype[Any]:
    """float32 stays float32, as in scikit-learn; anything else is float64."""
    dtype = getattr(X, "dtype", None)
    return np.dtype(np.float32 if dtype == np.float32 else np.float64)


def minka_dimension(variances: NDArray[np.float64], rows: int) -> int:
    """The number of axes of the largest evidence: T. P. Minka, Automatic choice of dimensionality
    for PCA (2000), equations 30 and 77; of at most one less than there are.
    """
    evidence = [_log_evidence(variances, rank, rows) for rank in range(1, len(variances))]
    return int(np.argmax([-np.inf, *evidence]))


def _log_evidence(variances: NDArray[np.float64], rank: int, rows: int) -> float:
    columns = len(variances)
    if variances[rank - 1] < NO_VARIANCE:
        return -np.inf
    noise = max(float(variances[rank:].mean()), NO_VARIANCE)
    frame = -rank * log(2.0) + sum(
        lgamma((columns - i + 1) / 2.0) - log(pi) * (columns - i + 1) / 2.0
        for i in range(1, rank + 1)
    )
    kept = -0.5 * rows * float(np.log(variances[:rank]).sum())
    rest = -0.5 * rows * log(noise) * (columns - rank)
    parameters = columns * rank - rank * (rank + 1.0) / 2.0
    spectrum = variances.copy()
    spectrum[rank:] = noise
    curvature = 0.0
    for i in range(rank):
        gaps = (variances[i] - variances[i + 1 :]) * (1.0 / spectrum[i + 1 :] - 1.0 / spectrum[i])
        with np.errstate(divide="ignore"):
            curvature += float(np.log(gaps).sum()) + log(rows) * (columns - i - 1)
    return (
        frame
        + kept
        + rest
        + 0.5 * log(2.0 * pi) * (parameters + rank)
        - 0.5 * curvature
        - 0.5 * rank * log(rows)
    )
