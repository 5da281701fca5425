"""predict --explain and inspect --natural: why a row is decided as it is, and that it adds up."""

import json
import math
import re

import numpy as np
import pytest
from support import PENGUINS, fails, ok, ok_json, penguin_rows, posteriors, read_csv, write_csv

MODELS = {
    "shared": ("--model", "gaussian"),
    "diagonal": ("--model", "gaussian", "--covariance", "diagonal", "--ridge", "0.01"),
    "naive": ("--model", "naive-bayes"),
    "softmax": ("--model", "softmax", "--decay", "0.01"),
}
CLASSES = ["Adelie", "Chinstrap", "Gentoo"]


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("explain")
    for name, options in MODELS.items():
        ok("train", PENGUINS, "--target", "species", *options, "--quiet", "-o", folder / name)
    return folder


def explained(model, data, *options):
    lines = ok("predict", model, data, "--explain", "--json", "--quiet", *options).stdout
    return [json.loads(line) for line in lines.splitlines()]


def added(row):
    terms = [term["contribution"] for term in row["contributions"]]
    return row["prior"] + sum(terms) + row.get("others", 0.0)


def two_largest(p):
    """Positions of the largest and the second largest."""
    order = sorted(range(len(p)), key=lambda k: (-p[k], k))
    return order[0], order[1]


@pytest.mark.parametrize("name", MODELS)
def test_explanations_are_the_posteriors(models, name):
    """Iris and penguins are small enough to compare every row with predict --proba."""
    rows = explained(models / name, PENGUINS)
    table = ok("predict", models / name, PENGUINS, "--proba", "--quiet").stdout
    decisions = [line["prediction"] for line in read_csv(table)]
    assert [row["row"] for row in rows] == list(range(1, len(decisions) + 1))
    for row, decision, p in zip(rows, read_csv(table), rows_of(table), strict=True):
        if row["prediction"] is None:
            assert decision["prediction"] == ""
            continue
        first, second = two_largest(p)
        assert row["prediction"] == CLASSES[first] == decision["prediction"]
        if p[second] > 1e-300:
            assert row["against"] == CLASSES[second]
            assert math.isclose(row["log_odds"], math.log(p[first] / p[second]), rel_tol=1e-9)
        scale = max(abs(term["contribution"]) for term in row["contributions"]) + abs(row["prior"])
        assert abs(added(row) - row["log_odds"]) <= 1e-13 * scale


def rows_of(table):
    names = [f"p_{name}" for name in CLASSES]
    return [[float(line[name] or "nan") for name in names] for line in read_csv(table)]


@pytest.mark.parametrize("options", [(), ("--covariance", "shared-diagonal")])
def test_iris_terms_by_the_formula(iris, tmp_path, options):
    """(Sigma^-1 (mu_a - mu_b))_i (x_i - (mu_a + mu_b)_i / 2), computed with numpy."""
    lines = read_csv(iris.read_text())
    target = list(lines[0])[-1]
    features = [name for name in lines[0] if name != target]
    x = np.array([[float(line[name]) for name in features] for line in lines])
    labels = np.array([line[target] for line in lines])
    means = {name: x[labels == name].mean(axis=0) for name in set(labels)}
    within = sum(
        np.cov(x[labels == name].T, bias=True) * (labels == name).sum() for name in set(labels)
    ) / len(x)
    if options:
        within = np.diag(np.diag(within))
    model = tmp_path / "iris.model"
    ok("train", iris, "--target", target, "--model", "gaussian", *options, "--quiet", "-o", model)
    for row, values in zip(explained(model, iris), x, strict=True):
        a, b = means[row["prediction"]], means[row["against"]]
        terms = np.linalg.solve(within, a - b) * (values - (a + b) / 2)
        found = {term["column"]: term["contribution"] for term in row["contributions"]}
        np.testing.assert_allclose([found[name] for name in features], terms, rtol=1e-9, atol=1e-9)
        assert row["prior"] == 0


def test_the_largest_come_first_with_their_values(models):
    rows = explained(models / "shared", PENGUINS)
    for row, line in zip(rows, read_csv(PENGUINS.read_text()), strict=True):
        sizes = [abs(term["contribution"]) for term in row["contributions"]]
        assert sizes == sorted(sizes, reverse=True)
        shown = {term["column"]: term["value"] for term in row["contributions"]}
        given = {name: value for name, value in line.items() if name != "species"}
        assert set(shown) == {name for name, value in given.items() if value != "NA"}
        for name, value in shown.items():
            assert value == given[name] if isinstance(value, str) else value == float(given[name])


