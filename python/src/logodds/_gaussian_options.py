"""Parameters of GaussianClassifier to the text of options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from logodds._errors import LogoddsError
from logodds._label_values import escaped
from logodds._parameters import option_text

Priors: TypeAlias = str | Mapping[Any, float] | Sequence[float] | ArrayLike
Groups: TypeAlias = str | Iterable[Iterable[Any]]


def priors_text(priors: Priors) -> str:
    """'ml', 'uniform', 'smoothed:1', a mapping of labels, or one prior a class in order."""
    if isinstance(priors, str):
        return priors
    if isinstance(priors, Mapping):
        return ",".join(f"{escaped(label)}={float(p)!r}" for label, p in priors.items())
    values = np.asarray(priors, dtype=np.float64)
    if values.ndim != 1:
        raise LogoddsError(f"priors has shape {values.shape}; give one number a class")
    return ",".join(repr(float(value)) for value in values)


def groups_text(groups: Groups) -> str:
    """'a+b,c', or lists of labels."""
    if isinstance(groups, str):
        return groups
    return ",".join("+".join(map(escaped, group)) for group in groups)


def blend_text(blend: str | Sequence[float] | None) -> str:
    if blend is None or isinstance(blend, str):
        return blend or "none"
    if len(blend) != 2:
        raise LogoddsError(f"blend: {blend!r} is not a pair LAMBDA,GAMMA; give two numbers")
    return ",".join(repr(float(share)) for share in blend)


def matrix_text(matrix: str | ArrayLike) -> str:
    if isinstance(matrix, str):
        return matrix
    rows = np.atleast_2d(np.asarray(matrix, dtype=np.float64))
    if rows.ndim != 2:
        raise LogoddsError(f"wishart_scale has shape {rows.shape}; give a square matrix")
    return ";".join(",".join(repr(float(value)) for value in row) for row in rows)


TEXTS = {
    "priors": priors_text,
    "groups": groups_text,
    "blend": blend_text,
    "shrinkage": lambda share: "none" if share is None else option_text(share),
    "wishart_scale": matrix_text,
}


def gaussian_options(parameters: Mapping[str, Any]) -> dict[str, str]:
    """Every parameter as the command line would have it; the core checks what it says."""
    return {
        name.replace("_", "-"): TEXTS.get(name, option_text)(value)
        for name, value in parameters.items()
    }
