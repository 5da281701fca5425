"""Pictures of planes and of what lies on them, against numbers of numpy."""

import base64
import itertools
import json
import math
import re
import struct
import xml.etree.ElementTree as ElementTree
import zlib
from fractions import Fraction

import numpy as np
import pytest
from picture import SVG, says, texts
from support import DATA, MEASUREMENTS, fails, ok, ok_json, penguin_rows, read_csv, run, write_csv

BILL = ["bill_length_mm", "bill_depth_mm"]
WHOLE = ["flipper_length_mm", "body_mass_g"]
SPECIES = ["Adelie", "Chinstrap", "Gentoo"]


def drawn(picture, *words) -> dict[str, np.ndarray]:
    """Draws, and gives the arrays."""
    report = ok_json("plot", *words, "-o", picture)
    ElementTree.parse(picture)
    return {
        name: np.array(array["values"], dtype=float).reshape(array["shape"])
        for name, array in report["arrays"].items()
    }


def table(folder, columns, species=tuple(SPECIES)):
    """A file of penguins without gaps, their numbers and their species."""
    rows = [row for row in penguin_rows() if row["species"] in species]
    kept = [{name: row[name] for name in ("species", *columns)} for row in rows]
    values = np.array([[float(row[name]) for name in columns] for row in rows])
    path = write_csv(folder / "rows.csv", kept)
    return path, values, np.array([row["species"] for row in rows])


def standing(values) -> np.ndarray:
    """Where columns stand that are not drawn: at their means, those of whole numbers at one."""
    whole = (values == np.round(values)).all(axis=0)
    return np.where(whole, np.round(values.mean(axis=0)), values.mean(axis=0))


def train(folder, data, *options, target="species"):
    ok("train", data, "--target", target, *options, "-o", folder / "m.model", "--quiet")
    return folder / "m.model"


def posteriors_at(folder, model, columns, points) -> np.ndarray:
    rows = [{c: repr(float(v)) for c, v in zip(columns, p, strict=True)} for p in points]
    data = write_csv(folder / "points.csv", rows)
    answers = read_csv(ok("predict", model, data, "--proba", "-o", "-").stdout)
    names = [name for name in answers[0] if name.startswith("p_")]
    return np.array([[float(answer[name]) for name in names] for answer in answers])


# -- posterior ------------------------------------------------------------------------------------


