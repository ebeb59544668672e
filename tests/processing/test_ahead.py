"""Batches that a second process decides while this one writes: nothing of that changes what is decided."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import structlog

from hub.processing import ahead as ahead_module
from hub.processing import decider_process
from hub.processing.ahead import LARGE_BATCHES, SHORT_BODY, Ahead, Flight
from hub.processing.decider import command
from hub.processing.decider_process import DeciderProcess
from hub.processing.outcome import Outcome
from hub.processing.translate import Event
from hub.storage import StoreUnavailable, Tx
from tests.processing.house import NOON, POLICY, House
from tests.uploads.ledger import ledger

WORTH = 8
"""Instead of eight times as many, so that few orders do."""
TWICE = 2 * WORTH
"""Orders enough for two batches of the least that is worth it."""


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small batches are worth it."""
    monkeypatch.setattr(ahead_module, "WORTH", WORTH)


@pytest.fixture
def file(sqlite_url: str) -> Path:
    """The database's file."""
    return Path(sqlite_url.removeprefix("sqlite:///"))


@asynccontextmanager
async def helped(house: House, url: str) -> AsyncIterator[Ahead]:
    """The second process, started as the worker starts it and ready."""
    ahead = Ahead(house.store, house.clock, DeciderProcess(command(url, POLICY)))
    house.worker._ahead = ahead
    await large_batches(ahead)
    await ready(ahead)
    try:
        yield ahead
    finally:
        await ahead.stop()


@pytest.fixture
async def ahead(sqlite_house: House, sqlite_url: str) -> AsyncIterator[Ahead]:
    """A house whose worker has a second process."""
    async with helped(sqlite_house, sqlite_url) as ahead:
        yield ahead


def runs(ahead: Ahead) -> bool:
    return ahead._process.started


async def large_batches(ahead: Ahead) -> None:
    """What the worker tells of batches that were worth it."""
    for _ in range(LARGE_BATCHES):
        await ahead.follow(WORTH)


async def ready(ahead: Ahead) -> None:
    async with asyncio.timeout(30):
        while not ahead._process.ready:  # noqa: ASYNC110 - who uses it looks, and waits for nothing
            await asyncio.sleep(0.01)


