"""Every posterior of naive Bayes against tests/golden/straight_naive_bayes.py, on real tables."""

import csv
import gzip
import sys

import numpy as np
import pytest
from support import ROOT, ok, ok_json, read_csv, shared_data, write_csv

sys.path.insert(0, str(ROOT / "tests" / "golden"))
from straight_naive_bayes import NaiveBayes
from straight_table import is_missing, read_rows, training_table

TOLERANCE = 1e-10  # of a posterior
TABLES = {  # file, target, columns that are left out
    "titanic": ("titanic/kaggle_train.csv", "Survived", ("PassengerId",)),
    "mushroom": ("mushroom/mushroom.csv", "class", ()),
    "german_credit": ("german_credit/german.csv", "class", ()),
    "adult": ("adult/adult.train.csv", "income", ()),
    "horse_colic": ("horse_colic/horse_colic.csv", "V23", ()),
    "soybean": ("soybean/soybean.csv", "Class", ()),
}


def listed(settings: dict) -> str:
    """As options write it: 1,age=0.5 (the name '' stands for all other columns)."""
    return ",".join(f"{name}={value}" if name else f"{value}" for name, value in settings.items())


def train(path, model, target, ignore=(), weights=None, kinds=None, families=None, smoothing=None):
    words = ["train", path, "--target", target, "--model", "naive-bayes", "-o", model, "--quiet"]
    for option, value in [
        ("--ignore", ",".join(ignore)),
        ("--weights", weights),
        ("--kinds", listed(kinds or {})),
        ("--families", listed(families or {})),
        ("--smoothing", listed(smoothing or {})),
    ]:
        words += [option, value] if value else []
    ok(*words)


def answers(model, path, labels, *options):
    rows = read_csv(ok("predict", model, path, "--proba", "--quiet", *options).stdout)
    return rows, np.array([[float(row[f"p_{label}"]) for label in labels] for row in rows])


def compare(tmp_path, rows, target, others=None, density=False, **settings):
    """Trains on `rows`, predicts them (or `others`), and compares with the straight way."""
    reading = {key: settings[key] for key in ("ignore", "weights", "kinds") if key in settings}
    choice = {key: settings[key] for key in ("families", "smoothing") if key in settings}
    straight = NaiveBayes(**choice).fit(training_table(rows, target, **reading))
    expected, log_densities = straight.posteriors(others or rows)
    path = write_csv(tmp_path / "train.csv", rows)
    new = write_csv(tmp_path / "new.csv", others) if others else path
    train(path, tmp_path / "m", target, **settings)
    more = ["--density"] if density else []
    found, posteriors = answers(tmp_path / "m", new, straight.labels, *more)
    assert len(found) == len(expected)
    np.testing.assert_allclose(posteriors, expected, rtol=0, atol=TOLERANCE)
    if density:
        given = [float(row["log_density"]) for row in found]
        np.testing.assert_allclose(given, log_densities, rtol=1e-10, atol=1e-9)
    return straight, posteriors


def table_of(name):
    """The rows that have a label."""
    path, target, ignore = TABLES[name]
    rows = [row for row in read_rows(shared_data(path)) if not is_missing(row[target])]
    return rows, target, ignore


@pytest.mark.parametrize("name", TABLES)
def test_with_default_families(tmp_path, name):
    rows, target, ignore = table_of(name)
    compare(tmp_path, rows, target, ignore=ignore, density=len(rows) < 1000)


@pytest.mark.parametrize("smoothing", [0, 0.5, 3])
@pytest.mark.parametrize("name", [name for name in TABLES if name != "adult"])
def test_other_smoothing(tmp_path, name, smoothing):
    rows, target, ignore = table_of(name)
    compare(tmp_path, rows, target, ignore=ignore, smoothing={"": smoothing})


REAL_FAMILIES = ["gaussian", "log-normal", "exponential", "gamma", "kernel", "histogram"]


@pytest.mark.parametrize("smoothing", [1, 0])
@pytest.mark.parametrize("family", REAL_FAMILIES)
def test_real_families(tmp_path, family, smoothing):
    rows, target, _ = table_of("german_credit")
    names = ["duration", "amount", "age"]
    compare(
        tmp_path,
        rows,
        target,
        kinds=dict.fromkeys(names, "real"),
        families=dict.fromkeys(names, family),
        smoothing={"": smoothing},
        density=True,
    )


