"""Clicks that nothing needs any more are forgotten, and no others, on both databases."""

from __future__ import annotations

import sqlite3

import asyncpg
import pytest

from hub.ids import id_at
from hub.processing import click_retention
from hub.processing.click_retention import ClickRetention
from hub.storage import Store
from hub.storage.named_queries.compiler import load_queries
from hub.tracking.click_batcher import Click
from tests.processing.harness import DAY, NOON, Harness

MARGIN = 90 * DAY
WINDOW = 30 * DAY


def retention(store: Store) -> ClickRetention:
    return ClickRetention(store, margin_ms=MARGIN, default_window_ms=WINDOW)


async def click(harness: Harness, at: int, number: int = 0, campaign_id: str | None = None) -> str:
    """Record a click that happened at a moment (ms UTC), its id too."""
    click_id = f"{id_at('clk', at)}{number:020x}"
    row = Click(harness.account_id, click_id, "code", harness.affiliate_id, campaign_id, at, None)
    async with harness.store.write() as tx:
        await tx.run("insert_clicks", clicks=[row])
    return click_id


async def kept(harness: Harness, *click_ids: str) -> list[str]:
    async with harness.store.read() as tx:
        rows = await tx.all("load_clicks", clicks=[(harness.account_id, each) for each in click_ids])
    return sorted(row["click_id"] for row in rows)


async def test_a_click_goes_once_no_order_can_earn_by_it(harness: Harness) -> None:
    old = await click(harness, NOON - WINDOW - MARGIN - 1)
    young = await click(harness, NOON - WINDOW - MARGIN + 1)
    assert await retention(harness.store).sweep(harness.account_id, NOON) == 1
    assert await kept(harness, old, young) == [young]


async def test_a_click_that_an_order_names_stays(harness: Harness) -> None:
    """The control is the click beside it, which differs only in having no order."""
    named, unnamed = [await click(harness, NOON - 200 * DAY, number) for number in range(2)]
    await harness.order("A-1", clickId=named)
    await harness.work()
    assert await retention(harness.store).sweep(harness.account_id, NOON) == 1
    assert await kept(harness, named, unnamed) == [named]


async def test_the_longest_window_of_the_account_decides(harness: Harness) -> None:
    """A campaign with a long window keeps all clicks of its account, since the hub cannot know what an order names."""
    await harness.campaign(days=365)
    inside, outside = [await click(harness, NOON - days * DAY) for days in (365 + 89, 365 + 91)]
    assert await retention(harness.store).sweep(harness.account_id, NOON) == 1
    assert await kept(harness, inside, outside) == [inside]


async def test_a_late_order_within_the_margin_still_earns(harness: Harness) -> None:
    """Ordered inside the window, reported 80 days after its end: the click is still there."""
    named = await click(harness, NOON - WINDOW - 80 * DAY)
    await retention(harness.store).sweep(harness.account_id, NOON)
    await harness.order("A-2", clickId=named, orderedAt="2026-08-10T12:00:00Z")
    await harness.work()
    conversion = await harness.conversion("A-2")
    assert conversion is not None
    assert (conversion["confidence"], conversion["reason"]) == ("HIGH", "matched")


