"""logodds cluster --soft: Gaussian mixtures on files, as a user sees it."""

import itertools
import math

import pytest
from support import MEASUREMENTS, PENGUINS, fails, ok, ok_json, read_csv, shared_data, write_csv

COLUMNS = ",".join(MEASUREMENTS[:3])


@pytest.fixture
def birds(tmp_path):
    path = tmp_path / "birds.model"
    ok("cluster", PENGUINS, "--soft", "--k", 3, "--columns", COLUMNS, "--quiet", "-o", path)
    return path


def table(answer, title):
    found = next(t for t in [*answer["tables"], *answer["clusters"]] if t["title"] == title)
    return [dict(zip(found["columns"], row, strict=True)) for row in found["rows"]]


def test_old_faithful_has_two_components():
    """The values that R's mclust (VVV) and scikit-learn give."""
    answer = ok_json(
        "cluster",
        shared_data("old_faithful/faithful.csv"),
        "--soft",
        "--k",
        2,
        "--tolerance",
        1e-12,
    )
    assert answer["facts"]["log-likelihood"] == pytest.approx(-1130.264, abs=1e-3)
    assert answer["facts"]["BIC"] == pytest.approx(2 * 1130.264 + 11 * math.log(272), abs=2e-3)
    priors = sorted(row["prior"] for row in table(answer, "classes"))
    assert priors == pytest.approx([0.355873, 0.644127], abs=1e-5)


def test_of_a_range_the_least_bic_is_taken_and_saved(tmp_path):
    model = tmp_path / "m"
    answer = ok_json(
        *("cluster", PENGUINS, "--soft", "--k", "1-5", "--columns", COLUMNS, "-o", model)
    )
    rows = table(answer, "components")
    assert [row["K"] for row in rows] == [1, 2, 3, 4, 5]
    best = min(rows, key=lambda row: row["BIC"])
    assert [row["best"] for row in rows] == ["yes" if row is best else "" for row in rows]
    assert answer["facts"]["BIC"] == best["BIC"]
    assert answer["facts"]["components"] == best["K"]
    for row in rows:
        penalty = row["parameters"] * math.log(344)
        assert row["BIC"] == pytest.approx(penalty - 2 * row["log-likelihood"])
        assert row["AIC"] == pytest.approx(2 * row["parameters"] - 2 * row["log-likelihood"])
    assert len(ok_json("inspect", model)["classes"]) == best["K"]


def test_a_mixture_is_a_gaussian_model(birds):
    shown = ok_json("inspect", birds)
    assert shown["model"] == "gaussian"
    assert shown["options"]["covariance"] == "own"
    assert shown["classes"] == ["1", "2", "3"]
    rows = read_csv(ok("predict", birds, PENGUINS, "--proba", "--density", "--quiet").stdout)
    assert len(rows) == 344
    total = math.fsum(float(row["log_density"]) for row in rows)
    assert math.isfinite(total)
    for row in rows[:20]:
        shares = [float(row[f"p_{k}"]) for k in (1, 2, 3)]
        assert math.fsum(shares) == pytest.approx(1.0)
        assert row["prediction"] == str(1 + shares.index(max(shares)))
    drawn = read_csv(ok("sample", birds, "-n", 100, "--quiet").stdout)
    assert {row["class"] for row in drawn} <= {"1", "2", "3"}
    assert ok("inspect", birds, "--boundaries").stdout.count("quadric") == 3


def test_the_likelihood_that_a_model_tells_is_that_of_its_rows(birds):
    rows = read_csv(ok("predict", birds, PENGUINS, "--density", "--quiet").stdout)
    total = math.fsum(float(row["log_density"]) for row in rows)
    assert ok_json("inspect", birds)["log_likelihood"] == pytest.approx(total, abs=1e-6)


def test_components_and_labels():
    answer = ok_json(
        *("cluster", PENGUINS, "--soft", "--k", 3, "--columns", COLUMNS, "--target", "species")
    )
    assert answer["facts"]["purity"] > 0.9
    assert answer["facts"]["adjusted_rand_index"] > 0.8
    counts = table(answer, "clusters and labels")
    assert sum(row["Adelie"] + row["Chinstrap"] + row["Gentoo"] for row in counts) == 344
    bare = ok_json("cluster", PENGUINS, "--soft", "--k", 3, "--columns", COLUMNS)
    assert bare["facts"]["log-likelihood"] == answer["facts"]["log-likelihood"]


