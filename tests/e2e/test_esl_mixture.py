"""The mixture example of Hastie, Tibshirani & Friedman: ten Gaussians a class, whose posterior and
density are known on a lattice. The truth as a model of twenty classes, and its Bayes error.
"""

import csv
import json

import pytest
from support import ok, ok_json, shared_data, write_csv

VARIANCE = 0.2  # of every Gaussian, in both directions


def numbers(name: str) -> list[dict[str, float]]:
    with shared_data(f"esl_mixture/{name}").open() as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def reference() -> float:
    with shared_data("REFERENCE_RESULTS.csv").open() as file:
        rows = [row for row in csv.reader(file) if row[0] == "esl_mixture"]
    (found,) = [float(row[-1]) for row in rows if "Bayes error" in row]
    return found


@pytest.fixture
def truth(tmp_path):
    """The posterior of the second class on the lattice, from a model that is written down."""
    centers = numbers("means.csv")
    names = [f"{'b' if center['class'] else 'a'}{i}" for i, center in enumerate(centers)]
    definition = {
        "classes": names,
        "priors": [1 / len(names)] * len(names),
        "means": [[center["m1"], center["m2"]] for center in centers],
        "covariances": [[[VARIANCE, 0.0], [0.0, VARIANCE]]],
        "columns": ["x1", "x2"],
    }
    (tmp_path / "truth.json").write_text(json.dumps(definition))
    ok("define", tmp_path / "truth.json", "-o", tmp_path / "truth.model")
    grid = write_csv(
        tmp_path / "grid.csv", [{key: row[key] for key in ("x1", "x2")} for row in lattice()]
    )
    text = ok("predict", tmp_path / "truth.model", grid, "--proba", "--quiet").stdout
    rows = csv.DictReader(text.splitlines())
    return [sum(float(row[f"p_{name}"]) for name in names if name[0] == "b") for row in rows]


def lattice() -> list[dict[str, float]]:
    return numbers("grid_true_posterior.csv")


def test_the_model_that_is_written_down_has_the_true_posterior(truth):
    wanted = [row["prob"] for row in lattice()]
    assert truth == pytest.approx(wanted, rel=1e-9, abs=1e-12)


def test_the_bayes_error_of_the_lattice(truth, tmp_path):
    """Each point counts for both classes, by its density and the posterior that is given for it:
    the error rate of the largest posterior is then the Bayes error.
    """
    rows = [
        {"y": label, "p_a": 1 - p, "p_b": p, "weight": row["marginal"] * share}
        for row, p in zip(lattice(), truth, strict=True)
        for label, share in (("a", 1 - row["prob"]), ("b", row["prob"]))
    ]
    table = write_csv(tmp_path / "both.csv", rows)
    found = ok_json("evaluate", "--probabilities", table, "--target", "y", "--weights", "weight")
    assert found["error_rate"] == pytest.approx(reference(), abs=5e-7)
    assert found["error_rate"] == pytest.approx(0.2101, abs=5e-5)