def sent(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Notes the orders of each batch that the second process is asked about."""
    batches = list[list[str]]()
    original = DeciderProcess.ask

    def ask(self: DeciderProcess, now: int, events: list[Event]) -> asyncio.Future[Outcome]:
        batches.append([event.external_order_id or "" for event in events])
        return original(self, now, events)

    monkeypatch.setattr(DeciderProcess, "ask", ask)
    return batches


def meanwhile(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], Awaitable[object]]) -> None:
    """Has something happen between what the second process decided and its being written."""
    original = Ahead._outcome

    async def outcome(self: Ahead, flight: Flight) -> Outcome:
        decided = await original(self, flight)
        await happens()
        return decided

    monkeypatch.setattr(Ahead, "_outcome", outcome)


def decided_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written before all that is under way is decided."""
    original = Ahead._outcome

    async def outcome(self: Ahead, flight: Flight) -> Outcome:
        await asyncio.wait([each.outcome for each in self._flights])
        return await original(self, flight)

    monkeypatch.setattr(Ahead, "_outcome", outcome)


async def orders(house: House, count: int, *, first: int = 0, **body: Any) -> list[str]:
    return [(await house.order(f"O-{number}", **body)).event_id for number in range(first, first + count)]


async def statuses(house: House) -> set[str]:
    return {row["status"] for row in await house.rows("event_rows")}


async def every_order_once(house: House, count: int) -> None:
    assert await statuses(house) == {"PROCESSED"}
    assert len(await house.rows("conversion_rows")) == len({r["event_id"] for r in await house.rows("event_rows")})
    assert len(await house.rows("conversion_rows")) == count


@pytest.mark.parametrize("busy", [False, True])
async def test_who_decides_changes_nothing(
    sqlite_house: House, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, busy: bool
) -> None:
    """The same events end as the same bytes in the ledger, with the second process and without."""
    await sqlite_house.shop_day()
    await sqlite_house.work()  # what the refunds and early statuses wait for is known now, and more comes:
    for number in range(0, 120, 3):
        await sqlite_house.status(f"O-{number}", "delivered")
        await sqlite_house.order(f"P-{number}", clickId=await sqlite_house.click(), orderStatus="confirmed")
        await sqlite_house.status(f"P-{number}", "cancelled" if number % 2 else "delivered")
        await sqlite_house.status(f"LATER-{number}", "delivered")
        await sqlite_house.order(f"LATER-{number}", couponCode="ADA10")
    await sqlite_house.close()
    monkeypatch.setattr(ahead_module, "WORTH", 1)
    ends = []
    for with_it in (True, False):
        copy = tmp_path / f"{with_it}.db"
        shutil.copy(file, copy)
        house = await House.enter(f"sqlite:///{copy}")
        if with_it:
            async with helped(house, f"sqlite:///{copy}") as ahead:
                batches = sent(monkeypatch)
                while await ahead.run_once(limit=30, busy=busy):
                    pass
                assert sum(map(len, batches)) == 200
        await house.work()
        await house.close()
        ends.append(ledger(copy))
    assert ends[0] == ends[1]


async def test_small_batches_start_no_process(sqlite_house: House, sqlite_url: str) -> None:
    """A shop's ordinary day is decided in this process; so many large batches in a row are no ordinary day."""
    ahead = Ahead(sqlite_house.store, sqlite_house.clock, DeciderProcess(command(sqlite_url, POLICY)))
    for _ in range(LARGE_BATCHES - 1):
        await ahead.follow(WORTH)
    await ahead.follow(WORTH - 1)
    for _ in range(LARGE_BATCHES - 1):
        await ahead.follow(WORTH)
    assert not runs(ahead)
    await ahead.follow(WORTH)
    assert runs(ahead)
    await ahead.stop()
    assert not runs(ahead)


@pytest.mark.parametrize("more", [0, 1])
async def test_a_backlog_that_waits_when_the_worker_begins_has_it_started_at_once(
    sqlite_house: House, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, more: int
) -> None:
    """After an outage, say. Half a second's orders are none yet."""
    monkeypatch.setattr(ahead_module, "BACKLOG", TWICE)
    await orders(sqlite_house, TWICE + more)
    ahead = Ahead(sqlite_house.store, sqlite_house.clock, DeciderProcess(command(sqlite_url, POLICY)))
    assert await ahead.run_once(limit=100, busy=False) is None
    assert runs(ahead) is bool(more)
    if more:
        await ahead.follow(WORTH)
        await ready(ahead)
        assert await ahead.run_once(limit=100, busy=False) == ["PROCESSED"] * (TWICE + more)
    await ahead.stop()


async def test_it_ends_when_it_has_been_idle(ahead: Ahead, monkeypatch: pytest.MonkeyPatch) -> None:
    """And its memory is given back."""
    await ahead.follow(0)
    assert ahead._process.ready
    monkeypatch.setattr(ahead_module, "IDLE_SECONDS", 0.0)
    await ahead.follow(0)
    assert not runs(ahead)
    assert await ahead.run_once(limit=10, busy=False) is None


async def test_a_backlog_is_decided_by_it_batch_by_batch(
    sqlite_house: House, ahead: Ahead, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each event once, though all of them came due in the same millisecond."""
    await orders(sqlite_house, 10 * WORTH, clickId=await sqlite_house.click())
    batches = sent(monkeypatch)
    told = list[str]()
    while statuses_ := await ahead.run_once(limit=WORTH, busy=False):
        told += statuses_
    assert [len(batch) for batch in batches] == [WORTH] * 10
    assert told == ["PROCESSED"] * 10 * WORTH
    assert not ahead.more
    await every_order_once(sqlite_house, 10 * WORTH)
    assert len(await sqlite_house.rows("commission_rows")) == 10 * WORTH


async def test_news_of_an_order_under_way_waits_for_it(
    sqlite_house: House, ahead: Ahead, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is decided about the order elsewhere is not written yet, so nothing can be decided upon it."""
    await orders(sqlite_house, WORTH)
    early = await sqlite_house.status("O-3", "delivered")
    await orders(sqlite_house, WORTH, first=WORTH)
    decided_together(monkeypatch)
    batches = sent(monkeypatch)
    while await ahead.run_once(limit=WORTH, busy=False):
        pass
    assert "O-3" in batches[0]
    assert "O-3" not in batches[1]
    await sqlite_house.work()
    assert (await sqlite_house.event(early.event_id))["status"] == "PROCESSED"
    assert await statuses(sqlite_house) == {"PROCESSED"}


async def test_unless_it_waited_it_would_be_parked_for_ever(
    sqlite_house: House, ahead: Ahead, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: what is decided in the same moment knows nothing of each other."""
    monkeypatch.setattr(ahead_module, "_order", lambda event: (event.account_id, event.event_id))
    decided_together(monkeypatch)
    await orders(sqlite_house, WORTH)
    early = await sqlite_house.status("O-3", "delivered")
    await orders(sqlite_house, WORTH, first=WORTH)
    while await ahead.run_once(limit=WORTH, busy=False):
        pass
    await sqlite_house.work()
    assert (await sqlite_house.event(early.event_id))["status"] == "PARKED"


async def test_a_single_order_with_more_news_than_a_batch_holds(
    sqlite_house: House, ahead: Ahead, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its batches go out one after the other, each upon what the one before has written."""
    await sqlite_house.order("HOT", clickId=await sqlite_house.click())
    for minute in range(3 * WORTH - 1):
        await sqlite_house.status("HOT", "paid", NOON - minute * 60_000)
    batches = sent(monkeypatch)
    told = list[str]()
    async with asyncio.timeout(30):
        while statuses_ := await ahead.run_once(limit=WORTH, busy=False):
            told += statuses_
    assert [len(batch) for batch in batches] == [WORTH] * 3
    assert told == ["PROCESSED"] * 3 * WORTH
    assert len(await sqlite_house.rows("commission_rows")) == 1


def suspend(file: Path) -> None:
    """Takes the affiliate's right to earn from it, as a command in another process does."""
    other = sqlite3.connect(file)
    with other:
        other.execute("UPDATE affiliates SET status = 'INACTIVE', created_at = created_at + 1")
    other.close()


async def test_what_was_changed_meanwhile_is_decided_anew(
    sqlite_house: House, ahead: Ahead, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here: nobody who was suspended before the decision was written earns by it."""
    await orders(sqlite_house, TWICE, clickId=await sqlite_house.click())
    meanwhile(monkeypatch, lambda: asyncio.to_thread(suspend, file))
    assert await ahead.run_once(limit=WORTH, busy=False) is None
    await sqlite_house.work()
    await every_order_once(sqlite_house, TWICE)
    assert await sqlite_house.rows("commission_rows") == []


async def test_without_the_moment_it_would_be_written_as_it_was(
    sqlite_house: House, ahead: Ahead, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: it is the moment that tells."""

    async def always(self: Tx) -> None:
        return None

    monkeypatch.setattr(Tx, "moment", always)
    await orders(sqlite_house, TWICE, clickId=await sqlite_house.click())
    meanwhile(monkeypatch, lambda: asyncio.to_thread(suspend, file))
    assert await ahead.run_once(limit=WORTH, busy=False) == ["PROCESSED"] * WORTH
    assert len(await sqlite_house.rows("commission_rows")) == WORTH


async def test_what_is_changed_again_and_again_is_left_to_the_worker_for_a_while(
    sqlite_house: House, ahead: Ahead, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deciding elsewhere would be in vain time and again."""
    await orders(sqlite_house, TWICE)
    batches = sent(monkeypatch)
    with monkeypatch.context() as patched:
        meanwhile(patched, lambda: asyncio.to_thread(suspend, file))
        assert await ahead.run_once(limit=WORTH, busy=False) is None
        assert await ahead.run_once(limit=WORTH, busy=False) is None
    tried = len(batches)
    assert await ahead.run_once(limit=WORTH, busy=False) is None
    assert len(batches) == tried
    monkeypatch.setattr(ahead, "_rest_until", 0.0)
    assert await ahead.run_once(limit=WORTH, busy=False) == ["PROCESSED"] * WORTH


async def test_orders_and_clicks_that_come_in_disturb_nothing(
    sqlite_house: House, ahead: Ahead, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They only add, and what they add nobody has decided about."""
    await orders(sqlite_house, TWICE)
    number = iter(range(TWICE, 10 * TWICE))
    meanwhile(monkeypatch, lambda: sqlite_house.order(f"O-{next(number)}"))
    assert await ahead.run_once(limit=WORTH, busy=False) == ["PROCESSED"] * WORTH
    assert await ahead.run_once(limit=WORTH, busy=True) == ["PROCESSED"] * WORTH


async def test_webhooks_and_long_bodies_are_left_to_the_worker(
    sqlite_house: House, ahead: Ahead, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes before them goes out, what comes after them when they are done."""
    await orders(sqlite_house, WORTH)
    await sqlite_house.webhook("order-refunded", "d-1", external_order_id="O-1", refund_id="r-1", refund_amount="4")
    await orders(sqlite_house, 5 * WORTH, first=WORTH)
    await sqlite_house.order("LONG", metadata={"note": "x" * SHORT_BODY})
    await orders(sqlite_house, WORTH, first=6 * WORTH)
    batches = sent(monkeypatch)
    assert await ahead.run_once(limit=4 * WORTH, busy=False) == ["PROCESSED"] * WORTH
    assert ahead.more
    assert await ahead.run_once(limit=4 * WORTH, busy=False) is None
    await sqlite_house.work()
    assert "LONG" not in {order for batch in batches for order in batch}
    assert await statuses(sqlite_house) == {"PROCESSED"}
    assert len(await sqlite_house.rows("conversion_rows")) == 7 * WORTH + 1


async def test_a_bad_event_is_found_by_the_worker(
    sqlite_house: House, ahead: Ahead, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second process says that it cannot; the worker tries its events one by one and puts off the bad one."""
    sqlite_house.worker._batch = 4
    events = await orders(sqlite_house, TWICE)
    other = sqlite3.connect(file)
    with other:
        other.execute("UPDATE payloads SET body = '{}' WHERE event_id = ?", (events[5],))
    other.close()
    with structlog.testing.capture_logs() as lines:
        assert await ahead.run_once(limit=WORTH, busy=False) is None
        await sqlite_house.work()
    assert [line["fault"] for line in lines if "fault" in line] == ["KeyError: 'externalOrderId'"]
    found = {event: (await sqlite_house.event(event))["status"] for event in events}
    assert {event for event, status in found.items() if status != "PROCESSED"} == {events[5]}
    assert (await sqlite_house.event(events[5]))["attempts"] == 1


async def test_a_killed_process_loses_and_doubles_nothing(
    sqlite_house: House, ahead: Ahead, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was under way is decided here; and with the next backlog there is a process again."""
    await orders(sqlite_house, 5 * WORTH)
    assert await ahead.run_once(limit=WORTH, busy=False) == ["PROCESSED"] * WORTH
    process = ahead._process._process
    assert process is not None
    process.kill()
    await process.wait()
    await sqlite_house.work()
    await every_order_once(sqlite_house, 5 * WORTH)
    monkeypatch.setattr(ahead, "_rest_until", 0.0)
    await large_batches(ahead)
    await ready(ahead)
    await orders(sqlite_house, WORTH, first=5 * WORTH)
    assert await ahead.run_once(limit=WORTH, busy=False) == ["PROCESSED"] * WORTH
    await every_order_once(sqlite_house, 6 * WORTH)


async def test_a_process_that_says_nothing_is_ended(
    sqlite_house: House, ahead: Ahead, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for it for long, and it decides nothing later."""
    monkeypatch.setattr(ahead_module, "PATIENCE_SECONDS", 0.1)
    monkeypatch.setattr(decider_process, "STOP_SECONDS", 0.1)
    await orders(sqlite_house, TWICE)
    process = ahead._process._process
    assert process is not None
    os.kill(process.pid, signal.SIGSTOP)
    with structlog.testing.capture_logs() as lines:
        assert await ahead.run_once(limit=WORTH, busy=False) is None
    assert [line["fault"] for line in lines] == ["the process said nothing for 0.1 s"]
    assert process.returncode == -signal.SIGKILL
    await sqlite_house.work()
    await every_order_once(sqlite_house, TWICE)


async def test_a_process_that_cannot_be_started_is_done_without(sqlite_house: House) -> None:
    """The operator is told; the worker goes on alone."""
    ahead = Ahead(sqlite_house.store, sqlite_house.clock, DeciderProcess(["/no/such/program"]))
    sqlite_house.worker._ahead = ahead
    with structlog.testing.capture_logs() as lines:
        await large_batches(ahead)
        await ahead.follow(WORTH)
    assert [line["log_level"] for line in lines] == ["warning"]
    assert "cannot be started" in lines[0]["fault"]
    await orders(sqlite_house, TWICE)
    await sqlite_house.work()
    await every_order_once(sqlite_house, TWICE)


async def test_a_process_that_ends_at_once_is_not_started_again_and_again(
    sqlite_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once in a while it is tried."""
    ahead = Ahead(sqlite_house.store, sqlite_house.clock, DeciderProcess(["false"]))
    with structlog.testing.capture_logs() as lines:
        await large_batches(ahead)
        async with asyncio.timeout(30):
            while not ahead._process.died:  # noqa: ASYNC110 - who uses it looks, and waits for nothing
                await asyncio.sleep(0.01)
        await large_batches(ahead)
    assert [line["fault"] for line in lines] == ["the process ended by itself"]
    assert not runs(ahead)
    monkeypatch.setattr(ahead, "_rest_until", 0.0)
    await ahead.follow(WORTH)
    assert runs(ahead)
    await ahead.stop()


async def test_an_outage_of_the_store_is_the_workers_to_wait_for(
    sqlite_house: House, ahead: Ahead, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was under way then is decided anew after it, since nobody knows what was kept."""

    async def away() -> None:
        raise StoreUnavailable("the disk is full")

    await orders(sqlite_house, TWICE)
    with monkeypatch.context() as patched:
        meanwhile(patched, away)
        with pytest.raises(StoreUnavailable):
            await ahead.run_once(limit=WORTH, busy=False)
    assert not ahead.more
    await sqlite_house.work()
    await every_order_once(sqlite_house, TWICE)


async def test_stopping_leaves_what_is_under_way_as_it_was(sqlite_house: House, ahead: Ahead) -> None:
    """It is due as before, for whoever serves next."""
    await orders(sqlite_house, 5 * WORTH)
    assert await ahead.run_once(limit=WORTH, busy=False) == ["PROCESSED"] * WORTH
    assert ahead.more
    await sqlite_house.worker.stop()
    rows = await sqlite_house.rows("event_rows")
    assert sorted(row["status"] for row in rows) == ["PROCESSED"] * WORTH + ["RECEIVED"] * 4 * WORTH


@pytest.mark.parametrize("outage", [False, True])
async def test_the_worker_goes_by_it_while_it_serves(
    sqlite_house: House, ahead: Ahead, monkeypatch: pytest.MonkeyPatch, outage: bool
) -> None:
    """The loop itself: a backlog is worked off, and its listeners are told of every event; begun in an outage too."""

    async def unavailable(_: Ahead) -> None:
        raise StoreUnavailable("the disk is away")

    if outage:
        monkeypatch.setattr(Ahead, "_begin", unavailable)
    told, all_told = list[str](), asyncio.Event()

    def listen(statuses: Sequence[str]) -> None:
        told.extend(statuses)
        if len(told) == 20 * WORTH:
            all_told.set()

    sqlite_house.worker.on_outcomes(listen)
    await orders(sqlite_house, 20 * WORTH)
    await sqlite_house.worker.start()
    await asyncio.wait_for(all_told.wait(), 30)
    await sqlite_house.worker.stop()
    assert not runs(ahead)
    assert told == ["PROCESSED"] * 20 * WORTH
