"""What a picture says: the texts of an SVG file."""

import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def texts(path) -> list[str]:
    root = ElementTree.parse(path).getroot()
    return ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]


def says(path, words: str) -> bool:
    """Whether the words stand in one text, or in lines of one that was broken."""
    return words in " ".join(texts(path))
