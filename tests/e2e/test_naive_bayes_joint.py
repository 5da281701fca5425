"""Columns that are modelled together: joint tables, blocks and trees."""

import json

import numpy as np
from support import PENGUINS, ok, ok_json, penguin_rows, posteriors, read_csv, run, write_csv

SPECIES = ["Adelie", "Chinstrap", "Gentoo"]


def train(data, output, *options, target="species", model="naive-bayes"):
    words = ["train", data, "--target", target, "--model", model, *options]
    ok(*words, "-o", output, "--quiet")
    return output


def table(model, data, *options, classes=SPECIES):
    text = ok("predict", model, data, "--proba", "--quiet", *options).stdout
    return np.array(posteriors(text, classes))


def discrete_penguins(tmp_path, names=("island", "sex", "year")):
    rows = [{n: row[n] for n in [*names, "species"]} for row in penguin_rows(complete=False)]
    return write_csv(tmp_path / "discrete.csv", rows)


def test_joint_table(tmp_path):
    data = discrete_penguins(tmp_path)
    kinds = ["--kinds", "year=categorical"]
    model = train(data, tmp_path / "m", *kinds, model="table")
    rows = read_csv(data.read_text())
    complete = [row for row in rows if "NA" not in row.values()]
    totals = {name: sum(row["species"] == name for row in rows) for name in SPECIES}
    members = {name: [row for row in complete if row["species"] == name] for name in SPECIES}

    def joint(row, name):
        asked = [n for n in ("island", "sex", "year") if row[n] != "NA"]
        same = sum(all(other[n] == row[n] for n in asked) for other in members[name])
        cells = 1 if "sex" in asked else 2  # so many cells are added up
        return totals[name] / 344 * (same + cells) / (len(members[name]) + 18)

    expected = np.array([[joint(row, name) for name in SPECIES] for row in rows])
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(table(model, data), expected, rtol=0, atol=1e-12)
    text = ok("inspect", model).stdout
    assert "18" in text and "empty" in text


def test_joint_table_of_one_column_is_the_categorical_family(tmp_path):
    data = discrete_penguins(tmp_path, ["island"])
    for alpha in ("0", "1", "2.5"):
        joint = train(data, tmp_path / "a", "--smoothing", alpha, model="table")
        naive = train(data, tmp_path / "b", "--smoothing", alpha)
        np.testing.assert_allclose(table(joint, data), table(naive, data), rtol=0, atol=1e-14)


def test_too_many_cells(tmp_path):
    data = discrete_penguins(tmp_path)
    words = ["train", data, "--target", "species", "--model", "table", "-o", tmp_path / "m"]
    result = run(*words, "--kinds", "year=categorical", "--max-cells", "10")
    assert result.returncode == 2
    assert "18 cells" in result.stderr and "--max-cells" in result.stderr
    assert not (tmp_path / "m").exists()


def test_a_block_of_numbers_is_a_gaussian_with_its_covariance(tmp_path):
    options = ["--ignore", "island,sex,year,body_mass_g,flipper_length_mm", "--missing", "skip"]
    block = train(PENGUINS, tmp_path / "a", *options, "--blocks", "bill_length_mm+bill_depth_mm")
    own = train(PENGUINS, tmp_path / "b", *options, "--covariance", "own", model="gaussian")
    np.testing.assert_allclose(table(block, PENGUINS), table(own, PENGUINS), rtol=0, atol=1e-10)


def test_a_block_of_words_is_a_joint_table(tmp_path):
    data = discrete_penguins(tmp_path, ["island", "sex"])
    block = train(data, tmp_path / "a", "--blocks", "island+sex")
    joint = train(data, tmp_path / "b", model="table")
    np.testing.assert_allclose(table(block, data), table(joint, data), rtol=0, atol=1e-14)
    naive = table(train(data, tmp_path / "c"), data)
    assert np.abs(naive - table(block, data)).max() > 1e-4


