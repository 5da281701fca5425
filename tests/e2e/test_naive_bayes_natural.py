"""inspect --natural: posteriors from the weights of the sufficient statistics alone."""

import math

import numpy as np
import pytest
from support import PENGUINS, fails, ok, ok_json, posteriors, read_csv

SPECIES = ["Adelie", "Chinstrap", "Gentoo"]
MIXES = {
    "default": [],
    "logs": ["--families", "bill_length_mm=gamma,bill_depth_mm=log-normal,body_mass_g=gamma"],
    "means": ["--families", "real=exponential,count=geometric"],
    "smoothing": ["--smoothing", "0.5,island=3", "--families", "count=poisson"],
    "block": ["--blocks", "bill_length_mm+bill_depth_mm"],
}


def train(tmp_path, *options):
    words = ["train", PENGUINS, "--target", "species", "--model", "naive-bayes", *options]
    ok(*words, "-o", tmp_path / "m", "--quiet")
    return tmp_path / "m"


def statistic(name: str, row: dict[str, str]) -> float:
    """T(x) by its name: x, x^2, x*y, ln x, (ln x)^2, or column=level."""
    if name in row:
        return float(row[name])
    if "=" in name:
        column, level = name.split("=")
        return float(row[column] == level)
    if name.endswith("^2"):
        return statistic(name.removesuffix("^2").strip("()"), row) ** 2
    if name.startswith("ln "):
        return math.log(float(row[name.removeprefix("ln ")]))
    return math.prod(float(row[part]) for part in name.split("*"))


def log_joint(natural: dict, row: dict[str, str]) -> np.ndarray:
    """A missing value takes the statistics and the A of its part out of the sum."""
    present = [all(row[c] != "NA" for c in part.split("+")) for part in natural["parts"]]
    scores = np.array(natural["log_priors"]) - np.array(natural["log_partitions"]) @ present
    places = zip(natural["statistics"], natural["part_of_statistic"], strict=True)
    values = [statistic(name, row) if present[part] else 0.0 for name, part in places]
    return scores + np.array(natural["parameters"]) @ values


@pytest.mark.parametrize("mix", MIXES)
def test_posteriors_from_the_weights_alone(tmp_path, mix):
    model = train(tmp_path, *MIXES[mix])
    natural = ok_json("inspect", model, "--natural")
    assert natural["classes"] == SPECIES
    rows = read_csv(PENGUINS.read_text())
    if mix == "block":  # of a row that lacks one of its columns the block has a part left
        rows = [row for row in rows if row["bill_length_mm"] != "NA"]
    scores = np.array([log_joint(natural, row) for row in rows])
    expected = np.exp(scores - scores.max(axis=1, keepdims=True))
    expected /= expected.sum(axis=1, keepdims=True)
    given = np.array(
        posteriors(ok("predict", model, PENGUINS, "--proba", "--quiet").stdout, SPECIES)
    )
    kept = [row in rows for row in read_csv(PENGUINS.read_text())]
    np.testing.assert_allclose(given[kept], expected, rtol=0, atol=1e-9)


def test_the_constant_is_the_sum_of_its_parts(tmp_path):
    natural = ok_json("inspect", train(tmp_path), "--natural")
    parts = np.array(natural["log_priors"]) - np.array(natural["log_partitions"]).sum(axis=1)
    np.testing.assert_allclose(natural["constants"], parts, rtol=1e-12)


def test_the_table(tmp_path):
    text = ok("inspect", train(tmp_path), "--natural").stdout
    for name in ("bill_length_mm^2", "island=Biscoe", *SPECIES):
        assert name in text


@pytest.mark.parametrize("options", [["--families", "bill_length_mm=kernel"], ["--smoothing", "0"]])
def test_a_law_without_natural_parameters(tmp_path, options):
    """A kernel density has none, nor has a level of share 0; the sentence names the column."""
    sentence = fails("inspect", train(tmp_path, *options), "--natural")
    assert ("'bill_length_mm'" if "--families" in options else "'island'") in sentence
