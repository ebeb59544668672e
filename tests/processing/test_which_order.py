"""Numbers that come again, after a restored backup or a pushed copy: another order has a known number."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from hub.operations.audits.audit import audit
from hub.operations.connections.connection_check import check_connection
from hub.operations.connections.connections import ConnectionAdmin
from hub.operations.errors import OperatorFault
from hub.operations.orders.other_orders import separate_orders
from hub.processing import identity
from hub.sealing import Sealer
from tests.acme import acme_plugins
from tests.order_questions import list_order_reviews
from tests.processing.harness import DAY, NOON, Harness
from tests.processing.test_deliveries import Shop, connect, order

_numbers = count()


@pytest.fixture
async def shop(harness: Harness) -> Shop:
    return await connect(harness)


@pytest.fixture
async def one(sqlite_harness: Harness) -> Shop:
    return await connect(sqlite_harness)


async def tell(shop: Shop, click: str, key: str | None, number: str = "A-1", **more: Any) -> dict[str, Any]:
    """Deliver what an order is by now, as a platform does that states its key."""
    body = order(number, **{"total": "100.00", "paid": True, "version": NOON, **more}, key=key)
    return await shop.event(await shop.tell("order", {**body, "extra": {"click": click}}, f"w-{next(_numbers)}"))


async def earned(harness: Harness, number: str = "A-1") -> tuple[str, str, int]:
    """Whose click an order is by, and its commission's state and amount."""
    conversion, commission = await harness.conversion(number), await harness.commission(number)
    assert conversion is not None
    assert commission is not None
    return conversion["click_id"], commission["state"], commission["amount_minor"]


async def test_another_order_under_a_known_number_changes_nothing_and_is_asked_about(shop: Shop) -> None:
    """Ada's order keeps its amount and its commission; the question shows both sides, once."""
    ada, bob = await shop.harness.click(), await shop.harness.click()
    await tell(shop, ada, "born-a")
    for total in ("19.99", "18.99"):
        event = await tell(shop, bob, "born-b", total=total, version=NOON + DAY, placed=NOON)
        assert (event["status"], event["explanation"]["skipReason"]) == ("PARKED", "other_order")
    assert await earned(shop.harness) == (ada, "HOLD", 500)
    (question,) = await list_order_reviews(shop.harness.store)
    assert question.reason == "other_order"
    details = question.details
    assert (details["clickId"], details["countsAs"]) == ({"before": ada, "after": bob}, "A-1~2")
    assert details["orderAmount"] == {"before": "100.00", "after": "19.99"}


async def test_answered_it_is_an_order_of_its_own_with_all_that_came_of_it(shop: Shop) -> None:
    """Its own click and commission; what comes of it later finds it by its birth."""
    ada, bob = await shop.harness.click(), await shop.harness.click()
    await tell(shop, ada, "born-a")
    conversion = (await shop.harness.conversion("A-1") or {})["conversion_id"]
    await tell(shop, bob, "born-b", total="20.00")
    await tell(shop, bob, "born-b", total="30.00", version=NOON + 1)
    done = await separate_orders(shop.harness.store, shop.harness.clock, conversion)
    assert done["orders"] == ["A-1~2"]
    await shop.harness.work()
    assert await earned(shop.harness, "A-1~2") == (bob, "HOLD", 150)
    await tell(shop, bob, "born-b", total="40.00", version=NOON + 2)
    await shop.harness.work()
    assert await earned(shop.harness, "A-1~2") == (bob, "HOLD", 200)
    assert await earned(shop.harness) == (ada, "HOLD", 500)
    assert await list_order_reviews(shop.harness.store) == []
    assert (await audit(shop.harness.store, shop.harness.clock))["violations"] == []
    with pytest.raises(OperatorFault, match="No other order waits"):
        await separate_orders(shop.harness.store, shop.harness.clock, conversion)


async def test_a_third_order_of_the_number_is_one_more(one: Shop) -> None:
    ada, bob, eve = [await one.harness.click() for _ in range(3)]
    await tell(one, ada, "born-a")
    for click, key in ((bob, "born-b"), (eve, "born-c"), (bob, "born-b")):
        await tell(one, click, key)
    conversion = (await one.harness.conversion("A-1") or {})["conversion_id"]
    done = await separate_orders(one.harness.store, one.harness.clock, conversion)
    assert done["orders"] == ["A-1~2", "A-1~3"]
    await one.harness.work()
    assert [(await earned(one.harness, number))[0] for number in ("A-1", "A-1~2", "A-1~3")] == [ada, bob, eve]


