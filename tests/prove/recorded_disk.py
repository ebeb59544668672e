"""A disk whose power can be cut: what SQLite writes and syncs, noted below it, and what a cut may leave of that.

SQLite reaches files through a table of functions, its VFS. `recorded` puts one in front of the usual one that hands
everything on, and notes each write, truncation and sync with the file's name (www.sqlite.org/vfs.html). So the engine
runs as it serves: same library, same connections, same settings.

What is promised about a file after a power cut is only what a sync that returned had seen. Of each later write a disk
may have kept nothing, all of it, or some of its sectors; in any order, and of each file by itself. `Disk.cuts` makes
such files.

A sync may fail, too. Then the kernel says so once and takes what was not stored for stored: it is read as if it were
there, a later sync does not write it, and the next power cut takes it away (lwn.net/Articles/752063).
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal

from attrs import define, field, frozen

SECTOR: Final = 512
"""What a disk writes whole or not at all."""
_OK: Final = 0
IOERR_FSYNC: Final = 10 | 4 << 8
"""What a failed sync is called (SQLITE_IOERR_FSYNC)."""

Fails = Callable[[str], "int | None"]
"""Whether the sync of a file, by its name, fails: with which code of SQLite's, 0 for one that says that all is well."""

_Open = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_int)
)
_Delete = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
_Write = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int64)
_Truncate = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int64)
_Sync = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)


class _Vfs(ctypes.Structure):
    """sqlite3_vfs: only what is read or replaced has its type."""

    _fields_ = (
        ("iVersion", ctypes.c_int),
        ("szOsFile", ctypes.c_int),
        ("mxPathname", ctypes.c_int),
        ("pNext", ctypes.c_void_p),
        ("zName", ctypes.c_char_p),
        ("pAppData", ctypes.c_void_p),
        ("xOpen", _Open),
        ("xDelete", _Delete),
        ("rest", ctypes.c_void_p * 13),
    )


class _Methods(ctypes.Structure):
    """sqlite3_io_methods: only what is read or replaced has its type."""

    _fields_ = (
        ("iVersion", ctypes.c_int),
        ("xClose", ctypes.c_void_p),
        ("xRead", ctypes.c_void_p),
        ("xWrite", _Write),
        ("xTruncate", _Truncate),
        ("xSync", _Sync),
        ("rest", ctypes.c_void_p * 13),
    )


@frozen
class Step:
    """One thing done to a file: `data` was written at `offset`, it was cut to `offset` bytes, synced, or deleted.

    "folder" is a sync of the folder: names that were deleted before do not come back. "failed" is a sync that failed.
    """

    kind: Literal["write", "truncate", "sync", "failed", "delete", "folder"]
    name: str = ""
    offset: int = 0
    data: bytes = b""


@define
class Disk:
    """All steps so far, in their order, and the files as they were before the first."""

    before: dict[str, bytes]
    steps: list[Step] = field(factory=list)

    def cuts(self, dice: random.Random, most: int) -> Iterator[tuple[int, dict[str, bytes]]]:
        """Yield up to `most` moments at which the power goes, in their order, each with the files it leaves.

        A moment is a number of steps that were done. The dice choose the moments and what is left of unsynced writes.
        """
        moments = sorted(dice.sample(range(len(self.steps) + 1), min(most, len(self.steps) + 1)))
        safe = {name: bytearray(content) for name, content in self.before.items()}
        pending: dict[str, list[Step]] = {}
        done = 0
        for moment in moments:
            for step in self.steps[done:moment]:
                _do(step, safe, pending, dice)
            done = moment
            yield moment, {name: _left(dice, safe[name], pending.get(name, [])) for name in safe}


def _do(step: Step, safe: dict[str, bytearray], pending: dict[str, list[Step]], dice: random.Random) -> None:
    if step.kind == "folder":
        for name, waiting in pending.items():
            deletions = [number for number, each in enumerate(waiting) if each.kind == "delete"]
            if deletions:
                safe[name].clear()
                del waiting[: deletions[-1] + 1]
        return
    content, waiting = safe.setdefault(step.name, bytearray()), pending.setdefault(step.name, [])
    if step.kind == "sync":
        for each in waiting:
            _apply(content, each)
        waiting.clear()
    elif step.kind == "failed":
        content[:] = _left(dice, content, waiting)
        waiting.clear()
    else:
        waiting.append(step)


def _apply(content: bytearray, step: Step) -> None:
    if step.kind in ("truncate", "delete"):
        del content[step.offset :]
        return
    end = step.offset + len(step.data)
    if len(content) < end:
        content.extend(bytes(end - len(content)))
    content[step.offset : end] = step.data


def _left(dice: random.Random, safe: bytearray, unsynced: list[Step]) -> bytes:
    """Return a file of which the unsynced steps are all there, all gone, or there by chance, sector by sector."""
    left, manner = bytearray(safe), dice.choice(("all", "none", "some", "torn"))
    for step in unsynced if manner != "none" else ():
        if manner == "all" or (manner == "some" and dice.random() < 0.5):
            _apply(left, step)
        elif manner == "torn":
            for part in _sectors(step):
                if dice.random() < 0.5:
                    _apply(left, part)
    return bytes(left)


def _sectors(step: Step) -> Iterator[Step]:
    if step.kind != "write":
        yield step
        return
    start = 0
    while start < len(step.data):
        end = start + SECTOR - (step.offset + start) % SECTOR
        yield Step("write", step.name, step.offset + start, step.data[start:end])
        start = end


