"""Files of SQL, known by their last change: what is read from them is read once, and again once they are others."""

from __future__ import annotations

import os
from pathlib import Path

SqlFile = tuple[str, int, int]
"""The path of a file, the time of its last change in nanoseconds, and its size."""


def sql_files(folder: Path) -> tuple[SqlFile, ...]:
    """Return the folder's `*.sql` files by their paths; raise FileNotFoundError if there is no such folder."""
    with os.scandir(folder) as entries:
        found = [(entry.path, entry.stat()) for entry in entries if entry.name.endswith(".sql")]
    return tuple(sorted((path, state.st_mtime_ns, state.st_size) for path, state in found))
