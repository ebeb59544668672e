"""What a move asks of an SQLite file, as the source or as the target: its tables, and the tally of each."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections.abc import Iterator
from typing import Any

from hub.storage.errors import TransferFault
from hub.storage.transfer.tables import INTEGER, OWN, TEXT, Table, Tally, quoted, read_tally, tally_query

_KINDS = {"INTEGER": INTEGER, "TEXT": TEXT}
_OURS = "t.schema = 'main' AND t.type <> 'view' AND t.name NOT LIKE 'sqlite^_%' ESCAPE '^'"
_COLUMNS = f"""
SELECT t.name, c.name, c.type, c.pk FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
WHERE {_OURS} AND t.name <> ? ORDER BY t.name, c.cid
"""  # noqa: S608 - constants
_PARENTS = 'SELECT DISTINCT "table" FROM pragma_foreign_key_list(?)'


class SqliteTables:
    """The tables of an open connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        connection.create_aggregate("sum_digest", 1, _DigestSum)  # type: ignore[arg-type]  # typeshed: integers only

    def tables(self) -> list[Table]:
        """Return every table except the schema's own."""
        columns: dict[str, dict[str, str]] = {}
        keys: dict[str, dict[int, str]] = {}
        for table, column, kind, place in self.fetch(_COLUMNS, OWN):
            columns.setdefault(table, {})[column] = _KINDS.get(kind, kind)
            keys.setdefault(table, {})[place] = column
        return [
            Table(
                name,
                columns[name],
                tuple(column for place, column in sorted(keys[name].items()) if place),
                frozenset(parent for (parent,) in self.fetch(_PARENTS, name)),
            )
            for name in columns
        ]

    def tally(self, table: Table) -> Tally:
        """Count, sum and digest the rows."""
        with readable(table):
            return read_tally(table, self.fetch(tally_query(table, "sum_digest({})"))[0])

    def count(self, table: str, column: str | None) -> int:
        """Return how many values a column has, or how many rows a table (None)."""
        counted = "*" if column is None else quoted(column)
        return int(self.fetch(f"SELECT count({counted}) FROM {quoted(table)}")[0][0])  # noqa: S608 - quoted

    def fetch(self, sql: str, *values: str) -> list[Any]:
        """Return the rows of a statement."""
        return self._connection.execute(sql, values).fetchall()


@contextlib.contextmanager
def readable(table: Table) -> Iterator[None]:
    """Raise TransferFault, naming the table, for what cannot be read of it."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise TransferFault(f"Table {table.name} cannot be read: {error}.") from error


class _DigestSum:
    """An aggregate of SQLite: the sum of digests, as a text because it does not fit into 64 bits."""

    def __init__(self) -> None:
        self._sum = 0

    def step(self, text: str, /) -> None:
        """Add the digest of a row's text."""
        self._sum += int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")

    def finalize(self) -> str:
        """Return the sum of all rows."""
        return str(self._sum)
