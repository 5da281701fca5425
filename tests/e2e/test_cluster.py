"""logodds cluster: K-means on files, as a user sees it."""

import csv
import json
import math
from itertools import pairwise

import pytest
from support import (
    MEASUREMENTS,
    PENGUINS,
    fails,
    ok,
    ok_json,
    read_csv,
    run,
    shared_data,
    write_csv,
)

GEYSER = "old_faithful/faithful.csv"


@pytest.fixture(scope="session")
def geyser():
    return shared_data(GEYSER)


@pytest.fixture
def points(tmp_path):
    """Six points on a line in two heaps, with labels, weights and a level."""
    rows = [
        {"x": x, "name": name, "w": w, "color": color}
        for x, name, w, color in [
            (0, "a", 1, "red"),
            (1, "a", 1, "red"),
            (2, "b", 2, "red"),
            (10, "b", 1, "blue"),
            (11, "b", 1, "blue"),
            (12, "b", 1, "blue"),
        ]
    ]
    return write_csv(tmp_path / "points.csv", rows)


def table(answer, title):
    """A table of the answer as a list of dicts."""
    found = next(t for t in [*answer["tables"], *answer.get("clusters", [])] if t["title"] == title)
    return [dict(zip(found["columns"], row, strict=True)) for row in found["rows"]]


def steps(answer):
    return [
        dict(zip(answer["trace"]["columns"], row, strict=True)) for row in answer["trace"]["rows"]
    ]


def squared_error(rows, centers):
    """E, by the definition."""
    return math.fsum(min(math.dist(row, center) ** 2 for center in centers) for row in rows)


def test_two_heaps_are_found(points):
    answer = ok_json("cluster", points, "--k", "2", "--columns", "x")
    centers = table(answer, "centers")
    assert sorted(row["x"] for row in centers) == [1.0, 11.0]
    assert answer["facts"]["E"] == 4.0
    assert answer["facts"]["ended"] == "no row changed"
    assert answer["rows"] == 6
    assert [column["name"] for column in answer["columns"]] == ["x"]


def test_e_never_grows_and_ends_where_the_centers_are(geyser):
    answer = ok_json("cluster", geyser, "--k", "4", "--init", "random", "--seed", "5")
    errors = [step["E"] for step in steps(answer)]
    assert len(errors) > 3
    assert all(b <= a for a, b in pairwise(errors))
    names = [column["name"] for column in answer["columns"]]
    rows = [[float(row[name]) for name in names] for row in read_csv(geyser.read_text())]
    centers = [[row[name] for name in names] for row in table(answer, "centers")]
    assert answer["facts"]["E"] == pytest.approx(squared_error(rows, centers), rel=1e-12)
    assert errors[-1] == answer["facts"]["E"]


def test_predict_assigns_the_nearest_center(points, tmp_path):
    start = write_csv(tmp_path / "start.csv", [{"x": 0}, {"x": 10}])
    model = tmp_path / "m"
    ok("cluster", points, "--init", start, "--columns", "x", "-o", model)
    new = write_csv(tmp_path / "new.csv", [{"x": 5}, {"x": 6}, {"x": 7}, {"x": -3}])
    rows = read_csv(ok("predict", model, new, "--proba").stdout)
    assert [row["prediction"] for row in rows] == ["1", "1", "2", "1"]  # 6 is a tie
    assert [(row["p_1"], row["p_2"]) for row in rows][:3] == [("1", "0"), ("1", "0"), ("0", "1")]


def test_a_file_of_centers_is_the_start(geyser, tmp_path):
    names = next(csv.reader(geyser.open()))
    rows = read_csv(geyser.read_text())
    start = write_csv(tmp_path / "start.csv", [dict(reversed(rows[0].items())), rows[1]])
    answer = ok_json("cluster", geyser, "--k", "2", "--init", start)
    numbers = [[float(row[name]) for name in names] for row in rows]
    assert steps(answer)[0]["E"] == pytest.approx(squared_error(numbers, numbers[:2]), rel=1e-12)
    assert answer["options"]["init"] == "given"
    assert ok_json("cluster", geyser, "--init", start)["facts"] == answer["facts"]


def test_restarts_keep_the_smallest_e(geyser):
    answer = ok_json("cluster", geyser, "--k", "8", "--init", "random", "--restarts", "6")
    starts = table(answer, "starts")
    assert len(starts) == 6
    assert answer["facts"]["E"] == pytest.approx(min(row["E"] for row in starts), rel=1e-11)
    kept = next(row for row in starts if row["kept"] == "yes")
    assert kept["E"] == answer["facts"]["E"]


