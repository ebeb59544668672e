"""Where a batch runs, and how many events it takes: nothing of that changes what is decided."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from asyncpg import Connection

from hub.processing import batch, worker
from hub.processing.ahead import SHORT_BODY
from hub.processing.batch import Batch
from hub.processing.events import Event, Statement, translate
from hub.processing.worker import BACKLOG_BATCHES, BRIEF_EVENTS
from hub.storage.sqlite import group_commit as sqlite_company
from tests.processing.harness import NOON, House
from tests.uploads.ledger import ledger

BATCH = 64
"""What the worker of a house takes."""


@pytest.mark.parametrize("query", ["claim_due_events", "claim_due_event"])
async def test_an_event_is_read_by_its_columns_places(house: House, query: str) -> None:
    """Which no name guards: so the query's columns are the record's fields, one by one."""
    accepted = await house.order("B-1")
    whose = {"account_id": house.account_id, "event_id": accepted.event_id}
    values = {"limit": 1} if query == "claim_due_events" else whose
    async with house.store.write() as tx:
        (row,) = await tx.all(query, now=NOON, **values)
        assert tuple(row.keys()) == Event._fields


@contextmanager
def watched(house: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, int]]]:
    """Notes of each batch in which thread it was decided ("loop" or "another") and how many events it held."""
    loop, batches = threading.get_ident(), list[tuple[str, int]]()
    original: Callable[..., Awaitable[Any]] = Batch.work

    async def work(self: Batch, claimed: Any) -> Any:
        batches.append(("loop" if threading.get_ident() == loop else "another", len(claimed)))
        return await original(self, claimed)

    with monkeypatch.context() as patched:
        patched.setattr(Batch, "work", work)
        yield batches


async def test_beside_requests_short_events_are_decided_in_the_loops_own_thread(
    sqlite_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few at a time, so that the loop stands still for no longer than a request may wait."""
    for number in range(BRIEF_EVENTS + 5):
        await sqlite_house.order(f"B-{number}")
    with watched(sqlite_house, monkeypatch) as batches:
        sqlite_house.worker.wake()
        await sqlite_house.work()
    assert batches == [("loop", BRIEF_EVENTS), ("loop", 5)]


