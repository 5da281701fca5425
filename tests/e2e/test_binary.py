"""--model binary against numbers from elsewhere, and its objective against straight code.

The coefficients and deviances below are those of statsmodels 0.15.0: GLM with the Binomial family
and the links Logit, Probit and CLogLog, fit(tol=1e-14, tol_criterion="params"). With the logit link
R's glm gives the same on esl_saheart (REFERENCE_RESULTS.csv), and Stata, to the digits that are in
logit_oracles, on spector; Greene's Econometric Analysis prints the probit coefficients of spector.
"""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_expit, log_ndtr
from support import ok, ok_json, posteriors, read_csv, shared_data, write_csv

LINKS = ["logit", "probit", "cloglog"]
SAHEART = ["sbp", "tobacco", "ldl", "famhist=Present", "obesity", "alcohol", "age"]
PIMA = ["npreg", "glu", "bp", "skin", "bmi", "ped", "age"]
DATA = {
    "spector": ("logit_oracles/spector.csv", "GRADE", "OBS", ["GPA", "TUCE", "PSI"]),
    "pima": ("mass_pima/Pima.tr.csv", "type", "", PIMA),
    "saheart": ("esl_saheart/SAheart.csv", "chd", "adiposity,typea", SAHEART),
}
# deviance, intercept, coefficients
REFERENCES = {
    ("spector", "logit"): [
        25.77926844426283,
        *[-13.0213468581, 2.82611259489, 0.0951576613179, 2.37868765509],
    ],
    ("spector", "probit"): [
        25.637608137778884,
        *[-7.45231964822, 1.62581003945, 0.0517289455076, 1.42633234201],
    ],
    ("spector", "cloglog"): [
        26.016007392636855,
        *[-10.0314187883, 2.29355266805, 0.0411559724571, 1.56227588113],
    ],
    ("pima", "logit"): [
        178.39066646606915,
        *[-9.77306153291, 0.103183427319, 0.0321168228932, -0.00476754197499],
        *[-0.00191663174693, 0.0836239120546, 1.82041036745, 0.0411835288164],
    ],
    ("pima", "probit"): [
        177.3805638123277,
        *[-5.85960700213, 0.0592623731944, 0.0192306697013, -0.00247016970663],
        *[-0.00173940530999, 0.0505473720124, 1.06825814108, 0.0249753954095],
    ],
    ("pima", "cloglog"): [
        177.86959386365777,
        *[-7.52134072933, 0.08908689497, 0.0236385517911, -0.00910306164542],
        *[-0.000352023831626, 0.063526784469, 1.51436968086, 0.0305288516812],
    ],
    ("saheart", "logit"): [
        483.174032364739,
        *[-4.12959972992, 0.00576067669073, 0.0795256306931, 0.184779334028],
        *[0.939185489214, -0.0345434337552, 0.000606501726386, 0.042541209857],
    ],
    ("saheart", "probit"): [
        483.1550815700052,
        *[-2.40193865164, 0.00339122805507, 0.0486498682074, 0.110076161028],
        *[0.549410085439, -0.0217219689799, 0.000290297673849, 0.0250381181713],
    ],
    ("saheart", "cloglog"): [
        480.9883231456052,
        *[-3.73625692425, 0.00519793921688, 0.0576033949472, 0.140374941639],
        *[0.799652769186, -0.0298670117227, 0.00104703163924, 0.0344898673975],
    ],
}


def trained(tmp_path, name, *options):
    file, target, ignored, _ = DATA[name]
    words = ["--target", target, "--model", "binary", *options, "-o", tmp_path / "m", "--quiet"]
    ok("train", shared_data(file), *words, *(["--ignore", ignored] if ignored else []))
    return tmp_path / "m"


def coefficients(model) -> dict[str, float]:
    """By name, from `inspect --json`."""
    table = next(t for t in ok_json("inspect", model)["tables"] if t["title"] == "coefficients")
    return {row[0]: row[1] for row in table["rows"]}


@pytest.mark.parametrize(("name", "link"), REFERENCES)
def test_references(tmp_path, name, link):
    model = trained(tmp_path, name, "--link", link, "--decay", "0")
    deviance, *expected = REFERENCES[name, link]
    assert ok_json("inspect", model)["facts"]["deviance"] == pytest.approx(deviance, rel=1e-12)
    names = ["(intercept)", *DATA[name][3]]
    found = coefficients(model)
    assert {key: found[key] for key in names} == pytest.approx(
        dict(zip(names, expected, strict=True)), rel=1e-9
    )


def test_stata(tmp_path):
    found = coefficients(trained(tmp_path, "spector", "--decay", "0"))
    for row in read_csv(
        shared_data("logit_oracles/spector_logit_coefficients_stata.csv").read_text()
    ):
        name = "(intercept)" if row["parameter"] == "const" else row["parameter"]
        assert found[name] == pytest.approx(float(row["estimate"]), rel=1e-6)


