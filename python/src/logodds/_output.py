"""scikit-learn's set_output(): what transform() returns, an array or a frame."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from typing_extensions import Self

CONTAINERS = ("default", "pandas", "polars")


class OutputMixin:
    """For estimators with transform() and get_feature_names_out()."""

    _sklearn_output_config: dict[str, str]

    def set_output(self, *, transform: str | None = None) -> Self:
        """What transform() returns: 'default' (an array), 'pandas' or 'polars'; None: no change."""
        if transform is not None:
            _checked(transform)
            self._sklearn_output_config = {"transform": transform}
        return self

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        raise NotImplementedError

    def _contained(self, values: NDArray[Any], X: Any) -> Any:
        """`values` in the container that is set here or in scikit-learn's configuration."""
        container = getattr(self, "_sklearn_output_config", {}).get("transform", _default())
        if container == "default":
            return values
        names = [str(name) for name in self.get_feature_names_out()][: values.shape[1]]
        library = import_module(container)
        if container == "polars":
            return library.DataFrame(values, schema=names, orient="row")
        index = X.index if isinstance(X, library.DataFrame) else None
        return library.DataFrame(values, columns=names, index=index)


def _default() -> str:
    """scikit-learn's configuration, which only code that has imported it can have changed."""
    sklearn = sys.modules.get("sklearn")
    return _checked(sklearn.get_config()["transform_output"]) if sklearn else "default"


def _checked(container: str) -> str:
    if container not in CONTAINERS:
        raise ValueError(f"transform={container!r} is none of {', '.join(CONTAINERS)}")
    return container
