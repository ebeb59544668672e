"""What partitions by time would save and cost where there are none: clicks, and events.

A click that no order names is deleted once it counts no more: what that takes, beside what storing it took, is all that
a partition could save. Events are kept for good: what a partition for each month costs those who read them is what it
takes to look into every one of them.
"""

from __future__ import annotations

import asyncio
import re
import time
from statistics import median
from typing import Any, Final

import asyncpg

from bench.plan import Figures, Measure, Requirement, Side, Value
from bench.workbench import Workbench
from hub.domain.durations import DAY
from hub.ids import id_at
from hub.processing.click_retention import ClickRetention
from hub.storage import Store
from hub.tracking.click_batcher import Click

CLICKS: Final = 200_000
AT_ONCE: Final = 100
ACCOUNTS: Final = 20
EVENTS: Final = 120_000
MONTHS: Final = 60
NOW: Final = 1_800_000_000_000
TRIES: Final = 15
WAL: Final = "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint"
PLANNED: Final = re.compile(r"(?:Planning|Execution) Time: ([\d.]+)")
READS: Final = {
    "dueMs": f"SELECT event_id FROM events WHERE due_at IS NOT NULL AND due_at <= {NOW} ORDER BY due_at LIMIT 100",
    "oneMs": "SELECT * FROM events WHERE account_id = 'acc_7' AND event_id = 'evt_00'",
    "newestMs": "SELECT * FROM events WHERE account_id = 'acc_7' ORDER BY event_id DESC LIMIT 50",
}
"""What the worker asks each turn, what finds an event by its id, and a page of an account's newest."""


def run_clicks(bench: Workbench) -> Figures:
    """Store clicks as the hub does, let their time pass, and sweep them; return bytes of WAL for each, and seconds."""
    return asyncio.run(_clicks(bench.postgres.create_empty()))


async def _clicks(url: str) -> Figures:
    retention_ms, begin = 60 * DAY, NOW - 100 * DAY
    connection = await asyncpg.connect(url)
    try:
        async with await Store.open(url, migrate=True) as store:
            before = await _wal(connection)
            for first in range(0, CLICKS, AT_ONCE):
                clicks = [_click(first + number, begin + first + number) for number in range(AT_ONCE)]
                async with store.write() as tx:
                    await tx.run("insert_clicks", clicks=clicks)
            stored = await _wal(connection) - before
            await connection.execute("VACUUM ANALYZE clicks")
            await connection.execute("CHECKPOINT")
            before, began, swept = await _wal(connection), time.perf_counter(), 0
            retention = ClickRetention(store, margin_ms=retention_ms // 2, default_window_ms=retention_ms // 2)
            for number in range(ACCOUNTS):
                swept += await retention.sweep(f"acc_{number}", NOW)
            seconds = time.perf_counter() - began
            await connection.execute("VACUUM clicks")
            deleted = await _wal(connection) - before
    finally:
        await connection.close()
    return {"clicks": float(swept), "bytesToStore": stored / CLICKS, "bytesToDelete": deleted / swept,
            "secondsForAMillion": seconds / swept * 1e6}  # fmt: skip


def _click(number: int, at: int) -> Click:
    click_id = f"{id_at('clk', at)}{number:020x}"
    return Click(f"acc_{number % ACCOUNTS}", click_id, f"code{number % 500}", f"aff_{number % 500}", None, at, None)


async def _wal(connection: Any) -> int:
    return int(await connection.fetchval(WAL))


def run_events(bench: Workbench, months: int) -> Figures:
    """Read events by what the hub asks most, planned each time; `months` is how many partitions they are in."""
    return asyncio.run(_events(bench.postgres.create_empty(), months))


async def _events(url: str, months: int) -> Figures:
    async with await Store.open(url, migrate=True):
        pass
    connection = await asyncpg.connect(url, statement_cache_size=0)
    begin, apart = NOW - MONTHS * 30 * DAY, MONTHS * 30 * DAY // EVENTS
    try:
        if months:
            await _partition_events(connection, begin, months)
        columns = ["account_id", "event_id", "type", "status", "received_at", "attempts", "due_at"]
        rows = [
            (f"acc_{number % ACCOUNTS}", f"{id_at('evt', at)}{number:020x}", "conversion", "PROCESSED", at, 0,
             at if number >= EVENTS - 200 else None)
            for number in range(EVENTS)
            for at in [begin + number * apart]
        ]  # fmt: skip
        await connection.copy_records_to_table("events", records=rows, columns=columns)
        await connection.execute("VACUUM ANALYZE events")
        return {name: await _milliseconds(connection, query) for name, query in READS.items()}
    finally:
        await connection.close()


async def _partition_events(connection: Any, begin: int, months: int) -> None:
    """Divide the empty table by time, with the keys and indexes that it has."""
    asked = (
        "SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS made FROM pg_index WHERE indrelid"
    )
    indexes = await connection.fetch(f"{asked} = 'events'::regclass")
    await connection.execute("ALTER TABLE events RENAME TO whole")
    await connection.execute("CREATE TABLE events (LIKE whole INCLUDING DEFAULTS) PARTITION BY RANGE (event_id)")
    for row in indexes:
        await connection.execute(row["made"].replace(row["name"], f"{row['name']}_parts", 1))
    for month in range(months):
        low, high = (begin + at * 30 * DAY for at in (month, month + 1))
        bounds = f"FROM ('{id_at('evt', low)}') TO ('{id_at('evt', high)}')"
        await connection.execute(f"CREATE TABLE events_{month} PARTITION OF events FOR VALUES {bounds}")
    await connection.execute("CREATE TABLE events_rest PARTITION OF events DEFAULT")


async def _milliseconds(connection: Any, query: str) -> float:
    """Return how long a query takes to be planned and run, as its server says."""
    found = list[float]()
    for _ in range(TRIES):
        lines = await connection.fetch(f"EXPLAIN (ANALYZE, SUMMARY) {query}")
        found.append(sum(map(float, PLANNED.findall("\n".join(line[0] for line in lines)))))
    return median(found)


CLICKED = Side("clicks, deleted by rows", run_clicks, once=True)
WHOLE = Side("events in one table", lambda bench: run_events(bench, 0), once=True)
APART = Side(f"events in {MONTHS} months", lambda bench: run_events(bench, MONTHS), once=True)
MEASURE = Measure(
    "partitions",
    "What partitions by time would save and cost where there are none: WAL of clicks that are stored and deleted, and "
    "milliseconds to plan and run what is asked of events.",
    (CLICKED, WHOLE, APART),
    (
        Requirement(
            "WAL to delete a click, of that to store it", Value(CLICKED, "bytesToDelete", CLICKED, "bytesToStore")
        ),
    ),
    standard=False,
)
