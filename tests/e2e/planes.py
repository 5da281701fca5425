"""Rows and models that pictures of planes are drawn of."""

import numpy as np
from support import ok, penguin_rows, read_csv, write_csv

BILL = ["bill_length_mm", "bill_depth_mm"]
WHOLE = ["flipper_length_mm", "body_mass_g"]
SPECIES = ["Adelie", "Chinstrap", "Gentoo"]


def table(folder, columns, species=tuple(SPECIES)):
    """A file of penguins without gaps, their numbers and their species."""
    rows = [row for row in penguin_rows() if row["species"] in species]
    kept = [{name: row[name] for name in ("species", *columns)} for row in rows]
    values = np.array([[float(row[name]) for name in columns] for row in rows])
    path = write_csv(folder / "rows.csv", kept)
    return path, values, np.array([row["species"] for row in rows])


def standing(values) -> np.ndarray:
    """Where columns stand that are not drawn: at their means, those of whole numbers at one."""
    whole = (values == np.round(values)).all(axis=0)
    return np.where(whole, np.round(values.mean(axis=0)), values.mean(axis=0))


def train(folder, data, *options, target="species"):
    ok("train", data, "--target", target, *options, "-o", folder / "m.model", "--quiet")
    return folder / "m.model"


def posteriors_at(folder, model, columns, points) -> np.ndarray:
    rows = [{c: repr(float(v)) for c, v in zip(columns, p, strict=True)} for p in points]
    data = write_csv(folder / "points.csv", rows)
    answers = read_csv(ok("predict", model, data, "--proba", "-o", "-").stdout)
    names = [name for name in answers[0] if name.startswith("p_")]
    return np.array([[float(answer[name]) for name in names] for answer in answers])
