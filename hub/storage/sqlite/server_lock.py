"""The server lock of an SQLite file, which one server at a time can hold."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from hub.storage.errors import StoreBusy

_TRANSIENT = "command"
_ADVICE = "Stop it first, or use PostgreSQL, which takes any number of servers."


class ServerLock:
    """A lock on the file `<database>.lock`, which the system frees when the process ends, however it ends."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(database.name + ".lock")
        self._file = -1

    def acquire(self, advice: str = _ADVICE, *, transient: bool = False) -> None:
        """Take the lock, `transient` for a command that ends by itself; raise StoreBusy, with advice, if it is held."""
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder, _, kind = os.read(file, 32).decode("ascii", "replace").strip().partition(" ")
            os.close(file)
            served = self._path.with_suffix("")
            # A holder that has not written its process id yet has just started, and may be a command.
            transient = not holder or kind == _TRANSIENT
            text = f"Another server (process {holder or 'unknown'}) already serves {served}: a file has one. {advice}"
            raise StoreBusy(text, transient=transient) from error
        os.ftruncate(file, 0)
        os.write(file, f"{os.getpid()} {_TRANSIENT if transient else ''}".rstrip().encode())
        self._file = file

    def release(self) -> None:
        """Free the lock; its file stays, because after a removal two servers could lock two different files."""
        if self._file >= 0:
            os.ftruncate(self._file, 0)
            os.close(self._file)
            self._file = -1
