"""LeastSquares against NumPy, SciPy, scikit-learn and NIST; online, merged, in files."""

import csv
from fractions import Fraction

import logodds
import numpy as np
import pytest
from conftest import shared_data
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from sklearn.linear_model import LinearRegression


def made(rows, columns, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns)) @ rng.normal(size=(columns, columns)) + 5.0
    return X, X @ rng.normal(size=columns) + 3.0 + rng.normal(size=rows)


@pytest.mark.parametrize("intercept", [True, False])
def test_coefficients_and_errors_of_the_formulas(intercept):
    X, y = made(200, 5)
    model = logodds.LeastSquares(fit_intercept=intercept).fit(X, y)
    design = np.column_stack([np.ones(200), X]) if intercept else X
    b, residual, rank, _ = np.linalg.lstsq(design, y, rcond=None)
    df = 200 - rank
    errors = np.sqrt(residual[0] / df * np.diag(np.linalg.inv(design.T @ design)))
    first = 1 if intercept else 0
    assert_allclose(model.coef_, b[first:], rtol=1e-10)
    assert_allclose(model.standard_errors_, errors[first:], rtol=1e-9)
    assert_allclose(model.p_values_, 2 * stats.t.sf(abs(model.t_), df), rtol=1e-10)
    assert model.degrees_of_freedom_ == df and model.rank_ == rank
    assert model.residual_deviation_ == pytest.approx(np.sqrt(residual[0] / df))
    assert model.f_p_value_ == pytest.approx(stats.f.sf(model.f_, 5, df), rel=1e-9)
    if intercept:
        assert model.intercept_ == pytest.approx(b[0])
        assert model.intercept_standard_error_ == pytest.approx(errors[0])
        assert model.r_squared_ == pytest.approx(model.score(X, y), rel=1e-12)
    else:
        assert model.intercept_ == 0.0 and np.isnan(model.intercept_standard_error_)


def test_predictions_are_those_of_scikit_learn():
    X, y = made(100, 4)
    weights = np.random.default_rng(1).integers(0, 4, 100).astype(float)
    model = logodds.LeastSquares().fit(X, y, sample_weight=weights)
    expected = LinearRegression().fit(X, y, sample_weight=weights)
    assert_allclose(model.predict(X), expected.predict(X), rtol=1e-11)
    score = expected.score(X, y, weights)
    assert model.score(X, y, sample_weight=weights) == pytest.approx(score)


def test_one_column_is_scipys_line():
    X, y = made(50, 1)
    model = logodds.LeastSquares().fit(X, y)
    expected = stats.linregress(X[:, 0], y)
    assert model.coef_[0] == pytest.approx(expected.slope, rel=1e-12)
    assert model.standard_errors_[0] == pytest.approx(expected.stderr, rel=1e-11)
    assert model.intercept_standard_error_ == pytest.approx(expected.intercept_stderr, rel=1e-11)
    assert model.p_values_[0] == pytest.approx(expected.pvalue, rel=1e-10)


