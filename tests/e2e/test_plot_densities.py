"""logodds plot densities: ellipses, lines and curves, against numbers of numpy."""

import itertools
import math

import numpy as np
import pytest
from picture import drawn, drawn_with_notes, says, texts
from planes import BILL, SPECIES, table, train
from support import MEASUREMENTS, ok, write_csv


def best_pair(values, species):
    """The columns with the largest |W + B| / |W|."""
    total = np.cov(values.T, ddof=0) * len(values)
    within = sum(
        np.cov(values[species == name].T, ddof=0) * (species == name).sum() for name in SPECIES
    )
    pairs = itertools.combinations(range(values.shape[1]), 2)
    return max(
        pairs,
        key=lambda p: np.linalg.det(total[np.ix_(p, p)]) / np.linalg.det(within[np.ix_(p, p)]),
    )


def squared_distances(points, mean, covariance):
    away = points - mean
    return np.einsum("...i,ij,...j", away, np.linalg.inv(covariance), away)


@pytest.mark.parametrize("named", [None, ("body_mass_g", "bill_depth_mm")])
@pytest.mark.parametrize("covariance", ["own", "shared"])
def test_density_ellipses(tmp_path, named, covariance):
    data, values, species = table(tmp_path, MEASUREMENTS)
    model = train(tmp_path, data, "--model", "gaussian", "--covariance", covariance)
    picture = tmp_path / "d.svg"
    options = [] if named is None else ["--x", named[0], "--y", named[1]]
    arrays = drawn(picture, "densities", model, data, *options)
    pair = (
        best_pair(values, species)
        if named is None
        else [MEASUREMENTS.index(name) for name in named]
    )
    assert {MEASUREMENTS[i] for i in pair} <= set(texts(picture))
    two = values[:, pair]
    own = {name: np.cov(two[species == name].T, ddof=0) for name in SPECIES}
    pooled = sum(own[name] * (species == name).mean() for name in SPECIES)
    for name in SPECIES:
        mean = two[species == name].mean(axis=0)
        expected = own[name] if covariance == "own" else pooled
        np.testing.assert_allclose(arrays[f"mean {name}"], mean, rtol=1e-12)
        np.testing.assert_allclose(arrays[f"covariance {name}"], expected, rtol=1e-9)
        distances = squared_distances(arrays[f"ellipses {name}"], mean, expected)
        np.testing.assert_allclose(distances[::-1], [[1] * 120, [4] * 120, [9] * 120], rtol=1e-8)
        longer, shorter = arrays[f"axes {name}"]
        np.testing.assert_allclose(np.outer(longer, longer) + np.outer(shorter, shorter), expected)
        assert abs(longer @ shorter) < 1e-9 * (longer @ longer)
    assert says(picture, "The other 2 columns are integrated out.")


def test_density_lines_of_naive_bayes_hold_their_shares(tmp_path):
    data, values, species = table(tmp_path, BILL)
    model = train(tmp_path, data, "--model", "naive-bayes")
    arrays = drawn(tmp_path / "d.svg", "densities", model, data)
    for name in SPECIES:
        of_class = values[species == name]
        variances = of_class.var(axis=0)
        found = []
        for title, line in arrays.items():
            if not title.startswith(f"density {name} "):
                continue
            distances = squared_distances(line, of_class.mean(axis=0), np.diag(variances))
            np.testing.assert_allclose(distances, distances[0], rtol=1e-6)
            height = np.exp(-distances[0] / 2) / (2 * np.pi * np.sqrt(variances.prod()))
            assert float(title.split()[2]) == pytest.approx(height, rel=1e-4)
            found.append(distances[0])
        # By sums over a grid, of what the picture holds.
        np.testing.assert_allclose(sorted(found), [1, 4, 9], rtol=0.1)


def test_densities_of_one_column_are_curves(tmp_path):
    data, values, species = table(tmp_path, BILL[:1])
    model = train(tmp_path, data, "--model", "gaussian", "--covariance", "own")
    curves = drawn(tmp_path / "d.svg", "densities", model, data)["densities"]
    for k, name in enumerate(SPECIES):
        of_class = values[species == name, 0]
        z = (curves[:, 0] - of_class.mean()) / of_class.std()
        expected = np.exp(-z * z / 2) / (of_class.std() * math.sqrt(2 * math.pi))
        np.testing.assert_allclose(curves[:, 1 + k], expected, rtol=1e-8)


@pytest.mark.parametrize("family", ["gaussian", "naive-bayes"])
@pytest.mark.parametrize("columns", [["a"], ["a", "b"]])
def test_of_many_classes_the_likeliest_are_drawn(tmp_path, family, columns):
    """More than 24 colors are not told apart; of equal priors the first classes are taken."""
    random = np.random.default_rng(2)
    names = [f"k{k:02d}" for k in range(40)]
    rows = [
        {**{c: f"{random.normal(k % 7, 0.3):.4f}" for c in columns}, "class": name}
        for k, name in enumerate(names)
        for _ in range(12 if k % 2 else 6)
    ]
    data = write_csv(tmp_path / "rows.csv", rows)
    words = ["--covariance", "diagonal"] if family == "gaussian" else []
    ok("train", data, "--target", "class", "--model", family, *words, "-o", tmp_path / "m")
    arrays, notes = drawn_with_notes(tmp_path / "d.svg", "densities", tmp_path / "m", data)
    assert "of 40 classes the 24 with the largest priors are drawn" in " ".join(notes)
    likeliest = sorted(names[1::2] + names[:8:2])
    shown = [text for text in texts(tmp_path / "d.svg") if text in names]
    assert shown == likeliest
    if len(columns) == 2:
        arrays, _ = drawn_with_notes(tmp_path / "s.svg", "scatter", tmp_path / "m", data)
        assert all(len(arrays[f"density {c}"]) == 1 + 24 for c in columns)
        assert says(tmp_path / "s.svg", "of the 24 with most rows")
