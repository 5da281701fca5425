"""logodds plot trace: courses of optimizers and clusterings."""

import csv

import pytest
from picture import says, texts
from support import PENGUINS, fails, ok, ok_json


@pytest.fixture(scope="module")
def traces(tmp_path_factory):
    folder = tmp_path_factory.mktemp("traces")
    for name in ["lbfgs", "newton"]:
        ok("train", PENGUINS, "--target", "species", "--model", "softmax", "--decay", "0.1",
           "--optimizer", name, "--trace", folder / f"{name}.csv", "-o", folder / "m")  # fmt: skip
    return [folder / "lbfgs.csv", folder / "newton.csv"]


def test_courses_hold_what_the_files_hold(traces, tmp_path):
    picture = tmp_path / "trace.svg"
    answer = ok_json("plot", "trace", *traces, "-o", picture)
    for path in traces:
        rows = list(csv.DictReader(path.open()))
        values = answer["arrays"][f"{path.stem} objective"]["values"]
        assert values[1::2] == pytest.approx([float(row["objective"]) for row in rows])
    words = set(texts(picture))
    assert {"lbfgs", "newton", "iteration", "objective - best", "norm of the gradient"} <= words
    assert ok("plot", "trace", traces[0], "--terminal").stdout.count("\n") > 10


def test_clusterings_have_a_course_too(tmp_path):
    for name, soft in [("hard", []), ("soft", ["--soft"])]:
        ok("cluster", PENGUINS, "--k", "3", *soft, "--columns", "bill_length_mm,bill_depth_mm",
           "--trace", tmp_path / f"{name}.csv")  # fmt: skip
        picture = tmp_path / f"{name}.svg"
        ok("plot", "trace", tmp_path / f"{name}.csv", "-o", picture)
        assert says(picture, "best - log-likelihood" if soft else "E - best")


def test_files_that_are_none(traces, tmp_path):
    picture = tmp_path / "t.svg"
    assert "TABLE is missing" in fails("plot", "trace", "-o", picture)
    assert "no column 'objective'" in fails("plot", "trace", PENGUINS, "-o", picture)
    broken = tmp_path / "broken.csv"
    broken.write_text("iteration,objective\n0,3\n1,three\n")
    sentence = fails("plot", "trace", traces[0], broken, "-o", picture)
    assert "broken.csv, line 3: column 'objective': 'three' is not a number" in sentence
    fails("plot", "trace", tmp_path / "absent.csv", "-o", picture)
