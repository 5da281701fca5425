"""--basis: polynomials, interactions and splines of the columns."""

import json
import math
import random

import pytest
from support import fails, ok, read_csv, run, shared_data

ROWS = 1200


def inside(x: float, y: float) -> bool:
    """An ellipse far from the origin, in two units."""
    return ((x - 1000) / 200) ** 2 + (y + 3) ** 2 < 1


@pytest.fixture(scope="module")
def ring(tmp_path_factory):
    """Two classes with a ring between them, and a grid around them."""
    numbers = random.Random(5)
    folder = tmp_path_factory.mktemp("ring")
    lines = ["x,y,class"]
    while len(lines) <= ROWS:
        x, y = numbers.uniform(600, 1400), numbers.uniform(-5, -1)
        lines.append(f"{x:.3f},{y:.4f},{'in' if inside(x, y) else 'out'}")
    (folder / "train.csv").write_text("\n".join(lines) + "\n")
    grid = [(600 + 20 * i, -5 + 0.1 * j) for i in range(41) for j in range(41)]
    (folder / "grid.csv").write_text("x,y\n" + "".join(f"{x},{y}\n" for x, y in grid))
    return folder, grid


def train(folder, basis, *words):
    model = folder / f"{basis.replace(':', '')}.model"
    ok(
        "train", folder / "train.csv", "--target", "class", "--model", "softmax",
        "--basis", basis, *words, "-o", model,
    )  # fmt: skip
    return model


def accuracy(folder, model) -> float:
    shown = json.loads(ok("evaluate", model, folder / "train.csv", "--json").stdout)
    return shown["accuracy"]


def test_a_polynomial_finds_the_ellipse(ring):
    folder, grid = ring
    model = train(folder, "polynomial:2", "--decay", "1e-8")
    decided = [
        row["prediction"] for row in read_csv(ok("predict", model, folder / "grid.csv").stdout)
    ]
    for (x, y), decision in zip(grid, decided, strict=True):
        radius = math.hypot((x - 1000) / 200, y + 3)
        if abs(radius - 1) > 0.08:
            assert decision == ("in" if radius < 1 else "out"), (x, y)
    assert accuracy(folder, train(folder, "none")) < 0.85
    assert accuracy(folder, model) > 0.99


def test_splines_find_the_ellipse(ring):
    folder, _ = ring
    assert accuracy(folder, train(folder, "spline:4")) > 0.98


def test_names_of_features(ring):
    folder, _ = ring
    shown = json.loads(ok("inspect", train(folder, "polynomial:2"), "--json").stdout)
    text = json.dumps(shown)
    for name in ('"x^2"', '"x x y"', '"y^2"'):
        assert name in text
    text = ok("inspect", train(folder, "spline:1"), "--json").stdout
    assert '"x spline 1"' in text


def test_explained_terms_are_columns_and_columns_together(ring):
    folder, _ = ring
    model = train(folder, "polynomial:2")
    shown = ok("predict", model, folder / "grid.csv", "--explain").stdout
    assert "x=600, y=-5" in shown


# R 4.2, glm(binomial) with splines::ns(x, knots = quantile(x, c(1, 2) / 3, type = 1),
# Boundary.knots = range(x)) of every column but famhist.
def test_splines_have_the_deviance_of_r(tmp_path):
    data = shared_data("esl_saheart/SAheart.csv")
    model = tmp_path / "m"
    ok(
        "train", data, "--target", "chd", "--model", "softmax", "--decay", "0",
        "--basis", "spline:2", "-o", model,
    )  # fmt: skip
    shown = json.loads(ok("evaluate", model, data, "--json").stdout)
    assert 2 * 462 * shown["log_loss"] == pytest.approx(449.378615852, abs=2e-6)


# R 4.2, glm(chd ~ (sbp + tobacco + ldl + age)^2 + I(sbp^2) + ..., binomial)
def test_polynomials_have_the_deviance_of_r(tmp_path):
    data = shared_data("esl_saheart/SAheart.csv")
    model = tmp_path / "m"
    ok(
        "train", data, "--target", "chd", "--model", "softmax", "--decay", "0",
        "--ignore", "adiposity,famhist,typea,obesity,alcohol",
        "--basis", "polynomial:2", "-o", model,
    )  # fmt: skip
    shown = json.loads(ok("evaluate", model, data, "--json").stdout)
    assert 2 * 462 * shown["log_loss"] == pytest.approx(494.368276, abs=2e-6)


def refused(folder, basis) -> str:
    return fails(
        "train", folder / "train.csv", "--target", "class", "--model", "softmax",
        "--basis", basis, "-o", folder / "refused",
    )  # fmt: skip


def test_what_is_no_basis(ring):
    folder, _ = ring
    assert "is no basis; take none, interactions, polynomial:2" in refused(folder, "cubic")
    assert "from 1 to 50 behind the colon" in refused(folder, "polynomial:0")


def test_columns_that_do_not_fit(tmp_path):
    lines = [f"{n % 3},{n * 1e80:.3e},{'ab'[n % 2]}" for n in range(30)]
    (tmp_path / "train.csv").write_text("few,huge,class\n" + "\n".join(lines) + "\n")
    assert "column 'few' has 3 different values, too few for the 2 knots" in refused(
        tmp_path, "spline:2"
    )
    assert "the feature 'huge^2' that --basis makes overflows" in refused(tmp_path, "polynomial:2")


def test_sparse_rows(tmp_path):
    data = tmp_path / "rows.svm"
    data.write_text("a 1:1 5:2\nb 2:1\n" * 5)
    result = run(
        "train", data, "--format", "svmlight", "--model", "noisy-or", "--basis", "interactions",
        "-o", tmp_path / "m",
    )  # fmt: skip
    assert result.returncode == 2
    assert "these are sparse; leave --basis out" in result.stderr
