"""Pictures of planes from sparse rows."""

import numpy as np
import pytest
from picture import drawn
from planes import train
from support import fails, ok, write_csv


def sparse_rows(path, change=lambda values: values, rows=60):
    """Two classes of svmlight rows, and the same spread out in a table."""
    random = np.random.default_rng(2)
    values = np.round(random.normal(size=(rows, 3)), 3)
    values[:, 0] += np.arange(rows) % 2 * 2
    values = change(values)
    values[random.random((rows, 3)) < 0.3] = 0
    labels = ["ab"[i % 2] for i in range(rows)]
    path.write_text(
        "".join(
            f"{label} " + " ".join(f"{c + 1}:{v}" for c, v in enumerate(row) if v != 0) + "\n"
            for label, row in zip(labels, values, strict=True)
        )
    )
    columns = ["1", "2", "3"]
    rows = [
        {"class": label, **dict(zip(columns, map(str, row), strict=True))}
        for label, row in zip(labels, values, strict=True)
    ]
    return path, write_csv(path.with_suffix(".csv"), rows)


@pytest.mark.parametrize("kind", ["regions", "posterior"])
@pytest.mark.parametrize("family", ["softmax", "binary"])
def test_sparse_rows_are_spread_out(tmp_path, kind, family):
    sparse, dense = sparse_rows(tmp_path / "rows.svm")
    ok("train", sparse, "--format", "svmlight", "--model", family, "-o", tmp_path / "sparse.model")
    model = train(tmp_path, dense, "--model", family, target="class")
    found = drawn(tmp_path / "s.svg", kind, tmp_path / "sparse.model", sparse,
                  "--format", "svmlight")  # fmt: skip
    expected = drawn(tmp_path / "d.svg", kind, model, dense)
    assert found and found.keys() == expected.keys()
    for name, array in expected.items():
        np.testing.assert_allclose(found[name], array, rtol=1e-4, atol=1e-4)


def test_sparse_rows_of_terms_name_the_kind_that_fits(tmp_path):
    sparse, _ = sparse_rows(tmp_path / "rows.svm", np.abs)
    ok("train", sparse, "--format", "svmlight", "--model", "naive-bayes", "-o", tmp_path / "m")
    for kind in ("regions", "posterior", "densities"):
        sentence = fails("plot", kind, tmp_path / "m", sparse, "--format", "svmlight",
                         "-o", tmp_path / "x.svg")  # fmt: skip
        assert "take plot words" in sentence


def test_sparse_rows_of_too_many_columns_are_refused(tmp_path):
    data = tmp_path / "wide.svm"
    data.write_text("a 1:1 2:0.5\nb 2:1 50000:0.5\n" * 5)
    ok("train", data, "--format", "svmlight", "--model", "softmax", "-o", tmp_path / "m")
    for kind in ("regions", "posterior"):
        sentence = fails("plot", kind, tmp_path / "m", data, "--format", "svmlight",
                         "-o", tmp_path / "x.svg")  # fmt: skip
        assert "this model has 50,000" in sentence and "plot evidence" in sentence
