"""logodds plot elbow: E of K-means, or BIC of mixtures, against K."""

import itertools

import pytest
from picture import says, texts
from support import PENGUINS, fails, ok, ok_json

BILL = ["--columns", "bill_length_mm,bill_depth_mm"]


@pytest.mark.parametrize(
    ("columns", "options", "seed"),
    [
        (BILL, [], "0"),
        (BILL, ["--standardize", "--restarts", "3"], "7"),
        # Coded columns and a whole number; rows that lack a value are left out.
        (["--ignore", "species"], ["--init", "random"], "3"),
    ],
)
def test_e_is_what_logodds_cluster_says(columns, options, seed, tmp_path):
    model = tmp_path / "m"
    picture = tmp_path / "elbow.svg"
    ok("cluster", PENGUINS, "--k", "3", *columns, *options, "-o", model)
    answer = ok_json("plot", "elbow", model, PENGUINS, "--k", "1-6", "--seed", seed, "-o", picture)
    assert answer["arrays"]["K"]["values"] == [1, 2, 3, 4, 5, 6]
    errors = answer["arrays"]["E"]["values"]
    for k, error in enumerate(errors, 1):
        alone = ok_json("cluster", PENGUINS, "--k", k, *columns, *options, "--seed", seed)
        assert error == alone["facts"]["E"]
    falls = [before - after for before, after in itertools.pairwise(errors)]
    assert answer["arrays"]["gaps"]["values"][1:] == pytest.approx(falls)
    assert {"E", "gain", "clusters K", "the model"} <= set(texts(picture))


def test_other_rows_than_those_of_the_model(tmp_path):
    rows = tmp_path / "rows.csv"
    rows.write_text("x,kind\n1,a\n2,b\n3,a\n9,b\n7,a\n")
    others = tmp_path / "others.csv"  # no whole numbers, and a level that the model does not know
    others.write_text("kind,x\na,1.5\nb,2.25\na,-8\nc,4\nb,9\n")
    known = tmp_path / "known.csv"
    known.write_text("x,kind\n1.5,a\n2.25,b\n-8,a\n9,b\n")
    ok("cluster", rows, "--k", "2", "-o", tmp_path / "m")
    plot = ["plot", "elbow", tmp_path / "m", others, "--k", "1-3", "-o", tmp_path / "e.svg"]
    answer = ok_json(*plot)
    for k, error in enumerate(answer["arrays"]["E"]["values"], 1):
        assert error == ok_json("cluster", known, "--k", k)["facts"]["E"]
    assert "1 row was left out because a value is missing" in " ".join(answer["notes"])


def test_bic_of_mixtures(tmp_path):
    model = tmp_path / "m"
    picture = tmp_path / "elbow.svg"
    ok("cluster", PENGUINS, "--k", "1-4", "--soft", *BILL, "-o", model)
    answer = ok_json("plot", "elbow", model, PENGUINS, "--k", "1-4", "-o", picture)
    for k, criterion in enumerate(answer["arrays"]["BIC"]["values"], 1):
        alone = ok_json("cluster", PENGUINS, "--k", k, "--soft", *BILL)
        assert criterion == pytest.approx(alone["facts"]["BIC"])
    assert says(picture, "least BIC, the model")


def test_models_that_are_no_clusterings(penguins_model, tmp_path):
    sentence = fails("plot", "elbow", penguins_model, PENGUINS, "-o", tmp_path / "e.svg")
    assert "logodds cluster" in sentence


def test_too_few_rows(tmp_path):
    rows = tmp_path / "rows.csv"
    rows.write_text("x\n1\n2\n3\n4\n")
    ok("cluster", rows, "--k", "2", "-o", tmp_path / "m")
    assert "too few" in fails("plot", "elbow", tmp_path / "m", rows, "-o", tmp_path / "e.svg")
    ok("plot", "elbow", tmp_path / "m", rows, "--k", "1-4", "-o", tmp_path / "e.svg")
