"""The upkeep of partitioned tables: partitions ahead of time, and the end of those that were kept long enough.

It waits for no lock for long: what could not be had is tried again at the next turn. Of a table that is not partitioned
it takes away the constraint that a killed `hub migrate --partition` left behind.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import structlog

from hub.storage.errors import BadValue, StoreUnavailable
from hub.storage.postgresql.partitioning import KIND, LOCK_SECONDS, WORKING, bound_of
from hub.storage.postgresql.partitions import PARTITIONED, Part, Partitioned
from hub.storage.session import Session

PAGES: Final = 2_000
"""How many of a table's blocks one transaction looks through."""
_PARTS: Final = """
SELECT c.relname::text AS name FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
WHERE i.inhparent = to_regclass($1) ORDER BY name
"""
_BOUNDED: Final = "SELECT 1 FROM pg_constraint WHERE conrelid = to_regclass($1) AND conname = $2"
_BLOCKS: Final = "SELECT pg_relation_size(to_regclass($1)) / current_setting('block_size')::bigint AS blocks"
_WAITING: Final = """
SELECT account_id, event_id FROM events WHERE due_at IS NOT NULL
UNION SELECT account_id, event_id FROM events WHERE status = 'FAILED' OR status = 'PARKED'
"""
"""Events whose bodies are still needed, as in `sweep_payloads`; both are read from indexes of few rows."""
_FIND_TOLD: Final = """
SELECT account_id, event_id FROM {part}
WHERE ctid >= '({low},0)'::tid AND ctid < '({high},0)'::tid AND (body LIKE '%"reason"%' OR body LIKE '%"metadata"%')
  AND (account_id, event_id) NOT IN ({waiting})
"""
_DELETE_TOLD: Final = """
DELETE FROM payloads AS p USING unnest($1::text[], $2::text[]) AS k (account_id, event_id)
WHERE p.account_id = k.account_id AND p.event_id = k.event_id AND p.event_id < {end}
"""

Begin = Callable[[], Coroutine[Any, Any, Session]]
"""Opens a transaction that writes."""

log = structlog.get_logger(__name__)


async def keep_partitions(begin: Begin, now: int, cutoffs: Mapping[str, int]) -> dict[str, int]:
    """Make partitions ahead of `now`, and drop those whose rows are all before the cutoff of their table (ms UTC).

    Return how long a period is (ms) of each table that is partitioned: by so much longer its rows may be there.
    """
    periods: dict[str, int] = {}
    for table in PARTITIONED.values():
        try:
            (kind, parts) = await _state(begin, table)
            if kind != "p":
                await _forget_bound(begin, table)
                continue
            periods[table.table] = table.period_ms
            for part in table.wanted(now, parts):
                made = f"CREATE TABLE {part.name} PARTITION OF {table.table} {part.values(table)}"
                await _briefly(begin, [made])
            for part in [each for each in parts if each.end <= cutoffs[table.table]]:
                await _drop(begin, table, part)
        except (StoreUnavailable, BadValue) as fault:
            log.warning("partitions could not be kept, which is tried again", table=table.table, fault=str(fault))
    return periods


async def _state(begin: Begin, table: Partitioned) -> tuple[str, list[Part]]:
    """Return what kind of table it is to PostgreSQL ('p' if partitioned), and the partitions that have a time."""
    async with _transaction(begin) as session:
        rows = await session.fetch(KIND, [table.table])
        names = [row["name"] for row in await session.fetch(_PARTS, [table.table])]
    return str(rows[0]["relkind"]), [part for name in names if (part := table.read(name)) is not None]


async def _forget_bound(begin: Begin, table: Partitioned) -> None:
    """Drop the constraint of a command that was killed, unless one works."""
    async with _transaction(begin) as session:
        if await session.fetch(_BOUNDED, [table.table, bound_of(table)]):
            (free,) = await session.fetch(f"SELECT pg_try_advisory_xact_lock({WORKING}) AS had", [])
            if free["had"]:
                await session.command(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'")
                await session.command(f"ALTER TABLE {table.table} DROP CONSTRAINT {bound_of(table)}")


async def _drop(begin: Begin, table: Partitioned, part: Part) -> None:
    """Drop a partition; bodies that are still needed go into the table's rest, and those that were told are noted."""
    detach = [f"ALTER TABLE {table.table} DETACH PARTITION {part.name}"]
    if table.table == "payloads":
        await _delete_told(begin, table, part)
        detach.append(
            f"INSERT INTO payloads SELECT p.* FROM {part.name} AS p JOIN ({_WAITING}) AS w"  # noqa: S608 - our own names
            " ON w.account_id = p.account_id AND w.event_id = p.event_id"
        )
    await _briefly(begin, [*detach, f"DROP TABLE {part.name}"])
    log.info("a partition was dropped", table=table.table, partition=part.name)


async def _delete_told(begin: Begin, table: Partitioned, part: Part) -> None:
    """Delete, in short transactions, the bodies of which the change feed tells that they are gone."""
    async with _transaction(begin) as session:
        (size,) = await session.fetch(_BLOCKS, [part.name])
    for low in range(0, size["blocks"], PAGES):
        find = _FIND_TOLD.format(part=part.name, low=low, high=low + PAGES, waiting=_WAITING)
        async with _transaction(begin) as session:
            keys = await session.fetch(find, [])
            if keys:
                columns = [[row[name] for row in keys] for name in ("account_id", "event_id")]
                await session.execute(_DELETE_TOLD.format(end=table.bound(part.end)), columns)


async def _briefly(begin: Begin, statements: list[str]) -> None:
    """Run statements in one transaction that waits for no lock for long."""
    async with _transaction(begin) as session:
        for statement in (f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'", *statements):
            await session.command(statement)


@asynccontextmanager
async def _transaction(begin: Begin) -> AsyncIterator[Session]:
    session = await begin()
    try:
        yield session
    except BaseException:
        await asyncio.shield(asyncio.ensure_future(session.rollback()))
        raise
    await session.commit()
