"""Parameters to the text of options, and back."""

from __future__ import annotations

from typing import Any

import numpy as np


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
