"""Every memory layout of an array gives the same model, bit for bit, and the same posteriors."""

import logodds
import numpy as np
import pytest
from conftest import CLASSES, model_bytes


def spaced(X):
    """The values of X in every second row and column of a larger array."""
    wide = np.full((2 * X.shape[0], 2 * X.shape[1]), np.nan, dtype=X.dtype)
    wide[::2, ::2] = X
    return wide[::2, ::2]


def reversed_strides(X):
    return np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1]


def read_only(X):
    copy = X.copy()
    copy.flags.writeable = False
    return copy


def unaligned(X):
    raw = np.zeros(X.nbytes + 1, dtype=np.uint8)
    view = raw[1:].view(X.dtype).reshape(X.shape)
    view[...] = X
    return view


def structured_field(X):
    """A field that lies off the grid of its own type."""
    record = np.zeros(len(X), dtype=[("odd", "u1"), ("x", X.dtype, X.shape[1])])
    record["x"] = X
    return record["x"]


LAYOUTS = {
    "row-major": np.ascontiguousarray,
    "column-major": np.asfortranarray,
    "transposed": lambda X: np.ascontiguousarray(X.T).T,
    "spaced": spaced,
    "reversed": reversed_strides,
    "read-only": read_only,
    "unaligned": unaligned,
    "structured": structured_field,
    "big-endian": lambda X: X.astype(X.dtype.newbyteorder(">")),
    "list": lambda X: X.tolist(),
    "object": lambda X: X.astype(object),
    "longdouble": lambda X: X.astype(np.longdouble),
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("cls", CLASSES)
def test_layouts_agree(cls, layout, dtype, blobs):
    X, y = blobs[0].astype(dtype), blobs[1]
    same = LAYOUTS[layout](X)
    plain = cls().fit(X.astype(np.float64), y)
    other = cls().fit(same, y)
    assert model_bytes(other) == model_bytes(plain)
    expected = plain.predict_proba(X[:1500].astype(np.float64))
    np.testing.assert_array_equal(plain.predict_proba(same[:1500]), expected)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "i8", "u8", "f2", "?"])
def test_other_numbers_are_converted(dtype):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2 if dtype == "?" else 100, size=(200, 3)).astype(dtype)
    y = rng.integers(0, 2, size=200)
    for cls in CLASSES:
        converted = cls().fit(X.astype(np.float64), y)
        assert model_bytes(cls().fit(X, y)) == model_bytes(converted)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_float_arrays_are_not_copied(order, dtype):
    from logodds._features import read_array

    X = np.zeros((8, 3), dtype=dtype, order=order)
    for view in (X, X[::2], X[:, ::-1], X[2:5, 1:]):
        assert np.shares_memory(read_array(view), view)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_values_that_are_no_numbers_are_named(value, dtype, blobs):
    X, y = blobs[0].astype(dtype), blobs[1]
    X[2345, 2] = value
    for cls in CLASSES:
        refusing = cls()
        if np.isnan(value) and cls is logodds.NaiveBayesClassifier:
            continue  # always a missing value
        if np.isnan(value) and cls is logodds.GaussianClassifier:
            refusing.set_params(missing="error")
        complete = refusing.fit(blobs[0].astype(dtype), y)
        with pytest.raises(ValueError, match=r"row 2346, column 'x3'.*(NaN|infinity)"):
            complete.predict(X)
        with pytest.raises(ValueError, match=r"row 2346, column 'x3'.*(NaN|infinity)"):
            complete.predict_proba(X)
        with pytest.raises(ValueError, match=r"row 2346, column 'x3'.*(NaN|infinity)"):
            refusing.fit(X, y)


def test_posteriors_are_float64_and_sum_to_one(blobs):
    X, y = blobs
    for cls in CLASSES:
        posteriors = cls().fit(X, y).predict_proba(X.astype(np.float32))
        assert posteriors.dtype == np.float64
        assert posteriors.shape == (3000, 3)
        np.testing.assert_allclose(posteriors.sum(axis=1), 1.0, rtol=0, atol=1e-12)
