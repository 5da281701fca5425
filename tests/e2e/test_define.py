"""define: a Gaussian model written by hand."""

import json

import numpy as np
import pytest
from support import fails, ok, ok_json, posteriors, read_csv, write_csv

TEXTBOOK = {
    "classes": ["first", "second"],
    "priors": [0.7, 0.3],
    "means": [[2, 1], [1, 2]],
    "covariances": [[[1, 0], [0, 1]], [[1, 0], [0, 1]]],
}


def spec_file(folder, spec) -> str:
    path = folder / "spec.json"
    path.write_text(spec if isinstance(spec, str) else json.dumps(spec))
    return path


def defined(folder, spec):
    ok("define", spec_file(folder, spec), "-o", folder / "m", "--quiet")
    return folder / "m"


def densities(spec, points):
    """ln pi_k + ln p(x | C_k), by the formula."""
    scores = []
    for prior, mean, sigma in zip(spec["priors"], spec["means"], spec["covariances"], strict=True):
        centered = points - np.array(mean)
        distance = np.einsum("ni,ij,nj->n", centered, np.linalg.inv(sigma), centered)
        constant = np.linalg.slogdet(2 * np.pi * np.array(sigma))[1]
        scores.append(np.log(prior) - 0.5 * (distance + constant))
    return np.array(scores).T


def test_the_textbook_example_predicts_by_the_formula(tmp_path):
    model = defined(tmp_path, TEXTBOOK)
    points = np.array([[2, 1], [1, 2], [1.5, 1.5], [-3, 4], [10, 9.5]], dtype=float)
    data = write_csv(tmp_path / "d.csv", [{"x1": a, "x2": b} for a, b in points])
    text = ok("predict", model, data, "--proba", "--density").stdout
    scores = densities(TEXTBOOK, points)
    expected = np.exp(scores - scores.max(axis=1, keepdims=True))
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(posteriors(text, TEXTBOOK["classes"]), expected, rtol=1e-12)
    given = [float(row["log_density"]) for row in read_csv(text)]
    np.testing.assert_allclose(given, np.log(np.exp(scores).sum(axis=1)), rtol=1e-12)


def test_own_covariances_of_three_classes(tmp_path):
    spec = {
        "classes": ["c", "a", "b"],
        "priors": [0.5, 0.25, 0.25],
        "means": [[0, 0], [3, 1], [-2, 5]],
        "covariances": [[[2, 1], [1, 3]], [[1, 0], [0, 4]], [[0.5, -0.2], [-0.2, 0.5]]],
        "columns": ["width", "height"],
        "target": "kind",
    }
    model = defined(tmp_path, spec)
    shown = ok_json("inspect", model)
    assert shown["classes"] == ["a", "b", "c"]
    assert shown["target"] == "kind"
    assert [column["name"] for column in shown["columns"]] == ["width", "height"]
    assert shown["options"]["covariance"] == "own"
    points = np.array([[0.3, -1], [2, 2], [-1, 4]])
    data = write_csv(tmp_path / "d.csv", [{"width": a, "height": b} for a, b in points])
    text = ok("predict", model, data, "--proba").stdout
    scores = np.exp(densities(spec, points))
    expected = scores / scores.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(posteriors(text, spec["classes"]), expected, rtol=1e-12)


def test_one_covariance_for_all(tmp_path):
    spec = {key: value for key, value in TEXTBOOK.items() if key != "covariances"}
    spec["covariance"] = [[1, 0], [0, 1]]
    model = defined(tmp_path, spec)
    assert ok_json("inspect", model)["options"]["covariance"] == "shared"
    assert ok("sample", model, "-n", "10").stdout == (
        ok("sample", defined(tmp_path, TEXTBOOK), "-n", "10").stdout
    )


def test_without_priors_they_are_uniform_and_a_note_says_so(tmp_path):
    spec = {key: value for key, value in TEXTBOOK.items() if key != "priors"}
    result = ok("define", spec_file(tmp_path, spec), "-o", tmp_path / "m")
    assert "prior 0.5" in result.stderr
    data = write_csv(tmp_path / "d.csv", [{"x1": 1.5, "x2": 1.5}])
    text = ok("predict", tmp_path / "m", data, "--proba").stdout
    np.testing.assert_allclose(posteriors(text, TEXTBOOK["classes"]), [[0.5, 0.5]], rtol=1e-12)


def test_the_boundary_of_the_textbook_example(tmp_path):
    """x2 - x1 + ln(0.3 / 0.7) = 0 for unit covariances at (2, 1) and (1, 2)."""
    shown = ok_json("inspect", defined(tmp_path, TEXTBOOK), "--boundaries")
    assert len(shown["boundaries"]) == 1
    boundary = shown["boundaries"][0]
    assert (boundary["first"], boundary["second"]) == ("first", "second")
    assert boundary["linear"] is True and boundary["kind"] == "line"
    np.testing.assert_allclose(boundary["normal"], [-1, 1], rtol=1e-12)
    np.testing.assert_allclose(boundary["offset"], np.log(0.3 / 0.7), rtol=1e-12)
    distance = -np.log(0.3 / 0.7) / np.sqrt(2)
    np.testing.assert_allclose(boundary["distance_from_origin"], distance, rtol=1e-12)
    assert boundary["quadratic"] is None


