"""Fixtures of the end-to-end tests: the data and models that several files use."""

from pathlib import Path

import pytest
from support import PENGUINS, ok, shared_data


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes more than a few seconds")


@pytest.fixture
def penguins() -> Path:
    return PENGUINS


@pytest.fixture(scope="session")
def iris() -> Path:
    return shared_data("iris/iris.csv")


@pytest.fixture(scope="session")
def penguins_model(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("models") / "penguins.model"
    ok("train", PENGUINS, "--target", "species", "--model", "gaussian", "-o", path)
    return path
