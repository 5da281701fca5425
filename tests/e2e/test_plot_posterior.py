"""logodds plot posterior: pixels and contours, against the posteriors that predict writes."""

import base64
import struct
import xml.etree.ElementTree as ElementTree
import zlib

import numpy as np
import pytest
from picture import SVG, drawn, says
from planes import BILL, WHOLE, posteriors_at, standing, table, train
from support import MEASUREMENTS


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
