"""--model noisy-or: against a straight implementation, and what the command says of it."""

import json
import math
import random

import pytest
from support import ok, ok_json, posteriors, read_csv, write_csv

NOISY = ["--target", "sick", "--model", "noisy-or", "--quiet"]


def drawn(rows: int, seed: int, most: int) -> list[dict]:
    """Rows of a noisy-OR: a leak of 0.1, causes of alpha 0.4 and 0.8, and one that is none."""
    draw = random.Random(seed)
    made = []
    for _ in range(rows):
        x = {
            name: draw.randint(1, most) if draw.random() < 0.4 else 0
            for name in ("smoke", "dust", "tea")
        }
        off = 0.9 * 0.4 ** x["smoke"] * 0.8 ** x["dust"]
        made.append({"sick": "no" if draw.random() < off else "yes", **x})
    return made


def straight(rows, names, leak, weight=lambda row: 1.0):
    """theta >= 0 that minimizes the textbook's sum, one variable after the other by bisection."""
    data = [
        ([1.0] * leak + [float(row[name]) for name in names], row["sick"] == "yes", weight(row))
        for row in rows
    ]
    theta = [0.5] * (len(names) + leak)

    def slope(i, value):
        total = 0.0
        for x, on, w in data:
            if x[i] == 0:
                continue
            z = sum(t * v for t, v in zip(theta, x, strict=True)) + (value - theta[i]) * x[i]
            if on and z <= 0:
                return -math.inf
            total += w * x[i] * (-1 / math.expm1(z) if on else 1.0)
        return total

    for _ in range(400):
        before = list(theta)
        for i in range(len(theta)):
            low, high = 0.0, 20.0
            if slope(i, 0.0) >= 0:
                theta[i] = 0.0
                continue
            for _ in range(50):
                middle = (low + high) / 2
                low, high = (low, middle) if slope(i, middle) > 0 else (middle, high)
            theta[i] = (low + high) / 2
        if max(abs(a - b) for a, b in zip(before, theta, strict=True)) < 1e-9:
            return theta
    raise AssertionError("the reference has not converged")


def thetas(model) -> dict[str, float]:
    return {row["cause"]: row["theta"] for row in table(model)}


def table(model) -> list[dict]:
    (causes,) = [t for t in ok_json("inspect", model)["tables"] if t["title"] == "causes"]
    return [dict(zip(causes["columns"], row, strict=True)) for row in causes["rows"]]


@pytest.mark.parametrize("leak", ["on", "off"])
@pytest.mark.parametrize("most", [1, 3])
def test_straight_implementation(tmp_path, leak, most):
    rows = drawn(60, 7 + most, most)
    if leak == "off":
        rows = [row for row in rows if row["sick"] == "no" or any(list(row.values())[1:])]
    data = write_csv(tmp_path / "d.csv", rows)
    names = ["smoke", "dust", "tea"]
    expected = straight(rows, names, leak == "on")
    for optimizer in ("auto", "em", "newton"):
        ok("train", data, *NOISY, "--leak", leak, "--optimizer", optimizer, "-o", tmp_path / "m")
        found = list(thetas(tmp_path / "m").values())
        assert found == pytest.approx(expected, abs=1e-6)


def test_weights_and_posteriors(tmp_path):
    rows = [{**row, "w": 1 + i % 3} for i, row in enumerate(drawn(50, 3, 2))]
    data = write_csv(tmp_path / "d.csv", rows)
    ok("train", data, *NOISY, "--weights", "w", "-o", tmp_path / "m")
    names = ["smoke", "dust", "tea"]
    expected = straight(rows, names, True, lambda row: float(row["w"]))
    theta = thetas(tmp_path / "m")
    assert list(theta.values()) == pytest.approx(expected, abs=1e-6)
    found = posteriors(ok("predict", tmp_path / "m", data, "--proba").stdout, ["no", "yes"])
    for row, (no, yes) in zip(rows, found, strict=True):
        z = theta["(leak)"] + sum(theta[name] * row[name] for name in names)
        assert no == pytest.approx(math.exp(-z), abs=1e-12)
        assert yes == pytest.approx(-math.expm1(-z), rel=1e-9)


def test_reading(tmp_path):
    # x = 1: 1 of 4 rows is off.
    text = "sick,x\nno,0\nno,1\nyes,1\nyes,1\nyes,1\n"
    (tmp_path / "d.csv").write_text(text)
    ok("train", tmp_path / "d.csv", *NOISY, "--leak", "off", "-o", tmp_path / "m")
    (row,) = table(tmp_path / "m")
    assert row["alpha"] == pytest.approx(0.25, abs=1e-7)
    assert row["theta"] == pytest.approx(math.log(4), abs=1e-7)
    assert row["reading"] == "x alone fails to switch yes on with probability 0.25"
    shown = ok("inspect", tmp_path / "m").stdout
    assert "x alone fails to switch yes on with probability 0.25" in shown


