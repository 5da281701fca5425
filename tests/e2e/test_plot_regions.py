"""logodds plot regions: decision regions on a plane or a line."""

import itertools
import json
import math
import random
from fractions import Fraction

import numpy as np
import pytest
from picture import drawn, texts
from support import DATA, fails, ok


def test_names_axes_and_counts(penguins, penguins_model, tmp_path):
    picture = tmp_path / "regions.svg"
    ok("plot", "regions", penguins_model, penguins, "-o", picture)
    words = texts(picture)
    wrong = json.loads(ok("evaluate", penguins_model, penguins, "--json").stdout)
    errors = round(wrong["error_rate"] * wrong["rows"])
    assert any(word.startswith(f"{errors} of ") for word in words)
    assert {"Adelie", "Chinstrap", "Gentoo"} <= set(words)
    assert any("island = Biscoe" in word for word in words)


def test_columns_by_name_and_the_others_where_they_are_told(penguins, penguins_model, tmp_path):
    picture = tmp_path / "regions.svg"
    ok("plot", "regions", penguins_model, penguins, "-o", picture, "--x", "body_mass_g",
       "--y", "bill_length_mm", "--at", "island=Dream,sex=female")  # fmt: skip
    words = texts(picture)
    assert "body_mass_g" in words and "bill_length_mm" in words
    assert any("island = Dream" in word and "sex = female" in word for word in words)


def test_axes_of_the_rows(penguins, penguins_model, tmp_path):
    for axes, name in [("canonical", "first canonical axis"), ("pca", "second principal axis")]:
        picture = tmp_path / f"{axes}.svg"
        ok("plot", "regions", penguins_model, penguins, "-o", picture, "--axes", axes)
        assert name in texts(picture)


def test_rows_without_labels_are_colored_by_decision(penguins_model, penguins, tmp_path):
    lines = penguins.read_text().splitlines()
    rows = tmp_path / "rows.csv"
    rows.write_text("\n".join(line.split(",", 1)[1] for line in lines) + "\n")
    picture = tmp_path / "regions.svg"
    ok("plot", "regions", penguins_model, rows, "-o", picture)
    assert any("colored by their decision" in word for word in texts(picture))


def test_many_points_make_a_small_picture_that_says_so(tmp_path):
    draw = random.Random(3)
    rows = tmp_path / "rows.csv"
    with rows.open("w") as file:
        file.write("a,b,kind\n")
        for i in range(100_000):
            k = i % 3
            file.write(f"{draw.gauss(k, 1):.4f},{draw.gauss(-k * k, 1.5):.4f},k{k}\n")
    ok("train", rows, "--target", "kind", "--model", "gaussian", "-o", tmp_path / "m.model")
    picture = tmp_path / "regions.svg"
    result = ok("plot", "regions", tmp_path / "m.model", rows, "-o", picture)
    assert "every 13th of 100,000 points is drawn" in result.stderr
    assert any("every 13th of 100,000 points is drawn" in word for word in texts(picture))
    assert picture.stat().st_size < 1_000_000


def test_hostile_names_stay_text(tmp_path):
    rows = tmp_path / "rows.csv"
    names = ["<script>alert(1)</script>", '日本語 & "x"', "z" * 200]
    with rows.open("w") as file:
        file.write('"a<b","c&d",kind\n')
        for i in range(60):
            name = names[i % 3].replace('"', '""')
            file.write(f'{i % 3 + i / 100},{(i * 7) % 11 / 10},"{name}"\n')
    ok("train", rows, "--target", "kind", "--model", "gaussian", "-o", tmp_path / "m.model")
    picture = tmp_path / "regions.svg"
    ok("plot", "regions", tmp_path / "m.model", rows, "-o", picture)
    words = texts(picture)
    assert "a<b" in words and "c&d" in words
    assert "<script>" not in picture.read_text()


@pytest.mark.parametrize("value", ["1", "1e300", "-7e-300"])
def test_equal_rows(tmp_path, value):
    rows = tmp_path / "rows.csv"
    rows.write_text("a,b,kind\n" + f"{value},{value},x\n" * 3 + f"{value},{value},y\n" * 3)
    ok("train", rows, "--target", "kind", "--model", "naive-bayes", "-o", tmp_path / "m.model")
    ok("plot", "regions", tmp_path / "m.model", rows, "-o", tmp_path / "r.svg")