def test_blocks_are_independent_of_each_other(tmp_path):
    """ln p adds up: the log odds of two blocks are those of each alone, the prior counted once."""
    names = ["bill_length_mm+bill_depth_mm", "island+sex"]
    base = ["--ignore", "year,flipper_length_mm,body_mass_g"]
    both = table(train(PENGUINS, tmp_path / "m", *base, "--blocks", ",".join(names)), PENGUINS)
    logs = np.log(both)
    parts = []
    for name, others in [(names[0], "island,sex"), (names[1], "bill_length_mm,bill_depth_mm")]:
        ignored = ["--ignore", f"year,flipper_length_mm,body_mass_g,{others}"]
        parts.append(
            np.log(table(train(PENGUINS, tmp_path / "p", *ignored, "--blocks", name), PENGUINS))
        )
    prior = np.log([152 / 344, 68 / 344, 124 / 344])
    expected = parts[0] + parts[1] - prior
    np.testing.assert_allclose(
        logs - logs[:, :1], expected - expected[:, :1], rtol=0, atol=1e-6
    )  # fmt: skip


def test_blocks_auto(tmp_path):
    """Two columns that depend on each other within the classes are found, the third is not."""
    random = np.random.default_rng(1)
    labels = random.integers(0, 2, 2000)
    first = random.normal(size=2000)
    second = 0.9 * first * (2 * labels - 1) + 0.3 * random.normal(size=2000)
    rows = [
        {"a": f"{x:.6f}", "b": f"{y:.6f}", "c": f"{random.normal():.6f}", "class": "pq"[k]}
        for x, y, k in zip(first, second, labels, strict=True)
    ]
    data = write_csv(tmp_path / "d.csv", rows)
    words = ["train", data, "--target", "class", "--model", "naive-bayes", "--blocks", "auto"]
    answer = ok_json(*words, "-o", tmp_path / "m")
    assert "a+b" in json.dumps(answer)
    blocks = train(data, tmp_path / "given", "--blocks", "a+b", target="class")
    np.testing.assert_allclose(
        table(tmp_path / "m", data, classes=["p", "q"]),
        table(blocks, data, classes=["p", "q"]),
        rtol=0,
        atol=1e-12,
    )
    naive = train(data, tmp_path / "naive", target="class")
    assert ok_json("evaluate", naive, data)["error_rate"] > 0.4
    assert ok_json("evaluate", tmp_path / "m", data)["error_rate"] < 0.25


def test_a_tree_of_two_columns_is_their_joint_law(tmp_path):
    """Of words without smoothing, and of numbers: p(a) p(b | a) = p(a, b)."""
    rows = [row for row in penguin_rows() if row["sex"] != "NA"]
    words = write_csv(
        tmp_path / "w.csv", [{n: row[n] for n in ("island", "sex", "species")} for row in rows]
    )
    tree = train(words, tmp_path / "a", "--structure", "tree", "--smoothing", "0")
    joint = train(words, tmp_path / "b", "--smoothing", "0", model="table")
    np.testing.assert_allclose(table(tree, words), table(joint, words), rtol=0, atol=1e-10)
    names = ("bill_length_mm", "bill_depth_mm", "species")
    numbers = write_csv(tmp_path / "n.csv", [{n: row[n] for n in names} for row in rows])
    tree = train(numbers, tmp_path / "a", "--structure", "tree")
    own = train(numbers, tmp_path / "b", "--covariance", "own", model="gaussian")
    np.testing.assert_allclose(table(tree, numbers), table(own, numbers), rtol=0, atol=1e-9)


def test_a_tree_finds_the_chain(tmp_path):
    """a - b - c, each a noisy copy of the one before: the edges are those two."""
    random = np.random.default_rng(2)
    n = 3000
    labels = random.integers(0, 2, n)
    a = random.integers(0, 3, n)
    b = np.where(random.random(n) < 0.8, (a + labels) % 3, random.integers(0, 3, n))
    c = np.where(random.random(n) < 0.8, (b + labels) % 3, random.integers(0, 3, n))
    d = random.integers(0, 3, n)
    rows = [
        {"a": "xyz"[i], "b": "xyz"[j], "c": "xyz"[k], "d": "xyz"[l], "class": "pq"[t]}
        for i, j, k, l, t in zip(a, b, c, d, labels, strict=True)
    ]
    data = write_csv(tmp_path / "d.csv", rows)
    tree = train(data, tmp_path / "tree", "--structure", "tree", target="class")
    naive = train(data, tmp_path / "naive", target="class")
    better, worse = (ok_json("evaluate", m, data)["error_rate"] for m in (tree, naive))
    assert worse > 0.4 and better < 0.25
    text = ok("inspect", tree).stdout
    edges = text[text.index("depends on") :].splitlines()[1:4]
    assert {frozenset(line.split()[:2]) for line in edges[:2]} == {frozenset("ab"), frozenset("bc")}
