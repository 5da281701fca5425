"""sample: rows drawn from a model."""

import json

import numpy as np
import pytest
from support import (
    MEASUREMENTS,
    NO_DENSITIES,
    fails,
    ok,
    ok_json,
    penguin_rows,
    read_csv,
    write_csv,
)

SPEC = {
    "classes": ["a", "b"],
    "priors": [0.7, 0.3],
    "means": [[2, 1], [1, 2]],
    "covariances": [[[1, 0.5], [0.5, 2]], [[0.5, 0], [0, 0.25]]],
}


@pytest.fixture
def two(tmp_path):
    (tmp_path / "spec.json").write_text(json.dumps(SPEC))
    ok("define", tmp_path / "spec.json", "-o", tmp_path / "two.model")
    return tmp_path / "two.model"


def test_header_rows_and_labels(two):
    rows = read_csv(ok("sample", two, "-n", "100", "--seed", "3").stdout)
    assert len(rows) == 100
    assert list(rows[0]) == ["class", "x1", "x2"]
    assert {row["class"] for row in rows} == {"a", "b"}
    for row in rows:
        assert repr(float(row["x1"])) == str(float(row["x1"]))


def test_the_sample_has_the_moments_of_the_model(two):
    count = 200_000
    rows = read_csv(ok("sample", two, "-n", count, "--seed", "1").stdout)
    labels = np.array([row["class"] for row in rows])
    points = np.array([[float(row["x1"]), float(row["x2"])] for row in rows])
    # Five standard errors of each estimate.
    assert abs((labels == "a").mean() - 0.7) < 5 * np.sqrt(0.21 / count)
    for k, label in enumerate(SPEC["classes"]):
        own = points[labels == label]
        sigma = np.array(SPEC["covariances"][k])
        bound = 5 * np.sqrt(np.diag(sigma) / len(own))
        assert (np.abs(own.mean(axis=0) - SPEC["means"][k]) < bound).all()
        spread = np.sqrt((np.outer(np.diag(sigma), np.diag(sigma)) + sigma**2) / len(own))
        assert (np.abs(np.cov(own.T) - sigma) < 5 * spread).all()


def test_the_same_bytes_for_any_number_of_threads(two, tmp_path):
    outputs = [
        ok("sample", two, "-n", "5000", "--seed", "9", "--threads", threads).stdout
        for threads in ["1", "2", "7"]
    ]
    assert outputs[0] == outputs[1] == outputs[2]
    ok("sample", two, "-n", "5000", "--seed", "9", "-o", tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == outputs[0]


def test_a_longer_sample_begins_like_a_shorter_one(two):
    short = ok("sample", two, "-n", "1500", "--seed", "9").stdout
    long = ok("sample", two, "-n", "2500", "--seed", "9").stdout
    assert long.startswith(short)
    assert ok("sample", two, "-n", "1500", "--seed", "10").stdout != short
    assert ok("sample", two, "-n", "5").stdout == ok("sample", two, "-n", "5", "--seed=0").stdout


def test_bytes_are_those_of_every_machine(two):
    lines = ["b,1.3939242826588916,2.57302298742981", "a,1.8192055935318252,2.95133809036139"]
    first = "\n".join(["class,x1,x2", *lines, ""])
    for level in ["plain", "sse4"]:
        assert (
            ok("sample", two, "-n", "2", "--seed", "1", env={"LOGODDS_SIMD": level}).stdout == first
        )


def test_a_trained_model_with_levels_gives_rows_that_it_reads(tmp_path):
    names = ["island", "species", *MEASUREMENTS, "sex"]
    rows = [{name: row[name] for name in names} for row in penguin_rows()]
    for row in rows:
        row["sex"] = {"male": 'he, "male"', "female": "she"}[row["sex"]]
    data = write_csv(tmp_path / "d.csv", rows)
    ok("train", data, "--target", "species", "-o", tmp_path / "m")
    drawn = ok("sample", tmp_path / "m", "-n", "2000", "-o", tmp_path / "drawn.csv")
    assert "2,000" in drawn.stdout
    given = read_csv((tmp_path / "drawn.csv").read_text())
    assert list(given[0]) == ["species", "island", *MEASUREMENTS, "sex"]
    assert {row["sex"] for row in given} == {'he, "male"', "she"}
    assert {row["island"] for row in given} <= {"Biscoe", "Dream", "Torgersen"}
    answer = ok_json("evaluate", tmp_path / "m", tmp_path / "drawn.csv")
    assert answer["rows"] == 2000
    assert answer["accuracy"] > 0.9


def test_json_needs_a_file_and_says_what_was_done(two, tmp_path):
    assert "-o OUT.csv" in fails("sample", two, "-n", "5", "--json")
    answer = ok_json("sample", two, "-n", "5", "--seed", "2", "-o", tmp_path / "out.csv")
    assert (answer["rows"], answer["seed"], answer["model"]) == (5, 2, "gaussian")
    assert answer["output"] == str(tmp_path / "out.csv")


def test_bad_usage(two, tmp_path):
    assert "-n N" in fails("sample", two)
    assert "'0'" in fails("sample", two, "-n", "0")
    assert "'many'" in fails("sample", two, "-n", "many")
    before = two.read_bytes()
    assert "is being read" in fails("sample", two, "-n", "5", "-o", two)
    assert two.read_bytes() == before


@pytest.mark.parametrize("family", NO_DENSITIES)
def test_models_without_densities_are_refused(penguins, tmp_path, family):
    ok("train", penguins, "--target", "species", "--model", family, "-o", tmp_path / "m")
    sentence = fails("sample", tmp_path / "m", "-n", "5", "-o", tmp_path / "out.csv")
    assert family in sentence and "--model gaussian" in sentence
    assert sentence.endswith(
        "train one that does: --model naive-bayes, --model table or --model gaussian"
    )
    assert not (tmp_path / "out.csv").exists()
