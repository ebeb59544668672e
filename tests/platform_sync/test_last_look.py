"""Before a hold ends the platform is asked for that one order: what it says then still counts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web

from hub.operations.audits.audit import audit
from hub.operations.connections.last_looks import set_last_look
from hub.operations.connections.platform_access import ask_for_read
from hub.operations.orders.conversions import show_conversion
from hub.platform_sync.looks import Looker
from hub.processing.release import release_holds
from tests.order_questions import list_order_reviews
from tests.platform_sync.acme_shop import Asked, asked
from tests.processing.harness import DAY, NOON, Harness

HOUR = 60 * 60_000
ORDER = {"number": "L-1", "total": "100.00", "paid": True, "placed": NOON - HOUR, "version": NOON}


@pytest.fixture
async def one(sqlite_harness: Harness) -> AsyncIterator[Asked]:
    async with _sold(sqlite_harness) as found:
        yield found


@pytest.fixture
async def either(harness: Harness) -> AsyncIterator[Asked]:
    async with _sold(harness) as found:
        yield found


@asynccontextmanager
async def _sold(harness: Harness) -> AsyncIterator[Asked]:
    """A shop that can be asked, and whose order L-1 was delivered and holds a commission of 5.00."""
    click = await harness.click(before_ms=2 * HOUR)
    order = {**ORDER, "extra": {"click": click}}
    async with asked(harness, orders=[order]) as found:
        await found.give(days=0)
        await found.run()
        await found.shop.tell("order", order)
        found.acme.asked.clear()
        yield found


async def later(one: Asked, days: float) -> None:
    """Let time pass, and the clock's jobs, the asking and the worker do what is due."""
    one.harness.clock.now += int(days * DAY)
    await turn(one)


async def turn(one: Asked) -> None:
    looker, store = Looker(one.platforms, one.harness.submissions), one.harness.store
    for _ in range(2):
        await looker.plan()
        await one.run()
        now = one.harness.clock()
        async with store.write() as tx:
            await release_holds(tx, await tx.all("due_holds", now=now, fresh=now - DAY, limit=100), now)
        await one.run()
        await looker.plan()


async def due(one: Asked) -> tuple[str, int]:
    commission = await one.harness.commission("L-1")
    assert commission is not None
    return commission["state"], commission["amount_minor"]


async def questions(one: Asked) -> list[str]:
    return [each.reason for each in await list_order_reviews(one.harness.store)]


def looks(one: Asked) -> int:
    return sum("/orders/L-1" in each for each in one.acme.asked)


async def test_an_order_that_still_stands_becomes_payable_after_one_request(either: Asked) -> None:
    """Asked once, some hours before the hold ends; nobody is bothered."""
    await later(either, 13)
    assert (await due(either), looks(either)) == (("HOLD", 500), 0)
    await later(either, 0.5)
    assert (await due(either), looks(either)) == (("HOLD", 500), 1)
    await later(either, 0.6)
    assert (await due(either), looks(either)) == (("PAYABLE", 500), 1)
    assert await questions(either) == []
    assert (await audit(either.harness.store, either.harness.clock))["violations"] == []


@pytest.mark.parametrize(
    ("change", "end"),
    [
        ({"cancelled": True, "version": NOON + 1}, ("REJECTED", 500)),
        ({"total": "40.00", "version": NOON + 1}, ("PAYABLE", 200)),
        ({"refunds": [{"id": "r-1", "amount": "50.00", "at": NOON + 1}], "version": NOON + 1}, ("PAYABLE", 250)),
    ],
)
async def test_what_was_lost_is_found_before_money_leaves(
    one: Asked, change: dict[str, Any], end: tuple[str, int]
) -> None:
    one.acme.orders[0] |= change
    await later(one, 13.5)
    await later(one, 0.6)
    assert await due(one) == end


async def test_a_deleted_order_ends_with_a_question(either: Asked) -> None:
    either.acme.orders.clear()
    await later(either, 13.5)
    assert await due(either) == ("REJECTED", 500)
    assert await questions(either) == ["order_gone"]
    await later(either, 1)
    assert (await due(either), looks(either)) == (("REJECTED", 500), 1)
    assert (await audit(either.harness.store, either.harness.clock))["violations"] == []


async def test_control_without_the_look_a_deleted_order_is_paid(one: Asked) -> None:
    """Switched off for the connection."""
    one.acme.orders.clear()
    await set_last_look(one.harness.store, one.harness.clock, one.shop.connection_id, "off")
    await later(one, 15)
    assert (await due(one), looks(one)) == (("PAYABLE", 500), 0)


