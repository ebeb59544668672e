"""The files that a plugin's process may read: Python's, the plugins' and what they import, and shared libraries."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from attrs import frozen

from hub.plugin_host.registry import plugin_entries

SYSTEM: Final = (
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/etc/localtime",
    "/usr/share/zoneinfo", "/dev/null",
)  # fmt: skip
"""Shared libraries and time zones, which hold nothing of the hub's."""
INSTALLED: Final = ("site-packages", "dist-packages")
MODULES: Final = (".py", ".so", ".zip", ".egg", ".dist-info", ".egg-info")


@frozen
class OwnFiles:
    """Absolute paths that exist: of what is `readable` none lies below another; `listed` folders are looked through.

    Python looks for modules in the latter, in which other things may lie.
    """

    readable: tuple[Path, ...]
    listed: tuple[Path, ...]


def own_files() -> OwnFiles:
    """Return the files of this interpreter, of the plugins that are installed, and of what both can import."""
    found = {path for path in _candidates() if path.exists()}
    readable = sorted(path for path in found if not any(above in found for above in path.parents))
    folders = [path for path in map(Path, sys.path) if path.is_absolute() and path.is_dir()]
    listed = [path for path in folders if not found.intersection((path, *path.parents))]
    return OwnFiles(tuple(readable), tuple(listed))


def _candidates() -> Iterator[Path]:
    yield from map(Path, SYSTEM)
    yield from (Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib"))
    for text in sys.path:
        path = Path(text).absolute()
        if path.name in INSTALLED or not path.is_dir():
            yield path
        elif not any(path.is_relative_to(root) for root in map(Path, SYSTEM)):
            yield from _importable(path)
    for entry in plugin_entries():  # an editable installation may have a finder of its own
        with suppress(ImportError, ValueError, AttributeError):
            spec = find_spec(entry.module.partition(".")[0])
            if spec is not None:
                yield from map(Path, spec.submodule_search_locations or [spec.origin or "/dev/null"])
    yield from _mapped()


def _importable(folder: Path) -> Iterator[Path]:
    """Yield what Python can import from a folder: it may be a checkout, with a database and keys in it too."""
    with suppress(OSError):
        for child in folder.iterdir():
            if child.name.endswith(MODULES) or (child.name.isidentifier() and _is_package(child)):
                yield child


def _is_package(folder: Path) -> bool:
    return any(next(folder.glob(pattern), None) is not None for pattern in ("*.py", "*/__init__.py"))


def _mapped() -> Iterator[Path]:
    """Yield the folders of the libraries that are loaded: others of Python's come from there."""
    with suppress(OSError):
        for line in Path("/proc/self/maps").read_text("utf-8", "replace").splitlines():
            path = Path(line[line.find("/") :]) if "/" in line else Path("-")
            if ".so" in path.name:
                yield path.parent
