"""The files whose change means that a plugin was installed, removed or mended."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Final

MOST_FILES: Final = 4_000


def watched_files(entries: list[EntryPoint]) -> list[str]:
    """Return the folders that Python imports from, and each plugin's metadata, folders and modules."""
    found = dict.fromkeys(str(folder) for folder in map(Path, sys.path) if folder.is_dir())
    for entry in entries:
        found |= dict.fromkeys(islice(_files(entry), MOST_FILES))
    return list(found)[:MOST_FILES]


def _files(entry: EntryPoint) -> Iterator[str]:
    if entry.dist is not None:
        for file in entry.dist.files or ():
            if file.parent.name.endswith((".dist-info", ".egg-info")):
                yield str(entry.dist.locate_file(file))
    try:
        spec = find_spec(entry.module.partition(".")[0])
    except (ImportError, ValueError, AttributeError):
        return
    if spec is None:
        return
    if spec.origin is not None:
        yield spec.origin
    for folder in spec.submodule_search_locations or ():
        yield folder
        for path in Path(folder).rglob("*"):
            if "__pycache__" not in path.parts and (path.is_dir() or path.suffix == ".py"):
                yield str(path)
