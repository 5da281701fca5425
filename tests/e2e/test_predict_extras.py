"""predict and evaluate beyond posteriors: priors, rules, densities, distances, likelihood."""

import math

import numpy as np
import pytest
from support import (
    MEASUREMENTS,
    NO_DENSITIES,
    fails,
    ok,
    ok_json,
    penguin_rows,
    posteriors,
    read_csv,
    write_csv,
)

CLASSES = ["Adelie", "Chinstrap", "Gentoo"]
PRIORS = "Adelie=0.2,Chinstrap=0.5,Gentoo=0.3"


def rows_of(complete=True):
    names = ["species", *MEASUREMENTS]
    return [{name: row[name] for name in names} for row in penguin_rows(complete)]


@pytest.fixture
def data(tmp_path):
    return write_csv(tmp_path / "d.csv", rows_of())


def train(data, output, *options):
    words = ["--target", "species", "--model", "gaussian", *options]
    ok("train", data, *words, "-o", output, "--quiet")
    return output


def table(model, data, *options):
    text = ok("predict", model, data, "--proba", "--quiet", *options).stdout
    return np.array(posteriors(text, CLASSES))


def numbers():
    features = np.array([[float(row[name]) for name in MEASUREMENTS] for row in rows_of()])
    labels = np.array([CLASSES.index(row["species"]) for row in rows_of()])
    return features, labels


def log_joint(covariance="shared"):
    """ln pi_k + ln p(x | C_k) of the penguins, by the formula."""
    features, labels = numbers()
    parts = [features[labels == k] for k in range(3)]
    own = [np.cov(part.T, bias=True) for part in parts]
    pooled = sum(len(part) * cov for part, cov in zip(parts, own, strict=True)) / len(features)
    scores = []
    for part, cov in zip(parts, own, strict=True):
        sigma = pooled if covariance == "shared" else cov
        centered = features - part.mean(axis=0)
        distance = np.einsum("ni,ij,nj->n", centered, np.linalg.inv(sigma), centered)
        constant = np.linalg.slogdet(2 * np.pi * sigma)[1]
        scores.append(np.log(len(part) / len(features)) - 0.5 * (distance + constant))
    return np.array(scores).T


@pytest.mark.parametrize("priors", ["uniform", "smoothed:10", PRIORS])
def test_priors_at_prediction_are_priors_at_training(data, tmp_path, priors):
    model = train(data, tmp_path / "m")
    other = train(data, tmp_path / "other", "--priors", priors)
    given = table(model, data, "--priors", priors)
    np.testing.assert_allclose(given, table(other, data), rtol=1e-12)
    assert not np.allclose(given, table(model, data), rtol=1e-6)
    np.testing.assert_array_equal(table(other, data, "--priors", "ml"), table(model, data))
    assert (
        ok_json("evaluate", model, data, "--priors", priors)["log_loss"]
        == ok_json("evaluate", other, data)["log_loss"]
    )


def test_priors_follow_the_theorem(data, tmp_path):
    """Prior shift: posteriors times new over old priors, normalised."""
    model = train(data, tmp_path / "m")
    _, labels = numbers()
    old = np.bincount(labels) / len(labels)
    shifted = table(model, data) * (np.array([0.2, 0.5, 0.3]) / old)
    shifted /= shifted.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(table(model, data, "--priors", PRIORS), shifted, rtol=1e-9)


def test_the_likelihood_rule_is_equal_priors(data, tmp_path):
    model = train(data, tmp_path / "m", "--priors", "Adelie=0.998,Chinstrap=0.001,Gentoo=0.001")
    by_rule = ok("predict", model, data, "--rule", "likelihood").stdout
    assert by_rule == ok("predict", model, data, "--priors", "uniform").stdout
    assert by_rule != ok("predict", model, data, "--rule", "map").stdout
    assert ok("predict", model, data).stdout == ok("predict", model, data, "--rule=map").stdout
    ruled = ok_json("evaluate", model, data, "--rule", "likelihood")
    assert ruled["errors"] == ok_json("evaluate", model, data, "--priors", "uniform")["errors"]
    assert ruled["errors"] < ok_json("evaluate", model, data)["errors"]


