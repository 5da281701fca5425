"""Pictures of rows by class, of axes, lines, evidence and words: what the command draws."""

import csv
import math
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from picture import drawn_with_notes, texts
from support import DATA, MEASUREMENTS, fails, ok, ok_json, penguin_rows, write_csv

MESSAGES = DATA / "sms_spam.txt"
SVG = "{http://www.w3.org/2000/svg}"


def drawn(tmp_path, *words):
    """The texts of the picture, its arrays, and its notes."""
    path = tmp_path / "picture.svg"
    arrays, notes = drawn_with_notes(path, *words)
    return texts(path), arrays, notes


@pytest.fixture(scope="module")
def numbers(tmp_path_factory):
    """Penguins without a missing value, four columns of numbers, and a shared covariance."""
    folder = tmp_path_factory.mktemp("plots")
    kept = ["species", *MEASUREMENTS]
    rows = [{name: row[name] for name in kept} for row in penguin_rows()]
    data = write_csv(folder / "numbers.csv", rows)
    model = folder / "numbers.model"
    ok(
        "train",
        data,
        "--target",
        "species",
        "--model",
        "gaussian",
        "--covariance",
        "shared",
        "-o",
        model,
    )
    return data, model


def columns_of(path, names):
    with Path(path).open(newline="") as file:
        rows = list(csv.DictReader(file))
    return np.array([[float(row[name]) for name in names] for row in rows]), [
        row.get("species") for row in rows
    ]


def kernel_density(values, at):
    """Gaussian kernels with Silverman's bandwidth, summed value by value."""
    quartiles = np.subtract(*np.quantile(values, [0.75, 0.25])) / 1.34
    width = 0.9 * min(values.std(ddof=1), quartiles) * len(values) ** -0.2
    z = (at[:, None] - values[None, :]) / width
    return np.exp(-0.5 * z * z).sum(axis=1) / (len(values) * width * math.sqrt(2 * math.pi))


# -- scatter --------------------------------------------------------------------------------------


def test_scatter_draws_every_pair_and_the_density_of_each_class(numbers, tmp_path):
    data, model = numbers
    texts, arrays, notes = drawn(tmp_path, "scatter", model, data)
    values, species = columns_of(data, MEASUREMENTS)
    np.testing.assert_array_equal(arrays["rows"], values)
    assert notes == []
    for name in MEASUREMENTS:
        assert name in texts
    assert "Adelie (146)" in texts
    classes = ["Adelie", "Chinstrap", "Gentoo"]
    np.testing.assert_array_equal(arrays["classes"], [classes.index(name) for name in species])
    curve = arrays["density bill_length_mm"]
    for k, name in enumerate(classes):
        of_class = values[np.array(species) == name, 0]
        reference = kernel_density(of_class, curve[0])
        np.testing.assert_allclose(curve[1 + k], reference, atol=2e-3 * reference.max())
        assert np.trapezoid(curve[1 + k], curve[0]) == pytest.approx(1, abs=0.01)


def test_scatter_without_labels_takes_the_decisions(numbers, tmp_path):
    _data, model = numbers
    rows = [{name: row[name] for name in MEASUREMENTS} for row in penguin_rows()]
    bare = write_csv(tmp_path / "bare.csv", rows)
    _, arrays, notes = drawn(tmp_path, "scatter", model, bare)
    decided = ok("predict", model, bare, "-o", "-").stdout.splitlines()[1:]
    names = ["Adelie", "Chinstrap", "Gentoo"]
    expected = [names.index(line.split(",")[0]) for line in decided]
    np.testing.assert_array_equal(arrays["classes"], expected)
    assert any("decisions of the model" in note for note in notes)


def test_scatter_takes_the_columns_that_separate_best(tmp_path):
    rng = np.random.default_rng(3)
    classes = np.repeat([0, 1], 60)
    rows = [
        {
            "class": f"c{k}",
            **{
                f"x{j}": f"{rng.normal() + (3.0 * k if j in (2, 7) else 0.0):.6f}" for j in range(9)
            },
        }
        for k in classes
    ]
    data = write_csv(tmp_path / "wide.csv", rows)
    ok("train", data, "--target", "class", "-o", tmp_path / "m")
    _, arrays, notes = drawn(tmp_path, "scatter", tmp_path / "m", data)
    drawn_columns = {name.removeprefix("density ") for name in arrays if name.startswith("dens")}
    assert len(drawn_columns) == 6 and {"x2", "x7"} <= drawn_columns
    assert any(note.startswith("columns left out: ") for note in notes)
    _, arrays, _ = drawn(tmp_path, "scatter", tmp_path / "m", data, "--columns", "x8,x2")
    values, _ = columns_of(data, ["x8", "x2"])
    np.testing.assert_array_equal(arrays["rows"], values)
    sentence = fails(
        "plot", "scatter", tmp_path / "m", data, "--columns", "x22", "-o", tmp_path / "a.svg"
    )
    assert "did you mean 'x2'" in sentence