def test_same_bits_for_any_threads_and_method(geyser, tmp_path):
    models = []
    for threads, method in [(1, "lloyd"), (2, "lloyd"), (1, "triangle"), (7, "triangle")]:
        path = tmp_path / f"{method}{threads}"
        ok(
            *("cluster", geyser, "--k", "6", "--threads", threads, "--method", method),
            *("--restarts", "3", "-o", path),
        )
        content = path.read_bytes()
        models.append(content[8 + int.from_bytes(content[:8], "little") :])
    assert len(set(models)) == 1


def test_a_range_shows_e_against_k(points):
    answer = ok_json("cluster", points, "--k", "1-4", "--columns", "x")
    rows = table(answer, "E against K")
    assert [row["K"] for row in rows] == [1, 2, 3, 4]
    assert rows[0]["E"] == pytest.approx(154.0)
    assert rows[1]["E"] == 4.0
    for before, row in pairwise(rows):
        assert row["gap"] == pytest.approx(before["E"] - row["E"])
    assert "E against K" in ok("cluster", points, "--k", "1-4", "--columns", "x").stdout


def test_a_range_is_not_saved(points, tmp_path):
    sentence = fails("cluster", points, "--k", "1-4", "-o", tmp_path / "m")
    assert "one --k" in sentence
    assert not (tmp_path / "m").exists()


def test_labels_are_compared_and_not_clustered_by(points):
    answer = ok_json("cluster", points, "--k", "2", "--columns", "x", "--target", "name")
    rows = sorted(table(answer, "clusters and labels"), key=lambda row: row["a"])
    assert [(row["a"], row["b"]) for row in rows] == [(0, 3), (2, 1)]
    assert answer["facts"]["purity"] == pytest.approx(5 / 6)
    # Pairs of rows together in both: 1 + 3; in the clusters 6, in the labels 1 + 6, of 15.
    expected = 6 * 7 / 15
    ari = (4 - expected) / (0.5 * (6 + 7) - expected)
    assert answer["facts"]["adjusted_rand_index"] == pytest.approx(ari)
    assert (
        "purity" in ok("cluster", points, "--k", "2", "--columns", "x", "--target", "name").stdout
    )


def test_weights_count(points):
    answer = ok_json("cluster", points, "--k", "2", "--columns", "x", "--weights", "w")
    centers = sorted(row["x"] for row in table(answer, "centers"))
    assert centers == pytest.approx([1.25, 11.0])
    assert answer["weight"] == 7


def test_levels_become_indicators(points):
    result = ok("cluster", points, "--k", "2", "--ignore", "name,w")
    assert "note: one-hot: color" in result.stderr
    assert "color=red" in result.stdout


def test_standardize_makes_units_equal(tmp_path):
    """What decides in centimeters does not in kilometers, unless units are taken away."""
    rows = [{"a": a, "b": b * 1000} for a, b in [(0, 0), (0, 1), (9, 0.2), (9, 1.2)]]
    data = write_csv(tmp_path / "d.csv", rows)
    plain = ok_json("cluster", data, "--k", "2", "--restarts", "5")
    scaled = ok_json("cluster", data, "--k", "2", "--restarts", "5", "--standardize")
    assert any("--standardize" in note for note in plain["notes"])
    assert not any("--standardize" in note for note in scaled["notes"])
    assert sorted(row["a"] for row in table(plain, "centers")) == [4.5, 4.5]
    assert sorted(row["a"] for row in table(scaled, "centers")) == [0.0, 9.0]


def test_a_standardized_model_assigns_as_it_did(tmp_path, geyser):
    model = tmp_path / "m"
    answer = ok_json("cluster", geyser, "--k", "3", "--standardize", "-o", model)
    weights = [row["weight"] for row in table(answer, "centers")]
    decided = [row["prediction"] for row in read_csv(ok("predict", model, geyser).stdout)]
    assert [decided.count(str(k)) for k in (1, 2, 3)] == weights


def test_incomplete_rows_are_left_out_and_counted():
    words = ("cluster", PENGUINS, "--k", "3", "--columns", ",".join(MEASUREMENTS))
    answer = ok_json(*words)
    assert answer["rows_skipped"] == 2
    assert answer["rows"] + 2 == len(read_csv(PENGUINS.read_text()))
    assert "the value is missing" in fails(*words, "--missing", "error")


def test_empty_clusters_are_seeded_again(points, tmp_path):
    start = write_csv(tmp_path / "start.csv", [{"x": 1}, {"x": 500}, {"x": 501}])
    answer = ok_json("cluster", points, "--init", start, "--columns", "x")
    assert steps(answer)[1]["reseeded"] == 2
    assert any("had no row left" in note for note in answer["notes"])
    assert all(row["weight"] > 0 for row in table(answer, "centers"))


def test_trace_is_written(points, tmp_path):
    trace = tmp_path / "trace.csv"
    answer = ok_json("cluster", points, "--k", "2", "--columns", "x", "--trace", trace)
    rows = read_csv(trace.read_text())
    assert [float(row["E"]) for row in rows] == [step["E"] for step in steps(answer)]


