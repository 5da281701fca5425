"""Naive Bayes through the command: families, smoothing, missing values, evidence, laws."""

import json
import math

import numpy as np
import pytest
from support import (
    MEASUREMENTS,
    PENGUINS,
    ok,
    ok_json,
    penguin_rows,
    posteriors,
    read_csv,
    write_csv,
)

SPECIES = ["Adelie", "Chinstrap", "Gentoo"]
REAL_FAMILIES = ["gaussian", "log-normal", "exponential", "gamma", "kernel", "histogram"]
COUNT_FAMILIES = ["poisson", "geometric", "negative-binomial"]


def train(data, output, *options, target="species", model="naive-bayes"):
    words = ["train", data, "--target", target, "--model", model, *options]
    ok(*words, "-o", output, "--quiet")
    return output


def table(model, data, *options, classes=SPECIES):
    text = ok("predict", model, data, "--proba", "--quiet", *options).stdout
    return np.array(posteriors(text, classes))


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return train(PENGUINS, tmp_path_factory.mktemp("nb") / "penguins.model")


@pytest.fixture
def toy(tmp_path):
    """Six rows of class a, four of class b; level 'red' never occurs in b."""
    colors = ["red", "red", "green", "green", "blue", "", "green", "green", "blue", "blue"]
    sizes = ["1", "1", "1", "0", "1", "1", "0", "0", "1", ""]
    rows = [
        {"color": color, "flag": size, "class": "a" if place < 6 else "b"}
        for place, (color, size) in enumerate(zip(colors, sizes, strict=True))
    ]
    return write_csv(tmp_path / "toy.csv", rows)


def one_row(tmp_path, **values):
    return write_csv(tmp_path / "row.csv", [values])


# 1. A table as it is.


def test_it_is_the_default(tmp_path):
    words = ["train", PENGUINS, "--target", "species", "-o", tmp_path / "m"]
    answer = ok_json(*words)
    assert answer["model"] == "naive-bayes"
    assert answer["rows"] == 344 and answer["rows_skipped"] == 0
    result = ok(*words)
    assert "naive-bayes" in result.stdout
    assert "no --model was given" in result.stderr


def test_the_summary_says_which_family_each_column_got(tmp_path):
    words = ["train", PENGUINS, "--target", "species", "--families", "body_mass_g=kernel"]
    text = ok(*words, "-o", tmp_path / "m").stdout
    expected = {
        "island": "categorical",
        "bill_length_mm": "gaussian",
        "flipper_length_mm": "poisson",
        "body_mass_g": "kernel",
        "sex": "bernoulli",
    }
    lines = [line for line in text.splitlines() if line.strip()]
    for column, family in expected.items():
        found = [line for line in lines if line.split()[0] == column and family in line]
        assert found, (column, family, text)


# 2. Families.


@pytest.mark.parametrize("family", REAL_FAMILIES)
def test_every_real_family(tmp_path, family):
    options = ["--ignore", "island,sex,year,flipper_length_mm,body_mass_g"]
    named = f"bill_length_mm={family},bill_depth_mm={family}"
    by_name = train(PENGUINS, tmp_path / "a", *options, "--families", named)
    by_kind = train(PENGUINS, tmp_path / "b", *options, "--families", f"real={family}")
    given = table(by_name, PENGUINS)
    np.testing.assert_array_equal(given, table(by_kind, PENGUINS))
    np.testing.assert_allclose(given.sum(axis=1), 1, atol=1e-12)
    assert np.isfinite(given).all()
    # One column with exponential or so cannot tell bills apart, but two tell more than the prior.
    assert ok_json("evaluate", by_name, PENGUINS)["log_loss"] < 1.04


@pytest.mark.parametrize("family", COUNT_FAMILIES)
def test_every_count_family(tmp_path, family):
    options = ["--ignore", "island,sex,year,bill_length_mm,bill_depth_mm"]
    model = train(PENGUINS, tmp_path / "m", *options, "--families", f"count={family}")
    assert ok_json("evaluate", model, PENGUINS)["log_loss"] < 1.04 or family == "poisson"
    assert np.isfinite(table(model, PENGUINS)).all()