def test_summary_and_json(tmp_path):
    path = spec_file(tmp_path, TEXTBOOK)
    text = ok("define", path, "-o", tmp_path / "m").stdout
    assert "first, second" in text and "x1" in text
    answer = ok_json("define", path, "-o", tmp_path / "m")
    assert answer["classes"] == ["first", "second"]
    assert answer["target"] == "class"
    assert answer["output"] == str(tmp_path / "m")


def changed(**changes):
    return {key: value for key, value in {**TEXTBOOK, **changes}.items() if value is not None}


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        (changed(covariances=[[[1, 0.5], [0.4, 1]], [[1, 0], [0, 1]]]), ["first", "symmetric"]),
        (
            changed(covariances=[[[1, 0], [0, 1]], [[1, 2], [2, 1]]]),
            ["second", "positive definite"],
        ),
        (changed(covariances=[[[1, 0], [0, 0]], [[1, 0], [0, 1]]]), ["first", "positive definite"]),
        (changed(priors=[0.7, 0.4]), ["priors", "1.1", "sum"]),
        (changed(priors=[0.7]), ["prior"]),
        (changed(priors=[1.2, -0.2]), ["-0.2"]),
        (changed(means=[[2, 1]]), ["mean"]),
        (changed(means=[[2, 1], [1, 2, 3]]), ["mean"]),
        (changed(covariances=[[[1, 0], [0, 1]]] * 3), ["covariances"]),
        (changed(covariances=[[[1, 0]], [[1, 0], [0, 1]]]), ["first"]),
        (changed(classes=["a", "a"]), ["'a'"]),
        (changed(classes=["a", ""]), ['"classes"[1]', "empty"]),
        ("[" * 100_000, ["not JSON"]),
        (changed(columns=["x"]), ["columns"]),
        (changed(columns=["x", "x"]), ["'x'"]),
        (changed(columns=["x", "class"]), ["target", "'class'"]),
        (changed(means=None), ['"means"', "missing"]),
        (changed(classes=None), ['"classes"', "missing"]),
        (changed(covariances=None), ['"covariances"', "missing"]),
        (changed(covariance=[[1, 0], [0, 1]]), ['"covariance"', '"covariances"']),
        (changed(prior=[1, 2]), ['"prior"', "did you mean 'priors'"]),
        (changed(zzzzzzz=1), ['"zzzzzzz"', "classes, priors"]),
        (changed(means=[[2, "1"], [1, 2]]), ['"means"[0][1]', "not a number"]),
        (changed(means=3), ['"means"', "not a list"]),
        (changed(classes=["a", None]), ['"classes"[1]', "null"]),
        (changed(target=["x"]), ['"target"']),
        ("[1, 2]", ["no JSON object"]),
        ("", ["line 1", "not JSON"]),
        ('{"classes": ["a"],\n "means": [[NaN]]}', ["line 2", "not JSON", "NaN"]),
        ('{"classes": ["a"], "means": [[1e999]]}', ["too large"]),
        ('{"classes": ["a"], "classes": ["b"]}', ['"classes"', "twice"]),
    ],
)
def test_bad_specifications_are_named(tmp_path, spec, parts):
    path = spec_file(tmp_path, spec)
    sentence = fails("define", path, "-o", tmp_path / "m")
    assert "spec.json" in sentence
    for part in parts:
        assert part in sentence
    assert not (tmp_path / "m").exists()


def test_files_that_cannot_be_read_or_written(tmp_path):
    assert "cannot read" in fails("define", tmp_path / "none.json", "-o", tmp_path / "m")
    assert "cannot read" in fails("define", tmp_path, "-o", tmp_path / "m")
    path = spec_file(tmp_path, TEXTBOOK)
    assert "-o MODEL" in fails("define", path)
    assert "is being read" in fails("define", path, "-o", path)
    assert json.loads(path.read_text()) == TEXTBOOK


def test_a_model_written_by_hand_can_be_updated(tmp_path):
    model = defined(tmp_path, TEXTBOOK)
    ok("sample", model, "-n", "4000", "--seed", "5", "-o", tmp_path / "d.csv")
    answer = ok_json("update", model, tmp_path / "d.csv", "-o", tmp_path / "n")
    assert answer["rows"] in (4000, 4001)
    assert ok_json("evaluate", tmp_path / "n", tmp_path / "d.csv")["accuracy"] > 0.7
