"""Submissions are committed in batches: the new ones at once, the known ones after a look at what is stored."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import pytest

from hub.ids import new_id
from hub.intake.submission import (
    Accepted,
    IdempotencyUse,
    IntakeResult,
    Mismatch,
    Replayed,
    RequestGuards,
    SignatureReused,
    SignatureSpent,
    SignatureUse,
    order_submission,
)
from hub.intake.submission_batcher import SubmissionBatcher
from hub.storage import NotAllNew, Store
from hub.testing.clock import FakeClock
from hub.validation.inputs import ConversionInput
from tests.polling import PATIENCE_SECONDS

ACCOUNT = "acc_1"
AN_HOUR = 3_600.0
SIGNATURES = count()

BODY = '{"orderAmount": "1"}'


@asynccontextmanager
async def started(store: Store, clock: FakeClock, **options: Any) -> AsyncIterator[SubmissionBatcher]:
    submissions = SubmissionBatcher(store, clock, idempotency_ttl_ms=1_000, **options)
    await submissions.start()
    yield submissions
    await submissions.stop()


@pytest.fixture
async def submissions(store: Store, clock: FakeClock) -> AsyncIterator[SubmissionBatcher]:
    async with started(store, clock) as submissions:
        yield submissions


@pytest.fixture
def batches(submissions: SubmissionBatcher) -> list[int]:
    """The size of each batch that was committed."""
    batches: list[int] = []
    submissions.on_commit(batches.append)
    return batches


def signed(number: int) -> SignatureUse:
    return SignatureUse(ACCOUNT, 1_795_176_000 + number, f"{number:064x}")


def keyed(key: str, fingerprint: str) -> IdempotencyUse:
    return IdempotencyUse("POST /v1/conversions", key, fingerprint)


def order(
    submissions: SubmissionBatcher, number: int, use: SignatureUse | None = None, key: IdempotencyUse | None = None
) -> asyncio.Future[IntakeResult]:
    """Report an order; nothing of it repeats an earlier one unless a number, signature or key is given again."""
    conversion = ConversionInput(external_order_id=f"order {number}", order_amount="1")
    guards = RequestGuards(ACCOUNT, use or signed(next(SIGNATURES)), key)
    return asyncio.ensure_future(submissions.submit(order_submission(guards, conversion, BODY, number)))


def is_new(result: IntakeResult) -> bool:
    assert isinstance(result, Accepted)
    return not result.duplicate


@asynccontextmanager
async def claimed_elsewhere(url: str, number: int) -> AsyncIterator[None]:
    """Another node has claimed the order and has not committed: whoever claims it too waits for its lock."""
    claim: Any = (ACCOUNT, "order", f"order {number}", new_id("evt"), new_id("cnv"))
    async with await Store.open(url) as elsewhere, elsewhere.write() as tx:
        await tx.run("claim_keys", claims=[claim])
        yield


class TestWaitingForAnotherNode:
    """On PostgreSQL a batch may have to wait for a lock that another node holds."""

    async def test_a_batch_that_waits_does_not_hold_up_the_others(self, postgres_url: str, clock: FakeClock) -> None:
        async with await Store.open(postgres_url) as store, started(store, clock) as submissions:
            async with claimed_elsewhere(postgres_url, 1):
                held = order(submissions, 1)
                await asyncio.sleep(0.05)
                for number in (2, 3):
                    assert is_new(await asyncio.wait_for(order(submissions, number), PATIENCE_SECONDS))
                assert not held.done()
            assert not is_new(await asyncio.wait_for(held, PATIENCE_SECONDS))

    async def test_control_without_an_overflow_writer_it_does(self, postgres_url: str, clock: FakeClock) -> None:
        async with (
            await Store.open(postgres_url) as store,
            started(store, clock, overflow_seconds=AN_HOUR) as submissions,
        ):
            async with claimed_elsewhere(postgres_url, 1):
                held = order(submissions, 1)
                await asyncio.sleep(0.05)
                other = order(submissions, 2)
                _, waiting = await asyncio.wait((held, other), timeout=0.5)
                assert waiting == {held, other}
            await asyncio.gather(held, other)


async def test_orders_that_come_together_are_committed_together(
    submissions: SubmissionBatcher, batches: list[int]
) -> None:
    results = await asyncio.gather(*(order(submissions, n) for n in range(10)))
    assert [is_new(result) for result in results] == [True] * 10
    assert sum(batches) == 10
    assert len(batches) <= 2


async def test_each_of_a_mixed_batch_gets_its_own_result(submissions: SubmissionBatcher) -> None:
    await asyncio.gather(*(order(submissions, n) for n in range(10)))
    again = await asyncio.gather(*(order(submissions, n) for n in (8, 9, 10, 11, 11)))
    assert [is_new(result) for result in again] == [False, False, True, True, False]


async def test_a_signature_is_spent_once_by_an_order_or_by_a_refused_request(submissions: SubmissionBatcher) -> None:
    use = signed(next(SIGNATURES))
    assert is_new(await order(submissions, 12, use))
    assert isinstance(await order(submissions, 13, use), SignatureReused)
    assert is_new(await order(submissions, 13))
    assert isinstance(await submissions.spend_signature(RequestGuards(ACCOUNT, use)), SignatureReused)
    refused = RequestGuards(ACCOUNT, signed(next(SIGNATURES)))
    assert isinstance(await submissions.spend_signature(refused), SignatureSpent)
    assert isinstance(await submissions.spend_signature(refused), SignatureReused)


async def test_the_second_use_of_an_idempotency_key_is_answered_as_the_first_was(
    submissions: SubmissionBatcher, batches: list[int]
) -> None:
    first, other = keyed("key 1", "{}"), keyed("key 1", "[]")
    refused = asyncio.create_task(submissions.spend_signature(RequestGuards(ACCOUNT, signed(next(SIGNATURES)))))
    accepted, _ = await asyncio.gather(order(submissions, 1, key=first), refused)
    assert sum(batches) == 2
    assert isinstance(accepted, Accepted)
    replayed, mismatch = await asyncio.gather(order(submissions, 2, key=first), order(submissions, 3, key=other))
    assert isinstance(replayed, Replayed)
    assert replayed.body == accepted.body
    assert isinstance(mismatch, Mismatch)


async def test_control_if_the_store_inserted_what_is_known_a_report_would_count_twice(
    store: Store, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of a mixed batch gets its own result because the store refuses a batch that is not all new."""

    async def careless(store: Store, work: Any) -> Any:
        try:
            return await transact(store, work)
        except NotAllNew:
            return None

    transact = Store.transact
    monkeypatch.setattr(Store, "transact", careless)
    async with started(store, clock) as submissions:
        assert [is_new(await order(submissions, number)) for number in (1, 1)] == [True, True]


async def test_a_batch_that_stays_contended_is_refused_for_now(
    store: Store, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other nodes may take the same keys again and again; the caller is told to come back, and nothing is lost."""

    async def contended(store: Store, work: Any) -> Any:
        raise NotAllNew("claim_keys")

    with monkeypatch.context() as patched:
        patched.setattr(Store, "transact", contended)
        async with started(store, clock) as submissions:
            with pytest.raises(Exception, match="contended"):
                await order(submissions, 1)
    async with started(store, clock) as submissions:
        assert is_new(await order(submissions, 1))
