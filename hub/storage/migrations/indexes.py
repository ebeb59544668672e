"""Indexes on large tables, built on PostgreSQL beside those who write: after the step that wants them has committed.

A step marks them by `CREATE INDEX {concurrently} name ON table ...`. The hub serves without one meanwhile, slower and
as right, so a unique one may not be built so. What a run that was killed left behind is built anew by the next `hub
migrate`, which compares what all steps want with what is there.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from hub.storage.errors import MigrationFault, StoreBusy
from hub.storage.migrations.files import Migration

PROGRESS_SECONDS: Final = 5.0
"""How often it is told how far an index is."""
_COMMENTS: Final = re.compile(r"--[^\n]*")
_INDEX: Final = re.compile(r"CREATE\s+INDEX\s+(?P<name>\w+)\s+ON\s+(?P<table>\w+)\s*(?P<rest>.*?);?\s*", re.DOTALL)
_DROPPED: Final = re.compile(r"\bDROP\s+(?:INDEX|TABLE)\s+(?:IF\s+EXISTS\s+)?(\w+)", re.IGNORECASE)
_STATE: Final = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)"
_BUILDING: Final = "SELECT pid FROM pg_stat_progress_create_index WHERE index_relid = to_regclass($1)::oid"
_FAR: Final = """
SELECT CASE WHEN blocks_total > 0 THEN 100 * blocks_done / blocks_total ELSE 0 END AS percent, phase
FROM pg_stat_progress_create_index WHERE pid = $1
"""
_PARTITIONS: Final = """
SELECT c.oid::regclass::text AS name FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
JOIN pg_class AS p ON p.oid = i.inhparent
WHERE p.oid = to_regclass($1) AND p.relkind = 'p' ORDER BY c.relname
"""

Tell = Callable[[str], object]
"""Is told in a sentence what is being built, and how far it is."""


@frozen
class Index:
    """An index that is built beside writers: its name, its table, and what stands after the table."""

    name: str
    table: str
    rest: str


def read_index(statement: str) -> Index:
    """Return what a statement of `Migration.beside` makes; raise MigrationFault if it is no plain index."""
    found = _INDEX.fullmatch(_COMMENTS.sub("", statement).strip())
    if found is None:
        raise MigrationFault(f"Only a plain index can be built beside writers, not: {statement.strip()}")
    return Index(found["name"], found["table"], found["rest"])


def wanted_indexes(steps: Sequence[Migration]) -> list[Index]:
    """Return the indexes that steps want built beside writers, without those that a later step drops."""
    wanted: dict[str, Index] = {}
    for step in steps:
        for name in _DROPPED.findall(_COMMENTS.sub("", step.text)):
            wanted = {key: each for key, each in wanted.items() if name not in (each.name, each.table)}
        wanted |= {each.name: each for each in map(read_index, step.beside)}
    return list(wanted.values())


async def build_indexes(
    connection: Any, watcher: Any, steps: Sequence[Migration], applied: Mapping[int, str], tell: Tell
) -> list[str]:
    """Build the indexes that applied steps want and the database lacks; return their names.

    `connection` is in no transaction, and `watcher` another, which asks how far the first one is. Raise StoreBusy while
    another command builds one of them.
    """
    built = []
    for index in wanted_indexes([step for step in steps if step.version in applied]):
        if await connection.fetchval(_STATE, index.name):
            continue
        if await watcher.fetchval(_BUILDING, index.name) is not None:
            raise StoreBusy(f"Another command is building the index {index.name}; this one has nothing to add.")
        parts = [row["name"] for row in await connection.fetch(_PARTITIONS, index.table)]
        await (_build_parts(connection, watcher, index, parts, tell) if parts
               else _build(connection, watcher, index, tell))  # fmt: skip
        built.append(index.name)
    return built


async def _build(connection: Any, watcher: Any, index: Index, tell: Tell) -> None:
    """Build one index anew; what a killed run left of it is dropped first."""
    tell(f"Building the index {index.name} on {index.table}, while others read and write.")
    await connection.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {index.name}")
    statement = f"CREATE INDEX CONCURRENTLY {index.name} ON {index.table} {index.rest}"
    building = asyncio.ensure_future(connection.execute(statement))
    worker = connection.get_server_pid()
    try:
        while not (await asyncio.wait({building}, timeout=PROGRESS_SECONDS))[0]:
            far = await watcher.fetchrow(_FAR, worker)
            if far is not None:
                tell(f"{index.name}: {far['phase']}, {far['percent']} %.")
        await building
    finally:
        building.cancel()


async def _build_parts(connection: Any, watcher: Any, index: Index, parts: Sequence[str], tell: Tell) -> None:
    """Build the index of each partition, then that of the whole; one that comes meanwhile gets its own at once."""
    await connection.execute(f"CREATE INDEX IF NOT EXISTS {index.name} ON ONLY {index.table} {index.rest}")
    for part in parts:
        name = f"{index.name}_{part.removeprefix(f'{index.table}_')}"
        if not await connection.fetchval(_STATE, name):
            await _build(connection, watcher, Index(name, part, index.rest), tell)
        await connection.execute(f"ALTER INDEX {index.name} ATTACH PARTITION {name}")
