"""Least-squares regression, to the last digit, with standard errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from logodds import _core, _sklearn
from logodds._described import DescribingEstimator, names_of_file
from logodds._parameters import option_text
from logodds._threads import get_threads

if TYPE_CHECKING:
    from sklearn.utils import Tags
    from typing_extensions import Self


class LeastSquares(DescribingEstimator):
    """y = intercept + X coef, by least squares.

    fit_intercept: False for a line through the origin.

    One pass over the rows sums the products of all columns in 106 bits, from which the triangle R
    of X = QR is computed in 106 bits as well: coefficients are right to the last digit or so as
    long as the columns have a condition number below 1e8. Columns that depend on those before them
    have the coefficient 0 and no standard error (NaN).

    Attributes after fit: `coef_`, `intercept_`, `standard_errors_` (of `coef_`),
    `intercept_standard_error_`, `t_`, `p_values_` (two-sided, by Student's distribution),
    `r_squared_`, `residual_deviation_`, `degrees_of_freedom_`, `f_`, `f_p_value_`, `rank_`,
    `weight_`, `n_features_in_`, `feature_names_in_` and `notes_`.
    """

    _kind = "line"
    _weighted: ClassVar[tuple[str, ...]] = ("fit", "partial_fit", "score")

    def __init__(self, fit_intercept: bool = True) -> None:
        self.fit_intercept = fit_intercept

    def _options(self) -> dict[str, str]:
        return {"no-intercept": option_text(not self.fit_intercept)}

    # -- rows -------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fits the line to the rows of X and the numbers y. A row of weight 2 is the row twice."""
        response = self._response(y)
        described, names = self._describe(X, response=response, sample_weight=sample_weight)
        self._take(described, len(described[0].column_names) - 1, names)
        return self

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Adds rows: the line becomes that of all rows so far, as one fit() would find it."""
        if not self.__sklearn_is_fitted__():
            return self.fit(X, y, sample_weight)
        self._update_with(
            self._changed("update", X, response=self._response(y), sample_weight=sample_weight)
        )
        return self

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Takes rows out again. Rows that cannot have been among them are refused."""
        self._update_with(
            self._changed("forget", X, response=self._response(y), sample_weight=sample_weight)
        )
        return self

    def _response(self, y: Any) -> NDArray[np.float64]:
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None"
            )
        values = np.asarray(y)
        if values.dtype.kind == "c":
            raise ValueError("Complex data not supported: y holds complex numbers.")
        if values.ndim == 2 and values.shape[1] == 1:
            _sklearn.warn_column_vector()
            values = values.ravel()
        if values.ndim != 1:
            raise ValueError(
                f"y should be a 1d array, got an array of shape {values.shape} instead."
            )
        response = np.ascontiguousarray(values, dtype=np.float64)
        if np.isnan(response).any():
            raise ValueError("Input y contains NaN.")
        if np.isinf(response).any():
            raise ValueError("Input y contains infinity or a value too large for dtype('float64').")
        return response

    # -- prediction -------------------------------------------------------------------------------

    def predict(self, X: Any) -> NDArray[np.float64]:
        """The value of the line at every row of X."""
        rows = self._rows(X)
        return self._model.fitted_array(rows, get_threads())

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R^2 of predict(X): 1 less the squared residuals over the squares around the mean of y."""
        truth = np.asarray(y, dtype=np.float64).ravel()
        weights = np.ones(len(truth)) if sample_weight is None else np.asarray(sample_weight)
        residual = weights @ (truth - self.predict(X)) ** 2
        total = weights @ (truth - np.average(truth, weights=weights)) ** 2
        if total == 0.0:
            return 1.0 if residual == 0.0 else 0.0
        return float(1.0 - residual / total)

    # -- the fitted line --------------------------------------------------------------------------

    def _slopes(self, name: str) -> NDArray[np.float64]:
        return self._array(name)[1 if self._has_intercept() else 0 :]

    def _has_intercept(self) -> bool:
        return len(self._array("coefficients")) == self.n_features_in_ + 1

    @property
    def coef_(self) -> NDArray[np.float64]:
        """One number a column."""
        return self._slopes("coefficients")

    @property
    def intercept_(self) -> float:
        """The value where every column is 0; 0 without an intercept."""
        return float(self._array("coefficients")[0]) if self._has_intercept() else 0.0

    @property
    def standard_errors_(self) -> NDArray[np.float64]:
        """Of `coef_`; NaN where there is no degree of freedom, or the column depends on others."""
        return self._slopes("standard_errors")

    @property
    def intercept_standard_error_(self) -> float:
        """NaN without an intercept."""
        return float(self._array("standard_errors")[0]) if self._has_intercept() else float("nan")

    @property
    def t_(self) -> NDArray[np.float64]:
        """`coef_` over `standard_errors_`."""
        return self._slopes("t")

    @property
    def p_values_(self) -> NDArray[np.float64]:
        """How likely a |t| this large would be if the coefficient were 0."""
        return self._slopes("p")

    @property
    def r_squared_(self) -> float:
        return self._number("r_squared")

    @property
    def residual_deviation_(self) -> float:
        """The root of the squared residuals over the degrees of freedom."""
        return self._number("residual_deviation")

    @property
    def degrees_of_freedom_(self) -> float:
        """Sum of the weights less `rank_`."""
        return self._number("degrees_of_freedom")

    @property
    def f_(self) -> float:
        """F of all coefficients but the intercept being 0."""
        return self._number("f")

    @property
    def f_p_value_(self) -> float:
        return self._number("f_p")

    @property
    def rank_(self) -> int:
        """Coefficients, the intercept among them, that the rows tell."""
        return int(self._array("identifiable").sum())

    @property
    def weight_(self) -> float:
        """Sum of the weights of all rows."""
        return self._number("weight")

    @classmethod
    def _from_model(cls, model: _core.Descriptive) -> Self:
        estimator = cls(fit_intercept=model.options["no-intercept"] == "false")
        names = model.column_names[:-1]
        estimator._take_model(model, len(names), names_of_file(names))
        estimator.notes_ = []
        return estimator

    # -- scikit-learn -----------------------------------------------------------------------------

    def set_score_request(self, *, sample_weight: bool | str | None = None) -> Self:
        """With scikit-learn's metadata routing: whether score() is to be given sample_weight."""
        return self._request("score", sample_weight)

    def __sklearn_tags__(self) -> Tags:
        return _sklearn.regressor_tags()