async def test_many_clicks_go_in_batches_and_those_that_stay_are_passed_over(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(click_retention, "CLICKS_AT_ONCE", 10)
    monkeypatch.setattr(click_retention, "BATCHES_AT_ONCE", 3)
    old = NOON - 200 * DAY
    rows = [
        Click(harness.account_id, f"{id_at('clk', old)}{n:020x}", "c", harness.affiliate_id, None, old, None)
        for n in range(45)
    ]
    async with harness.store.write() as tx:
        await tx.run("insert_clicks", clicks=rows)
    for number in (0, 25, 44):
        await harness.order(f"A-{number}", clickId=rows[number].click_id)
    await harness.work()
    sweeper = retention(harness.store)
    assert [await sweeper.sweep(harness.account_id, NOON) for _ in range(3)] == [28, 14, 0]
    assert await kept(harness, *[row.click_id for row in rows]) == [rows[number].click_id for number in (0, 25, 44)]


async def test_clicks_of_one_moment_are_told_apart(harness: Harness) -> None:
    old = NOON - 200 * DAY
    same, other = [f"{id_at('clk', old)}{end:020x}" for end in (1, 2)]  # the index knows the moment alone
    rows = [Click(harness.account_id, each, "c", harness.affiliate_id, None, old, None) for each in (same, other)]
    async with harness.store.write() as tx:
        await tx.run("insert_clicks", clicks=rows)
    await harness.order("A-1", clickId=other)
    await harness.work()
    async with harness.store.read() as tx:
        assert await tx.all("orders_named", account_id=harness.account_id, name=same) == []
        assert len(await tx.all("orders_named", account_id=harness.account_id, name=other)) == 1
        assert [each["kind"] for each in await tx.all("ids_anywhere", id=same)] == ["link"]
        assert [each["kind"] for each in await tx.all("ids_anywhere", id=other)] == ["conversion"]
    assert await retention(harness.store).sweep(harness.account_id, NOON) == 1
    assert await kept(harness, same, other) == [other]


async def test_sweeping_reads_no_table_on_sqlite(sqlite_harness: Harness) -> None:
    plan = " ".join(await sqlite_harness.store.explain("forget_clicks"))
    assert "conversions_by_click" in plan
    assert "SCAN" not in plan
    database = sqlite3.connect(":memory:")  # the control: without the index conversions are read for each click
    database.execute(
        "CREATE TABLE conversions (account_id, conversion_id, click_id, PRIMARY KEY (account_id, conversion_id))"
    )
    database.execute("CREATE TABLE clicks (account_id, click_id, PRIMARY KEY (account_id, click_id)) WITHOUT ROWID")
    without = database.execute(
        "EXPLAIN QUERY PLAN DELETE FROM clicks WHERE account_id = 'a' AND NOT EXISTS (SELECT 1 FROM conversions"
        " WHERE conversions.account_id = clicks.account_id AND conversions.click_id = clicks.click_id)"
    ).fetchall()
    database.close()
    assert "click_id=?" not in str(without)


async def test_sweeping_reads_no_table_on_postgresql(postgres_url: str) -> None:
    connection = await asyncpg.connect(postgres_url)
    await connection.execute(
        "INSERT INTO clicks SELECT 'acc_1', 'clk_' || lpad(to_hex(n), 32, '0'), 'c', 'aff', NULL, n"
        " FROM generate_series(1, 20000) AS n"
    )
    await connection.execute(
        "INSERT INTO conversions SELECT 'acc_1', 'cnv_' || n, 'evt', 'A-' || n, 1, 1, 'USD', '[]',"
        " 'clk_' || lpad(to_hex(n * 2), 32, '0'), NULL, NULL, 1, 1, 'LOW', 'matched', NULL, NULL, NULL, NULL, 1"
        " FROM generate_series(1, 10000) AS n"
    )
    await connection.execute("ANALYZE clicks")
    await connection.execute("ANALYZE conversions")
    last = "clk_" + f"{20:x}".zfill(32)  # few beside all conversions, as a batch is beside a grown table
    values = {"account_id": "acc_1", "after": "", "last": last, "cutoff": 10**9}
    [(sql, bound)] = load_queries("postgresql")["forget_clicks"].statements(values)
    explain = f"EXPLAIN {sql}"
    plan = str(await connection.fetch(explain, *bound))
    await connection.execute("DROP INDEX conversions_by_click")  # the control
    without = str(await connection.fetch(explain, *bound))
    await connection.close()
    assert "Seq Scan" not in plan
    assert "clicks_pkey" in plan
    assert "conversions_by_click" in plan
    assert "Seq Scan on conversions" in without
