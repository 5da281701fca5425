"""The page about documents knows every option about documents, and no other."""

import re

from pages import ROOT
from tables import registry


def test_every_option_about_text_is_explained():
    content = (ROOT / "docs" / "documents.md").read_text()
    options = [option["name"] for option in registry()["naive-bayes"]["options"]]
    about_text = options[options.index("family") :]
    assert "tf-idf" in about_text
    missing = [name for name in about_text if f"`--{name}" not in content]
    assert not missing, f"docs/documents.md does not explain {', '.join(missing)}"


def test_options_in_the_tables_are_in_the_registry():
    content = (ROOT / "docs" / "documents.md").read_text()
    known = {option["name"] for option in registry()["naive-bayes"]["options"]} | {"format"}
    named = set(re.findall(r"^\| `--([a-z-]+)", content, re.MULTILINE))
    assert len(named) > 10 and named <= known
