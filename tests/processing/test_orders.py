"""What becomes of an order's news, from the desk to the ledger."""

from __future__ import annotations

import pytest

from hub.operations.merchants import account_of
from tests.processing.harness import DAY, NOON, House


async def test_a_clicked_order_earns_the_campaigns_commission(house: House) -> None:
    """A click inside the window attributes the order HIGH, and the campaign's default sets the amount."""
    campaign = await house.campaign(value="10")
    click = await house.click(campaign)
    accepted = await house.order("A-1", "49.90", clickId=click)
    await house.work()
    event = await house.event(accepted.event_id)
    commission = await house.commission("A-1")
    assert commission is not None
    assert (event["status"], event["conversion_id"]) == ("PROCESSED", accepted.conversion_id)
    assert event["explanation"]["attribution"] == {
        "confidence": "HIGH", "reason": "matched", "clickId": click, "affiliateId": house.affiliate_id,
        "campaignId": campaign, "clickAgeSeconds": 3600, "windowSeconds": 30 * 86400,
    }  # fmt: skip
    told = event["explanation"]["commission"]
    assert (told["state"], told["amount"], told["base"], told["source"]) == ("PENDING", "4.99", "49.90", "CAMPAIGN")
    assert (commission["state"], commission["amount_minor"]) == ("PENDING", 499)


async def test_an_order_without_a_click_goes_to_review_with_the_coupons_owner_as_candidate(house: House) -> None:
    """LOW confidence keeps the conversion, earns nothing, and names who may have sent the buyer."""
    await house.order("A-2", couponCode="ada10")
    await house.work()
    conversion = await house.conversion("A-2")
    assert conversion is not None
    assert (conversion["confidence"], conversion["reason"], conversion["review"]) == ("LOW", "click_missing", "OPEN")
    assert (conversion["candidate_id"], conversion["affiliate_id"]) == (house.affiliate_id, None)
    assert await house.commission("A-2") is None


async def test_news_that_comes_before_its_order_is_parked_and_applied(house: House) -> None:
    """A status may arrive first: it waits, and counts once the conversion is there."""
    click = await house.click()
    early = await house.status("A-3", "delivered")
    await house.work()
    parked = await house.event(early.event_id)
    assert (parked["status"], parked["explanation"]["skipReason"]) == ("PARKED", "unknown_order")
    await house.order("A-3", clickId=click)
    await house.work()
    assert (await house.event(early.event_id))["status"] == "PROCESSED"
    commission = await house.commission("A-3")
    assert commission is not None
    assert (commission["state"], commission["hold_until"]) == ("HOLD", NOON + 14 * DAY)


async def test_news_for_another_click_does_not_touch_the_order(house: House) -> None:
    """With a clickId, a status applies only to a conversion with that click."""
    await house.order("A-4", clickId=await house.click())
    other = await house.status("A-4", "cancelled", clickId="clk_0123456789abcdef0123456789abcdef")
    await house.work()
    event = await house.event(other.event_id)
    commission = await house.commission("A-4")
    assert commission is not None
    assert (event["status"], event["explanation"]["skipReason"]) == ("SKIPPED", "unknown_order")
    assert commission["state"] == "PENDING"


async def test_a_parcel_that_arrives_after_its_refund_earns_nothing(house: House) -> None:
    """REJECTED is left only by commission_approved; the skipped event says so."""
    await house.order("A-5", clickId=await house.click())
    await house.status("A-5", "refunded", at=NOON - 2000)
    late = await house.status("A-5", "delivered", at=NOON - 1000)
    await house.work()
    event = await house.event(late.event_id)
    commission = await house.commission("A-5")
    assert commission is not None
    assert (event["status"], event["explanation"]["skipReason"]) == ("SKIPPED", "not_allowed_from_rejected")
    assert commission["state"] == "REJECTED"


async def test_a_conversion_and_an_order_created_webhook_make_one_conversion(house: House) -> None:
    """The order is claimed once, whichever door it comes through, before or after the worker saw the first."""
    rest = await house.order("A-6", "10.00")
    hook = await house.webhook("order-created", "d-1", external_order_id="A-6", order_amount="10.00")
    await house.work()
    again = await house.webhook("order-created", "d-2", externalOrderId="A-6", orderAmount="10.00")
    await house.work()
    for event_id in (hook.event_id, again.event_id):
        event = await house.event(event_id)
        assert (event["status"], event["explanation"]["skipReason"]) == ("SKIPPED", "already_known")
        assert event["conversion_id"] == rest.conversion_id
    assert len(await house.rows("conversion_rows")) == 1


async def test_a_conversion_after_a_webhook_names_the_webhooks_conversion(house: House) -> None:
    """The duplicate answer refers to the existing record."""
    await house.webhook("order-created", "d-3", external_order_id="A-7", order_amount="10.00")
    await house.work()
    duplicate = await house.order("A-7", "10.00")
    conversion = await house.conversion("A-7")
    assert conversion is not None
    assert (duplicate.duplicate, duplicate.conversion_id) == (True, conversion["conversion_id"])


