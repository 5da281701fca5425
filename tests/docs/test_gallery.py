"""The gallery shows every kind of picture, as the commands beside them draw it today."""

import re
from xml.etree import ElementTree

import gallery
import pytest

MOST_BYTES = 150_000
MOST_BYTES_IN_ALL = 2_000_000
STORED = sorted(path.stem for path in gallery.FOLDER.glob("*.svg"))


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    return gallery.draw(tmp_path_factory.mktemp("gallery"))


def test_every_kind_has_a_section_and_a_picture():
    page = gallery.PAGE.read_text()
    assert re.findall(r"^## (\w+)$", page, re.MULTILINE) == sorted(gallery.kinds())
    assert re.findall(r"^!\[[^\]]+\]\((\w+)\.svg\)$", page, re.MULTILINE) == STORED


def test_commands_draw_what_is_stored(drawn):
    assert sorted(drawn) == STORED


@pytest.mark.parametrize("name", STORED)
def test_picture_is_up_to_date(drawn, name):
    stored = (gallery.FOLDER / f"{name}.svg").read_text()
    found = gallery.difference(stored, drawn[name].read_text())
    assert not found, f"{found}; '.venv/bin/python tools/update_docs.py' draws it again"


def test_pictures_are_small():
    sizes = {name: (gallery.FOLDER / f"{name}.svg").stat().st_size for name in STORED}
    assert max(sizes.values()) < MOST_BYTES, sizes
    assert sum(sizes.values()) < MOST_BYTES_IN_ALL


@pytest.mark.parametrize("name", STORED)
def test_picture_says_what_it_shows(name):
    root = ElementTree.parse(gallery.FOLDER / f"{name}.svg").getroot()
    names = {child.tag.rpartition("}")[2]: child.text for child in root}
    assert names["title"] and names["desc"]


def test_differences_are_seen():
    same = '<a x="1.25" href="base64,AAA="/>'
    assert gallery.difference(same, '<a x="1.26" href="base64,BBB="/>') == ""
    assert "1.25 is 1.4 now" in gallery.difference(same, '<a x="1.4" href="base64,AAA="/>')
    assert gallery.difference(same, '<b x="1.25" href="base64,AAA="/>')
    assert gallery.difference(same, same + "<a/>")
