"""--model perceptron: mistakes by pass, the same bytes for every number of threads, kernels."""

import random

import pytest
from support import MEASUREMENTS, fails, ok, ok_json, penguin_rows, posteriors, read_csv, write_csv

PERCEPTRON = ["--target", "y", "--model", "perceptron"]
XOR = [
    {"y": "odd" if a != b else "even", "a": a + da / 10, "b": b - da / 10}
    for a in (0, 1)
    for b in (0, 1)
    for da in (-1, 0, 1)
]


def separable(rows: int, seed: int) -> list[dict]:
    draw = random.Random(seed)
    made = []
    while len(made) < rows:
        a, b = draw.gauss(0, 1), draw.gauss(0, 100)
        margin = 2 * a - b / 100 + 0.5
        if abs(margin) > 0.3:
            made.append({"y": "high" if margin > 0 else "low", "a": a, "b": b})
    return made


def errors(model, data) -> float:
    return ok_json("evaluate", model, data)["error_rate"]


@pytest.mark.parametrize("variant", ["plain", "averaged", "voted"])
def test_separable_rows(tmp_path, variant):
    data = write_csv(tmp_path / "d.csv", separable(150, 3))
    words = ["--variant", variant, "--passes", "1000", "-o", tmp_path / "m"]
    result = ok("train", data, *PERCEPTRON, *words)
    assert "made no mistake, so that learning ended there" in result.stderr
    assert "pass" in result.stdout and "mistakes" in result.stdout
    facts = ok_json("inspect", tmp_path / "m")["facts"]
    assert facts["mistakes"] == 0
    assert facts["variant"] == variant
    if variant == "plain":
        assert errors(tmp_path / "m", data) == 0


def test_mistakes_by_pass(tmp_path):
    data = write_csv(tmp_path / "d.csv", XOR)
    report = ok_json("train", data, *PERCEPTRON, "--passes", "7", "-o", tmp_path / "m")
    (table,) = [t for t in report["tables"] if t["title"] == "mistakes"]
    assert table["columns"] == ["pass", "mistakes"]
    assert [row[0] for row in table["rows"]] == list(range(1, 8))
    assert all(0 < row[1] <= len(XOR) for row in table["rows"])
    assert any("pass 7, the last, made" in note for note in report["notes"])


@pytest.mark.parametrize("kernel", ["polynomial", "rbf"])
def test_xor(tmp_path, kernel):
    data = write_csv(tmp_path / "d.csv", XOR)
    words = ["--kernel", kernel, "--passes", "200", "-o", tmp_path / "m"]
    told = ok("train", data, *PERCEPTRON, *words).stderr
    assert "--variant auto is voted with this kernel" in told
    assert errors(tmp_path / "m", data) == 0
    shares = posteriors(ok("predict", tmp_path / "m", data, "--proba").stdout, ["even", "odd"])
    assert all(abs(even + odd - 1) < 1e-12 for even, odd in shares)


@pytest.mark.parametrize("words", [[], ["--kernel", "rbf"], ["--variant", "voted"]])
def test_seed_and_threads(tmp_path, words):
    data = write_csv(tmp_path / "d.csv", penguin_rows())
    base = ["--target", "species", "--model", "perceptron", "--quiet", *words]
    models = []
    for name, more in {"1": [], "2": ["--threads", "3"], "3": ["--seed", "5"]}.items():
        ok("train", data, *base, *more, "-o", tmp_path / name)
        models.append((tmp_path / name).read_bytes())
    assert models[0] == models[1]
    assert models[0] != models[2]


def test_penguins(tmp_path):
    rows = [{n: row[n] for n in ["species", *MEASUREMENTS]} for row in penguin_rows()]
    data = write_csv(tmp_path / "d.csv", rows)
    told = ok(
        "train", data, "--target", "species", "--model", "perceptron", "-o", tmp_path / "m"
    ).stderr
    assert "--variant auto is averaged with the linear kernel" in told
    assert "no log odds" in told
    assert errors(tmp_path / "m", data) < 0.02
    explained = ok("predict", tmp_path / "m", data, "--explain").stdout
    assert "bill_length_mm" in explained


