"""Refunds that a shop deletes again, and shops that say only how much went back so far."""

from __future__ import annotations

import asyncio
from itertools import count, permutations
from typing import Any

import pytest

from hub.domain.orders import undone as undone_module
from hub.operations.audits.audit import audit
from hub.processing.figures import FigureCounter
from tests.order_questions import list_order_reviews
from tests.processing.harness import DAY, NOON, Harness
from tests.processing.test_deliveries import Shop, connect, order

MINUTE = 60_000
_numbers = count()
ONE = {"id": "r-1", "amount": "40.00", "at": NOON + MINUTE}
TWO = {"id": "r-2", "amount": "10.00", "at": NOON + 2 * MINUTE}
LIVED = (
    (0, ()),
    (MINUTE, (ONE,)),
    (2 * MINUTE, (ONE, TWO)),
    (3 * MINUTE, (TWO,)),
)
"""Two refunds, the first of which was deleted."""


@pytest.fixture
async def shop(harness: Harness) -> Shop:
    return await _opened(harness)


@pytest.fixture
async def one(sqlite_harness: Harness) -> Shop:
    return await _opened(sqlite_harness)


async def _opened(harness: Harness) -> Shop:
    found = await connect(harness)
    harness.clock.now += 10 * MINUTE
    return found


async def tell(shop: Shop, click: str, after: int, number: str = "A-1", **more: Any) -> dict[str, Any]:
    """Deliver what an order is so many ms after noon."""
    told = {"paid": True, "placed": NOON, "version": NOON + after, "extra": {"click": click}}
    body = {**order(number), **told, **more}
    return await shop.event(await shop.tell("order", body, f"r-{next(_numbers)}"))


async def due(shop: Shop, number: str = "A-1") -> tuple[str, int]:
    commission = await shop.harness.commission(number)
    assert commission is not None
    return commission["state"], commission["amount_minor"]


async def test_a_deleted_refund_is_taken_back(shop: Shop) -> None:
    """The commission is whole again, and so are the figures, which the audit counts anew."""
    click = await shop.harness.click()
    await tell(shop, click, 0, refunds=())
    await tell(shop, click, MINUTE, refunds=(ONE,))
    assert await due(shop) == ("HOLD", 300)
    event = await tell(shop, click, 2 * MINUTE, refunds=())
    assert await due(shop) == ("HOLD", 500)
    assert event["explanation"]["commission"]["base"] == "100.00"
    await FigureCounter(shop.harness.store, shop.harness.clock, asyncio.sleep).count()
    assert (await audit(shop.harness.store, shop.harness.clock))["violations"] == []


async def test_a_full_refund_that_is_deleted_gives_the_commission_back(one: Shop) -> None:
    click = await one.harness.click()
    await tell(one, click, 0, refunds=())
    await tell(one, click, MINUTE, refunds=({**ONE, "amount": "100.00"},))
    assert await due(one) == ("REJECTED", 0)
    await tell(one, click, 2 * MINUTE, refunds=())
    assert await due(one) == ("HOLD", 500)


async def test_any_order_of_arrival_ends_the_same(one: Shop) -> None:
    """The set of the newest version counts, whichever snapshot comes first."""
    click = await one.harness.click()
    ends = set()
    for place, arrival in enumerate(permutations(LIVED)):
        for after, refunds in arrival:
            await tell(one, click, after, f"P-{place}", refunds=refunds)
        ends.add(await due(one, f"P-{place}"))
    assert ends == {("HOLD", 450)}


async def test_any_subset_with_the_newest_snapshot_ends_the_same(one: Shop) -> None:
    """What was lost in between is in the newest one."""
    click = await one.harness.click()
    for mask in range(8):
        kept = [each for place, each in enumerate(LIVED[:3]) if mask >> place & 1]
        for after, refunds in (*kept, LIVED[3]):
            await tell(one, click, after, f"S-{mask}", refunds=refunds)
        assert await due(one, f"S-{mask}") == ("HOLD", 450)


async def test_control_without_complete_sets_a_deleted_refund_stays(one: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undone_module, "_is_gone", lambda *_: False)
    click = await one.harness.click()
    for after, refunds in LIVED:
        await tell(one, click, after, refunds=refunds)
    assert await due(one) == ("HOLD", 250)


async def test_a_refund_that_is_newer_than_the_set_counts(one: Shop) -> None:
    """A body without the whole set, such as a refund's own delivery, may be newer than the newest set."""
    click = await one.harness.click()
    await tell(one, click, MINUTE, refunds=())
    await tell(one, click, MINUTE // 2, refunds=None, back_so_far=None)
    body = {**order(), "paid": True, "refunds": [TWO], "extra": {"click": click}}
    await one.tell("order", body, f"r-{next(_numbers)}")
    assert await due(one) == ("HOLD", 450)


async def test_once_payable_a_refund_that_is_gone_is_a_question(one: Shop) -> None:
    """The affiliate's money is not raised behind anybody's back, and nobody is asked twice."""
    click = await one.harness.click()
    await tell(one, click, 0, refunds=())
    await tell(one, click, MINUTE, refunds=(ONE,))
    one.harness.clock.now += 15 * DAY
    for after in (2, 3):
        await tell(one, click, after * MINUTE, refunds=())
    assert await due(one) == ("PAYABLE", 300)
    (question,) = await list_order_reviews(one.harness.store)
    assert (question.reason, question.details) == ("refund_gone", {"refunds": ["refund:r-1"]})


class TestSoFar:
    """Platforms that state one growing sum."""

    async def test_of_sums_so_far_the_newest_counts_alone(self, shop: Shop) -> None:
        click = await shop.harness.click()
        for place, arrival in enumerate(permutations(((0, "0.00"), (1, "10.00"), (2, "30.00"), (3, "20.00")))):
            for after, back in arrival if place % 6 == 0 else arrival[:0]:
                await tell(shop, click, after * MINUTE, f"C-{place}", back_so_far=back)
            if place % 6 == 0:
                assert await due(shop, f"C-{place}") == ("HOLD", 400), arrival
        assert (await audit(shop.harness.store, shop.harness.clock))["violations"] == []

    async def test_control_as_single_refunds_they_would_add_up(
        self, one: Shop, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(undone_module, "_older", lambda _: [])
        click = await one.harness.click()
        for after, back in ((1, "10.00"), (2, "30.00")):
            await tell(one, click, after * MINUTE, back_so_far=back)
        assert await due(one) == ("HOLD", 300)

    async def test_the_whole_sum_is_a_full_refund(self, one: Shop) -> None:
        click = await one.harness.click()
        await tell(one, click, MINUTE, back_so_far="40.00")
        await tell(one, click, 2 * MINUTE, back_so_far="100.00")
        assert (await due(one))[0] == "REJECTED"