def test_names_with_signs_in_them(tmp_path):
    rows = [{"a=b,c": row["bill_length_mm"], "d+e": row["bill_depth_mm"], "species": row["species"]}
            for row in penguin_rows()]  # fmt: skip
    data = write_csv(tmp_path / "d.csv", rows)
    plain = write_csv(
        tmp_path / "plain.csv",
        [dict(zip(["x", "y", "species"], row.values(), strict=True)) for row in rows],
    )
    strange = train(data, tmp_path / "a", "--families", "a\\=b\\,c=kernel,d+e=gamma")
    simple = train(plain, tmp_path / "b", "--families", "x=kernel,y=gamma")
    np.testing.assert_array_equal(table(strange, data), table(simple, plain))
    strange = train(data, tmp_path / "a", "--blocks", "a=b\\,c+d\\+e")
    simple = train(plain, tmp_path / "b", "--blocks", "x+y")
    np.testing.assert_array_equal(table(strange, data), table(simple, plain))


# 3. Smoothing, and the floor of variances.


@pytest.mark.parametrize("alpha", [1, 0.5, 3])
def test_smoothed_shares(toy, tmp_path, alpha):
    """Class a: red 2, green 2, blue 1 of 5 with a value; class b: green 2, blue 2 of 4."""
    model = train(toy, tmp_path / "m", "--ignore", "flag", "--smoothing", alpha, target="class")
    shares = {
        "red": ((2 + alpha) / (5 + 3 * alpha), alpha / (4 + 3 * alpha)),
        "green": ((2 + alpha) / (5 + 3 * alpha), (2 + alpha) / (4 + 3 * alpha)),
        "violet": (alpha / (5 + 3 * alpha), alpha / (4 + 3 * alpha)),  # not met in training
    }
    for color, (of_a, of_b) in shares.items():
        row = one_row(tmp_path, color=color)
        expected = 0.6 * of_a / (0.6 * of_a + 0.4 * of_b)
        assert table(model, row, classes=["a", "b"])[0] == pytest.approx([expected, 1 - expected])
        density = read_csv(ok("predict", model, row, "--density", "--quiet").stdout)[0]
        assert float(density["log_density"]) == pytest.approx(math.log(0.6 * of_a + 0.4 * of_b))


def test_smoothing_by_column(toy, tmp_path):
    model = train(toy, tmp_path / "m", "--smoothing", "1,color=0.25", target="class")
    row = one_row(tmp_path, color="red", flag="1")
    of_a = 0.6 * (2.25 / 5.75) * (6 / 8)
    of_b = 0.4 * (0.25 / 4.75) * (2 / 5)
    assert table(model, row, classes=["a", "b"])[0, 0] == pytest.approx(of_a / (of_a + of_b))


def test_without_smoothing_zeros_are_zeros(toy, tmp_path):
    model = train(toy, tmp_path / "m", "--smoothing", "0", target="class")
    assert table(model, one_row(tmp_path, color="red", flag="0"), classes=["a", "b"])[
        0
    ].tolist() == [1, 0]
    # A level that training has not met says nothing.
    unseen = table(model, one_row(tmp_path, color="violet", flag="1"), classes=["a", "b"])
    missing = table(model, one_row(tmp_path, color="", flag="1"), classes=["a", "b"])
    np.testing.assert_array_equal(unseen, missing)


