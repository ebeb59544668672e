"""The desk: what is new at one go, what is known step by step, and on PostgreSQL what waits for another node's lock."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import pytest

from hub.ids import new_id
from hub.intake import submission_batcher as desk_module
from hub.intake.order_submissions import order_submission
from hub.intake.submission import (
    Accepted,
    IdempotencyUse,
    Mismatch,
    Outcome,
    Replayed,
    RequestGuards,
    SignatureReused,
    SignatureSpent,
    SignatureUse,
    Submission,
)
from hub.intake.submission_batcher import SubmissionBatcher
from hub.intake.write_batch import Item, as_new
from hub.storage import NamedCall, Store
from hub.testing.clock import FakeClock
from hub.validation.inputs import ConversionInput

ACCOUNT = "acc_1"
SIGNATURES = count()


Tried = list[list[str | None]]
"""The orders of each batch that was tried at one go; None for a request that was refused."""


@asynccontextmanager
async def opened(store: Store, clock: FakeClock) -> AsyncIterator[SubmissionBatcher]:
    desk = SubmissionBatcher(store, clock, idempotency_ttl_ms=1_000)
    await desk.start()
    yield desk
    await desk.stop()


@pytest.fixture
async def desk(store: Store, clock: FakeClock) -> AsyncIterator[SubmissionBatcher]:
    async with opened(store, clock) as desk:
        yield desk


@pytest.fixture
async def shared_desk(postgres_url: str, clock: FakeClock) -> AsyncIterator[SubmissionBatcher]:
    """A desk on a database that other nodes use too."""
    async with await Store.open(postgres_url) as store, opened(store, clock) as desk:
        yield desk


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> Tried:
    tried: Tried = []

    def noted(items: Sequence[Item], now: int, ttl_ms: int) -> tuple[list[Outcome], list[NamedCall]]:
        told, calls = as_new(items, now, ttl_ms)
        if calls:
            tried.append([item.external_order_id if isinstance(item, Submission) else None for item in items])
        return told, calls

    monkeypatch.setattr(desk_module, "as_new", noted)
    return tried


def signed(number: int) -> SignatureUse:
    return SignatureUse(1_795_176_000 + number, f"{number:064x}")


def keyed(key: str, fingerprint: str) -> IdempotencyUse:
    return IdempotencyUse("POST /v1/conversions", key, fingerprint)


def order(
    desk: SubmissionBatcher, number: int, use: SignatureUse | None = None, key: IdempotencyUse | None = None
) -> asyncio.Future[Outcome]:
    told = ConversionInput(external_order_id=f"order {number}", order_amount="1")
    submission = order_submission(RequestGuards(ACCOUNT, use or signed(next(SIGNATURES)), key), told, "{}", number)
    return asyncio.ensure_future(desk.submit(submission))


@asynccontextmanager
async def claimed_elsewhere(url: str, number: int) -> AsyncIterator[None]:
    """Another node has claimed the order and has not committed: whoever claims it too waits."""
    claim: Any = (ACCOUNT, "order", f"order {number}", new_id("evt"), new_id("cnv"))
    async with await Store.open(url) as elsewhere, elsewhere.write() as tx:
        await tx.run("claim_keys", claims=[claim])
        yield


async def test_a_batch_that_waits_does_not_hold_up_the_others(shared_desk: SubmissionBatcher, postgres_url: str) -> None:
    """They are answered beside it, also those who come later; the one that waited is told the truth at the end."""
    async with claimed_elsewhere(postgres_url, 1):
        held = order(shared_desk, 1)
        await asyncio.sleep(0.05)
        for number in (2, 3):
            outcome = await asyncio.wait_for(order(shared_desk, number), 5)
            assert isinstance(outcome, Accepted)
            assert not outcome.duplicate
        assert not held.done()
    outcome = await asyncio.wait_for(held, 5)
    assert isinstance(outcome, Accepted)
    assert outcome.duplicate


async def test_control_without_relief_they_wait(
    shared_desk: SubmissionBatcher, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first test fails without the second clerk."""
    monkeypatch.setattr(desk_module, "RELIEF_SECONDS", 3_600)
    async with claimed_elsewhere(postgres_url, 1):
        held = order(shared_desk, 1)
        await asyncio.sleep(0.05)
        other = order(shared_desk, 2)
        _, waiting = await asyncio.wait((held, other), timeout=0.5)
        assert waiting == {held, other}
    await asyncio.gather(held, other)


async def test_what_is_new_is_filed_at_one_go_and_what_is_known_is_told(desk: SubmissionBatcher, tried: Tried) -> None:
    """Orders known before, orders twice in a batch, spent signatures: each gets its own answer, the others theirs."""
    assert [_new(outcome) for outcome in await asyncio.gather(*(order(desk, n) for n in range(10)))] == [True] * 10
    assert sum(map(len, tried)) == 10
    again = await asyncio.gather(*(order(desk, n) for n in (8, 9, 10, 11, 11)))
    assert [_new(outcome) for outcome in again] == [False, False, True, True, False]
    use = signed(next(SIGNATURES))
    assert _new(await order(desk, 12, use))
    assert isinstance(await order(desk, 13, use), SignatureReused)
    assert _new(await order(desk, 13))
    assert isinstance(await desk.burn(RequestGuards(ACCOUNT, use)), SignatureReused)
    assert isinstance(await desk.burn(RequestGuards(ACCOUNT, signed(next(SIGNATURES)))), SignatureSpent)


async def test_refused_requests_and_idempotency_keys_are_filed_with_the_rest(desk: SubmissionBatcher, tried: Tried) -> None:
    """A key's first use is as new as an order, and its second is answered as the first was, in a batch or alone."""
    first, other = keyed("key 1", "{}"), keyed("key 1", "[]")
    burnt = asyncio.create_task(desk.burn(RequestGuards(ACCOUNT, signed(next(SIGNATURES)))))
    told, _ = await asyncio.gather(order(desk, 1, key=first), burnt)
    assert tried == [["order 1", None]]
    assert isinstance(told, Accepted)
    replayed, mismatch = await asyncio.gather(order(desk, 2, key=first), order(desk, 3, key=other))
    assert isinstance(replayed, Replayed)
    assert replayed.body == told.body
    assert isinstance(mismatch, Mismatch)


async def test_a_batch_with_a_known_order_is_tried_once_and_then_taken_step_by_step(
    desk: SubmissionBatcher, tried: Tried, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And so are those that follow, for a while: where much is known already, hope would only double the work."""
    monkeypatch.setattr(desk_module, "CAREFUL_BATCHES", 2)
    for number in (1, 1, 2, 3, 4):
        await order(desk, number)
    assert tried == [["order 1"], ["order 1"], ["order 4"]]


async def test_control_a_desk_that_does_not_ask_whether_all_was_new_files_what_is_known_twice(
    desk: SubmissionBatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first test fails where the answer of the store is not heeded: the second report would be new as well."""

    async def careless(store: Store, *calls: NamedCall) -> bool:
        await all_or_nothing(store, *calls)
        return True

    all_or_nothing = Store.all_or_nothing
    monkeypatch.setattr(Store, "all_or_nothing", careless)
    assert [_new(await order(desk, number)) for number in (1, 1)] == [True, True]


def _new(outcome: Outcome) -> bool:
    assert isinstance(outcome, Accepted)
    return not outcome.duplicate
