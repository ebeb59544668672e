"""What the entries of each commission add up to, in a temporary file, so that millions of them take no memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from types import TracebackType
from typing import Self

from hub.domain.ledger import Entry, deltas

_TABLE = """
CREATE TABLE sums (commission_id TEXT NOT NULL, place TEXT NOT NULL, minor INTEGER NOT NULL,
                   PRIMARY KEY (commission_id, place)) STRICT, WITHOUT ROWID
"""
_ADD = """
INSERT INTO sums VALUES (?, ?, ?)
ON CONFLICT (commission_id, place) DO UPDATE SET minor = sums.minor + excluded.minor
"""
_IN_ORDER = "SELECT commission_id, place, minor FROM sums ORDER BY commission_id"


class CommissionSums:
    """The balances of the commissions of one account, by place."""

    def __enter__(self) -> Self:
        """Open the file; SQLite makes one for an empty name, and deletes it at the end."""
        self._connection = sqlite3.connect("", isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = OFF")
        self._connection.execute(_TABLE)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Delete the file."""
        self._connection.close()

    def add(self, entries: Sequence[Entry]) -> None:
        """Add entries; those of adjustments are not their commission's."""
        changes: dict[tuple[str, str], int] = {}
        for entry in entries:
            if entry.commission_id is not None and entry.adjustment_id is None and entry.kind != "fee":
                for place, minor in deltas(entry):
                    if place not in ("merchant", "deposit"):
                        key = (entry.commission_id, place)
                        changes[key] = changes.get(key, 0) + minor
        self._connection.execute("BEGIN")
        self._connection.executemany(_ADD, [(*key, minor) for key, minor in sorted(changes.items())])
        self._connection.execute("COMMIT")

    def in_order(self) -> Iterator[tuple[str, dict[str, int]]]:
        """Yield each commission's id and balances, by id."""
        rows = self._connection.execute(_IN_ORDER)
        for commission_id, found in groupby(rows, itemgetter(0)):
            yield commission_id, {place: minor for _, place, minor in found}