def test_top_shows_some_and_adds_up_the_others(models):
    whole = explained(models / "softmax", PENGUINS)
    cut = explained(models / "softmax", PENGUINS, "--top", "2")
    for all_terms, few in zip(whole, cut, strict=True):
        if few["prediction"] is None:
            assert few["contributions"] == []
            continue
        assert few["contributions"] == all_terms["contributions"][:2]
        assert math.isclose(added(few), few["log_odds"], rel_tol=1e-9, abs_tol=1e-9)
        assert few["log_odds"] == all_terms["log_odds"]
    assert all(row["others"] == 0 for row in explained(models / "shared", PENGUINS, "--top", "99"))


@pytest.mark.parametrize("base", ["2", "10", "1.5"])
def test_log_base_is_a_unit(models, base):
    natural = explained(models / "shared", PENGUINS, "--log-base", "e")
    other = explained(models / "shared", PENGUINS, "--log-base", base)
    unit = math.log(float(base))
    for a, b in zip(natural, other, strict=True):
        assert math.isclose(a["log_odds"], b["log_odds"] * unit, rel_tol=1e-12)
        assert math.isclose(a["prior"], b["prior"] * unit, rel_tol=1e-12)
        assert math.isclose(added(b), b["log_odds"], rel_tol=1e-12, abs_tol=1e-12)


def test_text_for_people_adds_up(models):
    text = ok("predict", models / "shared", PENGUINS, "--explain", "--top", "3", "--quiet").stdout
    blocks = text.strip().split("\n\n")
    assert len(blocks) == len(penguin_rows(complete=False))
    title = re.compile(r"row (\d+): (\w+) against (\w+), log odds ([-+][\d.]+), posterior ([\d.]+)")
    for number, block in enumerate(blocks, start=1):
        first, *lines = block.splitlines()
        found = title.fullmatch(first)
        assert found and int(found[1]) == number
        assert lines[0].split()[0] == "prior"
        assert len({len(line) for line in lines}) == 1, "the numbers stand in one column"
        terms = [float(line.split()[-1]) for line in lines]
        assert abs(sum(terms) - float(found[4])) < 0.005 * len(terms)
    assert "bill_length_mm=39.1" in blocks[0]
    assert blocks[0].splitlines()[-1].split()[:2] == ["4", "others"]


def test_text_names_the_base_and_what_a_model_starts_from(models):
    text = ok("predict", models / "softmax", PENGUINS, "--explain", "--log-base", "2").stdout
    assert "(base 2), posterior" in text and "\n  intercept " in text
    assert "row 4: no prediction, a value is missing\n" in text


def test_missing_values_have_no_line(models, tmp_path):
    rows = penguin_rows()[:3]
    for name in rows[1]:
        rows[1][name] = "NA"
    data = write_csv(tmp_path / "d.csv", rows)
    row = explained(models / "shared", data)[1]
    assert row["contributions"] == []
    assert row["log_odds"] == row["prior"]


def test_priors_move_the_prior_alone(models):
    before = explained(models / "diagonal", PENGUINS)
    after = explained(models / "diagonal", PENGUINS, "--priors", "uniform")
    same = [
        (a, b)
        for a, b in zip(before, after, strict=True)
        if (a["prediction"], a["against"]) == (b["prediction"], b["against"])
    ]
    assert len(same) > 300
    for a, b in same:
        assert b["prior"] == 0
        assert a["prior"] != 0
        assert a["contributions"] == b["contributions"]


def test_impossible_values_are_infinite_evidence(tmp_path):
    """With smoothing 0: null in JSON, +inf for people, and never NaN."""
    model = tmp_path / "m"
    naive = ("--model", "naive-bayes", "--smoothing", "0")
    ok("train", PENGUINS, "--target", "species", *naive, "--quiet", "-o", model)
    rows = explained(model, PENGUINS)
    torgersen = [
        row
        for row, line in zip(rows, read_csv(PENGUINS.read_text()), strict=True)
        if line["island"] == "Torgersen"
    ]
    assert torgersen
    for row in torgersen:
        assert row["prediction"] == "Adelie"
        assert row["log_odds"] is None
        assert row["contributions"][0]["column"] == "island"
        assert row["contributions"][0]["contribution"] is None
    text = ok("predict", model, PENGUINS, "--explain", "--quiet").stdout
    assert "+inf" in text
    assert "nan" not in text


