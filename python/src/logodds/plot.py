"""Pictures of models, and of what they say about rows: one function a kind.

`plot.regions(model, X, y)` draws what `logodds plot regions MODEL DATA` draws, and returns a
Picture, which Jupyter shows and `save` writes. `help(logodds.plot.regions)` tells the options of a
kind, `logodds.plot.kinds()` lists the kinds.
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logodds import _core
from logodds._pictured import (
    core_model_of,
    option_texts,
    picture_rows,
    picture_tables,
    signature_of,
)
from logodds._threads import get_threads
from logodds._whole_file import write_whole

MOST_UNITS = 20_000
"""Of a page, across and down."""


class Picture:
    """A finished picture; the same one gives the same bytes.

    Attributes: `kind`; `title`; `arrays`, what is drawn as NumPy arrays in the units of the data;
    `notes`, sentences about what is not drawn, or how.
    """

    def __init__(self, kind: str, plot: _core.Plot) -> None:
        self._plot = plot
        self.kind = kind
        self.title: str = plot.title
        self.arrays: dict[str, NDArray[np.float64]] = plot.arrays
        self.notes: list[str] = plot.notes

    def svg(self) -> str:
        """As an SVG file, for white paper."""
        return self._plot.svg("p")

    def html(self) -> str:
        """As a page of its own, which shows values where one points."""
        return self._plot.html()

    def png(self, scale: float = 2.0) -> bytes:
        """As a PNG file, with `scale` pixels to a unit of the page (1/96 inch)."""
        if not 0 < scale < math.inf:
            raise ValueError(f"scale is {scale}; give the pixels to a unit of the page, as 2 is")
        return self._plot.png(scale)

    def pdf(self) -> bytes:
        """As a PDF file."""
        return self._plot.pdf()

    def terminal(self, columns: int = 80, color: bool = False) -> str:
        """In block characters, `columns` of them across; `color`: with codes of 24-bit colors."""
        if not 20 <= columns <= 1000:
            raise ValueError(f"columns is {columns}; a picture has room in 20 to 1000 characters")
        return self._plot.terminal(columns, color)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a file; its ending (.svg, .html, .png or .pdf) says what it is."""
        write_whole(path, self._plot.file(os.fspath(path)))

    def __repr__(self) -> str:
        return f"<Picture {self.kind}: {self.title}>"

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        """Identifiers are the picture's own, since a notebook is one page with many pictures."""
        digest = hashlib.sha256(self.svg().encode()).hexdigest()
        return f"<div>{self._plot.svg(f'p{digest[:12]}-')}</div>"


def kinds() -> list[dict[str, Any]]:
    """The kinds: name, summary, what is needed, and options with type, default and help."""
    return _core.plot_kinds()


def _draw(record: dict[str, Any], given: dict[str, Any]) -> Picture:
    page = {name: given.pop(name, None) for name in ("title", "width", "height", "threads")}
    for name in ("width", "height"):
        if not 0 <= (page[name] or 0.0) <= MOST_UNITS:
            raise ValueError(f"{name} is {page[name]}; give up to {MOST_UNITS} units of 1/96 inch")
    if record["needs"] == "tables":
        core, rows, codes, tables = None, None, None, picture_tables(given.pop("tables"))
    else:
        model = given.pop("model")
        core, tables = core_model_of(model, f"plot.{record['name']}"), []
        rows, codes = picture_rows(record, model, given.pop("X", None), given.pop("y", None))
    plot = _core.draw_plot(
        record["name"],
        core,
        rows,
        codes,
        tables,
        option_texts(record, given),
        page["title"] or "",
        page["width"] or 0.0,
        page["height"] or 0.0,
        page["threads"] or get_threads(),
    )
    return Picture(record["name"], plot)


def _function_of(record: dict[str, Any]) -> Callable[..., Picture]:
    signature, text = signature_of(record, Picture)

    def draw(*args: Any, **kwargs: Any) -> Picture:
        return _draw(record, dict(signature.bind(*args, **kwargs).arguments))

    function: Any = draw
    function.__name__ = function.__qualname__ = record["name"]
    function.__doc__ = text
    function.__signature__ = signature
    return draw


_functions = {record["name"]: _function_of(record) for record in kinds()}
globals().update(_functions)

__all__ = ["Picture", "kinds"]
__all__ += list(_functions)


def __getattr__(name: str) -> Callable[..., Picture]:
    raise AttributeError(
        f"there is no kind of picture {name!r}; take one of {', '.join(_functions)}"
    )