def test_refusals(penguins, penguins_model, tmp_path):
    picture = tmp_path / "x.svg"

    def refused(*options):
        return fails("plot", "regions", penguins_model, penguins, "-o", picture, *options)

    assert "is no column of the model" in refused("--x", "bill")
    assert "is no column of numbers" in refused("--x", "island")
    assert "did you mean 'bill_depth_mm'" in refused("--y", "bill_depth")
    assert "name the same column" in refused("--x", "body_mass_g", "--y", "body_mass_g")
    assert "has no level 'Mars'" in refused("--at", "island=Mars")
    assert "is no number" in refused("--at", "body_mass_g=heavy")
    assert "is not COLUMN=VALUE" in refused("--at", "body_mass_g")
    assert "give one or the other" in refused("--axes", "pca", "--x", "body_mass_g")
    assert not picture.exists()


def test_models_that_cannot_be_drawn_name_the_kinds_that_fit(tmp_path):
    rows = tmp_path / "rows.csv"
    rows.write_text("text,kind\n" + "good day,a\nbad night,b\n" * 5)
    ok("train", rows, "--target", "kind", "--model", "naive-bayes", "--kinds", "text=text",
       "-o", tmp_path / "m.model")  # fmt: skip
    message = fails("plot", "regions", tmp_path / "m.model", rows, "-o", tmp_path / "x.svg")
    assert "plot words" in message


# Boundaries, to 1e-9 of the axes.

SHARED = """{"classes": ["a", "b", "c"], "priors": [0.5, 0.3, 0.2], "columns": ["x", "y"],
  "means": [[2, 1], [1, 2.5], [-1, 0.25]], "covariance": [[1, 0.375], [0.375, 2]]}"""


def exact_score(prior, mean, covariance):
    """ln p(x, C) without rounding, but for that of the constant."""
    m = [Fraction(value) for value in mean]
    (a, b), (_, d) = [[Fraction(value) for value in line] for line in covariance]
    determinant = a * d - b * b
    constant = Fraction(math.log(prior) - 0.5 * math.log(determinant))

    def score(x, y):
        u, v = x - m[0], y - m[1]
        return constant - (d * u * u - 2 * b * u * v + a * v * v) / (2 * determinant)

    return score


@pytest.mark.parametrize(
    ("spec", "least_points"), [((DATA / "two_gaussians.json").read_text(), 30), (SHARED, 2)]
)
def test_boundaries_are_roots_of_exact_scores(tmp_path, spec, least_points):
    told = json.loads(spec)
    (tmp_path / "spec.json").write_text(spec)
    ok("define", tmp_path / "spec.json", "-o", tmp_path / "m", "--quiet")
    covariances = told.get("covariances") or [told["covariance"]] * len(told["classes"])
    scores = {
        name: exact_score(prior, mean, covariance)
        for name, prior, mean, covariance in zip(
            told["classes"], told["priors"], told["means"], covariances, strict=True
        )
    }
    arrays = drawn(tmp_path / "r.svg", "regions", tmp_path / "m")
    assert {name.split()[1] for name in arrays} == {
        "|".join(pair) for pair in itertools.combinations(told["classes"], 2)
    }
    every = np.concatenate(list(arrays.values()))
    step = [Fraction(float(size)) / 10**9 for size in np.ptp(every, axis=0)]  # axes are longer
    for name, line in arrays.items():
        assert len(line) >= least_points
        j, k = (scores[label] for label in name.split()[1].split("|"))
        for x, y in line:
            x, y = Fraction(float(x)), Fraction(float(y))
            across = [
                (j(x - dx, y - dy) - k(x - dx, y - dy)) * (j(x + dx, y + dy) - k(x + dx, y + dy))
                for dx, dy in [(step[0], 0), (0, step[1])]
            ]
            assert min(across) <= 0, (name, float(x), float(y))