def test_rows_that_no_class_can_have_brought_forth(tmp_path):
    """The class with the fewest impossible columns; the other columns decide among equals."""
    known = [
        {"v": v, "x": x, "y": y, "z": z, "class": label}
        for label, v, x, values in [("a", "s", "p", "p1 r0 p1"), ("b", "t", "q", "q0 q0 r1")]
        for y, z in values.split()
    ]
    data = write_csv(tmp_path / "d.csv", known)
    model = train(data, tmp_path / "m", "--smoothing", "0", target="class")
    cases = [  # v, x, y, z, and what is left of p(x | a) and p(x | b)
        ("", "q", "p", "1", 2 / 3 * 2 / 3, 1 / 3),
        ("", "p", "q", "0", 1 / 3, 2 / 3 * 2 / 3),
        ("", "p", "q", "1", 2 / 3, 2 / 3 * 1 / 3),
        ("s", "q", "q", "1", 0, 1),  # two columns rule out a, one b
    ]
    rows = [dict(zip("vxyz", case, strict=False)) for case in cases]
    strange = write_csv(tmp_path / "s.csv", rows)
    given = read_csv(ok("predict", model, strange, "--proba", "--density", "--quiet").stdout)
    for row, (*_, of_a, of_b) in zip(given, cases, strict=True):
        assert float(row["p_a"]) == pytest.approx(of_a / (of_a + of_b), abs=1e-14)
        assert float(row["log_density"]) == -math.inf
    assert [row["prediction"] for row in given] == ["a", "b", "a", "b"]


def test_no_columns_scale_leaks_into_another(tmp_path):
    """A column in other units moves no posterior, also where a class has no variance in it."""
    rows = [{n: row[n] for n in ["species", *MEASUREMENTS]} for row in penguin_rows()]
    for row in rows:
        if row["species"] == "Gentoo":
            row["bill_depth_mm"] = "15.5"
    data = write_csv(tmp_path / "d.csv", rows)
    scaled = write_csv(
        tmp_path / "s.csv",
        [{**row, "bill_length_mm": f"{float(row['bill_length_mm']) * 2**40}"} for row in rows],
    )
    small = table(train(data, tmp_path / "a"), data)
    large = table(train(scaled, tmp_path / "b"), scaled)
    np.testing.assert_allclose(small, large, rtol=0, atol=1e-12)


# 7. Missing values.


def test_a_row_without_any_value_has_the_priors(model, tmp_path):
    header = PENGUINS.read_text().splitlines()[0].split(",")
    row = one_row(tmp_path, **dict.fromkeys(header[1:], "NA"))
    assert table(model, row)[0] == pytest.approx([152 / 344, 68 / 344, 124 / 344], abs=1e-14)


@pytest.mark.parametrize("family", [*REAL_FAMILIES, "categorical", "poisson", "negative-binomial"])
def test_a_missing_value_is_a_column_left_out(tmp_path, family):
    """In training: the law is that of the rows with a value, only the priors are of all rows."""
    rows = [{"x": row["body_mass_g"], "species": row["species"]} for row in penguin_rows()]
    kinds = {"categorical": "categorical", "poisson": "count", "negative-binomial": "count"}
    options = ["--kinds", f"x={kinds.get(family, 'real')}", "--families", f"x={family}"]
    holes = [{**row, "x": "?" if place % 3 == 0 else row["x"]} for place, row in enumerate(rows)]
    kept = [row for row in holes if row["x"] != "?"]
    priors = ["--priors", "uniform"]
    with_holes = train(write_csv(tmp_path / "a.csv", holes), tmp_path / "a", *options, *priors)
    without = train(write_csv(tmp_path / "b.csv", kept), tmp_path / "b", *options, *priors)
    data = write_csv(tmp_path / "c.csv", rows)
    np.testing.assert_array_equal(table(with_holes, data), table(without, data))
    assert table(with_holes, tmp_path / "a.csv")[0] == pytest.approx([1 / 3] * 3)


def test_missing_values_are_counted_and_shown(tmp_path):
    words = ["train", PENGUINS, "--target", "species", "--model", "naive-bayes"]
    answer = ok_json(*words, "-o", tmp_path / "m")
    assert answer["rows"] == 344 and answer["rows_incomplete"] == 11
    assert "11 rows lack a value" in ok(*words, "-o", tmp_path / "m").stdout


# 8. Evidence.


