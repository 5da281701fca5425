"""logodds plot regions: decision regions on a plane or a line."""

import json
import random
import xml.etree.ElementTree as ElementTree

import pytest
from support import fails, ok

SVG = "{http://www.w3.org/2000/svg}"


def texts(path) -> list[str]:
    root = ElementTree.parse(path).getroot()
    return ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]


def test_names_axes_and_counts(penguins, penguins_model, tmp_path):
    picture = tmp_path / "regions.svg"
    ok("plot", "regions", penguins_model, penguins, "-o", picture)
    words = texts(picture)
    wrong = json.loads(ok("evaluate", penguins_model, penguins, "--json").stdout)
    errors = round(wrong["error_rate"] * wrong["rows"])
    assert any(word.startswith(f"{errors} of ") for word in words)
    assert {"Adelie", "Chinstrap", "Gentoo"} <= set(words)
    assert any("island = Biscoe" in word for word in words)


def test_columns_by_name_and_the_others_where_they_are_told(penguins, penguins_model, tmp_path):
    picture = tmp_path / "regions.svg"
    ok("plot", "regions", penguins_model, penguins, "-o", picture, "--x", "body_mass_g",
       "--y", "bill_length_mm", "--at", "island=Dream,sex=female")  # fmt: skip
    words = texts(picture)
    assert "body_mass_g" in words and "bill_length_mm" in words
    assert any("island = Dream" in word and "sex = female" in word for word in words)


def test_axes_of_the_rows(penguins, penguins_model, tmp_path):
    for axes, name in [("canonical", "first canonical axis"), ("pca", "second principal axis")]:
        picture = tmp_path / f"{axes}.svg"
        ok("plot", "regions", penguins_model, penguins, "-o", picture, "--axes", axes)
        assert name in texts(picture)


def test_rows_without_labels_are_colored_by_decision(penguins_model, penguins, tmp_path):
    lines = penguins.read_text().splitlines()
    rows = tmp_path / "rows.csv"
    rows.write_text("\n".join(line.split(",", 1)[1] for line in lines) + "\n")
    picture = tmp_path / "regions.svg"
    ok("plot", "regions", penguins_model, rows, "-o", picture)
    assert any("colored by their decision" in word for word in texts(picture))


def test_many_points_make_a_small_picture_that_says_so(tmp_path):
    draw = random.Random(3)
    rows = tmp_path / "rows.csv"
    with rows.open("w") as file:
        file.write("a,b,kind\n")
        for i in range(100_000):
            k = i % 3
            file.write(f"{draw.gauss(k, 1):.4f},{draw.gauss(-k * k, 1.5):.4f},k{k}\n")
    ok("train", rows, "--target", "kind", "--model", "gaussian", "-o", tmp_path / "m.model")
    picture = tmp_path / "regions.svg"
    result = ok("plot", "regions", tmp_path / "m.model", rows, "-o", picture)
    assert "every 13th of 100,000 points is drawn" in result.stderr
    assert any("every 13th of 100,000 points is drawn" in word for word in texts(picture))
    assert picture.stat().st_size < 1_000_000


def test_hostile_names_stay_text(tmp_path):
    rows = tmp_path / "rows.csv"
    names = ["<script>alert(1)</script>", '日本語 & "x"', "z" * 200]
    with rows.open("w") as file:
        file.write('"a<b","c&d",kind\n')
        for i in range(60):
            name = names[i % 3].replace('"', '""')
            file.write(f'{i % 3 + i / 100},{(i * 7) % 11 / 10},"{name}"\n')
    ok("train", rows, "--target", "kind", "--model", "gaussian", "-o", tmp_path / "m.model")
    picture = tmp_path / "regions.svg"
    ok("plot", "regions", tmp_path / "m.model", rows, "-o", picture)
    words = texts(picture)
    assert "a<b" in words and "c&d" in words
    assert "<script>" not in picture.read_text()


@pytest.mark.parametrize("value", ["1", "1e300", "-7e-300"])
def test_equal_rows(tmp_path, value):
    rows = tmp_path / "rows.csv"
    rows.write_text("a,b,kind\n" + f"{value},{value},x\n" * 3 + f"{value},{value},y\n" * 3)
    ok("train", rows, "--target", "kind", "--model", "naive-bayes", "-o", tmp_path / "m.model")
    ok("plot", "regions", tmp_path / "m.model", rows, "-o", tmp_path / "r.svg")


def test_refusals(penguins, penguins_model, tmp_path):
    picture = tmp_path / "x.svg"

    def refused(*options):
        return fails("plot", "regions", penguins_model, penguins, "-o", picture, *options)

    assert "is no column of the model" in refused("--x", "bill")
    assert "is no column of numbers" in refused("--x", "island")
    assert "did you mean 'bill_depth_mm'" in refused("--y", "bill_depth")
    assert "name the same column" in refused("--x", "body_mass_g", "--y", "body_mass_g")
    assert "has no level 'Mars'" in refused("--at", "island=Mars")
    assert "is no number" in refused("--at", "body_mass_g=heavy")
    assert "is not COLUMN=VALUE" in refused("--at", "body_mass_g")
    assert "give one or the other" in refused("--axes", "pca", "--x", "body_mass_g")
    assert not picture.exists()


def test_models_that_cannot_be_drawn_name_the_kinds_that_fit(tmp_path):
    rows = tmp_path / "rows.csv"
    rows.write_text("text,kind\n" + "good day,a\nbad night,b\n" * 5)
    ok("train", rows, "--target", "kind", "--model", "naive-bayes", "--kinds", "text=text",
       "-o", tmp_path / "m.model")  # fmt: skip
    message = fails("plot", "regions", tmp_path / "m.model", rows, "-o", tmp_path / "x.svg")
    assert "plot words" in message
