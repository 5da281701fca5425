"""Training and prediction straight from CSV files: options of reading, names, missing values."""

import logodds
import numpy as np
import pytest


def test_incomplete_rows_of_a_file(tmp_path):
    (tmp_path / "rows.csv").write_text("a,y\n1,0\n2,0\n?,1\n4,1\n6,1\n")
    model = logodds.NeighborsClassifier(k=1).fit_csv(tmp_path / "rows.csv", target="y")
    with pytest.raises(logodds.LogoddsError, match="line 4"):
        model.predict_csv(tmp_path / "rows.csv")
    assert model.predict_csv(tmp_path / "rows.csv", missing="skip").tolist() == [0, 0, None, 1, 1]
    posteriors = model.predict_proba_csv(tmp_path / "rows.csv", missing="skip")
    assert np.isnan(posteriors[2]).all()
    with pytest.raises(logodds.LogoddsError, match="neither 'skip' nor 'error'"):
        model.predict_csv(tmp_path / "rows.csv", missing="ignore")
    with pytest.raises(logodds.LogoddsError, match="line 4"):
        model.fit_csv(tmp_path / "rows.csv", target="y", missing="error")


def test_reading_options_of_a_file(tmp_path):
    rows = "1;0;r;1\n2;0;g;2\n-;0;b;1\n4;1;r;1\n6;1;g;0\n"
    (tmp_path / "rows.txt").write_text(rows)
    model = logodds.NeighborsClassifier(k=1).fit_csv(
        tmp_path / "rows.txt",
        target=2,
        weights="4",
        ignore=[3],
        kinds={"x1": "real"},
        missing_tokens=["-"],
        delimiter=";",
        header=False,
        threads=1,
    )
    assert [column["name"] for column in model._model.columns] == ["x1"]
    assert model._model.columns[0]["kind"] == "real"
    assert model.predict(np.array([[1.0], [4.0]])).tolist() == [0, 1]
    with pytest.raises(logodds.LogoddsError, match="single"):
        model.fit_csv(tmp_path / "rows.txt", target=2, delimiter=";;")
    with pytest.raises(logodds.LogoddsError, match="reel"):
        model.fit_csv(tmp_path / "rows.txt", target=2, kinds={"1": "reel"})


@pytest.mark.parametrize("method", ["fit_csv", "predict_csv", "predict_proba_csv"])
def test_reading_options_are_documented_and_checked(method, tmp_path):
    documented = getattr(logodds.Classifier, method).__doc__
    for name in logodds.CsvOptions.__annotations__:
        assert f"`{name}`" in documented or f"`{name}=" in documented, name
    (tmp_path / "rows.csv").write_text("a,y\n1,0\n2,0\n4,1\n6,1\n")
    model = logodds.NeighborsClassifier(k=1).fit_csv(tmp_path / "rows.csv", target="y")
    target = {"target": "y"} if method == "fit_csv" else {}
    with pytest.raises(TypeError, match="delimeter"):
        getattr(model, method)(tmp_path / "rows.csv", delimeter=";", **target)


def test_names_of_a_file_are_those_of_its_header(tmp_path):
    rows = "0,1,5\n0,2,3\n1,4,4\n1,6,6\n"
    (tmp_path / "named.csv").write_text("y,x1,x2\n" + rows)
    (tmp_path / "bare.csv").write_text(rows)
    model = logodds.NeighborsClassifier(k=1).fit_csv(tmp_path / "named.csv", target="y")
    assert model.feature_names_in_.tolist() == ["x1", "x2"]
    model.fit_csv(tmp_path / "bare.csv", target=1, header=False)
    assert not hasattr(model, "feature_names_in_")
    assert model.predict_csv(tmp_path / "bare.csv", header=False).tolist() == [0, 0, 1, 1]