def test_scatter_of_one_column_is_its_densities(tmp_path):
    rows = [{"class": k, "x": f"{v}"} for k, v in [("a", 1), ("a", 2), ("b", 5), ("b", 5)]]
    data = write_csv(tmp_path / "one.csv", rows)
    ok("train", data, "--target", "class", "--model", "naive-bayes", "-o", tmp_path / "m")
    texts, arrays, _ = drawn(tmp_path, "scatter", tmp_path / "m", data)
    assert {"x", "density", "a", "b"} <= set(texts)
    assert arrays["density x"].shape == (3, 401)
    assert np.isfinite(arrays["density x"]).all()


def test_scatter_of_documents_names_the_kind_that_fits(tmp_path):
    ok("train", MESSAGES, "--format", "lines", "--model", "naive-bayes", "-o", tmp_path / "m")
    sentence = fails(
        "plot", "scatter", tmp_path / "m", MESSAGES, "--format", "lines", "-o", tmp_path / "a.svg"
    )
    assert "plot words" in sentence


# -- axes -----------------------------------------------------------------------------------------


def test_canonical_draws_the_coordinates_that_project_writes(numbers, tmp_path):
    data, model = numbers
    texts, arrays, _ = drawn(tmp_path, "canonical", model, data)
    lines = ok("project", model, data, "-o", "-").stdout.splitlines()[1:]
    expected = np.array([[float(cell) for cell in line.split(",")[1:]] for line in lines])
    np.testing.assert_allclose(arrays["coordinates"], expected, rtol=1e-12)
    values, _ = columns_of(data, MEASUREMENTS)
    for c in range(4):
        for a in range(2):
            reference = np.corrcoef(values[:, c], expected[:, a])[0, 1]
            assert arrays["loadings"][c, a] == pytest.approx(reference, abs=1e-12)
    assert {"Adelie", "Chinstrap", "Gentoo", *MEASUREMENTS} <= set(texts)
    axes = tmp_path / "axes"
    ok("project", data, "--target", "species", "--method", "canonical", "-o", axes)
    _, of_file, _ = drawn(tmp_path, "canonical", axes, data)
    np.testing.assert_allclose(of_file["shares"], arrays["shares"], rtol=1e-9)
    assert of_file["shares"].sum() == pytest.approx(1)
    assert "take plot canonical" in fails("plot", "pca", axes, data, "-o", tmp_path / "a.svg")


def test_pca_of_a_classifier_is_that_of_the_standardized_rows(numbers, tmp_path):
    data, model = numbers
    texts, arrays, _ = drawn(tmp_path, "pca", model, data)
    values, _ = columns_of(data, MEASUREMENTS)
    z = (values - values.mean(axis=0)) / values.std(axis=0, ddof=1)
    eigenvalues = np.linalg.eigvalsh(np.cov(z.T))[::-1]
    np.testing.assert_allclose(arrays["shares"], eigenvalues[:2] / eigenvalues.sum(), rtol=1e-9)
    _, _, axes = np.linalg.svd(z, full_matrices=False)
    np.testing.assert_allclose(
        np.abs(arrays["coordinates"]), np.abs(z @ axes[:2].T), rtol=1e-7, atol=1e-9
    )
    share = 100 * eigenvalues[0] / eigenvalues.sum()
    assert any(text == f"principal axis 1 ({share:.1f} % of the variance)" for text in texts)


def test_two_classes_have_one_canonical_axis(tmp_path):
    rows = [
        {name: row[name] for name in ("species", *MEASUREMENTS)}
        for row in penguin_rows()
        if row["species"] != "Gentoo"
    ]
    data = write_csv(tmp_path / "two.csv", rows)
    ok("train", data, "--target", "species", "--model", "gaussian", "-o", tmp_path / "m")
    texts, arrays, _ = drawn(tmp_path, "canonical", tmp_path / "m", data)
    assert arrays["coordinates"].shape == (len(rows), 1)
    assert {"density", "Adelie", "Chinstrap"} <= set(texts)


def test_models_without_axes_name_the_kind_that_fits(numbers, tmp_path):
    data, _ = numbers
    ok("train", data, "--target", "species", "--model", "softmax", "-o", tmp_path / "m")
    sentence = fails("plot", "canonical", tmp_path / "m", data, "-o", tmp_path / "a.svg")
    assert "take plot pca" in sentence
    ok("line", data, "--x", "bill_length_mm", "--y", "body_mass_g", "-o", tmp_path / "line")
    sentence = fails("plot", "pca", tmp_path / "line", data, "-o", tmp_path / "a.svg")
    assert "take plot lines" in sentence


# -- lines ----------------------------------------------------------------------------------------


