"""How many threads the library may use: a property of the machine and of no model."""

import os

_threads: int | None = None


def set_threads(threads: int | None) -> None:
    """Use this many threads from now on; None: one for each core this process may run on.

    The results are the same bits for any number.
    """
    global _threads
    if threads is not None and threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    _threads = threads


def get_threads() -> int:
    """The number of threads in use."""
    return _threads or _cores()


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