def test_kernels_of_thousands_of_values(tmp_path):
    """Two clusters with hard ends; new rows among them, between them and far beyond."""
    random = np.random.default_rng(4)
    x = 1e6 + random.uniform(0, 1, 6000) + np.where(random.random(6000) < 0.4, 3.0, 0.0)
    y = random.lognormal(0, 1, 6000)
    rows = [
        {"x": repr(float(x[i])), "y": repr(float(y[i] + i % 2)), "class": "ab"[i % 2]}
        for i in range(6000)
    ]
    others = [
        {"x": repr(1e6 + step / 20), "y": repr(step / 40), "class": "a"}
        for step in range(-200, 400)
    ]
    families = {"x": "kernel", "y": "kernel"}
    compare(tmp_path, rows, "class", others=others, families=families, density=True)
    words = ["predict", tmp_path / "m", tmp_path / "new.csv", "--proba", "--density", "--threads"]
    assert ok(*words, "1").stdout == ok(*words, "3").stdout


@pytest.mark.parametrize("smoothing", [1, 0])
@pytest.mark.parametrize("family", ["poisson", "geometric", "negative-binomial"])
def test_count_families(tmp_path, family, smoothing):
    rows, target, _ = table_of("german_credit")
    compare(
        tmp_path, rows, target, density=True, families={"count": family}, smoothing={"": smoothing}
    )


@pytest.mark.parametrize("family", ["kernel", "histogram", "exponential"])
def test_real_families_with_missing_values(tmp_path, family):
    rows, target, ignore = table_of("titanic")
    compare(tmp_path, rows, target, ignore=ignore, families={"Age": family, "Fare": family})


def test_a_family_for_every_column(tmp_path):
    rows, target, ignore = table_of("titanic")
    families = {
        "Age": "gamma",
        "Fare": "kernel",
        "SibSp": "geometric",
        "Parch": "negative-binomial",
    }
    smoothing = {"": 0.5, "Embarked": 3, "SibSp": 0}
    compare(tmp_path, rows, target, ignore=ignore, families=families, smoothing=smoothing)


@pytest.mark.parametrize("name", ["soybean", "horse_colic"])
@pytest.mark.parametrize("smoothing", [1, 0])
def test_numbers_that_are_names(tmp_path, name, smoothing):
    """As categories; some classes have no value at all in some columns."""
    rows, target, _ = table_of(name)
    kinds = {column: "categorical" for column in rows[0] if column != target}
    compare(tmp_path, rows, target, kinds=kinds, smoothing={"": smoothing})


@pytest.mark.parametrize("smoothing", [1, 0, 0.5, 3])
@pytest.mark.parametrize("name", ["mushroom", "german_credit", "horse_colic", "soybean"])
def test_new_rows(tmp_path, name, smoothing):
    """Every third row is new: levels that training has not met, and impossible rows."""
    rows, target, _ = table_of(name)
    known = [row for place, row in enumerate(rows) if place % 3]
    kinds = {c.name: c.kind for c in training_table(rows, target).columns if c.levels is None}
    density = name == "german_credit"
    settings = {"kinds": kinds, "smoothing": {"": smoothing}}
    compare(tmp_path, known, target, others=rows[::3], density=density, **settings)


def test_rows_of_another_file(tmp_path):
    rows, target, ignore = table_of("titanic")
    others = read_rows(shared_data("titanic/kaggle_test.csv"))
    _, posteriors = compare(tmp_path, rows, target, others=others, ignore=ignore)
    assert len(posteriors) == 418


@pytest.mark.slow
def test_adult_from_training_to_test_rows(tmp_path):
    rows, target, _ = table_of("adult")
    others = read_rows(shared_data("adult/adult.test.csv"))
    names = ["capital-gain", "capital-loss", "fnlwgt"]
    settings = {
        "kinds": dict.fromkeys(names, "real"),
        "families": {"age": "negative-binomial", "capital-gain": "histogram"},
    }
    straight, posteriors = compare(tmp_path, rows, target, others=others, **settings)
    wrong = sum(
        straight.labels[place] != row[target]
        for place, row in zip(posteriors.argmax(axis=1), others, strict=True)
    )
    result = ok_json("evaluate", tmp_path / "m", shared_data("adult/adult.test.csv"))
    assert result["errors"] == wrong
    assert result["error_rate"] < 0.2


@pytest.mark.parametrize("smoothing", [1, 0])
@pytest.mark.parametrize("family", ["gaussian", "gamma", "exponential", "kernel", "histogram"])
def test_weights(tmp_path, family, smoothing):
    """Weights that are no whole numbers, some of them 0."""
    rows, target, _ = table_of("german_credit")
    rows = [{**row, "w": f"{(place * 7 % 11) / 4}"} for place, row in enumerate(rows)]
    settings = {"kinds": {"amount": "real"}, "families": {"amount": family}}
    compare(tmp_path, rows, target, weights="w", smoothing={"": smoothing}, **settings)


