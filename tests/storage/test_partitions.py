"""Tables partitioned by time: moved beside a serving hub, unique over all partitions, dropped by whole periods."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any

import asyncpg
import pytest

from hub.app import Hub
from hub.clock import system_clock
from hub.ids import id_at
from hub.operations.audits.audit import audit
from hub.storage import Store, StoreBusy, StoreError
from hub.storage.postgresql import partitioning
from hub.storage.postgresql.partitioning import bound_of, partition_tables
from hub.storage.postgresql.partitions import DAY_MS, HOUR_MS, PARTITIONED, Part
from hub.testing.clock import FakeClock
from tests.polling import until
from tests.served_hub import Api, api_of, served

KEEP_ALL = dict.fromkeys(PARTITIONED, 0)


@pytest.fixture
async def database(postgres_url: str) -> AsyncIterator[Any]:
    """A connection to the database, past the hub."""
    connection = await asyncpg.connect(postgres_url)
    yield connection
    await connection.close()


@pytest.fixture
async def hub(postgres_url: str, clock: FakeClock) -> AsyncIterator[Hub]:
    async with served(postgres_url, clock) as hub:
        yield hub


@pytest.fixture
async def api(hub: Hub, clock: FakeClock) -> AsyncIterator[Api]:
    async with api_of(hub, clock) as api:
        yield api


async def parts_of(database: Any, table: str) -> list[str]:
    rows = await database.fetch(
        "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = to_regclass($1) ORDER BY 1", table
    )
    return [row["name"] for row in rows]


async def shape_of(database: Any, table: str) -> tuple[list[str], list[str], list[str]]:
    """Return a table's columns, keys and indexes, and triggers, as SQL writes them."""
    columns = await database.fetch(
        "SELECT attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull AS c FROM pg_attribute"
        " WHERE attrelid = to_regclass($1) AND attnum > 0 ORDER BY attnum",
        table,
    )
    indexes = await database.fetch(
        "SELECT replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') AS c FROM pg_index"
        " WHERE indrelid = to_regclass($1) ORDER BY 1",
        table,
    )
    triggers = await database.fetch(
        "SELECT pg_get_triggerdef(oid) AS c FROM pg_trigger WHERE tgrelid = to_regclass($1) ORDER BY 1", table
    )
    return tuple([row["c"] for row in rows] for rows in (columns, indexes, triggers))  # type: ignore[return-value]  # three


async def test_a_serving_hub_is_partitioned_without_a_refusal(
    hub: Hub, api: Api, postgres_url: str, database: Any, clock: FakeClock
) -> None:
    """Orders come in all the time; what the tables look like to the hub stays the same, and the books hold."""
    before = {name: await shape_of(database, name) for name in PARTITIONED}
    statuses: list[int] = []
    done = asyncio.Event()

    async def report() -> None:
        while not done.is_set():
            body = {"externalOrderId": f"o-{len(statuses)}", "orderAmount": "10.00", "currency": "USD"}
            statuses.append((await api("POST", "/v1/conversions", body)).status)

    reporting = asyncio.create_task(report())
    await until(lambda: len(statuses) > 20)
    moved = await partition_tables(postgres_url, system_clock())
    so_far = len(statuses)
    await until(lambda: len(statuses) > so_far + 20)
    done.set()
    await reporting
    assert {each.table for each in moved} == set(PARTITIONED)
    assert set(statuses) == {202}
    assert {name: await shape_of(database, name) for name in PARTITIONED} == before
    assert await database.fetchval("SELECT count(*) FROM payloads") == len(statuses)
    assert await partition_tables(postgres_url, system_clock()) == []
    assert (await audit(hub.parts.store, clock))["violations"] == []