def test_digits_that_doubles_lose():
    """Columns that are nearly the same: the exact answer is from rational arithmetic."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=30)
    X = np.column_stack([x, x + 1e-7 * rng.normal(size=30)])
    y = rng.normal(size=30)
    model = logodds.LeastSquares().fit(X, y)
    exact = exact_solution(np.column_stack([np.ones(30), X]), y)
    assert_allclose(model.coef_, exact[1:], rtol=1e-13)
    assert model.intercept_ == pytest.approx(exact[0], rel=1e-13)


def exact_solution(A, y):
    """The normal equations in fractions, by Gauss and Jordan."""
    rows = [[Fraction(float(value)) for value in row] for row in A]
    right = [Fraction(float(value)) for value in y]
    m = len(rows[0])
    table = [
        [sum(row[i] * row[j] for row in rows) for j in range(m)]
        + [sum(row[i] * value for row, value in zip(rows, right, strict=True))]
        for i in range(m)
    ]
    for i in range(m):
        pivot = table[i][i]
        table[i] = [value / pivot for value in table[i]]
        for k in range(m):
            if k != i:
                factor = table[k][i]
                table[k] = [a - factor * b for a, b in zip(table[k], table[i], strict=True)]
    return [float(row[-1]) for row in table]


def digits(found, exact):
    error = abs(Fraction(float(found)) - Fraction(exact)) / abs(Fraction(exact))
    return 16.0 if error == 0 else min(16.0, -np.log10(float(error)))


@pytest.mark.parametrize(
    ("name", "degree", "least"), [("Norris", 1, 13.5), ("Pontius", 2, 13.0), ("Longley", 0, 14.2)]
)
def test_certified_values(name, degree, least):
    folder = shared_data("nist_strd/linear/certified_coefficients.csv").parent
    with (folder / f"{name}.csv").open() as file:
        rows = np.array([[float(cell) for cell in row] for row in list(csv.reader(file))[1:]])
    with (folder / "certified_coefficients.csv").open() as file:
        certified = [row for row in csv.DictReader(file) if row["dataset"] == name]
    X = rows[:, 1:] if degree == 0 else rows[:, [1]] ** np.arange(1, degree + 1)
    half = len(rows) // 2
    whole = logodds.LeastSquares().fit(X, rows[:, 0])
    parts = [logodds.LeastSquares().fit(X[s], rows[s, 0]) for s in (slice(half), slice(half, None))]
    for model in (whole, parts[0].merge(parts[1])):
        found = [model.intercept_, *model.coef_]
        errors = [model.intercept_standard_error_, *model.standard_errors_]
        for row, value, error in zip(certified, found, errors, strict=True):
            assert digits(value, row["exact_estimate_20d"]) >= least
            assert digits(error, row["exact_sd_20d"]) >= least


def test_online_merged_and_forgotten():
    X, y = made(300, 3)
    whole = logodds.LeastSquares().fit(X, y)
    first = logodds.LeastSquares().fit(X[:100], y[:100])
    second = logodds.LeastSquares().fit(X[100:], y[100:])
    online = logodds.LeastSquares().partial_fit(X[:100], y[:100]).partial_fit(X[100:], y[100:])
    for model in (first.merge(second), online):
        assert_allclose(model.coef_, whole.coef_, rtol=1e-15)
        assert_allclose(model.standard_errors_, whole.standard_errors_, rtol=1e-15)
    online.forget(X[100:], y[100:])
    assert_allclose(online.coef_, first.coef_, rtol=1e-15)
    with pytest.raises(ValueError, match="forget only rows"):
        first.forget(X, y)


def test_columns_that_depend_on_others():
    X, y = made(40, 2)
    model = logodds.LeastSquares().fit(np.column_stack([X, X[:, 0] - X[:, 1], np.ones(40)]), y)
    assert model.rank_ == 3
    assert_array_equal(model.coef_[2:], 0)
    assert np.isnan(model.standard_errors_[2:]).all()
    assert any("not identifiable" in note for note in model.notes_)


def test_wrong_input():
    with pytest.raises(logodds.NumericError, match="vertical line"):
        logodds.LeastSquares().fit([[1.0], [1.0], [1.0]], [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        logodds.LeastSquares().fit([[1.0], [2.0]], [1.0])
    with pytest.raises(ValueError, match="Input y contains NaN"):
        logodds.LeastSquares().fit([[1.0], [2.0]], [1.0, np.nan])
    with pytest.raises(ValueError, match="input X contains NaN"):
        logodds.LeastSquares().fit([[1.0], [np.nan]], [1.0, 2.0])


def test_files_of_shell_and_python(tmp_path, command):
    X, y = made(30, 2)
    np.savetxt(
        tmp_path / "d.csv", np.column_stack([X, y]), "%.17g", ",", header="a,b,y", comments=""
    )
    model = tmp_path / "line.model"
    command("line", tmp_path / "d.csv", "--x", "a,b", "--y", "y", "-o", model, "--quiet")
    loaded = logodds.load(tmp_path / "line.model")
    assert isinstance(loaded, logodds.LeastSquares)
    assert list(loaded.feature_names_in_) == ["a", "b"]
    model = logodds.LeastSquares().fit(X, y)
    assert_array_equal(loaded.coef_, model.coef_)
    model.save(tmp_path / "again.model")
    assert_array_equal(logodds.load(tmp_path / "again.model").predict(X), model.predict(X))
