"""Make tables partitioned by time, beside a hub that serves: `hub migrate --partition`.

No row is copied. A constraint says that every row is before a moment some days ahead; PostgreSQL checks what is there
while others read and write. Then the table becomes the first partition of a new one of its name, under a lock of
milliseconds: because of the constraint nothing is read again, and the indexes are taken as they are. A run that was
killed in between leaves the constraint, which would refuse rows once its moment comes: the next run drops it, and so
does the upkeep of every process that serves (hub/storage/postgresql/partition_upkeep.py).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

import asyncpg
from attrs import frozen

from hub.storage.errors import StoreBusy, StoreError
from hub.storage.postgresql.address import read_address
from hub.storage.postgresql.connection import FAULTS, connect_alone, translate
from hub.storage.postgresql.partitions import DAY_MS, PARTITIONED, Part, Partitioned

AHEAD_MS: Final = 8 * DAY_MS
"""How far ahead the first partition ends: longer than any check of what is there takes."""
LOCK_SECONDS: Final = 2
"""How long a lock is waited for, and others wait behind it, before it is tried again."""
TRIES: Final = 150
WORKING: Final = "6845794, 1886549605"
"""The advisory lock of the one that partitions, beside that of migrations (hub/storage/migrations/postgresql.py)."""

KIND: Final = "SELECT relkind::text FROM pg_class WHERE oid = to_regclass($1)"
_INDEXES: Final = """
SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS made, i.indisprimary AS is_primary,
       pg_get_constraintdef(c.oid) AS key
FROM pg_index AS i LEFT JOIN pg_constraint AS c ON c.conindid = i.indexrelid AND c.contype = 'p'
WHERE i.indrelid = to_regclass($1) ORDER BY name
"""
_TRIGGERS: Final = """
SELECT pg_get_triggerdef(oid) AS made FROM pg_trigger WHERE tgrelid = to_regclass($1) AND NOT tgisinternal
"""
_GRANTS: Final = """
SELECT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END AS grantee, privilege_type AS privilege
FROM pg_class, aclexplode(relacl) WHERE oid = to_regclass($1) AND grantee <> relowner
"""


@frozen
class Moved:
    """A table that is partitioned now, and how many rows were there by the server's estimate."""

    table: str
    rows: int


def bound_of(table: Partitioned) -> str:
    """Return the name of the constraint that a table has while it is made partitioned."""
    return f"{table.table}_partition_bound"


async def partition_tables(url: str, now: int, on_table: Callable[[str], object] = lambda _: None) -> list[Moved]:
    """Make each table partitioned that may be and is not; return those. `now` is ms UTC.

    `on_table` is told the name of each before. Raise StoreBusy if somebody else does so, or if a lock cannot be had;
    StoreError through a pooler, which would lose the lock that keeps others out.
    """
    if read_address(url).pooled:
        raise StoreError("Tables are partitioned on the server itself: give its own address, without `pooler`.")
    connection = await connect_alone(url)
    try:
        if not await connection.fetchval(f"SELECT pg_try_advisory_lock({WORKING})"):
            raise StoreBusy("Another command is partitioning the tables of this database.")
        return [await _partition(connection, each, now, on_table) for each in await _plain(connection)]
    except FAULTS as error:
        raise translate(error) from error
    finally:
        await connection.close()


async def _plain(connection: Any) -> list[Partitioned]:
    """Return the tables that are not partitioned yet."""
    kinds = {name: await connection.fetchval(KIND, name) for name in PARTITIONED}
    return [PARTITIONED[name] for name, kind in kinds.items() if kind == "r"]


async def _partition(connection: Any, table: Partitioned, now: int, on_table: Callable[[str], object]) -> Moved:
    on_table(table.table)
    until = now // DAY_MS * DAY_MS + AHEAD_MS
    first = Part(table.first(until), None, until)
    bound = bound_of(table)
    drop = f"ALTER TABLE {table.table} DROP CONSTRAINT IF EXISTS {bound}"
    check = f"ALTER TABLE {table.table} ADD CONSTRAINT {bound} CHECK ({table.column} < {table.bound(until)}) NOT VALID"
    await _briefly(connection, drop, check)
    try:
        await connection.execute(f"ALTER TABLE {table.table} VALIDATE CONSTRAINT {bound}")
        rows = await connection.fetchval("SELECT reltuples::bigint FROM pg_class WHERE oid = to_regclass($1)",
                                         table.table)  # fmt: skip
        await _briefly(connection, *await _exchange(connection, table, first))
    except BaseException:
        await asyncio.shield(_briefly(connection, drop))
        raise
    await connection.execute(f"ANALYZE {table.table}")  # which autovacuum does for partitions, not for their parent
    return Moved(table.table, max(rows, 0))


async def _exchange(connection: Any, table: Partitioned, first: Part) -> list[str]:
    """Return the statements that make the table the first partition of a new one of its name."""
    name, bound = table.table, bound_of(table)
    indexes = await connection.fetch(_INDEXES, name)
    triggers = [row["made"] for row in await connection.fetch(_TRIGGERS, name)]
    grants = await connection.fetch(_GRANTS, name)
    return [
        f"LOCK TABLE {name} IN ACCESS EXCLUSIVE MODE",
        f"ALTER TABLE {name} RENAME TO {first.name}",
        *[f"ALTER INDEX {row['name']} RENAME TO {row['name']}_first" for row in indexes],
        (
            f"CREATE TABLE {name} (LIKE {first.name} INCLUDING DEFAULTS INCLUDING CONSTRAINTS) "
            f"PARTITION BY RANGE ({table.column})"
        ),
        f"ALTER TABLE {name} DROP CONSTRAINT {bound}",
        *[f"ALTER TABLE {name} ADD {row['key']}" if row["is_primary"] else row["made"] for row in indexes],
        *triggers,
        *[f"GRANT {row['privilege']} ON {name} TO {row['grantee']}" for row in grants],
        f"ALTER TABLE {name} ATTACH PARTITION {first.name} {first.values(table)}",
        f"ALTER TABLE {first.name} DROP CONSTRAINT {bound}",
        f"CREATE TABLE {table.rest} PARTITION OF {name} DEFAULT",
    ]


async def _briefly(connection: Any, *statements: str) -> None:
    """Run statements in one transaction that waits for no lock for long, as often as it takes.

    Raise StoreBusy if a lock was never to be had.
    """
    for _ in range(TRIES):
        try:
            async with connection.transaction():
                await connection.execute(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'")
                for statement in statements:
                    await connection.execute(statement)
        except asyncpg.LockNotAvailableError:
            await asyncio.sleep(1)
        else:
            return
    raise StoreBusy("A table could not be locked: end what reads it for long (a dump, a report), and run this again.")
