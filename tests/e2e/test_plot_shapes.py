"""Pictures of planes of models and rows of every shape: a picture, or a sentence that helps."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from picture import says, texts
from planes import train
from support import fails, ok, run, write_csv

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
    model = tmp_path / "m.model"
    if kind != "clusters":
        # Of equal rows a covariance is singular, and training says so.
        options = ("naive-bayes",) if kind == "posterior" else KINDS[kind]
        train(tmp_path, data, "--model", *options, target="kind")
    elif row == "1e-300,2e-300":
        sentence = fails("cluster", data, "--columns", "x1,x2", "--k", 1, "-o", model)
        assert "squared distances overflow or vanish" in sentence
        return
    else:
        ok("cluster", data, "--columns", "x1,x2", "--k", 1, "-o", model)
    assert picture_or_sentence(tmp_path, kind, model, data) == ""
