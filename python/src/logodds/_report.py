"""One page about a model: how good it is on labelled rows, where it errs, what it sees."""

from __future__ import annotations

import html
import os
from typing import Any

from logodds import _core
from logodds._estimator import Estimator
from logodds._pictured import class_codes, core_model_of, core_rows_of
from logodds._threads import get_threads
from logodds._whole_file import write_whole


class Report:
    """Attributes: `html`, a page that needs no network, and `notes`, the warnings on it."""

    def __init__(self, page: str, notes: list[str]) -> None:
        self.html = page
        self.notes = notes

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file, whose name ends in .html."""
        if not os.fspath(path).endswith(".html"):
            raise ValueError(f"a report is a page; give {os.fspath(path)!r} the ending .html")
        write_whole(path, self.html.encode())

    def _repr_html_(self) -> str:
        """In a frame, since the page has a style of its own."""
        page = html.escape(self.html)
        return f'<iframe title="Report" width="100%" height="800" srcdoc="{page}"></iframe>'


def report(
    model: Estimator,
    X: Any,
    y: Any,
    *,
    train: tuple[Any, Any] | None = None,
    level: float = 0.95,
    rows: int = 8,
    threads: int | None = None,
) -> Report:
    """A page about a fitted classifier, as `logodds report` writes it.

    X, y: rows that it is to be judged by, and their labels.
    train: the rows that it was fitted to, (X, y), to compare with.
    level: level of the intervals.
    rows: how many of the rows are shown that the model is most wrong, and most unsure about.
    """
    if not isinstance(model, Estimator):
        raise TypeError(f"a report is about classifiers of logodds, not {type(model).__name__}")
    if y is None:
        raise ValueError("a report compares decisions with labels; give y")
    if train is not None and not (isinstance(train, (tuple, list)) and len(train) == 2):
        raise ValueError("train is a pair: the rows that the model was fitted to, and their labels")
    if rows != int(rows) or rows < 0:
        raise ValueError(f"rows is {rows}; give a whole number, 0 or more")
    page, notes = _core.write_report(
        core_model_of(model, "a report"),
        (core_rows_of(model, X), class_codes(model, y)),
        None if train is None else (core_rows_of(model, train[0]), class_codes(model, train[1])),
        type(model).__name__,
        _call(model, train, level, rows),
        float(level),
        int(rows),
        threads or get_threads(),
    )
    return Report(page, notes)


def _call(model: Estimator, train: Any, level: float, rows: int) -> str:
    """What makes the page again, options as they are not by themselves."""
    parts = [repr(model), "X", "y"]
    parts += [] if train is None else ["train=(X_train, y_train)"]
    parts += [] if level == 0.95 else [f"level={level!r}"]
    parts += [] if rows == 8 else [f"rows={rows!r}"]
    return f"logodds.report({', '.join(parts)})"
