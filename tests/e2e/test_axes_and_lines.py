"""project --method and line, against NumPy."""

import numpy as np
import pytest
from support import MEASUREMENTS, PENGUINS, fails, ok, ok_json, read_csv, write_csv

OTHERS = ("--ignore", "island,sex,year")


@pytest.fixture(scope="module")
def rows():
    complete = [
        r
        for r in read_csv(PENGUINS.read_text())
        if all(r[c] not in ("", "NA") for c in MEASUREMENTS)
    ]
    return np.array([[float(r[c]) for c in MEASUREMENTS] for r in complete])


def table(answer, title):
    (found,) = [t for t in answer["tables"] if t["title"].startswith(title)]
    return found["rows"]


def test_pca_is_that_of_the_svd(rows, tmp_path):
    model = tmp_path / "axes.model"
    words = ("--method", "pca", "--target", "species", *OTHERS)
    answer = ok_json("project", PENGUINS, *words, "-o", model)
    centered = rows - rows.mean(axis=0)
    _, singular, axes = np.linalg.svd(centered, full_matrices=False)
    variances = singular**2 / (len(rows) - 1)
    shown = table(answer, "axes")
    assert [r[1] for r in shown] == pytest.approx(variances, abs=1e-10 * variances[0])
    assert shown[-1][3] == pytest.approx(1)
    axes *= np.sign(axes[np.arange(4), np.abs(axes).argmax(axis=1)])[:, np.newaxis]
    loadings = np.array([r[1:] for r in table(answer, "loadings")], float)
    np.testing.assert_allclose(loadings, axes.T, atol=1e-9)
    written = read_csv(ok("project", model, PENGUINS, "--quiet").stdout)
    found = np.array([[float(r[f"axis{i}"]) for i in (1, 2, 3, 4)] for r in written if r["axis1"]])
    np.testing.assert_allclose(found, centered @ axes.T, atol=1e-7)


def test_reconstruction_and_whitening(rows, tmp_path):
    model = tmp_path / "axes.model"
    ok("project", PENGUINS, "--method", "pca", "--components", "2", *OTHERS, "--target", "species",
       "--whiten", "-o", model)  # fmt: skip
    coordinates = read_csv(ok("project", model, PENGUINS, "--quiet").stdout)
    found = np.array([[float(r["axis1"]), float(r["axis2"])] for r in coordinates if r["axis1"]])
    np.testing.assert_allclose(found.std(axis=0, ddof=1), 1, rtol=1e-9)
    rebuilt = read_csv(ok("project", model, PENGUINS, "--reconstruct", "--quiet").stdout)
    again = np.array([[float(r[c]) for c in MEASUREMENTS] for r in rebuilt if r[MEASUREMENTS[0]]])
    _, _, axes = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)
    expected = rows.mean(axis=0) + (rows - rows.mean(axis=0)) @ axes[:2].T @ axes[:2]
    np.testing.assert_allclose(again, expected, atol=1e-7)


def test_parts_merge_to_the_whole(tmp_path):
    lines = PENGUINS.read_text().splitlines()
    (tmp_path / "a.csv").write_text("\n".join(lines[:150]) + "\n")
    (tmp_path / "b.csv").write_text("\n".join([lines[0], *lines[150:]]) + "\n")
    words = ("--method", "pca", "--target", "species", *OTHERS)
    for name in "ab":
        ok("project", tmp_path / f"{name}.csv", *words, "-o", tmp_path / f"{name}.model")
        ok("line", tmp_path / f"{name}.csv", "--x", "bill_length_mm", "--y", "body_mass_g",
           "-o", tmp_path / f"{name}.line")  # fmt: skip
    ok("merge", tmp_path / "a.model", tmp_path / "b.model", "-o", tmp_path / "both.model")
    merged = table(ok_json("inspect", tmp_path / "both.model"), "axes")
    whole = table(ok_json("project", PENGUINS, *words), "axes")
    assert [r[1] for r in merged] == pytest.approx([r[1] for r in whole], rel=1e-10)
    ok("merge", tmp_path / "a.line", tmp_path / "b.line", "-o", tmp_path / "both.line")
    joined = table(ok_json("inspect", tmp_path / "both.line"), "body_mass_g on")
    whole = table(
        ok_json("line", PENGUINS, "--x", "bill_length_mm", "--y", "body_mass_g"), "body_mass_g on"
    )
    for ours, theirs in zip(joined, whole, strict=True):
        assert ours[1:] == pytest.approx(theirs[1:], rel=1e-10)


