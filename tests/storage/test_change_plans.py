"""Changes are numbered by look-ups however many are noted: no plan of PostgreSQL's reads all events or conversions."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import asyncpg
import pytest

from hub.storage.named_queries.compiler import load_queries

ROWS = 20_000
TABLES = {
    "events": {"event_id", "conversion_id"},
    "conversions": {"conversion_id", "event_id", "external_order_id"},
    "new_changes": {"record_id"},
}
"""Tables that are filled, and which of their columns differ in each row."""
JOINED = """\
SELECT count(*) FROM new_changes AS n JOIN events AS e ON e.account_id = n.account_id AND e.event_id = n.record_id
WHERE n.record_type = 'event'"""


@pytest.fixture
async def busy(postgres_url: str) -> AsyncIterator[asyncpg.Connection]:
    """A database in which many changes wait for their numbers, and which knows it."""
    connection = await asyncpg.connect(postgres_url)
    await connection.execute("SET session_replication_role = replica")  # rows alone: no trigger, and no foreign key
    checks = "SELECT conname FROM pg_constraint WHERE contype = 'c' AND conrelid = to_regclass($1)"
    for table, different in TABLES.items():
        for check in await connection.fetch(checks, table):
            await connection.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{check["conname"]}"')
        columns = await connection.fetch(
            "SELECT column_name AS name, data_type AS type, is_nullable AS nullable FROM information_schema.columns"
            " WHERE table_name = $1", table
        )  # fmt: skip
        values = {
            row["name"]: "g::text" if row["name"] in different else "'event'" if row["name"] == "record_type"
            else "''" if row["type"] == "text" else "0"
            for row in columns if row["name"] in different or row["nullable"] == "NO"
        }  # fmt: skip
        await connection.execute(
            f"INSERT INTO {table} ({', '.join(values)})"
            f" SELECT {', '.join(values.values())} FROM generate_series(1, {ROWS}) AS g"
        )
        await connection.execute(f"ANALYZE {table}")
    yield connection
    await connection.close()


def whole_reads(plan: dict[str, Any]) -> Iterator[str]:
    """Yield the tables that a plan reads from end to end."""
    if plan["Node Type"] == "Seq Scan":
        yield plan["Relation Name"]
    for child in plan.get("Plans", ()):
        yield from whole_reads(child)


async def read_whole(connection: asyncpg.Connection, sql: str, *values: object) -> set[str]:
    (plan,) = json.loads(await connection.fetchval(f"EXPLAIN (FORMAT JSON) {sql}", *values))
    return set(whole_reads(plan["Plan"]))


@pytest.mark.parametrize("name", ["number_changes", "number_conversions_of_events"])
async def test_a_change_is_numbered_by_look_ups(busy: asyncpg.Connection, name: str) -> None:
    query = load_queries("postgresql")[name]
    given = {"number": 1, "horizon": 1, "account_id": "", "last_account_id": "z"}
    values = [given.get(parameter.name, "") for parameter in query.parameters]
    assert await read_whole(busy, query.sql, *values) - {"new_changes"} == set()


async def test_control_a_join_reads_every_event(busy: asyncpg.Connection) -> None:
    assert "events" in await read_whole(busy, JOINED)
