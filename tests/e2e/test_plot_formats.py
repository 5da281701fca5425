"""Pictures as files of every format, and in the terminal."""

import os
import pty
import shutil
import struct
import subprocess
from xml.etree import ElementTree

import pytest
from picture import texts
from support import BINARY, PENGUINS, fails, ok

TITLE = "Truth and decision"


@pytest.fixture
def draw(penguins_model, tmp_path):
    def run(ending: str, *options: str):
        path = tmp_path / f"picture.{ending}"
        ok("plot", "confusion", penguins_model, PENGUINS, "-o", path, *options)
        return path

    return run


def test_svg_is_xml_with_text_as_text(draw):
    words = [element.text for element in ElementTree.parse(draw("svg")).iter() if element.text]
    assert any(TITLE in text for text in words)
    assert {"Adelie", "Chinstrap", "Gentoo"} <= set(words)


@pytest.mark.parametrize("ending", ["svg", "html", "png", "pdf"])
def test_bytes_are_the_same_twice(draw, ending):
    first = draw(ending).read_bytes()
    assert draw(ending).read_bytes() == first


def test_png_has_two_pixels_a_unit(draw):
    header = draw("png", "--width", "400", "--height", "301").read_bytes()[:24]
    assert header[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", header[16:]) == (800, 602)


def test_pdf_has_its_text_as_text(draw):
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed (Debian's poppler-utils has it)")
    path = draw("pdf", "--title", "Größe & <Maß>")
    text = subprocess.run(
        ["pdftotext", "-layout", path, "-"], capture_output=True, text=True, check=True
    ).stdout
    assert "Größe & <Maß>" in text
    assert "Chinstrap" in text and "error rate" in text


def test_hostile_title_is_shown_in_every_format(draw):
    title = "</title><script>\x1b[31m\n"
    usual = {ending: draw(ending).read_bytes() for ending in ("png", "pdf")}
    for ending, own_scripts in (("svg", 0), ("html", 1)):
        path = draw(ending, "--title", title)
        text = path.read_text()
        assert text.count("<script") == own_scripts
        assert "&lt;/title&gt;&lt;script&gt;" in text and "\x1b" not in text
    words = texts(draw("svg", "--title", title))
    assert any(text.startswith("</title><script>") for text in words)
    for ending, before in usual.items():  # letters, where the usual title stood
        assert draw(ending, "--title", title).read_bytes() != before


def test_page_too_large_for_pixels(penguins_model, tmp_path):
    message = fails(
        "plot", "confusion", penguins_model, PENGUINS, "-o", tmp_path / "x.png", "--width", "20000"
    )
    assert "give a smaller page" in message
    assert not (tmp_path / "x.png").exists()


def test_terminal_has_plain_text_in_a_pipe(penguins_model):
    result = ok("plot", "confusion", penguins_model, PENGUINS, "--terminal")
    lines = result.stdout.splitlines()
    assert lines[0].startswith(TITLE)
    assert "\x1b" not in result.stdout
    assert max(map(len, lines)) <= 80
    for word in ("Adelie", "Chinstrap", "Gentoo", "decision"):
        assert sum(word in line for line in lines) >= 1


def test_a_picture_and_json_do_not_share_standard_output(penguins_model, tmp_path):
    words = ["plot", "confusion", penguins_model, PENGUINS, "--terminal", "--json"]
    assert "--terminal and --json" in fails(*words)
    assert "--terminal and --json" in fails(*words, "-o", tmp_path / "a.svg")
    assert not (tmp_path / "a.svg").exists()


def on_terminal(model, **variables: str) -> str:
    """What the command writes to a terminal of its own."""
    leader, follower = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k not in ("COLORTERM", "NO_COLOR")}
    words = [BINARY, "plot", "confusion", model, PENGUINS, "--terminal", "--quiet"]
    process = subprocess.Popen(
        words, stdout=follower, stderr=subprocess.PIPE, env=environment | variables
    )
    os.close(follower)
    written = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        written += part
    os.close(leader)
    assert process.wait() == 0
    return written.decode()


def test_terminal_takes_the_colors_that_it_knows(penguins_model):
    assert "\x1b[38;2;" in on_terminal(penguins_model, COLORTERM="truecolor")
    indexed = on_terminal(penguins_model)
    assert "\x1b[38;5;" in indexed and "\x1b[38;2;" not in indexed
    assert "\x1b[" not in on_terminal(penguins_model, NO_COLOR="1")


def test_a_file_of_costs_is_not_replaced(penguins, penguins_model, tmp_path):
    costs = tmp_path / "costs.svg"
    costs.write_text("not to be lost\n")
    sentence = fails("plot", "confusion", penguins_model, penguins, "--cost", costs, "-o", costs)
    assert "which is being read" in sentence
    assert costs.read_text() == "not to be lost\n"