def test_both_lines_and_their_angle(rows):
    x, y = rows[:, 2], rows[:, 3]
    answer = ok_json("line", PENGUINS, "--x", "flipper_length_mm", "--y", "body_mass_g")
    r = np.corrcoef(x, y)[0, 1]
    assert answer["facts"]["correlation r"] == pytest.approx(r, rel=1e-12)
    slope, intercept = np.polyfit(x, y, 1)
    found = table(answer, "body_mass_g on")
    assert [found[0][1], found[1][1]] == pytest.approx([intercept, slope], rel=1e-9)
    back = table(answer, "flipper_length_mm on")[1][1]
    assert slope * back == pytest.approx(r**2, rel=1e-9)
    error = np.sqrt(
        np.sum((y - intercept - slope * x) ** 2) / (len(x) - 2) / np.sum((x - x.mean()) ** 2)
    )
    assert found[1][2] == pytest.approx(error, rel=1e-9)


def test_threads_do_not_matter(tmp_path):
    words = ("project", PENGUINS, "--method", "pca", "--target", "species", *OTHERS)
    for threads in "127":
        ok(*words, "--threads", threads, "-o", tmp_path / threads)
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()
    assert (tmp_path / "1").read_bytes() == (tmp_path / "7").read_bytes()


def test_what_cannot_be_is_refused(tmp_path):
    write_csv(tmp_path / "upright.csv", [{"x": "1", "y": str(i)} for i in range(5)])
    assert "x" in fails("line", tmp_path / "upright.csv", "--x", "x", "--y", "y")
    assert "bill" in fails("line", PENGUINS, "--x", "bill", "--y", "body_mass_g")
    assert "--target" in fails("project", PENGUINS, "--method", "canonical", *OTHERS)
    assert "components" in fails("project", PENGUINS, "--method", "pca", "--target", "species",
                                 "--components", "9", *OTHERS)  # fmt: skip
    model = tmp_path / "axes.model"
    ok("project", PENGUINS, "--method", "pca", "--target", "species", *OTHERS, "-o", model)
    assert "project" in fails("predict", model, PENGUINS)


def test_values_that_overflow_are_refused(tmp_path):
    rows = [{"a": i, "b": 3 * i + i % 2} for i in range(9)]
    data = write_csv(tmp_path / "d.csv", rows)
    far = write_csv(tmp_path / "far.csv", [*rows, {"a": 1.7e308, "b": 1.7e308}])
    ok("line", data, "--x", "a", "--y", "b", "-o", tmp_path / "line")
    ok("project", data, "--method", "pca", "-o", tmp_path / "axes")
    for command, model in (("line", "line"), ("project", "axes")):
        told = fails(command, tmp_path / model, far, "-o", tmp_path / "out.csv")
        assert "line 11" in told and "overflow" in told, told
    assert len(read_csv(ok("line", tmp_path / "line", data, "--quiet").stdout)) == 9


def test_no_column_is_written_twice(tmp_path):
    rows = [{"x": i, "fitted": 3 * i + i % 2, "axis1": "ab"[i % 2]} for i in range(9)]
    data = write_csv(tmp_path / "d.csv", rows)
    out = tmp_path / "residuals.csv"
    ok("line", data, "--x", "x", "--y", "fitted", "--residuals", out, "--quiet")
    assert out.read_text().splitlines()[0] == "fitted,fitted_,residual"
    words = ("--method", "pca", "--target", "axis1", "-o", tmp_path / "axes")
    ok("project", data, *words, "--quiet")
    written = ok("project", tmp_path / "axes", data, "--quiet").stdout
    assert written.splitlines()[0] == "axis1,axis1_,axis2"


def test_quiet_keeps_what_is_written_nowhere_else(tmp_path):
    rows = [{"a": i, "b": 3 * i + i % 2} for i in range(9)]
    data = write_csv(tmp_path / "d.csv", rows)
    for words in (
        ("line", data, "--x", "a", "--y", "b"),
        ("project", data, "--method", "pca"),
        ("cluster", data, "--k", "2"),
    ):
        told = ok(*words, "--quiet")
        assert told.stdout and not told.stderr
        assert not ok(*words, "--quiet", "-o", tmp_path / "m").stdout


def test_few_rows_have_no_axis_more_when_they_are_shifted(tmp_path):
    values = np.round(64 * np.random.default_rng(3).normal(size=(5, 8))) / 64 + 1e9
    data = write_csv(
        tmp_path / "d.csv", [{f"x{i}": repr(v) for i, v in enumerate(r)} for r in values.tolist()]
    )
    answer = ok_json("project", data, "--method", "pca")
    assert answer["facts"]["axes"] == "4 of 4 that vary"
    singular = np.linalg.svd(values - 1e9 - (values - 1e9).mean(axis=0), compute_uv=False)
    shown = [r[1] for r in table(answer, "axes")]
    assert shown == pytest.approx(singular[:4] ** 2 / 4, rel=1e-10)
