"""Files that are there in whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Writes beside the file and moves it into its place; who is stopped leaves the old one."""
    target = Path(path)
    if target.is_symlink() or (target.exists() and not target.is_file()):
        target.write_bytes(content)  # a device or a pipe is not replaced
        return
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_bytes(content)
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
