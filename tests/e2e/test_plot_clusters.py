"""logodds plot clusters: what 'logodds cluster' finds, by centers or by a mixture."""

import pytest
from picture import says, texts
from support import PENGUINS, fails, ok, ok_json

BILL = ["--columns", "bill_length_mm,bill_depth_mm"]


@pytest.mark.parametrize(
    ("soft", "words"), [([], "nearest to a center"), (["--soft"], "a component is the likeliest")]
)
def test_centers_and_sizes(soft, words, tmp_path):
    model = tmp_path / "m"
    picture = tmp_path / "clusters.svg"
    ok("cluster", PENGUINS, "--k", "3", *soft, *BILL, "-o", model)
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