def test_lines_draw_both_regressions(numbers, tmp_path):
    data, _ = numbers
    model = tmp_path / "line"
    ok("line", data, "--x", "flipper_length_mm", "--y", "body_mass_g", "-o", model)
    texts, arrays, _ = drawn(tmp_path, "lines", model, data, "--residuals")
    values, _ = columns_of(data, ["flipper_length_mm", "body_mass_g"])
    np.testing.assert_array_equal(arrays["points"], values)
    x, y = values.T
    slope, intercept = np.polyfit(x, y, 1)
    ends = arrays["y on x"]
    np.testing.assert_allclose(ends[:, 1], intercept + slope * ends[:, 0], rtol=1e-9)
    slope, intercept = np.polyfit(y, x, 1)
    ends = arrays["x on y"]
    np.testing.assert_allclose(ends[:, 0], intercept + slope * ends[:, 1], rtol=1e-9)
    r = np.corrcoef(x, y)[0, 1]
    assert arrays["correlation"][0] == pytest.approx(r, rel=1e-12)
    assert arrays["angle"][1] == pytest.approx(90 - 2 * math.degrees(math.atan(r)))
    assert "body_mass_g on flipper_length_mm" in texts
    assert "flipper_length_mm on body_mass_g" in texts
    assert any(text.startswith(f"r = {r:.4g}, angle") for text in texts)


@pytest.mark.parametrize("fall", [False, True])
def test_names_of_lines_do_not_lie_on_their_lines(numbers, tmp_path, fall):
    data, _ = numbers
    values, _ = columns_of(data, ["flipper_length_mm", "body_mass_g"])
    rows = [{"length": x, "heaviness": -y if fall else y} for x, y in values]
    path = write_csv(tmp_path / "rows.csv", rows)
    ok("line", path, "--x", "length", "--y", "heaviness", "-o", tmp_path / "line")
    ok("plot", "lines", tmp_path / "line", path, "-o", tmp_path / "a.svg")
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    lines = {
        node.get("stroke"): np.array(re.findall(r"[-0-9.]+", node.get("d")), float).reshape(2, 2)
        for node in root.findall(f".//{SVG}g[@class='lines']/{SVG}path")
    }
    names = root.findall(f".//{SVG}g[@class='labels']/{SVG}text")
    assert len(names) == len(lines) == 2
    for name in names:
        (x0, y0), (x1, y1) = lines[name.get("fill")]
        right, baseline = float(name.get("x")), float(name.get("y"))
        width = 6.5 * len("".join(name.itertext()))
        beside = [y0 + (x - x0) / (x1 - x0) * (y1 - y0) for x in (right - width, right)]
        assert baseline + 1 < min(beside) or baseline - 8 > max(beside)


def test_lines_of_several_regressors_draw_residuals(numbers, tmp_path):
    data, _ = numbers
    model = tmp_path / "line"
    ok("line", data, "--x", "flipper_length_mm,bill_length_mm", "--y", "body_mass_g", "-o", model)
    texts, arrays, _ = drawn(tmp_path, "lines", model, data)
    found = arrays["observed, fitted, residual"]
    values, _ = columns_of(data, ["flipper_length_mm", "bill_length_mm", "body_mass_g"])
    design = np.column_stack([np.ones(len(values)), values[:, :2]])
    fitted = design @ np.linalg.lstsq(design, values[:, 2], rcond=None)[0]
    np.testing.assert_allclose(found[:, 1], fitted, rtol=1e-9)
    np.testing.assert_allclose(found[:, 2], values[:, 2] - fitted, atol=1e-6)
    assert {"fitted", "residual", "body_mass_g"} <= set(texts)


def test_lines_of_a_classifier_name_the_kind_that_fits(numbers, tmp_path):
    data, model = numbers
    sentence = fails("plot", "lines", model, data, "-o", tmp_path / "a.svg")
    assert "take plot regions or scatter" in sentence


# -- evidence -------------------------------------------------------------------------------------


def test_evidence_is_a_waterfall_from_the_prior_to_the_posterior(numbers, tmp_path):
    data, model = numbers
    texts, arrays, _ = drawn(tmp_path, "evidence", model, data, "--row", 200)
    steps = arrays["waterfall"]
    np.testing.assert_allclose(steps[1:-1, 1], steps[:-2, 2])
    np.testing.assert_allclose(steps[:-1, 2], np.cumsum(steps[:-1, 0]))
    assert steps[-1, 1] == 0 and steps[-1, 2] == pytest.approx(steps[-2, 2])
    line = ok("predict", model, data, "--proba", "-o", "-").stdout.splitlines()[200]
    probabilities = sorted((float(cell) for cell in line.split(",")[1:]), reverse=True)
    assert arrays["posterior"][0] == pytest.approx(probabilities[0])
    odds = math.log(probabilities[0]) - math.log(probabilities[1])
    assert steps[-1, 0] == pytest.approx(odds, rel=1e-6)
    assert texts[0].startswith("Row 200: ")
    assert {"prior", "log odds"} <= set(texts)