async def test_a_long_body_is_never_read_in_the_loops_thread(
    sqlite_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One among the next events is enough; what comes after it is brief again."""
    for number in range(BRIEF_EVENTS + 3):
        await sqlite_house.order(f"B-{number}")
    await sqlite_house.order("LONG", metadata={"note": "x" * SHORT_BODY})
    await sqlite_house.order("B-last")
    with watched(sqlite_house, monkeypatch) as batches:
        for _ in range(3):
            sqlite_house.worker.wake()
            await sqlite_house.worker.run_once()
    assert batches == [("loop", BRIEF_EVENTS), ("another", 5)]


async def test_a_backlog_is_decided_in_larger_batches_unless_bodies_are_long(
    sqlite_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for the loop, and each commit waits for the disk; memory is bounded by the short bodies."""
    most = BATCH * BACKLOG_BATCHES
    for number in range(most + 1):
        await sqlite_house.order(f"B-{number}")
    await sqlite_house.order("LONG", metadata={"note": "x" * SHORT_BODY})
    for number in range(most):
        await sqlite_house.order(f"C-{number}")
    with watched(sqlite_house, monkeypatch) as batches:
        await sqlite_house.work()
    assert batches[0] == ("another", most)
    assert batches[1] == ("another", BATCH)
    assert sum(count for _, count in batches) == 2 * most + 2


async def test_where_a_batch_runs_changes_nothing(
    sqlite_house: House, sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same events end as the same bytes in the ledger, decided in the loop's thread and in the writer's."""
    await sqlite_house.shop_day()
    await sqlite_house.close()
    monkeypatch.setattr(worker, "BACKLOG_BATCHES", 1)
    ends = []
    for busy_seconds in (worker.BUSY_SECONDS * 1_000, -1.0):
        monkeypatch.setattr(worker, "BUSY_SECONDS", busy_seconds)
        copy = tmp_path / f"{busy_seconds}.db"
        shutil.copy(sqlite_url.removeprefix("sqlite:///"), copy)
        house = await House.enter(f"sqlite:///{copy}")
        house.worker._batch = BRIEF_EVENTS
        house.worker.wake()
        with watched(house, monkeypatch) as batches:
            await house.work()
        await house.close()
        ends.append(({thread for thread, _ in batches}, ledger(copy)))
    (brief, one), (in_the_thread, other) = ends
    assert (brief, in_the_thread) == ({"loop"}, {"another"})
    assert one == other
    assert one.count(b'"commission_id"') > 50


async def _beside_an_order(house: House, number: str, monkeypatch: pytest.MonkeyPatch) -> tuple[str, int]:
    """Files an order while a batch waits to be committed with it: its event, and how many events the batch held."""
    monkeypatch.setattr(sqlite_company, "PATIENCE_SECONDS", 60)
    house.worker.wake()
    working = asyncio.create_task(house.worker.run_once())
    await asyncio.sleep(0.05)
    assert not working.done()
    accepted = await house.order(number)
    return accepted.event_id, await working


async def test_beside_requests_a_batch_is_committed_with_the_orders_that_come(
    sqlite_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And holds them too, since it begins when they are filed."""
    first = await sqlite_house.order("B-1")
    second, held = await _beside_an_order(sqlite_house, "B-2", monkeypatch)
    assert held == 2
    assert {(await sqlite_house.event(each))["status"] for each in (first.event_id, second)} == {"PROCESSED"}


async def test_a_batch_that_fails_takes_no_order_with_it(sqlite_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The order that came meanwhile is accepted, and of the events only the bad one is put off."""

    def trip(event: Event) -> Statement:
        if event.external_order_id == "BAD":
            raise RuntimeError("a fault of ours")
        return translate(event)

    monkeypatch.setattr(batch, "translate", trip)
    good, bad = await sqlite_house.order("GOOD"), await sqlite_house.order("BAD")
    meanwhile, held = await _beside_an_order(sqlite_house, "MEANWHILE", monkeypatch)
    assert held == 3
    events = {each["event_id"]: (each["status"], each["attempts"]) for each in await sqlite_house.rows("event_rows")}
    assert events == {
        good.event_id: ("PROCESSED", 1), bad.event_id: ("RECEIVED", 1), meanwhile: ("PROCESSED", 1)
    }  # fmt: skip


async def test_postgresql_takes_what_the_setting_says_and_more_where_more_waits(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several nodes share its events; one that cannot keep up waits less often for the same number of them."""
    house = await House.open(postgres_url)
    for number in range(BATCH * (1 + BACKLOG_BATCHES) + 5):
        await house.order(f"B-{number}")
    with watched(house, monkeypatch) as batches:
        await house.work()
    await house.close()
    assert [count for _, count in batches] == [BATCH, BATCH * BACKLOG_BATCHES, 5]


@pytest.mark.parametrize(("in_campaign", "waits"), [(False, 4), (True, 5)])
async def test_postgresql_is_waited_for_four_times_within_a_batch(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch, in_campaign: bool, waits: int
) -> None:
    """To claim, lock, read and write, however many orders there are; once more where clicks belong to campaigns."""
    house = await House.open(postgres_url)
    campaign_id = await house.campaign() if in_campaign else None
    for number in range(10):
        click_id = await house.click(campaign_id)
        await house.order(
            f"O-{number}", clickId=click_id, externalProductId="p1", couponCode="ADA10", orderStatus="paid"
        )
    asked = list[str]()

    def watch(name: str) -> None:
        original = getattr(Connection, name)

        async def noted(self: Connection, sql: str, *arguments: Any, **options: Any) -> Any:
            asked.extend([sql] if sql not in ("BEGIN", "COMMIT") else [])
            return await original(self, sql, *arguments, **options)

        monkeypatch.setattr(Connection, name, noted)

    watch("fetch")
    watch("execute")
    assert await house.worker.run_once() == 10
    assert len(asked) == waits, asked
    monkeypatch.undo()
    assert len(await house.rows("commission_rows")) == 10
    await house.close()