@pytest.mark.parametrize(
    "structure",
    ["own", "shared", "diagonal", "spherical", "shared-diagonal", "shared-spherical"],
)
def test_every_structure(structure):
    options = ("--soft", "--k", 2, "--columns", COLUMNS, "--covariance", structure)
    answer = ok_json("cluster", PENGUINS, *options)
    values = [row[1] for row in answer["trace"]["rows"]]
    assert all(b >= a - 1e-9 * abs(a) for a, b in itertools.pairwise(values))


def test_centers_of_a_file(tmp_path):
    rows = [{"x": x} for x in (0.0, 1.0, 2.0, 0.5, 1.5, 10.0, 11.0, 12.0, 10.5, 11.5)]
    data = write_csv(tmp_path / "d.csv", rows)
    start = write_csv(tmp_path / "s.csv", [{"x": 11}, {"x": 1}])
    answer = ok_json("cluster", data, "--soft", "--init", start)
    means = [row["1"] for row in table(answer, "means")]
    assert means == pytest.approx([11.0], abs=1e-6)  # the first center is the first component
    assert "leave --k out" in fails("cluster", data, "--soft", "--init", start, "--k", 3)
    assert "ends alike" in fails("cluster", data, "--soft", "--init", start, "--restarts", 3)
    assert "neither k-means nor random" in fails("cluster", data, "--soft", "--init", "kmeans")


def test_trace_and_notes(tmp_path):
    options = ("cluster", PENGUINS, "--soft", "--k", 3, "--columns", COLUMNS)
    assert "log-likelihood of the rows" not in ok(*options).stdout
    assert "EM: log-likelihood" in ok(*options, "--trace", "-").stdout
    written = tmp_path / "t.csv"
    ok(*options, "--trace", written)
    lines = read_csv(written.read_text())
    assert list(lines[0]) == ["iteration", "log-likelihood", "gain"]
    cut = ok(*options, "--max-iterations", 1, "--tolerance", 0)
    assert "EM has not converged after 1 steps" in cut.stderr


def test_bad_input(tmp_path):
    data = write_csv(tmp_path / "d.csv", [{"x": x, "y": 1.0} for x in (1.0, 2.0, 4.0)])
    assert "option --k is missing" in fails("cluster", data, "--soft")
    assert "too few for 4" in fails("cluster", data, "--soft", "--k", 4)
    collapsed = fails("cluster", data, "--soft", "--k", 1)
    assert "'y'" in collapsed and "--ridge" in collapsed
    assert "belongs to mixture" in fails("cluster", data, "--k", 2, "--covariance", "own")
    assert "leave out --soft" in fails("cluster", data, "--soft", "--k", 2, "--method", "lloyd")
    assert "LAMBDA,GAMMA" in fails("cluster", data, "--soft", "--k", 2, "--blend", "auto")
    same = write_csv(tmp_path / "s.csv", [{"x": 1.0, "y": 2.0}] * 5)
    assert "only 1 different point" in fails("cluster", same, "--soft", "--k", 2)


def test_components_that_collapse_are_left_out_of_a_range(tmp_path):
    rows = [{"x": math.sin(n * n), "y": math.cos(3 * n * n)} for n in range(60)]
    rows += [{"x": 50.0, "y": 50.0}] * 8
    data = write_csv(tmp_path / "d.csv", rows)
    answer = ok_json("cluster", data, "--soft", "--k", "1-3")
    by_k = {row["K"]: row for row in table(answer, "components")}
    assert by_k[2]["log-likelihood"] == "collapsed"
    assert answer["facts"]["components"] == 1
    assert any("2 components: " in note or "3 components: " in note for note in answer["notes"])
    mended = ok_json("cluster", data, "--soft", "--k", "1-3", "--ridge", 0.01)
    by_bic = {row["K"]: row["BIC"] for row in table(mended, "components")}
    assert mended["facts"]["components"] == min(by_bic, key=by_bic.get) > 1


def test_components_are_not_taken_for_labels_in_silence(birds, tmp_path):
    rows = [dict.fromkeys(COLUMNS.split(","), 40.0 + n) | {"y": 1 + n % 3} for n in range(6)]
    data = write_csv(tmp_path / "d.csv", rows)
    assert "they are no labels" in ok("evaluate", birds, data, "--target", "y").stderr


def test_help_shows_the_options_of_mixtures():
    shown = ok("cluster", "--soft", "--help").stdout
    assert "--covariance" in shown and "--ridge" in shown and "least BIC" in shown
    assert "--covariance" not in ok("cluster", "--help").stdout
    assert "mixture" in ok("models").stdout
    assert "logodds cluster" in ok("models", "mixture").stdout