def test_rejected_rows_are_not_explained(models):
    rows = explained(models / "shared", PENGUINS, "--reject-outliers", "0.05")
    rejected = [row for row in rows if row["prediction"] == "reject"]
    assert rejected
    assert all(row["against"] is None and row["contributions"] == [] for row in rejected)


def test_output_file(models, tmp_path):
    output = tmp_path / "why.jsonl"
    command = ("predict", models / "shared", PENGUINS, "--explain", "--json")
    summary = json.loads(ok(*command, "-o", output).stdout)
    assert summary["rows"] == 344
    assert output.read_text() == ok(*command, "--quiet").stdout
    text = tmp_path / "why.txt"
    ok("predict", models / "shared", PENGUINS, "--explain", "-o", text)
    assert text.read_text().startswith("row 1: Adelie against Chinstrap")


def test_threads_change_nothing(models, tmp_path):
    data = write_csv(tmp_path / "many.csv", penguin_rows(complete=False) * 12)
    one = ok("predict", models / "shared", data, "--explain", "--threads", "1", "--quiet").stdout
    assert one == ok("predict", models / "shared", data, "--explain", "--threads", "4").stdout


def test_refusals(models, tmp_path):
    model = models / "shared"
    for flag in ("--proba", "--density", "--distances"):
        assert flag in fails("predict", model, PENGUINS, "--explain", flag)
    for flag in ("--top", "--log-base"):
        assert "--explain" in fails("predict", model, PENGUINS, flag, "2")
    for base in ("1", "0.5", "-2", "inf", "two", "nan"):
        message = fails("predict", model, PENGUINS, "--explain", f"--log-base={base}")
        assert "a number above 1" in message
    assert "top" in fails("predict", model, PENGUINS, "--explain", "--top", "0")
    own = tmp_path / "own"
    options = ("--target", "species", "--ignore", "island,sex,year", "--quiet", "-o", own)
    for more in (
        ("--model", "neighbors"),
        ("--model", "gaussian", "--covariance", "own"),
        ("--model", "gaussian", "--components", "2"),
    ):
        ok("train", PENGUINS, *more, *options)
        message = fails("predict", own, PENGUINS, "--explain")
        assert "sums over columns" in message and "--covariance shared" in message


def test_natural_parameters_give_the_posteriors(models):
    """p(class | x) from what inspect --natural --json prints, and nothing else."""
    natural = ok_json("inspect", models / "diagonal", "--natural")
    assert natural["classes"] == CLASSES
    weights, constants = np.array(natural["parameters"]), np.array(natural["constants"])
    partitions = np.array(natural["log_partitions"])
    np.testing.assert_allclose(constants, np.array(natural["log_priors"]) - partitions.sum(axis=1))
    table = ok("predict", models / "diagonal", PENGUINS, "--proba", "--quiet").stdout
    for row, p in zip(read_csv(PENGUINS.read_text()), posteriors(table, CLASSES), strict=True):
        part_seen = np.array([row[part] != "NA" for part in natural["parts"]])
        seen = part_seen[natural["part_of_statistic"]]
        values = np.array([statistic(name, row) for name in natural["statistics"]])
        scores = weights[:, seen] @ values[seen] + natural["log_priors"]
        scores -= partitions @ part_seen
        shares = np.exp(scores - scores.max())
        np.testing.assert_allclose(shares / shares.sum(), p, rtol=1e-6, atol=1e-9)


def statistic(name, row):
    """x, x^2, or the indicator column=level."""
    power = 2 if name.endswith("^2") else 1
    column, _, level = name.removesuffix("^2").partition("=")
    if level:
        return float(row[column] == level)
    return math.nan if row[column] == "NA" else float(row[column]) ** power


def test_natural_text(models):
    lines = ok("inspect", models / "shared", "--natural").stdout.splitlines()
    assert lines[1].split() == ["statistic", *CLASSES]
    assert lines[-1].split()[0] == "1"
    assert "island=Dream" in {line.split()[0] for line in lines}
    assert "exponential family" in fails("inspect", models / "softmax", "--natural")
    assert "one of them" in fails("inspect", models / "shared", "--natural", "--boundaries")
