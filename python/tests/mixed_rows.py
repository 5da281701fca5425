"""A table of mixed columns with holes, in every form, and its posteriors by the formulas."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

COLUMNS = ["size", "color", "wins", "wild"]


def close(actual, expected, rtol=1e-10, atol=1e-12):
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=atol)


def make_mixed():
    """3000 rows of a real, a categorical, a count and a binary column with holes in all."""
    rng = np.random.default_rng(11)
    y = rng.integers(0, 3, size=3000)
    shares = np.array([[0.6, 0.3, 0.1], [0.2, 0.2, 0.6], [0.1, 0.8, 0.1]])
    color = np.array([rng.choice(3, p=shares[k]) for k in y])
    columns = {
        "size": rng.normal(np.array([0.0, 2.0, -1.0])[y], 1.5),
        "color": np.array(["red", "green", "blue"], dtype=object)[color],
        "wins": rng.poisson(np.array([1.0, 4.0, 2.0])[y]).astype(float),
        "wild": rng.random(3000) < np.array([0.1, 0.5, 0.9])[y],
    }
    lacking = rng.random((3000, 4)) < 0.05
    return columns, lacking, y


def pandas_frame(mixed):
    columns, lacking, _ = mixed
    return pd.DataFrame(
        {
            "size": np.where(lacking[:, 0], np.nan, columns["size"]),
            "color": pd.Categorical(np.where(lacking[:, 1], None, columns["color"])),
            "wins": np.where(lacking[:, 2], np.nan, columns["wins"]),
            "wild": pd.array(np.where(lacking[:, 3], None, columns["wild"]), dtype="boolean"),
        }
    )


def polars_frame(mixed):
    columns, lacking, _ = mixed
    lists = {
        name: np.where(lacking[:, i], None, columns[name].astype(object)).tolist()
        for i, name in enumerate(COLUMNS)
    }
    schema = {
        "size": pl.Float64,
        "color": pl.Enum(["blue", "green", "red"]),
        "wins": pl.Int32,
        "wild": pl.Boolean,
    }
    lists["wins"] = [None if value is None else int(value) for value in lists["wins"]]
    return pl.DataFrame(lists, schema=schema)


def arrow_table(mixed):
    table = polars_frame(mixed).to_arrow()
    color = table.column("color").cast(pa.string()).combine_chunks().dictionary_encode()
    return table.set_column(1, "color", color)


def object_array(mixed):
    columns, lacking, _ = mixed
    X = np.empty((3000, 4), dtype=object)
    for i, name in enumerate(COLUMNS):
        X[:, i] = np.where(lacking[:, i], None, columns[name].astype(object))
    return X


FRAMES = {"pandas": pandas_frame, "polars": polars_frame, "Arrow": arrow_table}


def reference(mixed, weights=None, alpha=1.0):
    """Posteriors by the formulas, row by row and column by column."""
    columns, lacking, y = mixed
    w = np.ones(len(y)) if weights is None else weights
    classes = np.unique(y)
    log_joint = np.zeros((len(y), len(classes)))
    for k in classes:
        log_joint[:, k] = math.log(w[y == k].sum() / w.sum())
        for i, name in enumerate(COLUMNS):
            there, mine = ~lacking[:, i], (y == k) & ~lacking[:, i]
            terms = column_terms(name, columns[name], there, mine, w, alpha)
            log_joint[:, k] += np.where(there, terms, 0.0)
    odds = np.exp(log_joint - log_joint.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


def column_terms(name, x, there, mine, w, alpha):
    total = w[mine].sum()
    if name == "size":
        mean = (w * x)[mine].sum() / total
        variance = (w * (x - mean) ** 2)[mine].sum() / total
        return -0.5 * np.log(2 * np.pi * variance) - (x - mean) ** 2 / (2 * variance)
    if name == "wins":
        overall = (w * x)[there].sum() / w[there].sum()
        rate = ((w * x)[mine].sum() + alpha * overall) / (total + alpha)
        return x * np.log(rate) - rate
    levels = np.unique(x.astype(str))
    terms = np.zeros(len(x))
    for level in levels:
        is_level = x.astype(str) == level
        share = (w[mine & is_level].sum() + alpha) / (total + alpha * len(levels))
        terms[is_level] = np.log(share)
    return terms
