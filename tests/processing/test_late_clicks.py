"""A click that another plugin writes on an order a moment after the hub has seen it."""

from __future__ import annotations

import pytest

from hub.operations.audits.audit import audit
from hub.processing import decide_orders
from tests.processing.harness import NOON, Harness
from tests.processing.test_deliveries import Shop, connect, order


@pytest.fixture
async def shop(harness: Harness) -> Shop:
    return await connect(harness)


async def seen(shop: Shop, click: str | None, version: int) -> None:
    """Deliver an order as it is by now."""
    body = {**order(), "paid": True, "version": NOON + version, "placed": NOON, "extra": {"click": click}}
    await shop.tell("order", body, f"c-{version}")


async def test_a_click_that_comes_later_attributes_the_order(shop: Shop) -> None:
    """At the order's own time, with all that was reported of it meanwhile; a third click changes nothing."""
    ada, other = await shop.harness.click(), await shop.harness.click()
    await seen(shop, None, 0)
    assert await shop.harness.commission("A-1") is None
    await seen(shop, ada, 1)
    await seen(shop, other, 2)
    conversion, commission = await shop.harness.conversion("A-1"), await shop.harness.commission("A-1")
    assert conversion is not None
    assert commission is not None
    assert (conversion["click_id"], conversion["confidence"], conversion["review"]) == (ada, "HIGH", None)
    assert (commission["state"], commission["amount_minor"]) == ("HOLD", 500)
    assert (await audit(shop.harness.store, shop.harness.clock))["violations"] == []


async def test_a_click_that_proves_nothing_leaves_the_review_open(shop: Shop) -> None:
    await seen(shop, None, 0)
    await seen(shop, "clk_" + "0" * 32, 1)
    conversion = await shop.harness.conversion("A-1")
    assert conversion is not None
    assert (conversion["review"], await shop.harness.commission("A-1")) == ("OPEN", None)


async def test_control_without_it_the_order_stays_in_review(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decide_orders, "by_late_click", lambda *_: None)
    ada = await shop.harness.click()
    await seen(shop, None, 0)
    await seen(shop, ada, 1)
    assert await shop.harness.commission("A-1") is None