def test_svmlight_rows_are_compared_with_their_labels(tmp_path):
    data = tmp_path / "d.svm"
    data.write_text("a 1:0\na 1:1\nb 1:10 2:1\nb 1:11 2:1\n")
    answer = ok_json("cluster", data, "--format", "svmlight", "--k", "2")
    assert answer["facts"]["adjusted_rand_index"] == 1.0


def test_inspect_shows_the_centers(points, tmp_path):
    model = tmp_path / "m"
    ok("cluster", points, "--k", "2", "--columns", "x", "-o", model)
    shown = json.loads(ok("inspect", model, "--json").stdout)
    assert shown["model"] == "k-means"
    assert shown["facts"]["E"] == 4.0
    assert "centers" in ok("inspect", model).stdout


def test_quiet_prints_nothing(points, tmp_path):
    result = ok(
        "cluster", points, "--k", "2", "--ignore", "name,w", "--quiet", "-o", tmp_path / "m"
    )
    assert result.stdout == result.stderr == ""


def test_max_iterations_end_it_with_a_note(geyser):
    answer = ok_json("cluster", geyser, "--k", "8", "--init", "random", "--max-iterations", "1")
    assert answer["facts"]["steps"] == 1
    assert answer["facts"]["ended"] == "max-iterations"
    assert any("--max-iterations" in note for note in answer["notes"])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--k", "7"], "there are 6 rows, which are too few for 7 clusters"),
        (["--k", "0"], "neither a number of clusters"),
        (["--k", "5-2"], "write 2-5"),
        (["--k", "two"], "neither a number of clusters"),
        ([], "--k is missing"),
        (["--k", "2", "--init", "kmeans++"], "did you mean 'k-means++'?"),
        (["--k", "2", "--columns", "y"], "no column 'y' (columns)"),
        (["--k", "2", "--columns", "x", "--target", "x"], "remove one of the two"),
        (["--k", "2", "--format", "lines"], "documents"),
        (["--k", "2", "--restarts", "0"], "--restarts"),
        (["--k", "2", "--decay", "1"], "--decay belongs to"),
        (["--k", "2", "-o", "-"], "not written to standard output"),
    ],
)
def test_wrong_words_are_refused(points, words, sentence):
    assert sentence in fails("cluster", points, *words)


def test_more_clusters_than_different_points(tmp_path):
    data = write_csv(tmp_path / "d.csv", [{"x": x} for x in [1, 1, 1, 2, 2, 2]])
    sentence = fails("cluster", data, "--k", "3")
    assert "only 2 different points" in sentence and "--k 2" in sentence
    assert ok_json("cluster", data, "--k", "2")["facts"]["E"] == 0


def test_equal_rows_are_one_cluster(tmp_path):
    data = write_csv(tmp_path / "d.csv", [{"x": 3, "y": 4}] * 5)
    assert ok_json("cluster", data, "--k", "1")["facts"]["E"] == 0
    assert "only 1 different point" in fails("cluster", data, "--k", "2")


@pytest.mark.parametrize("k", ["2", "1-2"])
def test_a_start_of_another_size_is_refused(points, tmp_path, k):
    start = write_csv(tmp_path / "start.csv", [{"x": 0}, {"x": 1}, {"x": 2}])
    assert "3 centers" in fails("cluster", points, "--k", k, "--init", start, "--columns", "x")


def test_a_start_that_lacks_a_value_or_column_is_refused(points, tmp_path):
    start = write_csv(tmp_path / "start.csv", [{"x": 0}, {"x": ""}])
    words = ("cluster", points, "--init", start)
    assert "line 3" in fails(*words, "--columns", "x")
    assert "color" in fails(*words, "--columns", "x,color")


def test_other_subcommands_know_what_a_cluster_model_is(points, tmp_path):
    model = tmp_path / "m"
    ok("cluster", points, "--k", "2", "--columns", "x", "-o", model)
    assert "logodds cluster" in fails("evaluate", model, points, "--target", "name")
    assert "logodds cluster" in fails(
        "train", points, "--model", "k-means", "--target", "name", "-o", tmp_path / "n"
    )
    assert "keeps no statistics" in fails("merge", model, model, "-o", tmp_path / "n")
    assert "k-means" in ok("models").stdout
    assert "logodds cluster" in ok("models", "k-means").stdout
    assert ok_json("models")["clusterings"][0]["name"] == "k-means"
    help_text = ok("cluster", "--help").stdout
    assert "--restarts" in help_text and "example:" in help_text


def test_standard_input_and_no_header(points):
    text = "".join(line + "\n" for line in ["0", "1", "10", "11"])
    answer = ok_json("cluster", "-", "--no-header", "--k", "2", stdin=text)
    assert answer["facts"]["E"] == 1.0
    assert run("cluster", "-", "--k", "2", stdin="x\n").returncode == 2
