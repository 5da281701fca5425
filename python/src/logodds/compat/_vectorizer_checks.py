"""Parameters of the vectorizers, refused in scikit-learn's words."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral, Real
from typing import Any

import numpy as np

from logodds.compat._text_steps import TextSteps

Rule = tuple[Callable[[Any], bool], str]


def one_of(*words: str) -> Rule:
    texts = ", ".join(repr(word) for word in words)
    return lambda value: isinstance(value, str) and value in words, f"a str among {{{texts}}}"


def _is_share(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, Integral) and 0 <= float(value) <= 1


def _is_count(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 1


CALLABLE: Rule = (callable, "a callable")
NOTHING: Rule = (lambda value: value is None, "None")
TRUTH: Rule = (
    lambda value: isinstance(value, (bool, np.bool_)),
    "an instance of 'bool' or an instance of 'numpy.bool'",
)
SHARE: Rule = (_is_share, "a float in the range [0.0, 1.0]")
COUNT: Rule = (_is_count, "an int in the range [1, inf)")
FEATURES: Rule = (
    lambda value: _is_count(value) and int(value) < np.iinfo(np.int32).max,
    "an int in the range [1, 2147483647)",
)
ITERABLE: Rule = (lambda value: hasattr(value, "__iter__"), "an object implementing '__iter__'")


def instance(*kinds: type) -> Rule:
    names = " or ".join(f"an instance of '{kind.__name__}'" for kind in kinds)
    return lambda value: isinstance(value, kinds), names


TEXT_RULES: dict[str, list[Rule]] = {
    "input": [one_of("file", "filename", "content")],
    "encoding": [instance(str)],
    "decode_error": [one_of("ignore", "replace", "strict")],
    "strip_accents": [one_of("ascii", "unicode"), NOTHING, CALLABLE],
    "lowercase": [TRUTH],
    "preprocessor": [CALLABLE, NOTHING],
    "tokenizer": [CALLABLE, NOTHING],
    "stop_words": [one_of("english"), instance(list), NOTHING],
    "token_pattern": [instance(str), NOTHING],
    "ngram_range": [instance(tuple)],
    "analyzer": [one_of("char", "char_wb", "word"), CALLABLE],
    "binary": [TRUTH],
}


def check_parameters(estimator: TextSteps, further: dict[str, list[Rule]]) -> None:
    """Raises ValueError for a parameter that fits none of its rules."""
    for name, rules in (TEXT_RULES | further).items():
        value = getattr(estimator, name)
        if any(fits(value) for fits, _ in rules):
            continue
        wanted = [words for _, words in rules]
        words = " or ".join([", ".join(wanted[:-1]), wanted[-1]] if wanted[1:] else wanted)
        raise ValueError(
            f"The {name!r} parameter of {type(estimator).__name__} must be {words}. Got {value!r} "
            "instead."
        )
