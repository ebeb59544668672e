"""Whether an SQLite file is still the one that was opened, and whether there is room for it to grow."""

from __future__ import annotations

import os
from pathlib import Path

from hub.storage.errors import StoreUnavailable

LEAST_FREE_BYTES = 1024 * 1024
"""With less of its disk free, the next batch may not find room."""


class FileIdentity:
    """The file at a path, as it was when this was made.

    An open file can be renamed or replaced beneath those who have it open; what they write then is in a file that
    nobody will find again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._identity = _identity(path)

    def check(self) -> None:
        """Raise StoreUnavailable if the path names another file by now, or none."""
        try:
            same = _identity(self._path) == self._identity
        except OSError as error:
            raise StoreUnavailable(
                f"The database file {self._path} is gone ({error.strerror}): put it back."
            ) from error
        if not same:
            raise StoreUnavailable(f"The database file {self._path} was replaced while it was open: restart the hub.")

    def check_room(self) -> None:
        """Raise StoreUnavailable if the file's disk is full."""
        if is_full(self._path):
            raise StoreUnavailable(f"The disk of {self._path} is full.")


def is_full(path: Path) -> bool:
    """Return whether the disk of a file may not have room for another batch; of one that is gone nobody can say."""
    try:
        disk = os.statvfs(path)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < LEAST_FREE_BYTES


def _identity(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino
