"""Every block of code in the documentation runs, and does what the page says."""

import json
import re

import pytest
from pages import LANGUAGES, PAGES, ROOT, blocks_of
from run_page import make_targets, run_page

BLOCKS = [block for page in PAGES for block in blocks_of(page)]
EXAMPLE = ROOT / "examples" / "cpp"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page_runs(page, tmp_path):
    findings = run_page(page, tmp_path)
    advice = "\n\n'.venv/bin/python tools/update_docs.py' puts outputs right"
    assert not findings, "\n\n".join(map(str, findings)) + advice


def test_languages_are_known():
    assert BLOCKS
    for block in BLOCKS:
        assert block.language in LANGUAGES, (
            f"{block}: no test knows the language {block.language!r}"
        )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_fences_are_closed(page):
    fences = re.findall(r"^```", page.read_text(), re.MULTILINE)
    assert len(fences) == 2 * len(blocks_of(page))


def stripped_lines(text: str) -> str:
    return "\n".join(line.strip() for line in text.splitlines()) + "\n"


@pytest.mark.parametrize(
    ("language", "file"), [("cpp", "penguins.cpp"), ("cmake", "CMakeLists.txt")]
)
def test_cpp_blocks_are_of_the_example(language, file):
    """Whole or in part; the example itself is built and run by its own test."""
    blocks = [block for block in BLOCKS if block.language == language]
    whole = (EXAMPLE / file).read_text()
    assert any(block.text == whole for block in blocks)
    for block in blocks:
        assert stripped_lines(block.text) in stripped_lines(whole), str(block)


def test_json_blocks_are_json():
    for block in BLOCKS:
        if block.language == "json":
            json.loads(block.text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_make_commands_exist(page):
    for command in re.findall(r"`make ([a-z][^`]*)`", page.read_text()):
        target = command.split()[0]
        assert target in make_targets(), f"{page.name}: make {command}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    prose = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", prose):
        if "://" not in link:
            assert (page.parent / link).exists(), f"{page.name}: {link}"