@pytest.mark.parametrize("covariance", ["shared", "own"])
def test_densities_by_the_formula(data, tmp_path, covariance):
    model = train(data, tmp_path / "m", "--covariance", covariance)
    rows = read_csv(ok("predict", model, data, "--density").stdout)
    assert list(rows[0]) == ["prediction", "log_density", "outlier_p"]
    expected = np.log(np.exp(log_joint(covariance)).sum(axis=1))
    given = [float(row["log_density"]) for row in rows]
    np.testing.assert_allclose(given, expected, rtol=1e-9)
    values = np.array([float(row["outlier_p"]) for row in rows])
    assert ((values >= 0) & (values <= 1)).all()
    assert 0.02 < (values < 0.1).mean() < 0.2


def test_p_values_are_chi_square_tails(data, tmp_path):
    """With an even number D of columns P(chi2_D > d) = exp(-d/2) sum_{i < D/2} (d/2)^i / i!."""
    model = train(data, tmp_path / "m", "--covariance", "own")
    features, labels = numbers()
    distances = []
    for k in range(3):
        part = features[labels == k]
        centered = features - part.mean(axis=0)
        inverse = np.linalg.inv(np.cov(part.T, bias=True))
        distances.append(np.einsum("ni,ij,nj->n", centered, inverse, centered))
    half = np.min(distances, axis=0) / 2
    given = [
        float(r["outlier_p"]) for r in read_csv(ok("predict", model, data, "--density").stdout)
    ]
    np.testing.assert_allclose(given, np.exp(-half) * (1 + half), rtol=1e-9)


def test_outliers_are_rejected(data, tmp_path):
    model = train(data, tmp_path / "m")
    far = {"species": "Adelie", **dict.fromkeys(MEASUREMENTS, "1e5")}
    strange = write_csv(tmp_path / "strange.csv", [*rows_of(), far])
    result = ok("predict", model, strange, "--density", "--reject-outliers", "0.01", "--proba")
    rows = read_csv(result.stdout)
    assert rows[-1]["prediction"] == "reject"
    for row in rows:
        assert (row["prediction"] == "reject") == (float(row["outlier_p"]) < 0.01)
    rejected = sum(row["prediction"] == "reject" for row in rows)
    assert f"{rejected} row" in result.stderr and "rejected" in result.stderr
    out = ["-o", tmp_path / "out.csv"]
    answer = ok_json("predict", model, strange, "--reject-outliers", "0.01", *out)
    assert answer["rows_rejected"] == rejected
    assert "reject" not in ok("predict", model, strange, "--reject-outliers", "0").stdout


def test_distances_from_linear_boundaries(data, tmp_path):
    model = train(data, tmp_path / "m")
    rows = read_csv(ok("predict", model, data, "--distances").stdout)
    names = ["distance_Adelie_Chinstrap", "distance_Adelie_Gentoo", "distance_Chinstrap_Gentoo"]
    assert list(rows[0]) == ["prediction", *names]
    features, _ = numbers()
    for name, boundary in zip(
        names, ok_json("inspect", model, "--boundaries")["boundaries"], strict=True
    ):
        normal = np.array(boundary["normal"])
        expected = (features @ normal + boundary["offset"]) / np.linalg.norm(normal)
        np.testing.assert_allclose([float(row[name]) for row in rows], expected, atol=1e-6)
    ratios = np.log(table(model, data))
    signs = np.sign(ratios[:, 1] - ratios[:, 0])
    np.testing.assert_array_equal(signs, np.sign([float(row[names[0]]) for row in rows]))


def test_distances_in_groups_are_those_of_the_linear_pairs(data, tmp_path):
    groups = ["--covariance", "groups", "--groups", "Adelie+Chinstrap,Gentoo"]
    model = train(data, tmp_path / "m", *groups)
    rows = read_csv(ok("predict", model, data, "--distances").stdout)
    assert list(rows[0]) == ["prediction", "distance_Adelie_Chinstrap"]
    own = train(data, tmp_path / "own", "--covariance", "own")
    sentence = fails("predict", own, data, "--distances", "-o", tmp_path / "out.csv")
    assert "linear" in sentence and "--covariance shared" in sentence
    assert not (tmp_path / "out.csv").exists()