async def test_the_same_birth_is_the_same_order_whatever_else_changes(one: Shop) -> None:
    """The control of the questions: an order may be edited, and another plugin may write another click on it."""
    ada, bob = await one.harness.click(), await one.harness.click()
    await tell(one, ada, "born-a")
    await tell(one, bob, "born-a", total="50.00", version=NOON + 1, placed=NOON - 90 * DAY)
    assert await earned(one.harness) == (ada, "HOLD", 250)
    assert await list_order_reviews(one.harness.store) == []


async def test_control_without_a_birth_the_second_order_overwrites_the_first(
    one: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What happened before a connector could state it."""
    monkeypatch.setattr(identity, "APART_MS", 10**15)
    ada, bob = await one.harness.click(), await one.harness.click()
    await tell(one, ada, None)
    await tell(one, bob, None, total="19.99", version=NOON + DAY)
    assert await earned(one.harness) == (ada, "HOLD", 100)


async def test_without_a_birth_the_time_of_placing_says_it(one: Shop) -> None:
    """Platforms round it, so less than a day apart is the same order."""
    ada, bob = [await one.harness.click(before_ms=4 * DAY) for _ in range(2)]
    await tell(one, ada, None, placed=NOON - 3 * DAY)
    await tell(one, ada, None, placed=NOON - 2 * DAY - 1, version=NOON + 1, total="90.00")
    assert await earned(one.harness) == (ada, "HOLD", 450)
    event = await tell(one, bob, None, placed=NOON - DAY, version=NOON + 2, total="10.00")
    assert event["explanation"]["skipReason"] == "other_order"
    assert await earned(one.harness) == (ada, "HOLD", 450)


async def test_the_check_names_a_restored_backup_by_several_in_a_row(one: Shop) -> None:
    click = await one.harness.click()
    store, clock = one.harness.store, one.harness.clock
    admin = ConnectionAdmin(store, Sealer.of([bytes(32)]), acme_plugins(), clock, "https://hub.example")
    for place in range(3):
        await tell(one, click, f"old-{place}", f"B-{place}")
        await tell(one, click, f"new-{place}", f"B-{place}")
        told = [each for each in (await check_connection(admin, one.connection_id)).problems if "number" in each]
        words = "restored from a backup" if place == 2 else "Another order came under a number that is known"
        assert any(words in each for each in told), told


class TestReports:
    """The raw API: another click, or another day, names another order; its answers stay as they are."""

    async def test_another_click_under_a_known_number_is_a_question(self, harness: Harness) -> None:
        ada, bob = await harness.click(), await harness.click()
        first = await harness.order("R-1", "100.00", clickId=ada)
        again = await harness.order("R-1", "20.00", clickId=bob)
        assert (again.status, again.event_id) == ("DUPLICATE", first.event_id)
        await harness.work()
        (question,) = await list_order_reviews(harness.store)
        assert (question.reason, question.details["clickId"]["after"]) == ("other_order", bob)
        await separate_orders(harness.store, harness.clock, question.conversion_id)
        await harness.work()
        assert await earned(harness, "R-1") == (ada, "PENDING", 500)
        assert await earned(harness, "R-1~2") == (bob, "PENDING", 100)
        assert (await audit(harness.store, harness.clock))["violations"] == []

    async def test_another_day_is_a_question_and_the_same_report_is_none(self, sqlite_harness: Harness) -> None:
        harness = sqlite_harness
        click = await harness.click(before_ms=9 * DAY)
        stated = {"orderedAt": "2026-11-15T10:00:00Z"}
        for more in (stated, stated, {}, {"orderedAt": "2026-11-16T09:00:00Z"}):
            await harness.order("R-2", "100.00", clickId=click, **more)
        await harness.work()
        assert await list_order_reviews(harness.store) == []
        await harness.order("R-2", "100.00", clickId=click, orderedAt="2026-11-18T10:00:00Z")
        await harness.work()
        assert [each.reason for each in await list_order_reviews(harness.store)] == ["other_order"]
