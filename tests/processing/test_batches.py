"""How many events a batch takes, and with whom it is committed: nothing of that changes what is decided."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from asyncpg import Connection

from hub.processing import worker
from hub.processing.due_events import LONG_BODY
from hub.processing.events import Event, EventFacts, read_report
from hub.processing.worker import BACKLOG_BATCHES, EVENTS_BESIDE_REQUESTS, EVENTS_WITH_LONG_BODIES
from tests.conftest import database_url
from tests.csv_import.ledger import ledger
from tests.processing.harness import NOON, Harness

__all__ = ["database_url"]

BATCH = 64
"""What the worker of a harness takes."""


@pytest.mark.parametrize("query", ["claim_due_events", "claim_due_event", "claim_due_events_of"])
async def test_the_columns_of_an_event_are_the_fields_of_its_record(harness: Harness, query: str) -> None:
    accepted = await harness.order("B-1")
    values: dict[str, dict[str, Any]] = {
        "claim_due_events": {"limit": 1},
        "claim_due_event": {"account_id": harness.account_id, "event_id": accepted.event_id},
        "claim_due_events_of": {"account_id": harness.account_id, "webhooks": 0, "limit": 1},
    }
    async with harness.store.write() as tx:
        (row,) = await tx.all(query, now=NOON, **values[query])
        assert tuple(row.keys()) == Event._fields


def batch_sizes(harness: Harness) -> list[int]:
    """The number of events in each batch that commits from now on."""
    sizes: list[int] = []

    def note(results: Sequence[object]) -> None:
        sizes.append(len(results))

    harness.worker.on_results(note)
    return sizes


async def report_orders(harness: Harness, prefix: str, count: int) -> None:
    for number in range(count):
        await harness.order(f"{prefix}-{number}")


async def test_beside_requests_a_batch_on_sqlite_is_small(sqlite_harness: Harness) -> None:
    """Because the event loop stands still while it is decided."""
    await report_orders(sqlite_harness, "B", EVENTS_BESIDE_REQUESTS + 5)
    sizes = batch_sizes(sqlite_harness)
    sqlite_harness.worker.wake()
    await sqlite_harness.work()
    assert sizes == [EVENTS_BESIDE_REQUESTS, 5]


async def test_a_batch_on_sqlite_with_a_long_body_is_smaller_still(sqlite_harness: Harness) -> None:
    """One among the next events is enough; what comes after it is taken as before."""
    await sqlite_harness.order("LONG", metadata={"note": "x" * LONG_BODY})
    await report_orders(sqlite_harness, "B", EVENTS_WITH_LONG_BODIES + 1)
    sizes = batch_sizes(sqlite_harness)
    await sqlite_harness.work()
    assert sizes == [EVENTS_WITH_LONG_BODIES, 2]


async def test_a_backlog_on_sqlite_is_decided_in_larger_batches(sqlite_harness: Harness) -> None:
    """Nobody waits for the event loop, and each commit waits for the disk."""
    most = BATCH * BACKLOG_BATCHES
    await report_orders(sqlite_harness, "B", most + 1)
    sizes = batch_sizes(sqlite_harness)
    await sqlite_harness.work()
    assert sizes == [most, 1]


async def test_the_size_of_a_batch_changes_nothing(
    sqlite_harness: Harness, sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same events end as the same bytes in the ledger, decided three at a time or hundreds."""
    await sqlite_harness.shop_day()
    await sqlite_harness.close()
    ledgers = []
    for batches in (1, BACKLOG_BATCHES):
        monkeypatch.setattr(worker, "BACKLOG_BATCHES", batches)
        copy = tmp_path / f"{batches}.db"
        shutil.copy(sqlite_url.removeprefix("sqlite:///"), copy)
        harness = await Harness.attach(f"sqlite:///{copy}", batch=3 if batches == 1 else BATCH)
        sizes = batch_sizes(harness)
        await harness.work()
        await harness.close()
        # Of a backlog, the reports are one batch, and the webhooks, which a plugin reads in between, are another.
        assert max(sizes) == 3 if batches == 1 else len(sizes) == 2
        ledgers.append(ledger(copy, without=["attempts"]))  # news that waits for its order is taken up twice
    assert ledgers[0] == ledgers[1]
    assert ledgers[0].count(b'"commission_id"') > 50


async def test_a_batch_that_fails_takes_no_order_with_it(
    sqlite_harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order that came at the same moment is accepted, and of the events only the bad one is put off."""

    def trip(event: Event) -> EventFacts:
        if event.external_order_id == "BAD":
            raise RuntimeError("a fault of ours")
        return read_report(event)

    monkeypatch.setattr(worker, "read_report", trip)
    good, bad = await sqlite_harness.order("GOOD"), await sqlite_harness.order("BAD")
    meanwhile, held = await asyncio.gather(sqlite_harness.order("MEANWHILE"), sqlite_harness.worker.run_once())
    assert held >= 2
    await sqlite_harness.work()
    events = {each["event_id"]: (each["status"], each["attempts"]) for each in await sqlite_harness.rows("event_rows")}
    assert events == {
        good.event_id: ("PROCESSED", 1), bad.event_id: ("RECEIVED", 1), meanwhile.event_id: ("PROCESSED", 1)
    }  # fmt: skip


async def test_postgresql_takes_what_the_setting_says_and_more_where_more_waits(postgres_url: str) -> None:
    """Several nodes share its events; one that cannot keep up waits less often for the same number of them."""
    harness = await Harness.open(postgres_url)
    await report_orders(harness, "B", BATCH * (1 + BACKLOG_BATCHES) + 5)
    sizes = batch_sizes(harness)
    await harness.work()
    await harness.close()
    assert sizes == [BATCH, BATCH * BACKLOG_BATCHES, 5]


@pytest.mark.parametrize(("in_campaign", "waits"), [(False, 6), (True, 7)])
async def test_postgresql_is_waited_for_six_times_within_a_batch(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch, in_campaign: bool, waits: int
) -> None:
    """To claim, lock, read, write, lock the ledger and post, however many orders; once more if clicks have campaigns.

    The ledger's end is the last lock, so that another node waits for it during one round trip and the commit only.
    """
    harness = await Harness.open(postgres_url)
    campaign_id = await harness.campaign() if in_campaign else None
    for number in range(10):
        click_id = await harness.click(campaign_id)
        await harness.order(
            f"O-{number}", clickId=click_id, externalProductId="p1", couponCode="ADA10", orderStatus="paid"
        )
    asked = list[str]()

    def watch(name: str) -> None:
        original = getattr(Connection, name)

        async def noted(self: Connection, sql: str, *arguments: Any, **options: Any) -> Any:
            asked.extend([] if sql.startswith("BEGIN") or sql == "COMMIT" else [sql])
            return await original(self, sql, *arguments, **options)

        monkeypatch.setattr(Connection, name, noted)

    watch("fetch")
    watch("execute")
    assert await harness.worker.run_once() == 10
    assert len(asked) == waits, asked
    assert "ledger_heads" in asked[-2]
    assert "ledger_entries" in asked[-1]
    assert not any("ledger_" in each for each in asked[:-2])
    monkeypatch.undo()
    assert len(await harness.rows("commission_rows")) == 10
    await harness.close()
