"""logodds plot kdiagram: cells of the nearest row."""

import numpy as np
import pytest
from picture import drawn, says
from planes import posteriors_at, table, train
from support import ok, read_csv


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
