"""What a picture says: the texts of an SVG file, and the numbers that it was drawn from."""

import xml.etree.ElementTree as ElementTree

import numpy as np
from support import ok_json

SVG = "{http://www.w3.org/2000/svg}"


def texts(path) -> list[str]:
    root = ElementTree.parse(path).getroot()
    return ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]


def says(path, words: str) -> bool:
    """Whether the words stand in one text, or in lines of one that was broken."""
    return words in " ".join(texts(path))


def drawn_with_notes(picture, *words) -> tuple[dict[str, np.ndarray], list[str]]:
    """Draws, and gives the arrays and the notes."""
    report = ok_json("plot", *words, "-o", picture)
    ElementTree.parse(picture)
    arrays = {
        name: np.array(array["values"], dtype=float).reshape(array["shape"])
        for name, array in report["arrays"].items()
    }
    return arrays, report["notes"]


def drawn(picture, *words) -> dict[str, np.ndarray]:
    """Draws, and gives the arrays."""
    return drawn_with_notes(picture, *words)[0]