def test_pima_errors(tmp_path):
    """66 of 332, as R's nnet (REFERENCE_RESULTS.csv)."""
    model = trained(tmp_path, "pima", "--decay", "0")
    result = ok_json("evaluate", model, shared_data("mass_pima/Pima.te.csv"))
    assert round(result["error_rate"] * 332) == 66


def log_shares(link, eta):
    if link == "logit":
        return log_expit(eta), log_expit(-eta)
    if link == "probit":
        return log_ndtr(eta), log_ndtr(-eta)
    u = np.exp(eta)
    return np.log(-np.expm1(-u)), -u


def straight(link, x, y, decay, scale):
    """Minimises minus the log-likelihood plus decay * sum (scale * coefficient)^2 by BFGS."""
    z = (x - x.mean(0)) / x.std(0)

    def objective(b):
        second, first = log_shares(link, z @ b[1:] + b[0])
        penalty = decay * np.sum((scale * b[1:] / x.std(0)) ** 2)
        return -np.sum(np.where(y, second, first)) + penalty

    best = np.zeros(z.shape[1] + 1)
    for _ in range(3):
        best = minimize(objective, best, method="BFGS", options={"gtol": 1e-9}).x
    second, first = log_shares(link, z @ best[1:] + best[0])
    return objective(best), np.exp(np.column_stack([first, second]))


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("link", LINKS)
def test_decay_against_straight_code(tmp_path, link, standardize):
    options = ["--link", link, "--decay", "2.5", *(["--standardize"] if standardize else [])]
    model = trained(tmp_path, "pima", *options)
    file = shared_data("mass_pima/Pima.tr.csv")
    rows = read_csv(file.read_text())
    x = np.array([[float(row[name]) for name in PIMA] for row in rows])
    y = np.array([row["type"] == "Yes" for row in rows])
    value, expected = straight(link, x, y, 2.5, x.std(0) if standardize else 1.0)
    assert ok_json("inspect", model)["facts"]["objective"] == pytest.approx(value, rel=1e-9)
    found = posteriors(ok("predict", model, file, "--proba").stdout, ["No", "Yes"])
    np.testing.assert_allclose(found, expected, atol=2e-5)


@pytest.mark.parametrize("link", LINKS)
def test_tails(tmp_path, link):
    """Log scores far from the training rows are finite, and posteriors sum to 1."""
    model = trained(tmp_path, "spector", "--link", link)
    rows = "GPA,TUCE,PSI\n-30,0,0\n30,100,1\n"
    found = posteriors(ok("predict", model, "-", "--proba", stdin=rows).stdout, ["0", "1"])
    for row in found:
        assert math.isclose(sum(row), 1.0)
    assert found[0][0] == 1.0 and found[1][1] == 1.0
    assert 0.0 <= found[0][1] < 1e-20


def separable(folder: Path) -> Path:
    rows = [{"x": x, "y": "b" if x > 10 else "a"} for x in range(20)]
    return write_csv(folder / "separable.csv", rows)


def objective(model: Path) -> float:
    return ok_json("inspect", model)["facts"]["objective"]


def test_separable_rows_end_where_those_of_softmax_do(tmp_path):
    """The loss is so small that a tolerance on the gradient is met far from the optimum."""
    data, ends = separable(tmp_path), []
    for family in ("binary", "softmax"):
        ok("train", data, "--target", "y", "--model", family, "-o", tmp_path / family)
        ends.append(objective(tmp_path / family))
        assert "std error" not in ok("inspect", tmp_path / family, "--coefficients").stdout
    assert ends[0] == pytest.approx(ends[1], rel=1e-6)


@pytest.mark.parametrize("family", ["binary", "softmax"])
def test_a_warm_start_in_other_units_is_no_worse_than_none(tmp_path, family):
    far = separable(tmp_path)
    rows = [{"x": 1e6 * (x % 7), "y": "b" if (x * x) % 5 > 2 else "a"} for x in range(40)]
    near = write_csv(tmp_path / "near.csv", rows)
    words = ["--target", "y", "--model", family]
    ok("train", far, *words, "--decay", 1e-8, "-o", tmp_path / "far")
    ok("train", near, *words, "--decay", 0, "-o", tmp_path / "cold")
    warm = ["--warm-start", tmp_path / "far"]
    ok("train", near, *words, "--decay", 0, *warm, "-o", tmp_path / "warm")
    assert objective(tmp_path / "warm") == pytest.approx(objective(tmp_path / "cold"), rel=1e-9)


def test_max_iterations_are_kept(tmp_path):
    rows = [{"x": x % 7, "y": "b" if (x * x) % 5 > 2 else "a"} for x in range(40)]
    data = write_csv(tmp_path / "rows.csv", rows)
    words = ["--target", "y", "--model", "binary", "--decay", 0, "--max-iterations", 1]
    ok("train", data, *words, "-o", tmp_path / "m")
    assert ok_json("inspect", tmp_path / "m")["facts"]["iterations"] == 1