def test_causes_without_an_end_or_a_beginning(tmp_path):
    text = "sick,sure,never\nno,0,0\nyes,1,0\nyes,2,0\nno,0,0\n"
    (tmp_path / "d.csv").write_text(text)
    result = ok("train", tmp_path / "d.csv", *NOISY[:-1], "-o", tmp_path / "m")
    assert "no row with 'sure' is 'no': its alpha is 0, and is taken as 2e-16" in result.stderr
    assert "'never' is 0 in every row" in result.stderr
    report = {row["cause"]: row for row in table(tmp_path / "m")}
    assert report["sure"]["theta"] == pytest.approx(-math.log(2**-52))
    assert report["never"]["alpha"] == 1
    predicted = read_csv(ok("predict", tmp_path / "m", tmp_path / "d.csv", "--proba").stdout)
    assert [row["prediction"] for row in predicted] == ["no", "yes", "yes", "no"]


def test_levels_are_causes(tmp_path):
    draw = random.Random(5)
    rows = []
    for _ in range(200):
        city = draw.choice(["a", "b", "c"])
        off = {"a": 0.9, "b": 0.5, "c": 0.2}[city]
        rows.append({"sick": "no" if draw.random() < off else "yes", "city": city})
    data = write_csv(tmp_path / "d.csv", rows)
    ok("train", data, *NOISY, "-o", tmp_path / "m")
    theta = thetas(tmp_path / "m")
    for city in "abc":
        mine = [row["sick"] == "no" for row in rows if row["city"] == city]
        z = theta["(leak)"] + theta[f"city={city}"]
        assert math.exp(-z) == pytest.approx(sum(mine) / len(mine), abs=1e-6)
    assert min(theta[f"city={city}"] for city in "abc") == 0


def test_order_of_labels_says_which_is_on(tmp_path):
    text = "y,x\n10,1\n10,1\n9,0\n9,1\n"
    (tmp_path / "d.csv").write_text(text)
    ok("train", tmp_path / "d.csv", "--target", "y", "--model", "noisy-or", "-o", tmp_path / "m")
    assert ok_json("inspect", tmp_path / "m")["facts"]["on"] == "10"
    assert "second" in ok("models", "noisy-or").stdout


def test_json_is_finite(tmp_path):
    rows = drawn(30, 1, 1)
    data = write_csv(tmp_path / "d.csv", rows)
    ok("train", data, *NOISY, "-o", tmp_path / "m")
    json.dumps(ok_json("inspect", tmp_path / "m"), allow_nan=False)


def test_sparse_rows(tmp_path):
    rows = drawn(80, 4, 3)
    names = ["smoke", "dust", "tea"]
    lines = []
    for row in rows:
        pairs = [f"{i + 1}:{row[n]}" for i, n in enumerate(names) if row[n]]
        lines.append(" ".join(["1" if row["sick"] == "yes" else "0", *pairs]))
    data = tmp_path / "d.svm"
    data.write_text("\n".join(lines) + "\n")
    sparse = ["--format", "svmlight"]
    ok("train", data, *sparse, "--model", "noisy-or", "--quiet", "-o", tmp_path / "m")
    found = list(thetas(tmp_path / "m").values())
    assert found == pytest.approx(straight(rows, names, True), abs=1e-6)
    text = ok("predict", tmp_path / "m", data, *sparse, "--proba", "--quiet").stdout
    for row, (off, _) in zip(rows, posteriors(text, ["0", "1"]), strict=True):
        z = found[0] + sum(t * row[n] for t, n in zip(found[1:], names, strict=True))
        assert off == pytest.approx(math.exp(-z), abs=1e-12)


def test_basis(tmp_path):
    rows = drawn(60, 4, 3)
    data = write_csv(tmp_path / "d.csv", rows)
    ok("train", data, *NOISY, "--basis", "interactions", "-o", tmp_path / "m")
    names = ["smoke", "dust", "tea"]
    pairs = [("smoke", "dust"), ("smoke", "tea"), ("dust", "tea")]
    for row in rows:
        for a, b in pairs:
            row[a + b] = row[a] * row[b]
    expected = straight(rows, [*names, *[a + b for a, b in pairs]], True)
    theta = list(thetas(tmp_path / "m").values())
    assert theta == pytest.approx(expected, abs=1e-5)


def test_spline(tmp_path):
    """Functions of a spline are never negative, so that each can be a cause."""
    draw = random.Random(6)
    rows = []
    for _ in range(200):
        a = draw.uniform(0, 10)
        rows.append({"sick": "no" if draw.random() < math.exp(-max(0, a - 5)) else "yes", "a": a})
    data = write_csv(tmp_path / "d.csv", rows)
    losses = []
    for basis in ("none", "spline:4"):
        ok("train", data, *NOISY, "--basis", basis, "-o", tmp_path / "m")
        losses.append(ok_json("inspect", tmp_path / "m")["facts"]["objective"])
    assert losses[1] < losses[0] - 2
    below = write_csv(tmp_path / "e.csv", [{"a": 0}, {"a": 100}])
    low, high = posteriors(ok("predict", tmp_path / "m", below, "--proba").stdout, ["no", "yes"])
    assert low[0] > 0.9
    assert high[1] > 0.99