def test_evidence_of_documents_is_by_words_and_sums_the_rest(tmp_path):
    ok("train", MESSAGES, "--format", "lines", "--model", "naive-bayes", "-o", tmp_path / "m")
    words = ("evidence", tmp_path / "m", MESSAGES, "--format", "lines", "--row", 3)
    texts, few, _ = drawn(tmp_path, *words, "--top", 4)
    _, all_of_them, _ = drawn(tmp_path, *words, "--top", 60)
    assert few["waterfall"].shape == (1 + 4 + 1 + 1, 3)
    assert few["waterfall"][-1, 0] == pytest.approx(all_of_them["waterfall"][-1, 0])
    assert any(text.endswith(" others") for text in texts)


def test_evidence_refuses_rows_that_are_not_there(numbers, tmp_path):
    data, model = numbers
    out = tmp_path / "a.svg"
    sentence = fails("plot", "evidence", model, data, "--row", 1000, "-o", out)
    assert "the data has 333 rows" in sentence
    ok(
        "train",
        data,
        "--target",
        "species",
        "--model",
        "gaussian",
        "--covariance",
        "own",
        "-o",
        tmp_path / "own",
    )
    sentence = fails("plot", "evidence", tmp_path / "own", data, "-o", out)
    assert "no sums over columns" in sentence


# -- words ----------------------------------------------------------------------------------------


def test_words_are_the_top_words_of_inspect(tmp_path):
    ok("train", MESSAGES, "--format", "lines", "--model", "naive-bayes", "-o", tmp_path / "m")
    texts, arrays, _ = drawn(tmp_path, "words", tmp_path / "m", "--top", 5)
    listed = ok_json("inspect", tmp_path / "m", "--top-words", 5)["top_words"][0]["classes"]
    for found in listed:
        expected = [[w["log_odds"], w["count"], w["elsewhere"]] for w in found["words"]]
        np.testing.assert_allclose(arrays[found["class"]], expected)
        assert {w["word"] for w in found["words"]} <= set(texts)
    texts, arrays, _ = drawn(tmp_path, "words", tmp_path / "m", "--class", "spam")
    assert list(arrays) == ["spam"] and len(arrays["spam"]) == 10


def test_words_of_a_table_name_the_kind_that_fits(numbers, tmp_path):
    _, model = numbers
    assert "take plot evidence" in fails("plot", "words", model, "-o", tmp_path / "a.svg")


# -- all of them ----------------------------------------------------------------------------------


def test_hostile_names_are_text(tmp_path):
    rng = np.random.default_rng(0)
    names = ["<script>alert(1)</script>", "a\nb", "\u5b57" * 40, "&amp;"]
    rows = [
        {"class": names[i % 4], "<x>": f"{rng.normal() + i % 4}", "y\ty": f"{rng.normal()}"}
        for i in range(80)
    ]
    data = write_csv(tmp_path / "hostile.csv", rows)
    ok(
        "train",
        data,
        "--target",
        "class",
        "--model",
        "gaussian",
        "--covariance",
        "shared",
        "-o",
        tmp_path / "m",
    )
    for kind in ("scatter", "pca", "canonical", "evidence"):
        texts, _, _ = drawn(tmp_path, kind, tmp_path / "m", data)
        svg = (tmp_path / "picture.svg").read_text()
        assert "<script" not in svg
        assert texts
        for ending in ("png", "html", "pdf"):
            ok("plot", kind, tmp_path / "m", data, "-o", tmp_path / f"a.{ending}")
        assert ok("plot", kind, tmp_path / "m", data, "--terminal").stdout


def test_one_row_and_equal_rows_are_drawn(numbers, tmp_path):
    _data, model = numbers
    row = {name: penguin_rows()[0][name] for name in ("species", *MEASUREMENTS)}
    for count in (1, 3):
        same = write_csv(tmp_path / "same.csv", [row] * count)
        for kind in ("scatter", "canonical", "evidence"):
            _, arrays, _ = drawn(tmp_path, kind, model, same)
            assert all(np.isfinite(array).all() for array in arrays.values())
        assert "differ" in fails("plot", "pca", model, same, "-o", tmp_path / "a.svg") or count == 1


def test_the_same_bytes_with_any_number_of_threads(numbers, tmp_path):
    data, model = numbers
    for kind in ("scatter", "pca", "canonical", "evidence"):
        for threads in (1, 2):
            ok("plot", kind, model, data, "--threads", threads, "-o", tmp_path / f"{threads}.svg")
        assert (tmp_path / "1.svg").read_bytes() == (tmp_path / "2.svg").read_bytes()
