"""Landlock: this process and all that it starts read their own files, write none, and signal nobody outside."""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from hub.kernel import system_call

_CREATE_RULESET: Final = 444
_ADD_RULE: Final = 445
_RESTRICT_SELF: Final = 446
_PATH_BENEATH: Final = 1
_READ_FILE: Final = 1 << 2
_READ_FOLDER: Final = 1 << 3
_WRITE_FILE: Final = 1 << 1
_FILE_RIGHTS: Final = {1: 13, 2: 14, 3: 15, 4: 15}
"""How many rights over files a version knows; each is one bit, and execution is the first of them."""
_NEWEST_FILE_RIGHTS: Final = 16
_TCP: Final = 0b11
_SCOPED: Final = 0b11
TCP_SINCE: Final = 4
SIGNALS_SINCE: Final = 6


class _Rule(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def version() -> int:
    """Return the version of the kernel's Landlock; raise OSError if it has none."""
    return system_call(_CREATE_RULESET, None, 0, 1)


def confine(readable: Iterable[Path], listed: Iterable[Path] = ()) -> int:
    """Refuse all use of files but these, TCP and signals to others where it can; return Landlock's version.

    Everything below `readable` can be read; of what is below `listed` only the names.
    It needs `no new privileges`. Raise OSError if the kernel has no Landlock.
    """
    known = version()
    rights = (1 << _FILE_RIGHTS.get(known, _NEWEST_FILE_RIGHTS)) - 1
    words = [rights, _TCP if known >= TCP_SINCE else 0, _SCOPED if known >= SIGNALS_SINCE else 0]
    used = 3 if known >= SIGNALS_SINCE else 2 if known >= TCP_SINCE else 1
    handled = (ctypes.c_uint64 * used)(*words[:used])
    ruleset = system_call(_CREATE_RULESET, handled, ctypes.sizeof(handled), 0)
    try:
        for path in readable:
            _allow(ruleset, path, _READ_FILE | _READ_FOLDER)
        for path in listed:
            _allow(ruleset, path, _READ_FOLDER)
        system_call(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)
    return known


def _allow(ruleset: int, path: Path, rights: int) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISDIR(mode):
            rights &= ~_READ_FOLDER
        if stat.S_ISCHR(mode):
            rights |= _WRITE_FILE
        system_call(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(_Rule(rights, descriptor)), 0)
    finally:
        os.close(descriptor)