async def test_a_signature_counts_once_over_all_partitions(postgres_url: str, database: Any) -> None:
    """The key is unique as before: what the first partition has, no later one takes, and a new period has its own."""
    now = system_clock()
    insert = "INSERT INTO signatures VALUES ('acc', $1, 's')"
    await database.execute(insert, now // 1000)
    await partition_tables(postgres_url, now)
    with pytest.raises(asyncpg.UniqueViolationError):
        await database.execute(insert, now // 1000)
    later = now + 9 * DAY_MS
    async with await Store.open(postgres_url) as store:
        await store.keep_partitions(later, KEEP_ALL)
    await database.execute(insert, later // 1000)
    with pytest.raises(asyncpg.UniqueViolationError):
        await database.execute(insert, later // 1000)
    table = PARTITIONED["signatures"]
    where = "SELECT tableoid::regclass::text FROM signatures WHERE signed_at = $1"
    home = await database.fetchval(where, later // 1000)
    assert home == table.part(later // HOUR_MS * HOUR_MS)


async def test_a_period_is_dropped_once_all_of_it_was_kept_long_enough(postgres_url: str, database: Any) -> None:
    now = system_clock()
    await partition_tables(postgres_url, now)
    later = now + 10 * DAY_MS
    async with await Store.open(postgres_url) as store:
        assert await store.keep_partitions(later, KEEP_ALL) == {
            name: table.period_ms for name, table in PARTITIONED.items()
        }
        for moment in (now, later, later + DAY_MS):
            await database.execute(
                "INSERT INTO request_log (account_id, logged_at, log_id, request_id, method, path, status, duration_us)"
                " VALUES ('acc', $1, 'l', 'r', 'GET', '/', 200, 1)",
                moment,
            )
        held = await parts_of(database, "request_log")
        until = (later // DAY_MS + 1) * DAY_MS
        await store.keep_partitions(later, KEEP_ALL | {"request_log": until - 1})
        rows = await database.fetch("SELECT logged_at FROM request_log ORDER BY 1")
        assert [row["logged_at"] for row in rows] == [later, later + DAY_MS]
        await store.keep_partitions(later, KEEP_ALL | {"request_log": until})
        assert await database.fetchval("SELECT count(*) FROM request_log") == 1
    left = await parts_of(database, "request_log")
    assert len(held) - len(left) >= 2
    assert "request_log_rest" in left


async def test_bodies_that_are_needed_outlive_their_period(postgres_url: str, database: Any) -> None:
    """A failed event keeps its body, and the change feed is told of bodies that it told of."""
    now = system_clock()
    await partition_tables(postgres_url, now)
    later = now + 10 * DAY_MS
    async with await Store.open(postgres_url) as store:
        await store.keep_partitions(later, KEEP_ALL)
        for name, status, body in (("a", "FAILED", "{}"), ("b", "PROCESSED", "{}"), ("c", "PROCESSED", '{"reason":1}')):
            event_id = id_at("evt", later) + name
            await database.execute(
                "INSERT INTO events (account_id, event_id, type, status, received_at, attempts)"
                " VALUES ('acc', $1, 'conversion', $2, 0, 0)",
                event_id,
                status,
            )
            await database.execute("INSERT INTO payloads VALUES ('acc', $1, $2, 0, NULL)", event_id, body)
        await database.execute("DELETE FROM new_changes")
        await store.keep_partitions(later, KEEP_ALL | {"payloads": later + 2 * DAY_MS})
    rows = await database.fetch("SELECT event_id, tableoid::regclass::text AS home FROM payloads")
    assert [tuple(row) for row in rows] == [(id_at("evt", later) + "a", "payloads_rest")]
    noted = await database.fetch("SELECT * FROM new_changes")
    assert [row[2] for row in noted] == [id_at("evt", later) + "c"]


@pytest.mark.prove
async def test_a_command_that_was_killed_refuses_nothing_for_long(
    postgres_url: str, database: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It leaves a constraint; a serving process takes it away, but not from a command that works."""
    table = PARTITIONED["payloads"]
    bound = f"ALTER TABLE payloads ADD CONSTRAINT {bound_of(table)} CHECK (event_id < 'evt_1') NOT VALID"
    count = "SELECT count(*) FROM pg_constraint WHERE conname = 'payloads_partition_bound'"
    await database.execute(bound)
    async with await Store.open(postgres_url) as store:
        await database.execute(f"SELECT pg_advisory_lock({partitioning.WORKING})")
        with pytest.raises(StoreBusy, match="Another command is partitioning"):
            await partition_tables(postgres_url, system_clock())
        assert await store.keep_partitions(system_clock(), KEEP_ALL) == {}
        assert await database.fetchval(count) == 1
        await database.execute(f"SELECT pg_advisory_unlock({partitioning.WORKING})")
        await store.keep_partitions(system_clock(), KEEP_ALL)
        assert await database.fetchval(count) == 0
    # A table that somebody reads for long is given up with a sentence, and is as it was.
    monkeypatch.setattr(partitioning, "TRIES", 1)
    async with database.transaction():
        await database.fetch("SELECT 1 FROM payloads")
        with pytest.raises(StoreBusy, match="end what reads it for long"):
            await partition_tables(postgres_url, system_clock())
    assert await database.fetchval(count) == 0
    assert len(await partition_tables(postgres_url, system_clock())) == len(PARTITIONED)


async def test_no_lock_is_left_with_a_pooler(postgres_url: str) -> None:
    with pytest.raises(StoreError, match="without `pooler`"):
        await partition_tables(f"{postgres_url}?pooler=transaction", 0)


def test_partitions_follow_each_other_without_a_gap() -> None:
    table, now = PARTITIONED["request_log"], 20_000 * DAY_MS + 5
    first = Part(table.first(20_003 * DAY_MS), None, 20_003 * DAY_MS)
    wanted = table.wanted(now, [first])
    assert [part.begin for part in wanted] == [day * DAY_MS for day in range(20_003, 20_008)]
    assert all(one.end == other.begin for one, other in pairwise(wanted))
    assert [table.read(part.name) for part in (first, *wanted)] == [first, *wanted]
    assert table.read(table.rest) is None
    assert table.wanted(now, [first, *wanted]) == []
