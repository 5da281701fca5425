"""The tables of options are those of the registry, for every family."""

from pages import ROOT
from tables import families_with_tables, registry, with_tables

MODELS = ROOT / "docs" / "models.md"


def test_every_family_has_a_table():
    assert families_with_tables(MODELS.read_text()) == list(registry())


def test_tables_agree_with_the_registry():
    content = MODELS.read_text()
    assert content == with_tables(content), "run '.venv/bin/python tools/update_docs.py'"


def test_every_family_has_a_section_with_its_summary():
    content = MODELS.read_text()
    for name, family in registry().items():
        assert f"\n## {name}\n" in content
        assert family["summary"] in content
