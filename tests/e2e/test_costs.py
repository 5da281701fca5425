"""predict and evaluate by costs, thresholds and with rows that are not decided."""

import numpy as np
import pytest
from support import PENGUINS, fails, ok, ok_json, penguin_rows, posteriors, read_csv, write_csv

SPECIES = ["Adelie", "Chinstrap", "Gentoo"]
COSTS = np.array([[0, 1, 3.5], [12, 0, 1], [2, 9, -0.5]])
REJECT = np.array([0.4, 0.6, 0.5])


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A poor model, so that there is something to decide."""
    path = tmp_path_factory.mktemp("costs") / "m"
    ignored = "bill_length_mm,flipper_length_mm,body_mass_g"
    ok("train", PENGUINS, "--target", "species", "--ignore", ignored, "-o", path, "--quiet")
    return path


@pytest.fixture(scope="module")
def truth():
    return np.array([SPECIES.index(row["species"]) for row in penguin_rows(complete=False)])


@pytest.fixture(scope="module")
def proba(model):
    return np.array(posteriors(ok("predict", model, PENGUINS, "--proba").stdout, SPECIES))


def cost_file(path, matrix=COSTS, reject=None, names=SPECIES):
    rows = []
    for k, name in enumerate(names):
        row = {"truth": name, **dict(zip(SPECIES, matrix[k], strict=True))}
        rows.append(row if reject is None else {**row, "reject": reject[k]})
    return write_csv(path, rows)


def decisions(model, *words):
    result = ok("predict", model, PENGUINS, *words, "--quiet")
    return [row["prediction"] for row in read_csv(result.stdout)]


def cheapest(proba, matrix, reject=None):
    expected = proba @ matrix
    if reject is not None:
        expected = np.column_stack([expected, proba @ reject])
    names = np.array([*SPECIES, "reject"])
    return list(names[expected.argmin(axis=1)]), expected.min(axis=1).mean()


def test_a_file_of_costs_decides_what_is_cheapest(model, proba, tmp_path):
    wanted, _ = cheapest(proba, COSTS)
    found = decisions(model, "--cost", cost_file(tmp_path / "c.csv"))
    assert found == wanted
    assert found != decisions(model)
    wanted, _ = cheapest(proba, COSTS, REJECT)
    path = cost_file(tmp_path / "r.csv", reject=REJECT)
    assert decisions(model, "--cost", path) == wanted
    assert 0 < wanted.count("reject") < len(wanted)


def test_rows_and_columns_may_stand_in_any_order(model, tmp_path):
    order = [2, 0, 1]
    rows = [{"": SPECIES[k], **{SPECIES[d]: COSTS[k, d] for d in reversed(order)}} for k in order]
    path = write_csv(tmp_path / "c.csv", rows, delimiter=";")
    straight = cost_file(tmp_path / "s.csv")
    assert decisions(model, "--cost", path) == decisions(model, "--cost", straight)


def test_pairs_of_classes(model, proba):
    matrix = 1 - np.eye(3)
    matrix[0, 1], matrix[2, 0] = 5, 0.25
    pairs = "Adelie:Chinstrap=5,Gentoo:Adelie=.25"
    assert decisions(model, "--cost", pairs) == cheapest(proba, matrix)[0]
    wanted, _ = cheapest(proba, matrix, np.array([0.2, 0.3, 0.2]))
    rejected = f"{pairs},reject=.2,Chinstrap:reject=.3"
    assert decisions(model, "--cost", rejected) == wanted


def test_rows_below_a_posterior_are_not_decided(model, proba):
    names = np.array(SPECIES)[proba.argmax(axis=1)]
    wanted = np.where(proba.max(axis=1) < 0.6, "reject", names)
    assert decisions(model, "--reject-below", "0.6") == list(wanted)
    result = ok("predict", model, PENGUINS, "--reject-below", "0.6")
    count = (wanted == "reject").sum()
    assert f"note: {count} rows are rejected: no decision is sure or cheap enough" in result.stderr


def test_thresholds(model, proba):
    adelie = proba[:, 0] >= 0.3
    others = np.array(SPECIES[1:])[proba[:, 1:].argmax(axis=1)]
    assert decisions(model, "--thresholds", "Adelie=0.3") == list(
        np.where(adelie, "Adelie", others)
    )
    every = "Adelie=0.7,Chinstrap=0.5,Gentoo=0.8"
    limits = np.array([0.7, 0.5, 0.8])
    ratio = np.where(proba >= limits, proba / limits, 0)
    names = np.array(SPECIES)[ratio.argmax(axis=1)]
    wanted = np.where(ratio.max(axis=1) > 0, names, "reject")
    assert decisions(model, "--thresholds", every) == list(wanted)


def test_evaluate_tells_what_decisions_cost(model, proba, truth, tmp_path):
    path = cost_file(tmp_path / "c.csv", reject=REJECT)
    answer = ok_json("evaluate", model, PENGUINS, "--cost", path)
    wanted, expected = cheapest(proba, COSTS, REJECT)
    index = np.array([[*SPECIES, "reject"].index(name) for name in wanted])
    realized = np.column_stack([COSTS, REJECT])[truth, index].mean()
    decided = index < 3
    assert answer["expected_cost"] == pytest.approx(expected, rel=1e-12)
    assert answer["realized_cost"] == pytest.approx(realized, rel=1e-12)
    assert answer["coverage"] == pytest.approx(decided.mean(), rel=1e-12)
    right = (index[decided] == truth[decided]).mean()
    assert answer["accuracy_on_accepted"] == pytest.approx(right, rel=1e-12)
    assert "a cost is negative: such a decision is a gain" in answer["notes"]
    assert "expected_cost" not in ok_json("evaluate", model, PENGUINS)
    shown = ok("evaluate", model, PENGUINS, "--cost", path).stdout
    assert "realized cost" in shown and "coverage" in shown


def test_the_cheapest_decisions_are_the_cheapest(model, tmp_path):
    """No other way of deciding costs less, in expectation."""
    path = cost_file(tmp_path / "c.csv")
    least = ok_json("evaluate", model, PENGUINS, "--cost", path)["expected_cost"]
    rng = np.random.default_rng(1)
    for _ in range(3):
        other = cost_file(tmp_path / "o.csv", COSTS + rng.uniform(0, 5, (3, 3)))
        found = decisions(model, "--cost", other)
        proba = np.array(posteriors(ok("predict", model, PENGUINS, "--proba").stdout, SPECIES))
        index = [SPECIES.index(name) for name in found]
        assert least <= (proba @ COSTS)[np.arange(len(index)), index].mean() + 1e-12


BAD_FILES = {
    "a missing row": ("truth,Adelie,Chinstrap,Gentoo\nAdelie,0,1,1\nGentoo,1,1,0\n", "Chinstrap"),
    "a missing column": ("truth,Adelie,Gentoo\nAdelie,0,1\nGentoo,1,0\n", "no column for the"),
    "an unknown column": ("truth,Adelie,Chinstrap,Gentoo,Emu\n", "line 1: the column 'Emu'"),
    "an unknown row": (
        "truth,Adelie,Chinstrap,Gentoo\nEmu,0,1,1\n",
        "line 2: the row 'Emu' is no class",
    ),
    "a row twice": (
        "truth,Adelie,Chinstrap,Gentoo\nAdelie,0,1,1\nAdelie,0,1,1\n",
        "line 3: the class 'Adelie' has two rows",
    ),
    "no number": (
        "truth,Adelie,Chinstrap,Gentoo\nAdelie,0,much,1\n",
        "line 2: column 'Chinstrap': 'much' is not a number",
    ),
    "too few fields": ("truth,Adelie,Chinstrap,Gentoo\nAdelie,0,1\n", "line 2: 3 fields"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_bad_files_of_costs(case, model, tmp_path):
    text, sentence = BAD_FILES[case]
    (tmp_path / "c.csv").write_text(text)
    message = fails("predict", model, PENGUINS, "--cost", tmp_path / "c.csv")
    assert "c.csv" in message and sentence in message


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--cost", "Adelie:Emu=2"], "there is no class 'Emu'"),
        (["--cost", "Adele:Gentoo=2"], "did you mean 'Adelie'"),
        (["--cost", "Adelie:Gentoo=much"], "TRUTH:DECISION=COST"),
        (["--cost", "Adelie=2"], "TRUTH:DECISION=COST"),
        (["--cost", "no.csv"], "cannot open no.csv"),
        (["--cost", "Adelie:Gentoo=2", "--thresholds", "Adelie=.5"], "leave one of them out"),
        (["--cost", "Adelie:Gentoo=2", "--rule", "likelihood"], "--priors uniform"),
        (["--thresholds", "Adelie=2"], "above 0 and at most 1"),
        (["--thresholds", "Emu=.5"], "there is no class 'Emu'"),
        (["--thresholds", "Adelie=.5,Adelie=.6"], "second threshold"),
        (["--reject-below", "1.5"], "--reject-below"),
    ],
)
def test_bad_usage(words, sentence, model):
    assert sentence in fails("predict", model, PENGUINS, *words)
    assert sentence in fails("evaluate", model, PENGUINS, *words)


def test_every_row_rejected(model):
    message = fails("evaluate", model, PENGUINS, "--reject-below", "1")
    assert "every row is rejected" in message and "lower --reject-below" in message


def test_a_class_called_reject(tmp_path):
    data = tmp_path / "d.csv"
    data.write_text("y,x\n" + "reject,1\nother,2\n" * 5)
    ok("train", data, "--target", "y", "-o", tmp_path / "m")
    for words in [["--reject-below", ".9"], ["--cost", "reject:other=2"]]:
        assert "called 'reject'" in fails("predict", tmp_path / "m", data, *words)


def test_files_of_options_are_not_overwritten(tmp_path):
    model = tmp_path / "m"
    ok("train", PENGUINS, "--target", "species", "--model", "naive-bayes", "-o", model, "--quiet")
    costs = tmp_path / "costs.csv"
    costs.write_text("truth,Adelie,Chinstrap,Gentoo\nAdelie,0,1,1\nChinstrap,5,0,1\nGentoo,1,1,0\n")
    before = costs.read_text()
    for flag in (("predict", model, PENGUINS, "-o"), ("evaluate", model, PENGUINS, "--roc")):
        assert "which is being read" in fails(*flag[:3], "--cost", costs, flag[3], costs)
    assert costs.read_text() == before
    start = tmp_path / "start.csv"
    start.write_text("year\n2007\n2009\n")
    words = ("cluster", PENGUINS, "--columns", "year", "--init", start)
    assert "which is being read" in fails(*words, "-o", start)
    assert "which is being read" in fails(*words, "--trace", start)


def test_a_decision_has_one_cost(tmp_path):
    model = tmp_path / "m"
    ok("train", PENGUINS, "--target", "species", "--model", "naive-bayes", "-o", model, "--quiet")
    costs = "Adelie:Gentoo=1,Adelie:Gentoo=9"
    assert "second cost" in fails("predict", model, PENGUINS, "--cost", costs)


def test_costs_that_cannot_be_added_up_are_refused(model, tmp_path):
    assert "beyond 1e150" in fails("predict", model, PENGUINS, "--cost", "Adelie:Gentoo=1e308")
    path = cost_file(tmp_path / "c.csv", matrix=COSTS * 1e307)
    assert "beyond 1e150" in fails("evaluate", model, PENGUINS, "--cost", path)
