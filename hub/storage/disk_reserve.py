"""The reserve of free space on the database's volume: below it, only orders and what becomes of them are written.

A full disk is 503 for everybody. So what strangers can make without end stops before: their rows of the request log
below the reserve, clicks below half of it. Uploads have a reserve of their own (`hub.csv_import.spool`).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Final

import structlog
from attrs import define, field

LOOK_SECONDS: Final = 1.0
"""The volume is asked at most this often, whatever strangers do."""
LARGEST_SHARE: Final = 20
"""The reserve is at most this part of the volume: 5 %."""

log = structlog.get_logger(__name__)


def free_and_total(path: Path) -> tuple[int, int]:
    """Return the bytes of a file's volume that anybody may still write, and all of them. Raise `OSError`."""
    volume = os.statvfs(path)
    return volume.f_bavail * volume.f_frsize, volume.f_blocks * volume.f_frsize


@define(eq=False)
class DiskReserve:
    """Watches the volume of an SQLite file; a database elsewhere (`file` is None) always has room.

    `reserve` is in bytes; 0 turns it off.
    """

    file: Path | None
    reserve: int
    measure: Callable[[Path], tuple[int, int]] = free_and_total
    now: Callable[[], float] = monotonic
    _looked_at: float = field(init=False, default=float("-inf"))
    _free: int | None = field(init=False, default=None)
    _wanted: int = field(init=False, default=0)

    @property
    def free(self) -> int | None:
        """The free bytes, at most a second old; None if nobody can say."""
        if self.file is not None and self.now() - self._looked_at >= LOOK_SECONDS:
            self._looked_at = self.now()
            try:
                self._free, total = self.measure(self.file)
                self._wanted = min(self.reserve, total // LARGEST_SHARE)
            except OSError:
                self._free = None
        return self._free

    @property
    def is_short(self) -> bool:
        """Whether less than the reserve is free."""
        free = self.free
        return free is not None and free < self._wanted

    @property
    def is_very_short(self) -> bool:
        """Whether less than half of the reserve is free."""
        free = self.free
        return free is not None and free < self._wanted // 2

    @property
    def database_bytes(self) -> int:
        """The size of the SQLite file; 0 for a database elsewhere."""
        return _size(self.file)

    @property
    def wal_bytes(self) -> int:
        """The size of the SQLite file's write-ahead log; 0 for a database elsewhere."""
        return _size(None if self.file is None else self.file.with_name(f"{self.file.name}-wal"))

    async def report(self) -> None:
        """Log that the volume is short, if it is; a timer calls this once a minute."""
        if self.is_short:
            log.warning(
                "the database's volume is nearly full: refused strangers are not logged",
                clicks_recorded=not self.is_very_short,
                free_bytes=self._free,
                reserve_bytes=self._wanted,
                database_bytes=self.database_bytes,
                wal_bytes=self.wal_bytes,
            )


def _size(file: Path | None) -> int:
    try:
        return 0 if file is None else file.stat().st_size
    except OSError:
        return 0
