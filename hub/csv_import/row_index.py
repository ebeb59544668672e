"""The row of a file that counts for an id: kept in a temporary database on disk, so that a file of any size fits."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Self


class RowIndex:
    """The number of the row that counts for each key; a context manager, at whose end it is deleted."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._connection.execute("CREATE TABLE rows (key TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID")

    def add_last(self, keys: Iterable[tuple[str, int]]) -> None:
        """Store (key, row number) pairs; the last row of a key counts."""
        self._add(keys, "INSERT INTO rows VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET number = excluded.number")

    def add_first(self, keys: Iterable[tuple[str, int]]) -> None:
        """Store (key, row number) pairs; the first row of a key counts."""
        self._add(keys, "INSERT INTO rows VALUES (?, ?) ON CONFLICT (key) DO NOTHING")

    def rows_of(self, keys: Sequence[str]) -> dict[str, int]:
        """Return the number of the row that counts for each key that was stored."""
        numbers = {}
        for key in keys:
            row = self._connection.execute("SELECT number FROM rows WHERE key = ?", (key,)).fetchone()
            if row is not None:
                numbers[key] = row[0]
        return numbers

    def __enter__(self) -> Self:
        """Return the index."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Delete the database."""
        self._connection.close()

    def _add(self, keys: Iterable[tuple[str, int]], statement: str) -> None:
        self._connection.execute("BEGIN")
        self._connection.executemany(statement, keys)
        self._connection.execute("COMMIT")
