"""Which row of a file speaks for an id: kept in a temporary database on disk, so that a file of any size fits."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Self


class RowIndex:
    """For each key the number of the row that counts; used as a context manager, gone when it ends."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._connection.execute("CREATE TABLE rows (key TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID")

    def note_last(self, keys: Iterable[tuple[str, int]]) -> None:
        """Notes (key, row number); the latest row of a key counts."""
        self._note(keys, "INSERT INTO rows VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET number = excluded.number")

    def note_first(self, keys: Iterable[tuple[str, int]]) -> None:
        """Notes (key, row number); the first row of a key counts."""
        self._note(keys, "INSERT INTO rows VALUES (?, ?) ON CONFLICT (key) DO NOTHING")

    def rows_of(self, keys: Sequence[str]) -> dict[str, int]:
        """The row that counts for each key that was noted."""
        found = {}
        for key in keys:
            row = self._connection.execute("SELECT number FROM rows WHERE key = ?", (key,)).fetchone()
            if row is not None:
                found[key] = row[0]
        return found

    def __enter__(self) -> Self:
        """The index itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Forgets everything."""
        self._connection.close()

    def _note(self, keys: Iterable[tuple[str, int]], statement: str) -> None:
        self._connection.execute("BEGIN")
        self._connection.executemany(statement, keys)
        self._connection.execute("COMMIT")