@pytest.mark.parametrize("family", ["kernel", "histogram"])
def test_values_that_all_repeat(tmp_path, family):
    """Bandwidths and bins go by the number of rows, not of different values."""
    rows, target, _ = table_of("german_credit")
    rows = [{**row, "age": f"{int(row['age']) // 10}.5"} for row in rows]
    compare(tmp_path, rows, target, families={"age": family})


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("ucb_admissions/UCBAdmissions_counts.csv", "Admit"),
        ("hair_eye_color/HairEyeColor_counts.csv", "Sex"),
        ("hair_eye_color/HairEyeColor_counts.csv", "Eye"),
        ("titanic/Titanic_table_counts.csv", "Survived"),
    ],
)
@pytest.mark.parametrize("smoothing", [1, 0])
def test_tables_of_counts(tmp_path, path, target, smoothing):
    """A row for each cell, its count as weight: as if every count were that many rows."""
    rows = read_rows(shared_data(path))
    compare(tmp_path, rows, target, weights="Freq", density=True, smoothing={"": smoothing})
    repeated = [row for row in rows for _ in range(int(row["Freq"]))]
    long = [{k: v for k, v in row.items() if k != "Freq"} for row in repeated]
    train(write_csv(tmp_path / "long.csv", long), tmp_path / "long", target,
          smoothing={"": smoothing})  # fmt: skip
    cells = tmp_path / "train.csv"
    assert (
        ok("predict", tmp_path / "m", cells, "--proba", "--quiet").stdout
        == ok("predict", tmp_path / "long", cells, "--proba", "--quiet").stdout
    )


def test_spike_counts(tmp_path):
    """132 neurons, Poisson each; the odd trials say which of seven objects was seen in the even."""
    rows = read_rows(shared_data("neural_it_zhang_desimone/zd_pseudopopulation_100_500ms.csv"))
    odd, even = ([row for row in rows if int(row["trial"]) % 2 == rest] for rest in (1, 0))
    straight, posteriors = compare(tmp_path, odd, "stimulus_ID", others=even, ignore=("trial",))
    assert {column.kind for column in straight.columns} == {"count"}
    seen = [straight.labels[place] for place in posteriors.argmax(axis=1)]
    right = np.mean([label == row["stimulus_ID"] for label, row in zip(seen, even, strict=True)])
    assert right > 0.8  # 1 / 7 by chance


@pytest.mark.parametrize("smoothing", [0, 3])
def test_house_votes_against_e1071(tmp_path, smoothing):
    """42 errors of 435; its confusion matrices are in SOURCE.txt of the data."""
    path = shared_data("house_votes_84/house_votes_84.csv")
    compare(tmp_path, read_rows(path), "Class", smoothing={"": smoothing})
    result = ok_json("evaluate", tmp_path / "m", path)
    assert result["errors"] == 42
    assert result["confusion"] == {0: [[238, 29], [13, 155]], 3: [[237, 30], [12, 156]]}[smoothing]
    with shared_data("REFERENCE_RESULTS.csv").open() as file:
        published = [
            float(line["value"])
            for line in csv.DictReader(file)
            if line["dataset"] == "house_votes_84" and f"laplace={smoothing})" in line["method"]
        ]
    assert published == [pytest.approx(result["error_rate"], abs=5e-7)]


def write_digits(path, part):
    """Pixels above 127.5 as 1, the others as 0; the label comes last."""
    images = gzip.decompress(shared_data(f"mnist/{part}-images-idx3-ubyte.gz").read_bytes())
    labels = gzip.decompress(shared_data(f"mnist/{part}-labels-idx1-ubyte.gz").read_bytes())
    pixels = np.frombuffer(images, np.uint8, offset=16).reshape(-1, 784) > 127.5
    digits = np.frombuffer(labels, np.uint8, offset=8)
    text = np.full((len(digits), 2 * 785), ord(","), np.uint8)
    text[:, :1568:2] = pixels + ord("0")
    text[:, 1568] = digits + ord("0")
    text[:, 1569] = ord("\n")
    header = ",".join([*(f"pixel{i}" for i in range(784)), "digit"]) + "\n"
    path.write_bytes(header.encode() + text.tobytes())
    return path


@pytest.mark.slow
def test_digits_by_bernoulli(tmp_path):
    """MNIST at threshold 127.5: the accuracy of scikit-learn's BernoulliNB, alpha = 1."""
    rows = write_digits(tmp_path / "train.csv", "train")
    others = write_digits(tmp_path / "test.csv", "t10k")
    train(rows, tmp_path / "m", "digit")
    result = ok_json("evaluate", tmp_path / "m", others)
    assert result["accuracy"] == pytest.approx(0.8427, abs=1e-12)