def test_explanations_add_up(model, tmp_path):
    text = ok("predict", model, PENGUINS, "--explain", "--json").stdout
    rows = [json.loads(line) for line in text.splitlines()]
    given = table(model, PENGUINS)
    assert len(rows) == 344
    for row, p in zip(rows, given, strict=True):
        first, second = (SPECIES.index(row[key]) for key in ("prediction", "against"))
        order = np.argsort(-p)
        assert [first, second] == order[:2].tolist()
        terms = [part["contribution"] for part in row["contributions"]]
        assert sum(terms) + row["prior"] == pytest.approx(row["log_odds"], rel=1e-12, abs=1e-12)
        assert [abs(t) for t in terms] == sorted((abs(t) for t in terms), reverse=True)
        if p[second] > 1e-300:
            assert row["log_odds"] == pytest.approx(math.log(p[first] / p[second]), rel=1e-9)
        counts = [152, 68, 124]
        assert row["prior"] == pytest.approx(math.log(counts[first] / counts[second]))


def test_explanations_in_other_bases_and_shorter(model):
    full = ok("predict", model, PENGUINS, "--explain", "--json").stdout.splitlines()
    short = ok(
        *("predict", model, PENGUINS, "--explain", "--json", "--top", "2", "--log-base", "10")
    ).stdout.splitlines()
    for left, right in zip(map(json.loads, full), map(json.loads, short), strict=True):
        assert right["log_odds"] == pytest.approx(left["log_odds"] / math.log(10))
        assert len(right["contributions"]) == min(2, len(left["contributions"]))
        for a, b in zip(left["contributions"], right["contributions"], strict=False):
            assert a["column"] == b["column"]
            assert b["contribution"] == pytest.approx(a["contribution"] / math.log(10))


# Laws.


def test_a_column_independent_of_the_class_moves_no_posterior_far(tmp_path):
    """Noise of each kind: the mean log odds move by less than a few times 1 / sqrt(n)."""
    random = np.random.default_rng(3)
    n = 20_000
    labels = random.integers(0, 2, n)
    x = random.normal(labels, 1.0)
    noise = {
        "real": [f"{v:.4f}" for v in random.normal(5, 2, n)],
        "count": [str(v) for v in random.poisson(4, n)],
        "flag": [str(v) for v in random.integers(0, 2, n)],
        "word": ["klmno"[v] for v in random.integers(0, 5, n)],
    }
    plain = [{"x": f"{v:.4f}", "class": "ab"[k]} for v, k in zip(x, labels, strict=True)]
    data = write_csv(tmp_path / "d.csv", plain)
    before = table(train(data, tmp_path / "m", target="class"), data, classes=["a", "b"])
    for name, values in noise.items():
        rows = [{**row, name: value} for row, value in zip(plain, values, strict=True)]
        noisy = write_csv(tmp_path / "n.csv", rows)
        after = table(train(noisy, tmp_path / "m", target="class"), noisy, classes=["a", "b"])
        log_odds = [np.log(p[:, 1]) - np.log(p[:, 0]) for p in (before, after)]
        moved = np.abs(log_odds[1] - log_odds[0])
        error = 1 / math.sqrt(n / 2)  # of a standardised mean; a square at z has z^2 times as much
        assert moved.mean() < 3 * error and np.quantile(moved, 0.99) < 20 * error


@pytest.mark.parametrize(
    "families",
    [
        "",
        "real=kernel",
        "real=histogram",
        "real=gamma",
        "count=negative-binomial",
        "count=geometric",
    ],
)
def test_doubling_every_weight_changes_nothing_without_smoothing(tmp_path, families):
    rows = [{**row, "w": str(place % 4)} for place, row in enumerate(penguin_rows(complete=False))]
    data = write_csv(tmp_path / "d.csv", rows)
    doubled = write_csv(tmp_path / "t.csv", [{**row, "w": str(2 * int(row["w"]))} for row in rows])
    options = ["--smoothing", "0", "--weights", "w"]
    options += ["--families", families] if families else []
    once = train(data, tmp_path / "a", *options)
    twice = train(doubled, tmp_path / "b", *options)
    np.testing.assert_allclose(table(once, data), table(twice, data), rtol=0, atol=1e-11)
