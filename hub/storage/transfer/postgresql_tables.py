"""What a move asks of a PostgreSQL database, as the source or as the target: its tables, and the tally of each."""

from __future__ import annotations

from typing import Any

from hub.storage.transfer.tables import INTEGER, OWN, TEXT, Table, Tally, read_tally, tally_query

_KINDS = {"bigint": INTEGER, "text": TEXT}
_OURS = "c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition"
_COLUMNS = f"""
SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS kind
FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE {_OURS} AND a.attnum > 0 AND NOT a.attisdropped AND c.relname <> $1
ORDER BY c.relname, a.attnum
"""  # noqa: S608 - constants
_KEYS = f"""
SELECT c.relname AS table, array_agg(a.attname::text ORDER BY k.place) AS columns
FROM pg_class AS c
JOIN pg_index AS i ON i.indrelid = c.oid AND i.indisprimary
CROSS JOIN unnest(i.indkey::smallint[]) WITH ORDINALITY AS k (number, place)
JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.number
WHERE {_OURS}
GROUP BY c.relname
"""  # noqa: S608 - constants
_PARENTS = f"""
SELECT DISTINCT c.relname AS table, p.relname AS parent
FROM pg_constraint AS f JOIN pg_class AS c ON c.oid = f.conrelid JOIN pg_class AS p ON p.oid = f.confrelid
WHERE {_OURS} AND f.contype = 'f'
"""  # noqa: S608 - constants
_DIGEST = "sum(('x' || left(encode(sha256(convert_to({}, 'UTF8')), 'hex'), 16))::bit(64)::bigint)"


async def read_columns(connection: Any) -> dict[str, dict[str, str]]:
    """Return the kind of each column of every table except the schema's own: {table: {column: kind}}."""
    tables: dict[str, dict[str, str]] = {}
    for row in await connection.fetch(_COLUMNS, OWN):
        tables.setdefault(row["table"], {})[row["column"]] = _KINDS.get(row["kind"], row["kind"])
    return tables


async def read_tables(connection: Any) -> list[Table]:
    """Return every table except the schema's own."""
    keys = {row["table"]: tuple(row["columns"]) for row in await connection.fetch(_KEYS)}
    parents: dict[str, set[str]] = {}
    for row in await connection.fetch(_PARENTS):
        parents.setdefault(row["table"], set()).add(row["parent"])
    columns = await read_columns(connection)
    return [Table(name, columns[name], keys.get(name, ()), frozenset(parents.get(name, ()))) for name in columns]


async def tally(connection: Any, table: Table) -> Tally:
    """Count, sum and digest the rows."""
    return read_tally(table, await connection.fetchrow(tally_query(table, _DIGEST)))
