"""Finds a task's folder, its task.py and its competitors: every other file of the folder."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def task_names() -> list[str]:
    return sorted(path.parent.name for path in ROOT.glob("*/task.py"))


def load_file(path: Path) -> ModuleType:
    """Loads under the name of folder and file, so that logodds.py does not hide the package."""
    name = f"bench_{path.parent.name}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where dataclasses look for their types
    spec.loader.exec_module(module)
    return module


def load_task(name: str) -> ModuleType:
    return load_file(ROOT / name / "task.py")


def load_competitors(name: str, data: Any) -> tuple[dict[str, list], dict[str, str]]:
    """The runs of each competitor by name, and the reasons of those that cannot take part."""
    runs: dict[str, list] = {}
    absent: dict[str, str] = {}
    for path in sorted((ROOT / name).glob("*.py")):
        if path.name == "task.py":
            continue
        try:
            module = load_file(path)
            runs[module.NAME] = module.runs(data)
        except (ImportError, FileNotFoundError) as error:
            absent[path.stem] = str(error)
    return runs, absent
