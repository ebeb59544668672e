"""Whose events the worker takes up next: a backlog of one account, or of webhooks, does not make others wait for it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

import pytest

from hub.ids import new_id
from hub.intake.rules import EventRow, PayloadRow
from hub.operations.references import account_of
from hub.plugin_host.registry import load_registry
from hub.plugin_host.translation import Job, Translation
from hub.processing.due_events import CHARACTERS_IN_A_BATCH, BatchSize, Claimed, DueEvents
from hub.processing.worker import Worker
from hub.testing.in_process_plugins import InProcessPlugins
from tests.processing.harness import NOON, POLICY, Harness

BATCH = 64
ONLY_REPORTS = {"webhooks": False}


async def other_account(harness: Harness) -> str:
    """Return the account of the merchant's other mode."""
    async with harness.store.read() as tx:
        return str((await account_of(tx, harness.merchant_id, "live"))["account_id"])


async def put_events(harness: Harness, account_id: str, count: int, type: str = "conversion") -> list[str]:
    """Store accepted events without bodies, due since a minute and longer; return their ids, oldest first."""
    status = "QUEUED" if type == "webhook" else "RECEIVED"
    since = NOON - 60_000 - count
    rows = [
        EventRow(account_id, new_id("evt"), type, None, status, None, f"{account_id}-{n}", None, since + n, None, None)
        for n in range(count)
    ]
    async with harness.store.write() as tx:
        await tx.run("insert_events", events=rows)
    return [row.event_id for row in rows]


async def status_of(harness: Harness, account_id: str, event_id: str) -> str:
    async with harness.store.write() as tx:
        row = await tx.one("claim_due_event", account_id=account_id, event_id=event_id, now=NOON)
        return "due" if row is not None else "decided"


async def claim(harness: Harness, due: DueEvents, limit: int, *, webhooks: bool = True) -> Claimed:
    """Claim events, and leave them as they are."""
    async with harness.store.write() as tx:
        claimed = await due.claim(tx, BatchSize(limit), NOON, webhooks=webhooks)
    due.note(claimed, crowded=claimed.more)
    return claimed


async def an_event_beside_a_backlog(harness: Harness) -> str:
    """Decide one batch of 20,000 due events; return what became of another account's in the batch after it."""
    await put_events(harness, harness.account_id, 20_000)
    other = await other_account(harness)
    assert await harness.worker.run_once() >= BATCH
    (event_id,) = await put_events(harness, other, 1)
    async with harness.store.write() as tx:  # what came last is due last
        await tx.run("postpone_events", events=[(other, event_id, 0, NOON)])
    await harness.worker.run_once()
    return await status_of(harness, other, event_id)


async def test_another_accounts_event_is_decided_in_the_batch_after_it_came(harness: Harness) -> None:
    assert await an_event_beside_a_backlog(harness) == "decided"