async def test_a_shop_that_cannot_be_reached_lets_money_wait_and_asks_after_a_week(one: Asked) -> None:
    """It waits with its reason; once the shop answers, what it says counts although the hold is long over."""
    one.acme.fault = lambda _: web.Response(status=503)
    await later(one, 15)
    assert await due(one) == ("HOLD", 500)
    conversion = (await one.harness.conversion("L-1") or {})["conversion_id"]
    shown = await show_conversion(one.harness.store, one.harness.clock, conversion)
    assert shown.awaits == "PLATFORM"
    assert await questions(one) == []
    for _ in range(9):
        await later(one, 1)
    assert (await due(one), await questions(one)) == (("HOLD", 500), ["platform_unreachable"])
    one.acme.fault = lambda _: None
    one.acme.orders[0] |= {"total": "40.00", "version": NOON + 1}
    await later(one, 1)
    assert await due(one) == ("PAYABLE", 200)


async def test_an_order_whose_number_another_has_by_now_is_gone(one: Asked) -> None:
    """The shop was restored from a backup: asked for the number, it shows somebody else's order."""
    one.acme.orders[0] |= {"placed": NOON + 5 * DAY, "total": "7.00", "version": NOON + 5 * DAY}
    await later(one, 13.5)
    await later(one, 1)
    await later(one, 1)
    assert (await due(one))[0] == "REJECTED"
    assert set(await questions(one)) == {"other_order", "order_gone"}


@asynccontextmanager
async def many(harness: Harness) -> AsyncIterator[tuple[Asked, list[str]]]:
    """Four orders whose holds end together, each with its commission."""
    click = await harness.click(before_ms=2 * HOUR)
    numbers = [f"M-{number}" for number in range(4)]
    orders = [{**ORDER, "number": number, "extra": {"click": click}} for number in numbers]
    async with asked(harness, orders=list(orders)) as one:
        await one.give(days=0)
        await one.run()
        for number, order in zip(numbers, orders, strict=True):
            await one.shop.tell("order", order, number)
        one.acme.asked.clear()
        yield one, numbers


async def ends(one: Asked, numbers: list[str]) -> list[str]:
    return [str((await one.harness.commission(each) or {})["state"]) for each in numbers]


async def test_orders_that_end_together_are_asked_for_at_once(harness: Harness) -> None:
    """By one request where the platform can; what it does not show is asked for alone, and may be gone."""
    async with many(harness) as (one, numbers):
        one.acme.orders[1] |= {"cancelled": True, "version": NOON + 1}
        del one.acme.orders[2]
        await later(one, 13.5)
        looked = [each for each in one.acme.asked if each.startswith("GET /api/orders")]
        assert looked == ["GET /api/orders?ids=M-0,M-1,M-2,M-3&page=1&size=50", "GET /api/orders/M-2"]
        await later(one, 1)
        assert await ends(one, numbers) == ["PAYABLE", "REJECTED", "REJECTED", "PAYABLE"]


@pytest.mark.parametrize(("status", "comes_to"), [(400, "PAYABLE"), (503, "HOLD")])
async def test_a_list_that_fails_is_no_answer(sqlite_harness: Harness, status: int, comes_to: str) -> None:
    """A platform that refuses the list is asked for each order; one that is away is asked again later."""
    async with many(sqlite_harness) as (one, numbers):
        one.acme.fault = lambda request: web.Response(status=status) if "ids" in request.query else None
        await later(one, 13.5)
        await later(one, 1)
        assert await ends(one, numbers) == [comes_to] * 4


async def test_looks_of_a_day_are_bounded(one: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hub.platform_sync.runner.LOOKS_A_DAY", 0)
    await later(one, 15)
    assert (await due(one), looks(one)) == (("HOLD", 500), 0)


async def test_a_reading_has_open_orders_looked_for_that_it_did_not_show(one: Asked) -> None:
    """A list has only what is still there: what was deleted is asked for by its number, at once."""
    one.acme.orders.clear()
    one.harness.clock.now += DAY
    await ask_for_read(one.platforms, one.shop.connection_id, since="3d")
    await one.run()
    assert (await due(one), looks(one)) == (("REJECTED", 500), 1)


async def test_control_a_reading_that_is_not_asked_further_leaves_it(one: Asked) -> None:
    """Off, the deleted order stays on hold."""
    await set_last_look(one.harness.store, one.harness.clock, one.shop.connection_id, "off")
    one.acme.orders.clear()
    one.harness.clock.now += DAY
    await ask_for_read(one.platforms, one.shop.connection_id, since="3d")
    await one.run()
    assert (await due(one), looks(one)) == (("HOLD", 500), 0)
