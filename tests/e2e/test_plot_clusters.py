"""logodds plot clusters: what 'logodds cluster' finds, by centers or by a mixture."""

import numpy as np
import pytest
from picture import drawn, says, texts
from planes import BILL, standing, table
from support import MEASUREMENTS, PENGUINS, fails, ok, ok_json, read_csv

TWO = ["--columns", "bill_length_mm,bill_depth_mm"]


@pytest.mark.parametrize(
    ("soft", "words"), [([], "nearest to a center"), (["--soft"], "a component is the likeliest")]
)
def test_centers_and_sizes(soft, words, tmp_path):
    model = tmp_path / "m"
    picture = tmp_path / "clusters.svg"
    ok("cluster", PENGUINS, "--k", "3", *soft, *TWO, "-o", model)
    answer = ok_json("plot", "clusters", model, PENGUINS, "-o", picture)
    sizes = answer["arrays"]["sizes"]["values"]
    assert answer["arrays"]["centers"]["shape"] == [3, 2]
    # Two of the 344 rows lack the bill: a mixture decides them too.
    assert sum(sizes) == (344 if soft else 342)
    for k, size in enumerate(sizes):
        assert any(text.startswith(f"{k + 1}: {size:.0f} rows (") for text in texts(picture))
    assert says(picture, words)


def test_models_that_labels_trained_are_none(penguins_model, tmp_path):
    sentence = fails("plot", "clusters", penguins_model, PENGUINS, "-o", tmp_path / "c.svg")
    assert "take plot regions" in sentence


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
