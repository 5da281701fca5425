"""compare: which model predicts best."""

import pytest
from support import PENGUINS, fails, ok, ok_json, shared_data, write_csv

TARGET = ("--target", "species")


def test_every_model_that_applies(tmp_path):
    found = ok_json("compare", PENGUINS, *TARGET, "-o", tmp_path / "best.model")
    names = [model["model"] for model in found["models"] if "failure" not in model]
    assert {"gaussian", "naive-bayes", "softmax", "neural", "neighbors"} <= set(names)
    reasons = {m["model"]: m["failure"] for m in found["models"] if not m.get("applies", True)}
    assert "two classes" in reasons["binary"]
    assert "real numbers" in reasons["table"]
    losses = [m["log_loss"]["value"] for m in found["models"] if "failure" not in m]
    assert losses == sorted(losses)
    assert found["best"]["model"] == names[0]
    saved = ok_json("inspect", tmp_path / "best.model")
    assert saved["model"] == names[0]
    assert found["rows"] == 333
    assert found["rows_skipped"] == 11


def test_figures_agree_with_cv():
    models = "gaussian,naive-bayes,gaussian:covariance=own:ridge=0.1"
    found = ok_json("compare", PENGUINS, *TARGET, "--models", models, "--folds", "5")
    for model in found["models"]:
        options = [w for name, value in model["options"].items() for w in (f"--{name}", value)]
        alone = ok_json(
            "cv", PENGUINS, *TARGET, "--model", model["model"], *options, "--folds", "5"
        )
        for name in ("log_loss", "error_rate", "brier"):
            for part in ("value", "standard_error", "low", "high"):
                assert model[name][part] == pytest.approx(alone[name][part], rel=1e-9, abs=1e-12)
    best = found["models"][0]
    assert best["log_loss_difference"] == {"value": 0, "low": 0, "high": 0}
    for model in found["models"]:
        difference = model["log_loss_difference"]
        expected = model["log_loss"]["value"] - best["log_loss"]["value"]
        assert difference["value"] == pytest.approx(expected, abs=1e-12)
        assert difference["low"] <= difference["value"] <= difference["high"]
        errors = model["error_rate"]["value"] - best["error_rate"]["value"]
        test = model["mcnemar"]
        assert test["only_best_right"] - test["only_this_right"] == pytest.approx(344 * errors)
        assert isinstance(model["log_likelihood"], float)


def test_the_table_ends_with_a_sentence():
    result = ok("compare", PENGUINS, *TARGET, "--models", "gaussian,indicator,neighbors")
    lines = result.stdout.strip().splitlines()
    assert lines[-1].startswith("gaussian predicts best: log loss ")
    assert lines[-1].endswith("better than each of the others by more than chance.")
    assert max(map(len, lines[:-1])) <= 100
    assert "can be compared among generative models alone" in result.stderr


def test_heart_learning_shows():
    """One hidden layer of many units on few rows: train far below test."""
    found = ok_json(
        "compare", PENGUINS, *TARGET, "--models", "neighbors:k=1,gaussian", "--ignore", "year"
    )
    nearest = next(m for m in found["models"] if m["model"] == "neighbors")
    assert nearest["train_error_rate"] == 0
    assert nearest["error_rate"]["value"] > 0


def test_two_classes_take_binary_models():
    data = shared_data("mass_synth/synth.tr.csv")
    found = ok_json("compare", data, "--target", "yc", "--folds", "5")
    assert "binary" in [m["model"] for m in found["models"] if "failure" not in m]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--models", "gausian"), "did you mean 'gaussian'"),
        (("--models", "gaussian,gaussian"), "twice"),
        (("--models", "gaussian:ridge"), "OPTION=VALUE"),
        (("--models", "gaussian:ridge=x"), "ridge"),
        (("--models", "binary"), "no model can be fitted; binary: it decides between two classes"),
        (("--folds", "69"), "take --folds 68"),
        (("-o", "-"), "standard output"),
    ],
)
def test_what_does_not_fit_is_told(words, sentence):
    assert sentence in fails("compare", PENGUINS, *TARGET, *words)


def test_classes_that_are_ruled_out_are_told(tmp_path):
    """A level that one class has only once has no share without that row."""
    rows = [{"y": "ab"[i % 2], "x": "uv"[i % 2] if i % 7 else "w"} for i in range(60)]
    rows += [{"y": "a", "x": "v"}]
    table = write_csv(tmp_path / "d.csv", rows)
    models = "naive-bayes:smoothing=0,softmax"
    found = ok_json("compare", table, "--target", "y", "--models", models, "--folds", "5")
    by_name = {model["model"]: model for model in found["models"]}
    assert by_name["softmax"]["rows_ruled_out"] == 0
    assert by_name["naive-bayes"]["rows_ruled_out"] == 1
    said = ok("compare", table, "--target", "y", "--models", models, "--folds", "5").stderr
    assert "naive-bayes (smoothing 0): 1 row has posterior 0 for the true class" in said
