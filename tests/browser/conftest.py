"""Debian's Chromium, headless, and the pages and pictures that it opens."""

import os
import shutil
import sys
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "docs"))
import gallery  # noqa: E402

CHROMIUM = shutil.which(os.environ.get("CHROMIUM", "chromium"))
# The sandbox wants another user than root; the rest keeps Chromium from the network.
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


@pytest.fixture(scope="session")
def browser():
    if CHROMIUM is None:
        pytest.skip("chromium is not installed (tools/need test installs it)")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield running
        running.close()


@pytest.fixture(scope="session")
def pictures(tmp_path_factory) -> dict[str, Path]:
    """Every kind as SVG, by name, as the gallery's commands draw it now."""
    return gallery.draw(tmp_path_factory.mktemp("svg"))


@pytest.fixture(scope="session")
def pages(tmp_path_factory) -> dict[str, Path]:
    """The same as pages."""
    return gallery.draw(tmp_path_factory.mktemp("html"), "html")
