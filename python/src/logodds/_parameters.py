"""Parameters of estimators, and as the text of options."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from typing_extensions import Self


class Parameterized:
    """Parameters as scikit-learn has them: the arguments of __init__, kept as they were given."""

    @classmethod
    def _get_param_names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name. No parameter is an estimator, so `deep` changes nothing."""
        return {name: getattr(self, name) for name in self._get_param_names()}

    def set_params(self, **params: Any) -> Self:
        """Sets parameters; they are checked when fit() is called."""
        valid = self._get_param_names()
        for name in params:
            if name not in valid:
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: "
                    f"{valid!r}."
                )
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        changed = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if repr(value) != repr(defaults[name].default)
        ]
        return f"{type(self).__name__}({', '.join(changed)})"


def option_text(value: Any) -> str:
    """The value as one would type it on the command line; the core checks whether it fits."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)


def parameter_value(text: str, type_name: str) -> Any:
    """The value of an option of the registry's type `type_name`."""
    parse: dict[str, Any] = {"real": float, "integer": int, "flag": lambda word: word == "true"}
    return parse.get(type_name, str)(text)


def seed_of(random_state: Any) -> int:
    """A seed, one that a NumPy generator draws, or for None a fresh one."""
    if random_state is None:
        return int(np.random.default_rng().integers(2**63))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    return int(random_state)