def test_units_do_not_matter(tmp_path):
    rows = separable(60, 9)
    ok(
        "train",
        write_csv(tmp_path / "d.csv", rows),
        *PERCEPTRON,
        "--quiet",
        "-o",
        tmp_path / "m",
    )
    moved = [{**row, "b": 1e6 + 1024 * row["b"]} for row in rows]
    data = write_csv(tmp_path / "e.csv", moved)
    ok("train", data, *PERCEPTRON, "--quiet", "-o", tmp_path / "n")
    one = posteriors(ok("predict", tmp_path / "m", tmp_path / "d.csv", "--proba").stdout, ["high"])
    other = posteriors(ok("predict", tmp_path / "n", data, "--proba").stdout, ["high"])
    for a, b in zip(one, other, strict=True):
        assert a == pytest.approx(b, abs=1e-6)


def write_svmlight(path, rows, names):
    lines = []
    for row in rows:
        pairs = [f"{i + 1}:{row[n]}" for i, n in enumerate(names) if row[n] != 0]
        lines.append(" ".join([str(row["y"]), *pairs]))
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("words", [[], ["--variant", "voted"], ["--kernel", "rbf"]])
def test_sparse_rows(tmp_path, words):
    draw = random.Random(2)
    names = [f"x{i + 1}" for i in range(30)]
    rows = []
    for _ in range(120):
        row = {name: draw.choice([0, 0, 0, 0, 1, 2]) for name in names}
        score = sum(row[n] * (1 if i % 2 else -1) for i, n in enumerate(names))
        if score != 0:
            rows.append({"y": 1 if score > 0 else -1, **row})
    data = write_svmlight(tmp_path / "d.svm", rows, names)
    base = ["--format", "svmlight"]
    ok(
        "train",
        data,
        *base,
        "--model",
        "perceptron",
        *words,
        "--passes",
        "500",
        "--quiet",
        "-o",
        tmp_path / "m",
    )
    assert ok_json("inspect", tmp_path / "m")["facts"]["mistakes"] == 0
    predicted = read_csv(ok("predict", tmp_path / "m", data, *base, "--proba", "--quiet").stdout)
    right = [p["prediction"] == str(row["y"]) for p, row in zip(predicted, rows, strict=True)]
    assert sum(right) >= 0.95 * len(rows)
    # The same rows as a table are scored alike, whatever the way in.
    table = write_csv(tmp_path / "d.csv", [{n: row[n] for n in names} for row in rows])
    dense = read_csv(ok("predict", tmp_path / "m", table, "--proba", "--quiet").stdout)
    for a, b in zip(predicted, dense, strict=True):
        assert float(a["p_1"]) == pytest.approx(float(b["p_1"]), abs=1e-9)


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--variant", "mean"], "auto, plain, averaged, voted"),
        (["--kernel", "sigmoid"], "linear, polynomial, rbf"),
        (["--gamma", "0"], "--gamma"),
        (["--gamma", "wide"], "neither 'auto' nor a number above 0"),
        (["--degree", "0"], "--degree"),
        (["--passes", "0"], "--passes"),
        (["--kernel", "polynomial", "--gamma", "1e200"], "smaller --degree or --gamma"),
    ],
)
def test_bad_options(tmp_path, words, part):
    data = write_csv(tmp_path / "d.csv", XOR)
    assert part in fails("train", data, *PERCEPTRON, *words, "-o", tmp_path / "m")
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize("words", [[], ["--kernel", "polynomial"], ["--variant", "voted"]])
def test_scores_that_overflow(tmp_path, words):
    rows = [{**row, "b": row["b"] / 1e9} for row in separable(30, 1)]
    data = write_csv(tmp_path / "d.csv", rows)
    ok("train", data, *PERCEPTRON, *words, "--quiet", "-o", tmp_path / "m")
    far = write_csv(tmp_path / "e.csv", [{"a": 0, "b": 0}, {"a": "1e308", "b": "-1e308"}])
    sentence = fails("predict", tmp_path / "m", far)
    assert "e.csv, line 3" in sentence
    assert "overflow" in sentence
