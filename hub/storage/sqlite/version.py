"""The release of SQLite that this Python has, and the one fault of older ones that matters here."""

from __future__ import annotations

import sqlite3

OLDEST = (3, 38)
"""The oldest release that has everything the queries use."""
WAL_RESET_FAULT = ((3, 7, 0), (3, 51, 3))
"""From the first of these releases until before the second, a checkpoint of one connection that meets the commit of
another can damage the file (sqlite.org/wal.html, "The WAL-Reset Bug")."""


def has_wal_reset_fault(version: tuple[int, int, int] = sqlite3.sqlite_version_info) -> bool:
    """Return whether this release of SQLite can damage a file to which several processes write."""
    first, mended = WAL_RESET_FAULT
    return first <= version < mended
