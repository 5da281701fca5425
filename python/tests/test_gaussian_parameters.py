"""GaussianClassifier's parameters in the forms that Python has for them."""

import logodds
import numpy as np
import pytest
from conftest import model_bytes

NAMES = np.array(["a,b", "c+d", "e=f\\"])


def same_model(first, second, X, y):
    one = logodds.GaussianClassifier(**first).fit(X, y)
    other = logodds.GaussianClassifier(**second).fit(X, y)
    return model_bytes(one) == model_bytes(other)


def test_priors_by_text_mapping_and_order(blobs):
    X, y = blobs
    text = {"priors": "0=0.2,1=0.3,2=0.5"}
    assert same_model(text, {"priors": {0: 0.2, 1: 0.3, 2: 0.5}}, X, y)
    assert same_model(text, {"priors": {0.0: 0.2, np.int8(1): 0.3, "2": 0.5}}, X, y)
    for priors in ([0.2, 0.3, 0.5], np.array([0.2, 0.3, 0.5]), {2: 0.5, 0: 0.2, 1: 0.3}):
        fitted = logodds.GaussianClassifier(priors=priors).fit(X, y)
        np.testing.assert_allclose(fitted.priors_, [0.2, 0.3, 0.5], rtol=1e-12)
    uniform = logodds.GaussianClassifier(priors="uniform").fit(X, y)
    np.testing.assert_allclose(uniform.priors_, np.full(3, 1 / 3), rtol=1e-12)
    smoothed = logodds.GaussianClassifier(priors="smoothed:100").fit(X, y)
    counts = np.bincount(y) + 100
    np.testing.assert_allclose(smoothed.priors_, counts / counts.sum(), rtol=1e-12)


def test_names_with_signs_in_them(blobs):
    X, y = blobs[0], NAMES[blobs[1]]
    priors = dict(zip(NAMES.tolist(), [0.2, 0.3, 0.5], strict=True))
    model = logodds.GaussianClassifier(
        covariance="groups", groups=[["a,b", "e=f\\"], ["c+d"]], priors=priors
    ).fit(X, y)
    np.testing.assert_allclose(model.priors_, [0.2, 0.3, 0.5], rtol=1e-12)
    np.testing.assert_array_equal(model.covariances_[0], model.covariances_[2])
    assert not np.allclose(model.covariances_[0], model.covariances_[1])


def test_groups_are_linear_inside_and_quadratic_across(blobs):
    X, y = blobs
    model = logodds.GaussianClassifier(covariance="groups", groups=[[0, 2], [1]]).fit(X, y)
    members = np.isin(y, [0, 2])
    centered = X[members] - model.means_[y[members]]
    np.testing.assert_allclose(
        model.covariances_[0], centered.T @ centered / members.sum(), rtol=1e-10
    )
    assert [boundary.linear for boundary in model.boundaries_] == [False, True, False]
    groups = {"covariance": "groups"}
    assert same_model(groups | {"groups": "0+2,1"}, groups | {"groups": [(0, 2), {1}]}, X, y)


def test_blend_shrinkage_and_scale_in_both_forms(blobs):
    X, y = blobs
    assert same_model({"blend": "0.5,0.25"}, {"blend": (0.5, 0.25)}, X, y)
    assert same_model({"blend": "none"}, {"blend": None}, X, y)
    assert same_model({"shrinkage": "0.25"}, {"shrinkage": 0.25}, X, y)
    assert same_model({"shrinkage": "none"}, {"shrinkage": None}, X, y)
    scale = np.diag([1.0, 2.0, 3.0, 4.0])
    text = "1,0,0,0;0,2,0,0;0,0,3,0;0,0,0,4"
    assert same_model(
        {"wishart": 5.0, "wishart_scale": text}, {"wishart": 5.0, "wishart_scale": scale}, X, y
    )


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"priors": {0: 0.5, 1: 0.5}}, "gives no prior for class '2'"),
        ({"priors": {0: 0.5, 1: 0.25, 3: 0.25}}, "there is no class '3'"),
        ({"priors": [0.5, 0.5, 0.5]}, r"sums to 1\.5"),
        ({"priors": [0.5, 0.5]}, "class '2'"),
        ({"priors": [[0.5, 0.5]]}, "one number a class"),
        ({"priors": [1.5, -0.5, 0.0]}, "not positive"),
        ({"covariance": "groups"}, "needs the groups"),
        ({"covariance": "groups", "groups": [[0, 7]]}, "there is no class '7'"),
        ({"covariance": "groups", "groups": [[0, 1], [1]]}, "names class '1' twice"),
        ({"groups": [[0, 1]]}, "--groups needs --covariance groups"),
        ({"blend": (2.0, 0.0)}, "LAMBDA,GAMMA"),
        ({"blend": (0.5,)}, "LAMBDA,GAMMA"),
        ({"shrinkage": 1.5}, "number from 0 to 1"),
        ({"wishart": 1.0, "wishart_scale": np.eye(3)}, "4 x 4"),
        ({"wishart_scale": np.ones((2, 3))}, "not a square matrix"),
        ({"components": 9}, "components"),
        ({"missing": "guess"}, "guess"),
    ],
)
def test_what_does_not_fit_is_told(parameters, sentence, blobs):
    with pytest.raises(logodds.LogoddsError, match=sentence):
        logodds.GaussianClassifier(**parameters).fit(*blobs)


def test_parameters_survive_a_model_file(blobs, tmp_path):
    X, y = blobs
    model = logodds.GaussianClassifier(
        covariance="own", priors={0: 0.2, 1: 0.3, 2: 0.5}, blend=(0.5, 0.25), shrinkage=0.1
    ).fit(X, y)
    model.save(tmp_path / "model")
    loaded = logodds.load(tmp_path / "model")
    assert loaded.blend == "0.5,0.25"
    assert loaded.blend_ == (0.5, 0.25)
    assert model_bytes(loaded.fit(X, y)) == model_bytes(model)