def test_all_columns_stand_in_a_fixed_order(data, tmp_path):
    model = train(data, tmp_path / "m")
    header = ok("predict", model, data, "--distances", "--density", "--proba").stdout.split("\n")[0]
    assert header.split(",") == [
        "prediction",
        *[f"p_{name}" for name in CLASSES],
        "log_density",
        "outlier_p",
        "distance_Adelie_Chinstrap",
        "distance_Adelie_Gentoo",
        "distance_Chinstrap_Gentoo",
    ]


def test_rows_that_lack_a_value(data, tmp_path):
    """Used by default, empty when skipped, an error when asked."""
    model = train(data, tmp_path / "m")
    lacking = write_csv(tmp_path / "lacking.csv", rows_of()[:3])
    lines = lacking.read_text().splitlines()
    lines[2] = ",".join(["NA" if i == 2 else c for i, c in enumerate(lines[2].split(","))])
    lacking.write_text("\n".join(lines) + "\n")
    words = [model, lacking, "--proba", "--density", "--distances"]
    used = ok("predict", *words)
    rows = read_csv(used.stdout)
    assert "1 row lacks a value" in used.stderr
    assert rows[1]["prediction"] in CLASSES and rows[1]["log_density"] != ""
    assert rows[1]["distance_Adelie_Gentoo"] == "" and rows[0]["distance_Adelie_Gentoo"] != ""
    skipped = ok("predict", *words, "--missing", "skip")
    assert set(read_csv(skipped.stdout)[1].values()) == {""}
    assert "no prediction" in skipped.stderr
    assert "line 3" in fails("predict", *words, "--missing", "error", "-o", tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()
    counts = {how: ok_json("evaluate", model, lacking, "--missing", how) for how in ["use", "skip"]}
    assert (counts["use"]["rows"], counts["use"]["rows_incomplete"]) == (3, 1)
    assert (counts["skip"]["rows"], counts["skip"]["rows_skipped"]) == (2, 1)
    assert "line 3" in fails("evaluate", model, lacking, "--missing", "error")


def test_a_missing_value_is_integrated_out(data, tmp_path):
    """The posterior without a column is that of a model which never had it."""
    model = train(data, tmp_path / "m", "--covariance", "own")
    gone = MEASUREMENTS[2]
    holes = write_csv(tmp_path / "holes.csv", [{**row, gone: ""} for row in rows_of()])
    without = train(data, tmp_path / "w", "--covariance", "own", "--ignore", gone)
    np.testing.assert_allclose(table(model, holes), table(without, data), rtol=1e-8)
    # With nothing left the priors remain.
    nothing = {"species": "Adelie", **dict.fromkeys(MEASUREMENTS, "NA")}
    empty = write_csv(tmp_path / "empty.csv", [nothing])
    _, labels = numbers()
    np.testing.assert_allclose(table(model, empty)[0], np.bincount(labels) / len(labels))


@pytest.mark.parametrize("covariance", ["shared", "own", "diagonal"])
def test_likelihood_parameters_aic_and_bic(data, tmp_path, covariance):
    model = train(data, tmp_path / "m", "--covariance", covariance)
    evaluated = ok_json("evaluate", model, data)
    inspected = ok_json("inspect", model)
    means, full = 3 * 4, 4 * 5 // 2
    free = 2 + means + {"shared": full, "own": 3 * full, "diagonal": 3 * 4}[covariance]
    rows = evaluated["rows"]
    for answer in (evaluated, inspected):
        assert answer["parameters"] == free
        assert answer["aic"] == pytest.approx(2 * free - 2 * answer["log_likelihood"])
        assert answer["bic"] == pytest.approx(free * math.log(rows) - 2 * answer["log_likelihood"])
    assert evaluated["log_likelihood"] == pytest.approx(inspected["log_likelihood"], rel=1e-9)
    if covariance != "diagonal":
        _, labels = numbers()
        expected = log_joint(covariance)[np.arange(rows), labels].sum()
        assert evaluated["log_likelihood"] == pytest.approx(expected, rel=1e-9)
    for text in (ok("evaluate", model, data).stdout, ok("inspect", model).stdout):
        facts = [line.split() for line in text.splitlines()]
        assert ["parameters", str(free)] in facts
        assert {"log-likelihood", "AIC", "BIC"} <= {line[0] for line in facts if line}


def test_boundaries_are_where_posteriors_are_equal(data, tmp_path):
    model = train(data, tmp_path / "m", "--covariance", "own")
    answer = ok_json("inspect", model, "--boundaries")
    assert answer["coordinates"] == MEASUREMENTS
    assert [(b["first"], b["second"]) for b in answer["boundaries"]] == [
        ("Adelie", "Chinstrap"),
        ("Adelie", "Gentoo"),
        ("Chinstrap", "Gentoo"),
    ]
    features, _ = numbers()
    joint = log_joint("own")
    for boundary in answer["boundaries"]:
        first, second = (CLASSES.index(boundary[key]) for key in ("first", "second"))
        assert boundary["linear"] is False and boundary["kind"] == "quadric"
        assert boundary["distance_from_origin"] is None
        matrix = np.array(boundary["quadratic"])
        np.testing.assert_allclose(matrix, matrix.T)
        value = np.einsum("ni,ij,nj->n", features, matrix, features)
        value += features @ np.array(boundary["normal"]) + boundary["offset"]
        np.testing.assert_allclose(value, joint[:, second] - joint[:, first], atol=1e-6)
    text = ok("inspect", model, "--boundaries").stdout
    assert "Adelie | Gentoo" in text and "quadric" in text
    assert "boundaries" not in ok_json("inspect", model)


def test_wide_tables_are_cut(tmp_path):
    rng = np.random.default_rng(3)
    rows = [
        {"y": f"class{i % 12}", **{f"c{j}": f"{v:.3f}" for j, v in enumerate(rng.normal(size=40))}}
        for i in range(600)
    ]
    data = write_csv(tmp_path / "wide.csv", rows)
    ok("train", data, "--target", "y", "--model", "gaussian", "-o", tmp_path / "m", "--quiet")
    text = ok("inspect", tmp_path / "m", "--boundaries").stdout
    assert "--json shows all" in text
    assert max(len(line) for line in text.splitlines()) < 320
    assert len(ok_json("inspect", tmp_path / "m", "--boundaries")["boundaries"]) == 66


@pytest.mark.parametrize("family", NO_DENSITIES)
@pytest.mark.parametrize(
    "words",
    [
        ["--density"],
        ["--reject-outliers", "0.1"],
        ["--distances"],
        ["--rule", "likelihood"],
        ["--priors", "uniform"],
    ],
)
def test_families_that_cannot_say_so(penguins, tmp_path, family, words):
    ok("train", penguins, "--target", "species", "--model", family, "-o", tmp_path / "m")
    sentence = fails("predict", tmp_path / "m", penguins, *words, "-o", tmp_path / "out.csv")
    assert family in sentence and words[0] in sentence and "--model gaussian" in sentence
    assert not (tmp_path / "out.csv").exists()


def test_boundaries_of_other_families_are_refused(penguins, tmp_path):
    ok("train", penguins, "--target", "species", "--model", "neighbors", "-o", tmp_path / "m")
    assert "neighbors" in fails("inspect", tmp_path / "m", "--boundaries")


@pytest.mark.parametrize("value", ["-0.1", "1.5", "nan", "little"])
def test_levels_of_rejection_are_checked(data, tmp_path, value):
    model = train(data, tmp_path / "m")
    assert f"'{value}'" in fails("predict", model, data, f"--reject-outliers={value}")


def test_distances_of_the_pairs_that_are_linear_among_others(tmp_path):
    """Two of three classes share a covariance; a line halfway between their means parts them."""
    definition = tmp_path / "aab.json"
    definition.write_text(
        '{"classes": ["a", "b", "c"], "priors": [0.3, 0.3, 0.4], "means": [[0, 0], [3, 0], [0, 3]],'
        ' "covariances": [[[1, 0], [0, 1]], [[1, 0], [0, 1]], [[2, 0], [0, 1]]]}'
    )
    ok("define", definition, "-o", tmp_path / "m")
    data = tmp_path / "rows.csv"
    data.write_text("x1,x2\n0,0\n3,1\n")
    lines = ok("predict", tmp_path / "m", data, "--distances").stdout.splitlines()
    assert lines == ["prediction,distance_a_b", "a,-1.5", "b,1.5"]
