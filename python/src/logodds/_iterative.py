"""What the estimators share that model p(class | x) directly, and those that iterate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from logodds import _core
from logodds._classifier import Classifier, Fitted, TrainingRows, records
from logodds._errors import LogoddsError
from logodds._parameters import option_text, seed_of

if TYPE_CHECKING:
    from sklearn.utils import Tags

SWITCHES = ("intercept", "leak")
"""Options that are 'on' or 'off'; a bool will do."""
NOT_OPTIONS = ("warm_start", "random_state")
"""Parameters that say how a fit runs, and not what is fitted."""


class PosteriorClassifier(Classifier):
    """Base of the estimators of p(class | x)."""

    _two_classes: ClassVar[bool] = False
    """Whether the family takes two classes only."""

    def _options(self) -> dict[str, str]:
        options = {}
        for name, value in self.get_params().items():
            if name in NOT_OPTIONS:
                continue
            if name in SWITCHES and isinstance(value, (bool, np.bool_)):
                value = "on" if value else "off"
            options[name.replace("_", "-")] = option_text(value)
        return options

    def _train(self, rows: TrainingRows, options: dict[str, str]) -> Fitted:
        if self._two_classes and len(np.unique(rows.labels.codes)) > 2:
            raise LogoddsError(
                "Only binary classification is supported. The type of the target is multiclass: "
                f"{type(self).__name__} takes two classes, and SoftmaxClassifier any number"
            )
        return super()._train(rows, options)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Log odds ln p(second class | x) / p(first class | x) of two classes, one number a row;
        of any other number of classes scores, ln p(class | x) up to a constant of the row.
        """
        scores = self._row_numbers("log_scores", X)
        if len(self.classes_) == 2:
            odds: NDArray[np.float64] = scores[:, 1] - scores[:, 0]
            return odds
        return scores

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = not self._two_classes
        return tags


class IterativeClassifier(PosteriorClassifier):
    """Base of the estimators that iterate.

    `n_iter_` counts the iterations. `trace_` has a record for each: `iteration`, `objective`,
    `gradient norm`, `step`, `seconds`, or what the family tells; it is None where nothing was
    traced, and after load().
    """

    trace_: list[dict[str, Any]] | None

    def _run(self) -> tuple[int, _core.Model | None]:
        warm = getattr(self, "warm_start", False) and self.__sklearn_is_fitted__()
        return seed_of(getattr(self, "random_state", 0)), self._model if warm else None

    def _after_fit(self, report: _core.FitReport | None) -> None:
        super()._after_fit(report)
        self.trace_ = records(report.trace if report is not None else None)

    @property
    def n_iter_(self) -> int:
        """Iterations, or passes over the rows, of the fit that is kept."""
        return int(self._fact("iterations"))

    @property
    def objective_(self) -> float:
        """What the optimizer has made as small as it could: minus the log-likelihood of the
        training rows, and penalties.
        """
        return float(self._fact("objective"))

    def _fact(self, name: str) -> Any:
        if not self.__sklearn_is_fitted__():
            raise AttributeError(f"{type(self).__name__} has no {name} before fit()")
        facts = self._model.facts()
        if name not in facts:
            raise AttributeError(f"this {type(self).__name__} has no {name}")
        return facts[name]


class LinearClassifier(PosteriorClassifier):
    """Base of the estimators whose scores are linear in their features: the columns of numbers,
    indicators of levels, and what `basis` makes of them.
    """

    @property
    def coef_(self) -> NDArray[np.float64]:
        """One row a class, one column a feature; of two classes one row, that of the second against
        the first.
        """
        return self._second_of_two(self._fitted_array("coefficients"))

    @property
    def intercept_(self) -> NDArray[np.float64]:
        """One number a class; of two classes one number."""
        return self._second_of_two(self._fitted_array("intercepts"))

    def _second_of_two(self, by_class: NDArray[np.float64]) -> NDArray[np.float64]:
        return by_class[1:] - by_class[:1] if len(by_class) == 2 else by_class

    def coefficients(self, level: float = 0.95) -> dict[str, NDArray[Any]]:
        """The coefficients as statisticians read them, one array a column of the table: `class`,
        `feature`, `estimate`, `standard_error`, `z`, `p_value`, `odds_ratio`, `lower` and `upper`
        (its interval at `level`), `identifiable`. What is not known, as errors under a penalty are
        not, is NaN; `coefficient_notes_` says why.
        """
        if not 0.0 < level < 1.0:
            raise ValueError(f"level={level!r} is not between 0 and 1")
        fields, _ = self._coefficient_table(float(level))
        values = dict(zip(self._model.labels, self.classes_, strict=True))
        fields["class"] = [values.get(label, label) for label in fields["class"]]
        table = {name: np.array(column) for name, column in fields.items()}
        table["feature"] = np.array(fields["feature"], dtype=object)
        return table

    @property
    def coefficient_notes_(self) -> list[str]:
        """What a reader of coefficients() should know."""
        return self._coefficient_table(0.95)[1]

    def _coefficient_table(self, level: float) -> tuple[dict[str, list[Any]], list[str]]:
        self._check_fitted()
        found = self._model.coefficients(level)
        if found is None:
            raise AttributeError(f"this {type(self).__name__} has no table of coefficients")
        return found