@contextmanager
def recorded(folder: Path, fails: Fails = lambda _: None) -> Iterator[Disk]:
    """Note what SQLite does to the files of a folder; every connection must be opened and closed within.

    A sync that `fails` is not done.
    Raises LookupError where Python has an SQLite of its own inside, whose functions cannot be reached.
    """
    sqlite = library()
    usual = ctypes.cast(sqlite.sqlite3_vfs_find(None), ctypes.POINTER(_Vfs)).contents
    disk = Disk({each.name: each.read_bytes() for each in folder.iterdir() if not each.name.endswith("-shm")})
    recorder = _Recorder(disk, folder, usual, fails)
    own = recorder.vfs()
    sqlite.sqlite3_vfs_register(ctypes.byref(own), 1)
    try:
        yield disk
    finally:
        sqlite.sqlite3_vfs_register(ctypes.byref(usual), 1)
        sqlite.sqlite3_vfs_unregister(ctypes.byref(own))


def library() -> ctypes.CDLL:
    """Return the library that Python's sqlite3 module uses."""
    import sqlite3

    maps = Path("/proc/self/maps").read_text(encoding="utf-8") if Path("/proc/self/maps").exists() else ""
    found = {line.split()[-1] for line in maps.splitlines() if "libsqlite3.so" in line}
    if len(found) != 1:
        raise LookupError("this Python's SQLite is not a shared library of its own")
    sqlite = ctypes.CDLL(found.pop())
    sqlite.sqlite3_libversion.restype = ctypes.c_char_p
    sqlite.sqlite3_vfs_find.restype = ctypes.c_void_p
    assert sqlite.sqlite3_libversion().decode() == sqlite3.sqlite_version
    return sqlite


class _Recorder:
    """The functions in front of the usual ones. They are called in whichever thread SQLite runs."""

    def __init__(self, disk: Disk, folder: Path, usual: _Vfs, fails: Fails) -> None:
        self._disk, self._folder, self._usual, self._fails = disk, str(folder), usual, fails
        self._names: dict[int, str] = {}
        """Each open file's name, by its address in memory."""
        self._new: set[int] = set()
        """Logs that were just made: with the first sync of such a file SQLite syncs the folder, too (os_unix.c)."""
        self._methods: dict[int, _Methods] = {}
        """The functions of each kind of file with ours in front, by the address of the usual ones."""
        self._kept: list[Any] = []
        """What SQLite has the address of and nobody else holds."""

    def vfs(self) -> _Vfs:
        """Return the usual VFS with our `xOpen`."""
        own = _Vfs.from_buffer_copy(self._usual)
        own.zName, own.xOpen, own.xDelete = b"recorded", _Open(self._open), _Delete(self._delete)
        self._kept.append(own)
        return own

    def _open(self, _vfs: int, name: int | None, file: int, flags: int, out_flags: Any) -> int:
        path = Path(ctypes.string_at(name).decode()) if name else None
        is_new = path is not None and not path.exists()
        result: int = self._usual.xOpen(ctypes.addressof(self._usual), name, file, flags, out_flags)
        if result == _OK and path is not None and str(path.parent) == self._folder:
            self._names[file] = path.name
            if is_new and path.name.endswith(("-wal", "-journal")):
                self._new.add(file)
            else:
                self._new.discard(file)
            methods = ctypes.c_void_p.from_address(file)
            assert methods.value is not None
            methods.value = ctypes.addressof(self._in_front_of(methods.value))
        return result

    def _delete(self, _vfs: int, name: int, sync_folder: int) -> int:
        result: int = self._usual.xDelete(ctypes.addressof(self._usual), name, sync_folder)
        path = Path(ctypes.string_at(name).decode())
        if result == _OK and str(path.parent) == self._folder:
            self._disk.steps.append(Step("delete", path.name))
            if sync_folder:
                self._disk.steps.append(Step("folder"))
        return result

    def _in_front_of(self, address: int) -> _Methods:
        if address not in self._methods:
            usual = _Methods.from_address(address)
            own = _Methods.from_buffer_copy(usual)
            own.xWrite = _Write(self._noted(usual.xWrite, self._written))
            own.xTruncate = _Truncate(self._noted(usual.xTruncate, self._truncated))
            own.xSync = _Sync(self._failing(self._noted(usual.xSync, self._synced)))
            self._methods[address] = own
        return self._methods[address]

    def _noted(self, usual: Callable[..., int], note: Callable[..., None]) -> Callable[..., int]:
        def call(file: int, *how: int) -> int:
            result = usual(file, *how)
            if result == _OK:
                note(file, *how)
            return result

        return call

    def _failing(self, sync: Callable[..., int]) -> Callable[..., int]:
        def call(file: int, flags: int) -> int:
            failure = self._fails(self._names[file])
            if failure is None:
                return sync(file, flags)
            self._disk.steps.append(Step("failed", self._names[file]))
            return failure

        return call

    def _written(self, file: int, data: int, length: int, offset: int) -> None:
        self._disk.steps.append(Step("write", self._names[file], offset, ctypes.string_at(data, length)))

    def _truncated(self, file: int, size: int) -> None:
        self._disk.steps.append(Step("truncate", self._names[file], size))

    def _synced(self, file: int, _flags: int) -> None:
        self._disk.steps.append(Step("sync", self._names[file]))
        if file in self._new:
            self._new.remove(file)
            self._disk.steps.append(Step("folder"))