async def test_a_partial_refund_shrinks_the_commission_and_counts_once(house: House) -> None:
    """A refund id counts once, through however many deliveries it comes."""
    await house.order("A-8", "100.00", clickId=await house.click())
    for delivery in ("d-4", "d-5"):
        await house.webhook("order-refunded", delivery, external_order_id="A-8", refund_id="r-1", refund_amount="25.00")
    await house.work()
    commission = await house.commission("A-8")
    assert commission is not None
    assert (commission["state"], commission["amount_minor"], commission["base_minor"]) == ("PENDING", 375, 7500)


async def test_refunds_that_add_up_to_the_order_reject_the_commission(house: House) -> None:
    """The sum of all refunds reaching the order's amount is a full refund."""
    await house.order("A-9", "100.00", clickId=await house.click())
    for number, amount in enumerate(("60.00", "40.00")):
        await house.webhook(
            "order-refunded", f"e-{number}", external_order_id="A-9", refund_id=f"r-{number}", refund_amount=amount
        )
    await house.work()
    commission = await house.commission("A-9")
    assert commission is not None
    assert (commission["state"], commission["amount_minor"]) == ("REJECTED", 0)


async def test_a_webhook_that_nobody_can_map_fails_visibly(house: House) -> None:
    """It is kept, FAILED with the reason, and never dropped."""
    accepted = await house.webhook("order-created", "d-6", external_order_id="A-10")
    await house.work()
    event = await house.event(accepted.event_id)
    assert event["status"] == "FAILED"
    assert event["explanation"]["skipReason"].startswith("unmappable: ")
    again = await house.order("A-10", "5.00")
    assert not again.duplicate


async def test_a_broken_event_fails_alone_and_is_tried_again(house: House) -> None:
    """One event whose body was damaged takes none of its batch down, and ends FAILED after ten attempts."""
    good = await house.order("A-11")
    bad = await house.order("A-12")
    async with house.store.write() as tx:
        await tx.run("spoil_body", account_id=house.account_id, event_id=bad.event_id, body='{"orderAmount": 1}')
    await house.work()
    assert (await house.event(good.event_id))["status"] == "PROCESSED"
    assert (await house.event(bad.event_id))["attempts"] == 1
    for _ in range(10):
        house.clock.now += 400_000
        await house.work()
    event = await house.event(bad.event_id)
    assert (event["status"], event["attempts"]) == ("FAILED", 10)
    assert event["explanation"]["skipReason"].startswith("internal: ")


@pytest.mark.parametrize(
    ("status", "state"), [("paid", "HOLD"), ("confirmed", "HOLD"), ("commission_approved", "APPROVED")]
)
async def test_a_status_moves_the_commission(sqlite_house: House, status: str, state: str) -> None:
    """The transition table, seen from the door."""
    await sqlite_house.order("A-13", clickId=await sqlite_house.click())
    await sqlite_house.status("A-13", status)
    await sqlite_house.work()
    commission = await sqlite_house.commission("A-13")
    assert commission is not None
    assert (commission["state"], commission["hold_until"]) == (state, NOON + 14 * DAY)


async def test_the_first_order_status_counts_from_the_order(sqlite_house: House) -> None:
    """The conversion's own orderStatus is its first fact, at the order's time."""
    click = await sqlite_house.click(before_ms=5 * DAY)
    await sqlite_house.order("A-14", clickId=click, orderStatus="delivered", orderedAt="2026-11-18T12:00:00Z")
    await sqlite_house.work()
    commission = await sqlite_house.commission("A-14")
    assert commission is not None
    assert (commission["state"], commission["hold_until"]) == ("HOLD", NOON + 12 * DAY)


@pytest.mark.parametrize(("mode", "status"), [("live", "SKIPPED"), ("test", "PROCESSED")])
async def test_a_platforms_test_order_never_touches_live_money(sqlite_house: House, mode: str, status: str) -> None:
    """Not through the free-form webhooks either: the connector that recognises the body knows its test orders."""
    async with sqlite_house.store.read() as tx:
        sqlite_house.account_id = (await account_of(tx, sqlite_house.merchant_id, mode))["account_id"]
    order = {
        "id": 5012345678901, "admin_graphql_api_id": "gid://shopify/Order/5012345678901", "test": True,
        "currency": "USD", "total_price": "10.00", "subtotal_price": "10.00", "created_at": "2026-11-20T10:00:00-05:00",
        "line_items": [{"id": 1, "product_id": 2, "quantity": 1, "price": "10.00"}],
    }  # fmt: skip
    accepted = await sqlite_house.webhook("order-created", "d-7", **order)
    await sqlite_house.work()
    event = await sqlite_house.event(accepted.event_id)
    assert (event["status"], len(await sqlite_house.rows("conversion_rows"))) == (status, int(mode == "test"))
    assert event["explanation"]["skipReason"] == ("test_delivery" if mode == "live" else None)
