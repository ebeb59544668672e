"""The server lock of an SQLite file, which one server at a time can hold.

It is two locks, both freed by the system when the process ends, however it ends. The one on `<database>.lock` names the
process that holds it. The one on the database file itself still holds if somebody removes that lock file, after which
another server would create a new one and lock that.

The second has to be taken with care: when a process closes any descriptor of a file, the system drops the locks that
SQLite holds on that file for the same process. So the descriptor is kept open for as long as the process lives.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path

from hub.storage.errors import StoreBusy, StoreUnusable

_TRANSIENT = "command"
_ADVICE = "Stop it first, or use PostgreSQL, which takes any number of servers."

_descriptors: dict[tuple[int, int], int] = {}
"""A descriptor of each database file that this process has locked or tried to, by device and inode; never closed."""


class ServerLock:
    """A lock on the file `<database>.lock` and on the database."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._path = database.with_name(database.name + ".lock")
        self._file = -1
        self._inode: tuple[int, int] | None = None

    def acquire(self, advice: str = _ADVICE, *, transient: bool = False) -> None:
        """Take the lock, `transient` for a command that ends by itself.

        Raises StoreBusy, with advice, if it is held, and StoreUnusable if the lock file cannot be made.
        """
        try:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreUnusable(
                f"The lock file {self._path} cannot be made: {error.strerror}. "
                "The hub has to be able to write to the folder of its database."
            ) from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._inode = _lock_inode(self._database)
        except BlockingIOError as error:
            holder, _, kind = os.read(file, 32).decode("ascii", "replace").strip().partition(" ")
            os.close(file)
            # A holder that has not written its process id yet has just started, and may be a command.
            transient = not holder or kind == _TRANSIENT
            who = f"process {holder or 'unknown'}"
            text = f"Another server ({who}) already serves {self._database}: a file has one. {advice}"
            raise StoreBusy(text, transient=transient) from error
        except BaseException:
            os.close(file)
            raise
        os.ftruncate(file, 0)
        with contextlib.suppress(OSError):  # on a full disk nobody reads who holds the lock, which holds all the same
            os.write(file, f"{os.getpid()} {_TRANSIENT if transient else ''}".rstrip().encode())
        self._file = file

    def release(self) -> None:
        """Free the lock; its file stays, because after a removal two servers could lock two different files."""
        if self._inode is not None:
            fcntl.flock(_descriptors[self._inode], fcntl.LOCK_UN)
            self._inode = None
        if self._file >= 0:
            os.ftruncate(self._file, 0)
            os.close(self._file)
            self._file = -1


def _lock_inode(database: Path) -> tuple[int, int] | None:
    """Lock the database file itself and return its device and inode, None without a file; raise BlockingIOError."""
    try:
        found = database.stat()
        inode = found.st_dev, found.st_ino
        if inode not in _descriptors:
            _descriptors[inode] = os.open(database, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None  # a missing file is made later; one that cannot be read is refused when it is opened
    fcntl.flock(_descriptors[inode], fcntl.LOCK_EX | fcntl.LOCK_NB)
    return inode
