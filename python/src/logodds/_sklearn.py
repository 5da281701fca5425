"""The few names of scikit-learn that its conventions need, imported when they are used.

Importing scikit-learn takes several times as long as importing logodds and NumPy together, so the
estimators implement its conventions instead of inheriting them, and work without it.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from contextlib import suppress
from copy import deepcopy
from typing import TYPE_CHECKING

from logodds._errors import LogoddsError

if TYPE_CHECKING:
    from sklearn.utils import Tags
    from sklearn.utils.metadata_routing import MetadataRequest


def classifier_tags() -> Tags:
    """A classifier of dense rows of finite numbers that needs labels."""
    from sklearn.utils import ClassifierTags, Tags, TargetTags

    return Tags(
        estimator_type="classifier",
        target_tags=TargetTags(required=True),
        classifier_tags=ClassifierTags(),
    )


def transformer_tags(required: bool, dtypes: tuple[str, ...] = ()) -> Tags:
    """Of something that turns dense rows of finite numbers into others; `required`: it needs y."""
    from sklearn.utils import Tags, TargetTags, TransformerTags

    return Tags(
        estimator_type=None,
        target_tags=TargetTags(required=required),
        transformer_tags=TransformerTags(preserves_dtype=list(dtypes)),
    )


def regressor_tags() -> Tags:
    """A regressor of dense rows of finite numbers."""
    from sklearn.utils import RegressorTags, Tags, TargetTags

    return Tags(
        estimator_type="regressor",
        target_tags=TargetTags(required=True),
        regressor_tags=RegressorTags(),
    )


def clusterer_tags(transformer: bool) -> Tags:
    """Of something that groups rows of finite numbers, dense or sparse."""
    from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

    return Tags(
        estimator_type="clusterer",
        target_tags=TargetTags(required=False),
        transformer_tags=TransformerTags() if transformer else None,
        input_tags=InputTags(sparse=True),
    )


def density_tags() -> Tags:
    """Of a model of dense rows of finite numbers that does without labels."""
    from sklearn.utils import Tags, TargetTags

    return Tags(estimator_type="density_estimator", target_tags=TargetTags(required=False))


def vectorizer_tags(requires_fit: bool, transformer: bool) -> Tags:
    """Of something that turns documents into rows."""
    from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

    return Tags(
        estimator_type=None,
        target_tags=TargetTags(required=False),
        transformer_tags=TransformerTags() if transformer else None,
        input_tags=InputTags(string=True, two_d_array=False),
        requires_fit=requires_fit,
    )


def metadata_request(estimator: object, methods: Iterable[str]) -> MetadataRequest:
    """Which of the methods that take sample_weight want it: nobody has said so yet, unless told."""
    from sklearn.utils.metadata_routing import MetadataRequest

    given = getattr(estimator, "_metadata_request", None)
    if given is not None:
        return deepcopy(given)
    request = MetadataRequest(owner=estimator)
    for method in methods:
        getattr(request, method).add_request(param="sample_weight", alias=None)
    return request


def not_fitted(name: str, message: str | None = None) -> Exception:
    """The error of an estimator that is used before fit()."""
    message = message or (
        f"This {name} instance is not fitted yet. Call 'fit' with appropriate arguments before "
        "using this estimator."
    )
    category: type[Exception] = LogoddsError
    with suppress(ImportError):
        from sklearn.exceptions import NotFittedError

        category = NotFittedError
    return category(message)


def warn_column_vector() -> None:
    """The warning for labels of shape (rows, 1)."""
    category: type[Warning] = UserWarning
    with suppress(ImportError):
        from sklearn.exceptions import DataConversionWarning

        category = DataConversionWarning
    warnings.warn(
        "A column-vector y was passed when a 1d array was expected. Please change the shape of y "
        "to (n_samples,), for example using ravel().",
        category,
        stacklevel=4,
    )