def unfiltered(kind, line, above, width):
    """One line of a PNG file (RFC 2083, section 6)."""
    out = np.zeros(len(line), dtype=int)
    for i, byte in enumerate(line):
        left = out[i - width] if i >= width else 0
        up = above[i]
        corner = above[i - width] if i >= width else 0
        estimate = left + up - corner
        nearest = min((left, up, corner), key=lambda value, e=estimate: abs(e - value))
        out[i] = (byte + [0, left, up, (left + up) // 2, nearest][kind]) % 256
    return out


def pixels(png: bytes) -> np.ndarray:
    """Rows x columns x 3 of an image in true color."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    place, packed = 8, b""
    while place < len(png):
        size, name = struct.unpack(">I4s", png[place : place + 8])
        body = png[place + 8 : place + 8 + size]
        assert zlib.crc32(name + body) == int.from_bytes(png[place + 8 + size : place + 12 + size])
        if name == b"IHDR":
            columns, rows, depth, color = struct.unpack(">IIBB", body[:10])
            assert (depth, color) == (8, 2)
        packed += body if name == b"IDAT" else b""
        place += 12 + size
    raw = zlib.decompress(packed)
    step = 1 + 3 * columns
    lines, above = [], np.zeros(3 * columns, dtype=int)
    for r in range(rows):
        above = unfiltered(raw[r * step], raw[r * step + 1 : (r + 1) * step], above, 3)
        lines.append(above)
    return np.array(lines).reshape(rows, columns, 3)


def image_of(picture):
    """The pixels, the ranges of the axes, and the colors of the classes."""
    (image,) = ElementTree.parse(picture).getroot().iter(f"{SVG}image")
    png = base64.b64decode(image.get("href").removeprefix("data:image/png;base64,"))
    x = [float(image.get(f"data-x-{end}")) for end in ("low", "high")]
    y = [float(image.get(f"data-y-{end}")) for end in ("low", "high")]
    colors = [bytes.fromhex(color[1:]) for color in image.get("data-colors").split(",")]
    return pixels(png), x, y, np.array([list(color) for color in colors])


def check_pixels(folder, picture, model, columns, others, to_value=lambda value: value):
    """200 pixels are the mix of the colors at their centers; `others`: values of other columns."""
    image, x, y, colors = image_of(picture)
    rows, width, _ = image.shape
    random = np.random.default_rng(1)
    r, c = random.integers(rows, size=200), random.integers(width, size=200)
    points = {
        columns[0]: to_value(x[0] + (c + 0.5) / width * (x[1] - x[0])),
        columns[1]: to_value(y[1] - (r + 0.5) / rows * (y[1] - y[0])),
        **{name: np.full(200, value) for name, value in others.items()},
    }
    p = posteriors_at(folder, model, list(points), np.array(list(points.values())).T)
    assert np.ptp(p, axis=0).min() > 0.5  # no class is everywhere or nowhere
    difference = np.abs(image[r, c] - p @ colors)
    assert difference.max() < 0.5 + 1e-6  # rounded, so nearer than 1 of 255


@pytest.mark.parametrize(
    "options",
    [("gaussian", "--covariance", "own"), ("gaussian", "--covariance", "shared"), ("softmax",)],
)
def test_posterior_pixels_where_the_other_columns_stand(tmp_path, options):
    data, _, _ = table(tmp_path, MEASUREMENTS)
    model = train(tmp_path, data, "--model", *options)
    picture = tmp_path / "p.svg"
    drawn(picture, "posterior", model, data, "--x", BILL[0], "--y", BILL[1],
          "--at", "flipper_length_mm=200.5,body_mass_g=4000")  # fmt: skip
    assert says(picture, "flipper_length_mm = 200.5, body_mass_g = 4000")
    others = {"flipper_length_mm": 200.5, "body_mass_g": 4000.0}
    check_pixels(tmp_path, picture, model, BILL, others)


def test_posterior_pixels_at_the_means(tmp_path):
    data, values, _ = table(tmp_path, MEASUREMENTS)
    model = train(tmp_path, data, "--model", "gaussian", "--covariance", "own")
    picture = tmp_path / "p.svg"
    drawn(picture, "posterior", model, data, "--x", BILL[0], "--y", BILL[1])
    means = dict(zip(WHOLE, standing(values)[2:], strict=True))
    assert says(picture, f"body_mass_g = {means['body_mass_g']:.0f}")
    check_pixels(tmp_path, picture, model, BILL, means)
    drawn(picture, "posterior", model, data, "--x", WHOLE[0], "--y", WHOLE[1])
    means = dict(zip(BILL, standing(values)[:2], strict=True))
    assert says(picture, f"bill_length_mm = {means['bill_length_mm']:.4g}")
    check_pixels(tmp_path, picture, model, WHOLE, means)


def test_posterior_pixels_of_naive_bayes(tmp_path):
    data, _, _ = table(tmp_path, BILL)
    model = train(tmp_path, data, "--model", "naive-bayes")
    picture = tmp_path / "p.svg"
    drawn(picture, "posterior", model, data)
    assert not says(picture, "Drawn where")
    check_pixels(tmp_path, picture, model, BILL, {})


def test_posterior_pixels_of_counts_are_those_of_whole_numbers(tmp_path):
    data, _, _ = table(tmp_path, WHOLE)
    kinds = ",".join(f"{name}=count" for name in WHOLE)
    model = train(tmp_path, data, "--model", "naive-bayes", "--kinds", kinds,
                  "--families", "count=negative-binomial")  # fmt: skip
    picture = tmp_path / "p.svg"
    drawn(picture, "posterior", model, data)
    assert says(picture, "Values between whole numbers are taken as the nearest")
    check_pixels(tmp_path, picture, model, WHOLE, {}, np.round)


def test_posterior_of_two_classes_has_contours_at_their_probabilities(tmp_path):
    data, _, _ = table(tmp_path, BILL, ("Adelie", "Chinstrap"))
    model = train(tmp_path, data, "--model", "softmax", "--decay", 1)
    picture = tmp_path / "p.svg"
    arrays = drawn(picture, "posterior", model, data)
    check_pixels(tmp_path, picture, model, BILL, {})
    levels = {}
    for name, line in arrays.items():
        if not name.startswith("contour "):
            continue
        level = float(name.split()[1])
        levels[level] = posteriors_at(tmp_path, model, BILL, line)[:, 1]
    assert {0.1, 0.5, 0.9} <= set(levels)
    for level, p in levels.items():
        np.testing.assert_allclose(p, level, atol=1e-6)


# -- regions --------------------------------------------------------------------------------------

SHARED = """{"classes": ["a", "b", "c"], "priors": [0.5, 0.3, 0.2], "columns": ["x", "y"],
  "means": [[2, 1], [1, 2.5], [-1, 0.25]], "covariance": [[1, 0.375], [0.375, 2]]}"""


def exact_score(prior, mean, covariance):
    """ln p(x, C) without rounding, but for that of the constant."""
    m = [Fraction(value) for value in mean]
    (a, b), (_, d) = [[Fraction(value) for value in line] for line in covariance]
    determinant = a * d - b * b
    constant = Fraction(math.log(prior) - 0.5 * math.log(determinant))

    def score(x, y):
        u, v = x - m[0], y - m[1]
        return constant - (d * u * u - 2 * b * u * v + a * v * v) / (2 * determinant)

    return score


@pytest.mark.parametrize(
    ("spec", "least_points"), [((DATA / "two_gaussians.json").read_text(), 30), (SHARED, 2)]
)
def test_boundaries_are_roots_of_exact_scores(tmp_path, spec, least_points):
    told = json.loads(spec)
    (tmp_path / "spec.json").write_text(spec)
    ok("define", tmp_path / "spec.json", "-o", tmp_path / "m", "--quiet")
    covariances = told.get("covariances") or [told["covariance"]] * len(told["classes"])
    scores = {
        name: exact_score(prior, mean, covariance)
        for name, prior, mean, covariance in zip(
            told["classes"], told["priors"], told["means"], covariances, strict=True
        )
    }
    arrays = drawn(tmp_path / "r.svg", "regions", tmp_path / "m")
    assert {name.split()[1] for name in arrays} == {
        "|".join(pair) for pair in itertools.combinations(told["classes"], 2)
    }
    every = np.concatenate(list(arrays.values()))
    step = [Fraction(float(size)) / 10**9 for size in np.ptp(every, axis=0)]  # axes are longer
    for name, line in arrays.items():
        assert len(line) >= least_points
        j, k = (scores[label] for label in name.split()[1].split("|"))
        for x, y in line:
            x, y = Fraction(float(x)), Fraction(float(y))
            across = [
                (j(x - dx, y - dy) - k(x - dx, y - dy)) * (j(x + dx, y + dy) - k(x + dx, y + dy))
                for dx, dy in [(step[0], 0), (0, step[1])]
            ]
            assert min(across) <= 0, (name, float(x), float(y))


# -- densities ------------------------------------------------------------------------------------


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


# -- clusters -------------------------------------------------------------------------------------


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize(("columns", "k"), [(BILL, 4), (MEASUREMENTS, 6)])
def test_edges_of_clusters_are_equally_far_from_the_two_nearest_centers(
    tmp_path, columns, k, standardize
):
    data, values, _ = table(tmp_path, columns)
    model = tmp_path / "k.model"
    ok("cluster", data, "--columns", ",".join(columns), "--k", k, "--restarts", 5,
       *(["--standardize"] if standardize else []), "-o", model, "--quiet")  # fmt: skip
    decided = read_csv(ok("predict", model, data, "-o", "-").stdout)
    clusters = np.array([int(answer["prediction"]) for answer in decided]) - 1
    centers = np.array([values[clusters == i].mean(axis=0) for i in range(k)])  # of k-means
    x, y = (0, 1) if columns == BILL else (3, 0)
    arrays = drawn(
        tmp_path / "c.svg", "clusters", model, data, "--x", columns[x], "--y", columns[y]
    )
    np.testing.assert_allclose(arrays["centers"], centers[:, [x, y]], rtol=1e-9)
    np.testing.assert_array_equal(arrays["sizes"], np.bincount(clusters, minlength=k))
    scale = values.std(axis=0) if standardize else np.ones(len(columns))
    lines = {name: line for name, line in arrays.items() if name.startswith("boundary ")}
    assert len(lines) >= 2
    for name, line in lines.items():
        first, second = (int(label) - 1 for label in name.split()[1].split("|"))
        for share in (0, 0.3, 1):  # edges are straight
            between = line[:-1] + share * (line[1:] - line[:-1])
            points = np.tile(standing(values), (len(between), 1))
            points[:, [x, y]] = between
            distances = np.linalg.norm((points[:, None] - centers) / scale, axis=2)
            nearest = distances.min(axis=1)
            np.testing.assert_allclose(distances[:, first], nearest, rtol=1e-8)
            np.testing.assert_allclose(distances[:, second], nearest, rtol=1e-8)


# -- kdiagram -------------------------------------------------------------------------------------


def cell_at(point, cells):
    """The number of the cell that holds the point: left of every side, or right of every one."""
    for number, corners in cells.items():
        a, b = corners, np.roll(corners, -1, axis=0)
        side = (b - a)[:, 0] * (point - a)[:, 1] - (b - a)[:, 1] * (point - a)[:, 0]
        if (side >= 0).all() or (side <= 0).all():
            return number
    raise AssertionError(f"{point} is in no cell")


def shoelace(corners) -> float:
    x, y = (corners - corners[0]).T
    return abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


@pytest.mark.parametrize("options", [(), ("--standardize",), ("--metric", "mahalanobis")])
def test_cells_fill_the_box_and_hold_what_is_decided_there(tmp_path, options):
    data, values, _ = table(tmp_path, ["bill_depth_mm", "body_mass_g"])
    model = train(tmp_path, data, "--model", "neighbors", "--k", 1, *options)
    arrays = drawn(tmp_path / "k.svg", "kdiagram", model)
    corners = arrays["corners"]
    cells = {int(i): corners[corners[:, 0] == i, 1:] for i in np.unique(corners[:, 0])}
    low, high = corners[:, 1:].min(axis=0), corners[:, 1:].max(axis=0)
    assert (low < values.min(axis=0)).all() and (high > values.max(axis=0)).all()
    assert len(cells) == len(np.unique(values, axis=0)) == len(arrays["areas"])
    for number, outline in cells.items():
        assert arrays["areas"][number] == pytest.approx(shoelace(outline), rel=1e-7)
    assert arrays["areas"].sum() == pytest.approx(np.prod(high - low), rel=1e-9)
    points = np.random.default_rng(5).uniform(low, high, size=(300, 2))
    names = ["bill_depth_mm", "body_mass_g"]
    p = posteriors_at(tmp_path, model, names, points)
    for point, decided in zip(points, p.argmax(axis=1), strict=True):
        assert arrays["classes"][cell_at(point, cells)] == decided


def test_rows_at_one_place_share_the_vote(tmp_path):
    data = tmp_path / "rows.csv"
    data.write_text("x,y,kind\n0,0,z\n0,0,a\n0,0,m\n0,0,m\n5,5,z\n5,5,a\n9,0,a\n9,0,z\n9,0,z\n")
    model = train(tmp_path, data, "--model", "neighbors", "--k", 1, target="kind")
    arrays = drawn(tmp_path / "k.svg", "kdiagram", model)
    assert arrays["classes"].tolist() == [1, 0, 2]  # m, a (the first of equals), z
    points = tmp_path / "points.csv"
    points.write_text("x,y\n0,0\n5,5\n9,0\n")
    answers = read_csv(ok("predict", model, points, "-o", "-").stdout)
    assert [answer["prediction"] for answer in answers] == ["m", "a", "z"]
    assert says(tmp_path / "k.svg", "9 training rows at 3 places, each place with what is nearest")
    assert says(tmp_path / "k.svg", "6 rows lie at the place of another")


# -- rows of other shapes -------------------------------------------------------------------------


def sparse_rows(path, change=lambda values: values, rows=60):
    """Two classes of svmlight rows, and the same spread out in a table."""
    random = np.random.default_rng(2)
    values = np.round(random.normal(size=(rows, 3)), 3)
    values[:, 0] += np.arange(rows) % 2 * 2
    values = change(values)
    values[random.random((rows, 3)) < 0.3] = 0
    labels = ["ab"[i % 2] for i in range(rows)]
    path.write_text(
        "".join(
            f"{label} " + " ".join(f"{c + 1}:{v}" for c, v in enumerate(row) if v != 0) + "\n"
            for label, row in zip(labels, values, strict=True)
        )
    )
    columns = ["1", "2", "3"]
    rows = [
        {"class": label, **dict(zip(columns, map(str, row), strict=True))}
        for label, row in zip(labels, values, strict=True)
    ]
    return path, write_csv(path.with_suffix(".csv"), rows)


@pytest.mark.parametrize("kind", ["regions", "posterior"])
@pytest.mark.parametrize("family", ["softmax", "binary"])
def test_sparse_rows_are_spread_out(tmp_path, kind, family):
    sparse, dense = sparse_rows(tmp_path / "rows.svm")
    ok("train", sparse, "--format", "svmlight", "--model", family, "-o", tmp_path / "sparse.model")
    model = train(tmp_path, dense, "--model", family, target="class")
    found = drawn(tmp_path / "s.svg", kind, tmp_path / "sparse.model", sparse,
                  "--format", "svmlight")  # fmt: skip
    expected = drawn(tmp_path / "d.svg", kind, model, dense)
    assert found and found.keys() == expected.keys()
    for name, array in expected.items():
        np.testing.assert_allclose(found[name], array, rtol=1e-4, atol=1e-4)


def test_sparse_rows_of_terms_name_the_kind_that_fits(tmp_path):
    sparse, _ = sparse_rows(tmp_path / "rows.svm", np.abs)
    ok("train", sparse, "--format", "svmlight", "--model", "naive-bayes", "-o", tmp_path / "m")
    for kind in ("regions", "posterior", "densities"):
        sentence = fails("plot", kind, tmp_path / "m", sparse, "--format", "svmlight",
                         "-o", tmp_path / "x.svg")  # fmt: skip
        assert "take plot words" in sentence


def test_sparse_rows_of_too_many_columns_are_refused(tmp_path):
    data = tmp_path / "wide.svm"
    data.write_text("a 1:1 2:0.5\nb 2:1 50000:0.5\n" * 5)
    ok("train", data, "--format", "svmlight", "--model", "softmax", "-o", tmp_path / "m")
    for kind in ("regions", "posterior"):
        sentence = fails("plot", kind, tmp_path / "m", data, "--format", "svmlight",
                         "-o", tmp_path / "x.svg")  # fmt: skip
        assert "this model has 50,000" in sentence and "plot evidence" in sentence


KINDS = {
    "posterior": ("gaussian", "--covariance", "own"),
    "densities": ("naive-bayes",),
    "clusters": None,
    "kdiagram": ("neighbors", "--k", "1"),
}


def made(folder, kind, data, columns):
    if KINDS[kind] is not None:
        return train(folder, data, "--model", *KINDS[kind], target="kind")
    ok("cluster", data, "--columns", ",".join(columns), "--k", 3, "-o", folder / "m.model")
    return folder / "m.model"


def picture_or_sentence(folder, *words) -> str:
    """A picture that parses, or status 2 and one sentence, which is given."""
    picture = folder / "x.svg"
    picture.unlink(missing_ok=True)
    result = run("plot", *words, "-o", picture)
    if result.returncode == 0:
        places = ("d", "x", "y", "width", "height", "transform")
        for node in ElementTree.parse(picture).getroot().iter():
            for name in places:
                assert not re.search("nan|inf", node.get(name, "")), ElementTree.tostring(node)
        return ""
    assert not picture.exists()
    return fails("plot", *words, "-o", picture)


def labelled(path, labels, columns=2, each=6):
    random = np.random.default_rng(4)
    names = [f"x{c + 1}" for c in range(columns)]
    rows = [
        {
            **{n: f"{random.normal() + k % 20 * 3 + k // 20 * c:.4f}" for c, n in enumerate(names)},
            "kind": label,
        }
        for k, label in enumerate(labels)
        for _ in range(each)
    ]
    return write_csv(path, rows), names


@pytest.mark.parametrize("kind", KINDS)
def test_one_column(tmp_path, kind):
    data, names = labelled(tmp_path / "rows.csv", "abc", columns=1)
    sentence = picture_or_sentence(tmp_path, kind, made(tmp_path, kind, data, names), data)
    if kind in ("clusters", "kdiagram"):
        assert "take plot regions" in sentence
    else:
        assert sentence == ""


@pytest.mark.parametrize("kind", KINDS)
def test_300_classes(tmp_path, kind):
    data, names = labelled(tmp_path / "rows.csv", [f"class {k}" for k in range(300)])
    if kind == "clusters":
        ok("cluster", data, "--columns", ",".join(names), "--k", 300, "-o", tmp_path / "m.model")
        model = tmp_path / "m.model"
    else:
        model = made(tmp_path, kind, data, names)
    assert picture_or_sentence(tmp_path, kind, model, data) == ""
    assert kind == "clusters" or says(tmp_path / "x.svg", " more")
    assert (tmp_path / "x.svg").stat().st_size < 5_000_000


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_labels_stay_text(tmp_path, kind):
    labels = ["<script>alert(1)</script>", "two\nlines", '"&|<', "字" * 60, "\x1b[31mred"]
    data, names = labelled(tmp_path / "rows.csv", labels)
    model = made(tmp_path, kind, data, names)
    assert picture_or_sentence(tmp_path, kind, model, data) == ""
    assert "<script" not in (tmp_path / "x.svg").read_text()
    assert "\x1b" not in ok("plot", kind, model, data, "--terminal", env={"NO_COLOR": "1"}).stdout
    if kind != "clusters":
        assert any(text.startswith("<script>") for text in texts(tmp_path / "x.svg"))


@pytest.mark.parametrize("kind", KINDS)
def test_without_rows(tmp_path, kind):
    data, names = labelled(tmp_path / "rows.csv", "abc")
    sentence = picture_or_sentence(tmp_path, kind, made(tmp_path, kind, data, names))
    assert sentence == "" or (kind == "clusters" and "give a file of rows" in sentence)
    softmax = train(tmp_path, data, "--model", "softmax", target="kind")
    assert "give a file of rows" in fails("plot", "posterior", softmax, "-o", tmp_path / "x.svg")


@pytest.mark.parametrize("kind", KINDS)
def test_models_of_documents(tmp_path, kind):
    rows = tmp_path / "rows.csv"
    rows.write_text("text,kind\n" + "good day,a\nbad night,b\n" * 5)
    model = train(tmp_path, rows, "--model", "naive-bayes", "--kinds", "text=text", target="kind")
    sentence = fails("plot", kind, model, rows, "-o", tmp_path / "x.svg")
    assert "take plot " + ("words" if kind in ("posterior", "densities") else "regions") in sentence


def test_models_of_other_families_name_the_kind_that_fits(tmp_path):
    data, _ = labelled(tmp_path / "rows.csv", "abc")
    picture = tmp_path / "x.svg"
    softmax = train(tmp_path, data, "--model", "softmax", target="kind")
    assert "take plot posterior" in fails("plot", "densities", softmax, data, "-o", picture)
    assert "take plot regions" in fails("plot", "clusters", softmax, data, "-o", picture)
    assert "take plot regions" in fails("plot", "kdiagram", softmax, "-o", picture)
    neighbors = train(tmp_path, data, "--model", "neighbors", "--k", 5, target="kind")
    sentence = fails("plot", "kdiagram", neighbors, "-o", picture)
    assert "this model asks 5 of them" in sentence and "--k 1" in sentence
    manhattan = train(tmp_path, data, "--model", "neighbors", "--k", 1, "--metric", "manhattan",
                      target="kind")  # fmt: skip
    assert "another metric" in fails("plot", "kdiagram", manhattan, "-o", picture)
    assert not picture.exists()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("row", ["1,1", "1e300,-1e300", "1e-300,2e-300"])
def test_equal_rows(tmp_path, kind, row):
    data = tmp_path / "rows.csv"
    data.write_text("x1,x2,kind\n" + f"{row},a\n{row},b\n{row},c\n" * 3)
    result = run("train", data, "--target", "kind", "--model", *(KINDS[kind] or ("softmax",)),
                 "-o", tmp_path / "m.model")  # fmt: skip
    if kind == "clusters":
        result = run("cluster", data, "--columns", "x1,x2", "--k", 1, "-o", tmp_path / "m.model")
    if result.returncode != 0:
        assert result.returncode == 2
        return
    picture_or_sentence(tmp_path, kind, tmp_path / "m.model", data)
