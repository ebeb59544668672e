"""Sums that grow and end while a chain is followed, in a temporary file: millions of them take no memory."""

from __future__ import annotations

from hub.storage.sqlite.temporary_table import TemporaryTable


class RunningSums(TemporaryTable):
    """Sums in minor units by a name."""

    definition = "CREATE TABLE sums (name TEXT NOT NULL PRIMARY KEY, minor INTEGER NOT NULL) STRICT, WITHOUT ROWID"

    def added(self, name: str, minor: int) -> int:
        """Add to a sum, and return what it was before."""
        (now,) = self.connection.execute(
            "INSERT INTO sums VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET minor = minor + excluded.minor "
            "RETURNING minor",
            (name, minor),
        ).fetchone()
        return int(now) - minor

    def taken(self, name: str) -> int:
        """Return a sum, and end it; 0 if there is none."""
        row = self.connection.execute("DELETE FROM sums WHERE name = ? RETURNING minor", (name,)).fetchone()
        return 0 if row is None else int(row[0])
