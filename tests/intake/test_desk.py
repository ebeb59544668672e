"""The desk on PostgreSQL: a batch that waits for another node's lock, and those who come after it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import Any

import pytest

from hub.ids import new_id
from hub.intake import desk as desk_module
from hub.intake.admission import Raced
from hub.intake.batch import file_together
from hub.intake.desk import Desk
from hub.intake.inputs import ConversionInput
from hub.intake.reports import order_submission
from hub.intake.submission import Accepted, Admission, Burnt, Outcome, SignatureReused, SignatureUse, Submission
from hub.storage import Store, Tx
from hub.testing.clock import FakeClock

ACCOUNT = "acc_1"
SIGNATURES = count()


@pytest.fixture
async def desk(postgres_url: str, clock: FakeClock) -> AsyncIterator[Desk]:
    async with await Store.open(postgres_url) as store:
        opened = Desk(store, clock, idempotency_ttl_ms=1_000)
        await opened.start()
        yield opened
        await opened.stop()


def signed(number: int) -> SignatureUse:
    return SignatureUse(1_795_176_000 + number, f"{number:064x}")


def order(desk: Desk, number: int, use: SignatureUse | None = None) -> asyncio.Task[Outcome]:
    told = ConversionInput(external_order_id=f"order {number}", order_amount="1")
    submission = order_submission(Admission(ACCOUNT, use or signed(next(SIGNATURES))), told, "{}", number)
    return asyncio.create_task(desk.submit(submission))


@asynccontextmanager
async def claimed_elsewhere(url: str, number: int) -> AsyncIterator[None]:
    """Another node has claimed the order and has not committed: whoever claims it too waits."""
    claim: Any = (ACCOUNT, "order", f"order {number}", new_id("evt"), new_id("cnv"))
    async with await Store.open(url) as elsewhere, elsewhere.write() as tx:
        await tx.run("claim_keys", claims=[claim])
        yield


async def test_a_batch_that_waits_does_not_hold_up_the_others(desk: Desk, postgres_url: str) -> None:
    """They are answered beside it, also those who come later; the one that waited is told the truth at the end."""
    async with claimed_elsewhere(postgres_url, 1):
        held = order(desk, 1)
        await asyncio.sleep(0.05)
        for number in (2, 3):
            outcome = await asyncio.wait_for(order(desk, number), 5)
            assert isinstance(outcome, Accepted)
            assert not outcome.duplicate
        assert not held.done()
    outcome = await asyncio.wait_for(held, 5)
    assert isinstance(outcome, Accepted)
    assert outcome.duplicate


async def test_control_without_relief_they_wait(desk: Desk, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first test fails without the second clerk."""
    monkeypatch.setattr(desk_module, "RELIEF_SECONDS", 3_600)
    async with claimed_elsewhere(postgres_url, 1):
        held = order(desk, 1)
        await asyncio.sleep(0.05)
        other = order(desk, 2)
        _, waiting = await asyncio.wait((held, other), timeout=0.5)
        assert waiting == {held, other}
    await asyncio.gather(held, other)


async def test_what_is_new_is_filed_by_one_statement_and_what_is_known_is_told(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Orders known before, orders twice in a batch, spent signatures: each gets its own answer, the others theirs."""
    tried = []

    async def noted(tx: Tx, items: Sequence[Submission]) -> list[Outcome]:
        tried.append(len(items))
        return await file_together(tx, items)

    monkeypatch.setattr(desk_module, "file_together", noted)
    assert [_new(outcome) for outcome in await asyncio.gather(*(order(desk, n) for n in range(10)))] == [True] * 10
    assert sum(tried) == 10
    again = await asyncio.gather(*(order(desk, n) for n in (8, 9, 10, 11, 11)))
    assert [_new(outcome) for outcome in again] == [False, False, True, True, False]
    use = signed(next(SIGNATURES))
    assert _new(await order(desk, 12, use))
    assert isinstance(await order(desk, 13, use), SignatureReused)
    assert _new(await order(desk, 13))
    assert isinstance(await desk.burn(Admission(ACCOUNT, use)), SignatureReused)
    assert isinstance(await desk.burn(Admission(ACCOUNT, signed(next(SIGNATURES)))), Burnt)


async def test_a_batch_with_a_known_order_is_tried_once_and_then_taken_step_by_step(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And so are those that follow, for a while: where much is known already, hope would only double the work."""
    tried = []

    async def noted(tx: Tx, items: Sequence[Submission]) -> list[Outcome]:
        tried.append([item.external_order_id for item in items])
        return await file_together(tx, items)

    monkeypatch.setattr(desk_module, "file_together", noted)
    monkeypatch.setattr(desk_module, "CAREFUL_BATCHES", 2)
    for number in (1, 1, 2, 3, 4):
        await order(desk, number)
    assert tried == [["order 1"], ["order 1"], ["order 4"]]


async def test_control_a_statement_that_does_not_look_files_what_is_known_twice(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first test fails where the counts are not compared: the second report would be new as well."""

    async def careless(tx: Tx, items: Sequence[Submission]) -> list[Outcome]:
        with suppress(Raced):
            return await file_together(tx, items)
        return [Accepted(item.event_id, item.first_status, False, item.conversion_id, False) for item in items]

    monkeypatch.setattr(desk_module, "file_together", careless)
    assert [_new(await order(desk, number)) for number in (1, 1)] == [True, True]


def _new(outcome: Outcome) -> bool:
    assert isinstance(outcome, Accepted)
    return not outcome.duplicate