async def test_without_turns_it_waits_for_the_whole_backlog(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: events are claimed by age alone."""

    def forget(_self: DueEvents, _claimed: Claimed, *, crowded: bool) -> None:
        del crowded

    monkeypatch.setattr(DueEvents, "note", forget)
    assert await an_event_beside_a_backlog(harness) == "due"


async def test_accounts_share_a_crowded_batch_and_leave_each_other_what_they_do_not_need(harness: Harness) -> None:
    other = await other_account(harness)
    await put_events(harness, harness.account_id, 200)
    await put_events(harness, other, 5)
    due = DueEvents(crowded=True)
    claimed = await claim(harness, due, 20)
    assert Counter(each.account_id for each in claimed.events) == {harness.account_id: 15, other: 5}
    assert claimed.more
    alone = await claim(harness, due, 300)
    assert len(alone.events) == 205
    assert not alone.more


async def test_more_accounts_than_share_a_batch_come_one_after_the_other(harness: Harness) -> None:
    other = await other_account(harness)
    await put_events(harness, harness.account_id, 5)
    await put_events(harness, other, 5)
    due = DueEvents(crowded=True)
    first, second = await claim(harness, due, 1), await claim(harness, due, 1)
    assert {first.events[0].account_id, second.events[0].account_id} == {harness.account_id, other}
    third = await claim(harness, due, 1)
    assert third.events == first.events, "the turn of the first comes again"
    assert third.more


async def test_an_accounts_events_are_claimed_oldest_first(harness: Harness) -> None:
    ids = await put_events(harness, harness.account_id, 30)
    claimed = await claim(harness, DueEvents(crowded=True), 10)
    assert [each.event_id for each in claimed.events] == ids[:10]


async def test_one_account_alone_fills_batch_after_batch(harness: Harness) -> None:
    """Its turns last until a batch is not full."""
    await put_events(harness, harness.account_id, 4 * BATCH)
    due = DueEvents(crowded=True)
    assert [(await claim(harness, due, size)).more for size in (BATCH, 4 * BATCH - 1, 4 * BATCH)] == [True, True, False]


async def put_bodies(harness: Harness, account_id: str, lengths: Sequence[int]) -> list[str]:
    """Store due events with bodies of these lengths; return their ids, oldest first."""
    ids = await put_events(harness, account_id, len(lengths))
    rows = [
        PayloadRow(account_id, event_id, "x" * length, NOON, None)
        for event_id, length in zip(ids, lengths, strict=True)
    ]
    async with harness.store.write() as tx:
        await tx.run("insert_payloads", payloads=rows)
    return ids


@pytest.mark.parametrize("crowded", [False, True])
async def test_a_batch_ends_where_its_bodies_are_too_long_together(harness: Harness, crowded: bool) -> None:
    """The next one asks for fewer, and soon for more again."""
    long = CHARACTERS_IN_A_BATCH - 1
    ids = await put_bodies(harness, harness.account_id, [1, long, 1, 2 * long, *[1] * 40])
    due = DueEvents(crowded=crowded)
    claimed = await claim(harness, due, 20)
    assert [each.event_id for each in claimed.events] == ids[:2]
    assert claimed.more
    assert len((await claim(harness, due, 20)).events) == 2, "the control: twice as many as fitted are asked for, so 4"
    async with harness.store.write() as tx:
        await tx.run("postpone_events", events=[(harness.account_id, each, 0, NOON + 1) for each in ids[:3]])
    assert [each.event_id for each in (await claim(harness, due, 20)).events] == ids[3:4], "one at the earliest"
    async with harness.store.write() as tx:
        await tx.run("postpone_events", events=[(harness.account_id, ids[3], 0, NOON + 1)])
    assert [len((await claim(harness, due, 20)).events) for _ in range(5)] == [2, 4, 8, 16, 20]


async def test_of_accounts_with_long_bodies_each_has_its_turn(harness: Harness) -> None:
    other = await other_account(harness)
    for account in (harness.account_id, other):
        await put_bodies(harness, account, [CHARACTERS_IN_A_BATCH] * 3)
    due = DueEvents(crowded=True)
    claimed = [await claim(harness, due, 20) for _ in range(6)]
    assert Counter(each.account_id for one in claimed for each in one.events).keys() == {harness.account_id, other}


async def test_reports_are_claimed_past_webhooks_that_nobody_wants_yet(harness: Harness) -> None:
    await put_events(harness, harness.account_id, 500, "webhook")
    (report,) = await put_events(harness, harness.account_id, 1)
    claimed = await claim(harness, DueEvents(), 10, **ONLY_REPORTS)
    assert [each.event_id for each in claimed.events] == [report]
    assert not claimed.more
    by_age = await claim(harness, DueEvents(), 10)
    assert {each.type for each in by_age.events} == {"webhook"}, "the control: by age alone, webhooks fill the batch"


async def test_webhooks_that_nobody_wants_yet_stay_free_for_another_node(postgres_url: str) -> None:
    harness = await Harness.open(postgres_url)
    await put_events(harness, harness.account_id, 5, "webhook")
    async with harness.store.write() as one, harness.store.write() as other:
        await DueEvents().claim(one, BatchSize(10), NOON, **ONLY_REPORTS)
        assert len((await DueEvents().claim(other, BatchSize(10), NOON, webhooks=True)).events) == 5
        assert not (await DueEvents().claim(one, BatchSize(10), NOON, webhooks=True)).events, "the control: locked"
    await harness.close()


class SlowPlugins(InProcessPlugins):
    """Plugins that answer once they may."""

    may_answer = asyncio.Event()

    async def translate(self, jobs: Sequence[Job]) -> list[Translation]:
        """Wait, then translate."""
        await self.may_answer.wait()
        return await super().translate(jobs)


async def test_a_report_does_not_wait_for_plugins_that_have_all_they_may_have(sqlite_harness: Harness) -> None:
    harness = sqlite_harness
    await put_events(harness, harness.account_id, 400, "webhook")
    SlowPlugins.may_answer = asyncio.Event()
    worker = Worker(harness.store, SlowPlugins(load_registry()), POLICY, harness.clock, batch=8, most_handed=2)
    decided = asyncio.Event()
    worker.on_results(lambda _: decided.set())
    await worker.start()
    (report,) = await put_events(harness, harness.account_id, 1)
    worker.wake()
    await asyncio.wait_for(decided.wait(), 60)
    assert await status_of(harness, harness.account_id, report) == "decided"
    SlowPlugins.may_answer.set()
    await worker.stop()
