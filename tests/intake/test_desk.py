"""The desk on PostgreSQL: a batch that waits for another node's lock, and those who come after it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from hub.ids import new_id
from hub.intake import desk as desk_module
from hub.intake.desk import Desk
from hub.intake.inputs import ConversionInput
from hub.intake.reports import order_submission
from hub.intake.submission import Accepted, Admission, Outcome
from hub.storage import Store
from hub.testing.clock import FakeClock

ACCOUNT = "acc_1"


@pytest.fixture
async def desk(postgres_url: str, clock: FakeClock) -> AsyncIterator[Desk]:
    async with await Store.open(postgres_url) as store:
        opened = Desk(store, clock, idempotency_ttl_ms=1_000)
        await opened.start()
        yield opened
        await opened.stop()


def order(desk: Desk, number: int) -> asyncio.Task[Outcome]:
    told = ConversionInput(external_order_id=f"order {number}", order_amount="1")
    submission = order_submission(Admission(ACCOUNT), told, "{}", number)
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
