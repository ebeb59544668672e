"""What the entries of each commission add up to and say, in a temporary file: millions of them take no memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from types import TracebackType
from typing import NamedTuple, Self

from hub.domain.books.ledger import Entry, deltas

_TABLES = """
CREATE TABLE sums (commission_id TEXT NOT NULL, place TEXT NOT NULL, minor INTEGER NOT NULL,
                   PRIMARY KEY (commission_id, place)) STRICT, WITHOUT ROWID;
CREATE TABLE owners (commission_id TEXT NOT NULL PRIMARY KEY, currency TEXT NOT NULL, affiliate_id TEXT NOT NULL,
                     paid_at INTEGER, cause TEXT) STRICT, WITHOUT ROWID
"""
_ADD = """
INSERT INTO sums VALUES (?, ?, ?)
ON CONFLICT (commission_id, place) DO UPDATE SET minor = sums.minor + excluded.minor
"""
_OWN = """
INSERT INTO owners VALUES (?, ?, ?, ?, ?)
ON CONFLICT (commission_id) DO UPDATE
SET paid_at = COALESCE(excluded.paid_at, paid_at), cause = COALESCE(excluded.cause, cause)
"""
_IN_ORDER = """
SELECT s.commission_id, s.place, s.minor, o.currency, o.affiliate_id, o.paid_at, o.cause
FROM sums AS s
JOIN owners AS o ON o.commission_id = s.commission_id
ORDER BY s.commission_id
"""


class Said(NamedTuple):
    """What the entries of a commission say: its currency and affiliate, and when and by what it was paid."""

    currency: str
    affiliate_id: str
    paid_at: int | None
    cause: str | None


Noted = tuple[str, dict[str, int], Said]
"""A commission's id, its balances by place, and what its entries say."""


class CommissionSums:
    """The balances of the commissions of one account, by place."""

    def __enter__(self) -> Self:
        """Open the file; SQLite makes one for an empty name, and deletes it at the end."""
        self._connection = sqlite3.connect("", isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = OFF")
        self._connection.executescript(_TABLES)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Delete the file."""
        self._connection.close()

    def add(self, entries: Sequence[Entry]) -> None:
        """Add entries; those of adjustments are not their commission's."""
        changes: dict[tuple[str, str], int] = {}
        owners: dict[str, Said] = {}
        for entry in entries:
            if entry.commission_id is not None and entry.adjustment_id is None and entry.kind != "fee":
                paid = (entry.posted_at, entry.cause) if entry.kind == "paid" else (None, None)
                if entry.commission_id not in owners or paid[1] is not None:
                    owners[entry.commission_id] = Said(entry.currency, entry.affiliate_id, *paid)
                for place, minor in deltas(entry):
                    if place not in ("merchant", "deposit"):
                        key = (entry.commission_id, place)
                        changes[key] = changes.get(key, 0) + minor
        self._connection.execute("BEGIN")
        self._connection.executemany(_ADD, [(*key, minor) for key, minor in sorted(changes.items())])
        self._connection.executemany(_OWN, [(key, *said) for key, said in sorted(owners.items())])
        self._connection.execute("COMMIT")

    def in_order(self) -> Iterator[Noted]:
        """Yield each commission's id, balances and what its entries say, by id."""
        rows = self._connection.execute(_IN_ORDER)
        for commission_id, found in groupby(rows, itemgetter(0)):
            lines = list(found)
            yield commission_id, {line[1]: line[2] for line in lines}, Said(*lines[0][3:])
