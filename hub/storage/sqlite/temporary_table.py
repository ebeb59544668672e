"""A table in a file of its own for the time of one piece of work: rows that may be more than memory should hold."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from types import TracebackType
from typing import Any, ClassVar, Self


class TemporaryTable:
    """A table while its block lasts; a subclass says by `definition` how it is made, and has the statements on it."""

    definition: ClassVar[str]

    def __enter__(self) -> Self:
        """Open the file; SQLite makes one for an empty name, and deletes it at the end."""
        self.connection = sqlite3.connect("", isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = OFF")
        self.connection.execute(self.definition)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Delete the file."""
        self.connection.close()

    def write(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Run a statement once for each row, in one transaction."""
        self.connection.execute("BEGIN")
        self.connection.executemany(statement, rows)
        self.connection.execute("COMMIT")
