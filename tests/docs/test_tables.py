"""The tables of options are those of the registry, for every family."""

import pytest
from pages import ROOT
from tables import families_with_tables, registry, with_tables

PAGES = {"models": ROOT / "docs" / "models.md", "clusterings": ROOT / "docs" / "clusters.md"}
KINDS = pytest.mark.parametrize("kind", PAGES)


@KINDS
def test_every_family_has_a_table(kind):
    assert families_with_tables(PAGES[kind].read_text()) == list(registry(kind))


@KINDS
def test_tables_agree_with_the_registry(kind):
    content = PAGES[kind].read_text()
    assert content == with_tables(content), "run '.venv/bin/python tools/update_docs.py'"


@KINDS
def test_every_family_has_a_section_with_its_summary(kind):
    content = PAGES[kind].read_text()
    for name, family in registry(kind).items():
        assert f"\n## {name}\n" in content
        assert family["summary"] in content
