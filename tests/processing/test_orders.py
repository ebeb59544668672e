"""What becomes of an order's news, from intake to the ledger."""

from __future__ import annotations

import pytest

from hub.domain.instants import format_instant
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.errors import OperatorFault
from hub.operations.orders.reviews import attribute_conversion
from hub.operations.references import account_of
from tests.conftest import database_url
from tests.processing.harness import DAY, NOON, POLICY, Harness

__all__ = ["database_url"]


async def test_a_clicked_order_earns_the_campaigns_commission(harness: Harness) -> None:
    """A click inside the window attributes the order HIGH, and the campaign's default sets the amount."""
    campaign = await harness.campaign(value="10")
    click = await harness.click(campaign)
    accepted = await harness.order("A-1", "49.90", clickId=click)
    await harness.work()
    event = await harness.event(accepted.event_id)
    commission = await harness.commission("A-1")
    assert commission is not None
    assert (event["status"], event["conversion_id"]) == ("PROCESSED", accepted.conversion_id)
    assert event["explanation"]["attribution"] == {
        "confidence": "HIGH", "reason": "matched", "clickId": click, "affiliateId": harness.affiliate_id,
        "campaignId": campaign, "clickAgeSeconds": 3600, "windowSeconds": 30 * 86400,
    }  # fmt: skip
    told = event["explanation"]["commission"]
    assert (told["state"], told["amount"], told["base"], told["source"]) == ("PENDING", "4.99", "49.90", "CAMPAIGN")
    assert (commission["state"], commission["amount_minor"]) == ("PENDING", 499)


async def test_an_order_without_a_click_goes_to_review_with_the_coupons_owner_as_candidate(harness: Harness) -> None:
    """LOW confidence keeps the conversion, earns nothing, and names who may have sent the buyer."""
    await harness.order("A-2", couponCode="ada10")
    await harness.work()
    conversion = await harness.conversion("A-2")
    assert conversion is not None
    assert (conversion["confidence"], conversion["reason"], conversion["review"]) == ("LOW", "click_missing", "OPEN")
    assert (conversion["candidate_id"], conversion["affiliate_id"]) == (harness.affiliate_id, None)
    assert await harness.commission("A-2") is None


@pytest.mark.parametrize("typed", ["ADA10", " ada10 ", "Ada10\n", "\u00a0ada10"])
async def test_a_coupon_is_its_owners_however_it_is_written(sqlite_harness: Harness, typed: str) -> None:
    """As a program sends it that does not trim what a buyer typed, or a cell of a spreadsheet has it."""
    await sqlite_harness.order("A-2", couponCode=typed)
    await sqlite_harness.work()
    conversion = await sqlite_harness.conversion("A-2")
    assert conversion is not None
    assert conversion["candidate_id"] == sqlite_harness.affiliate_id
    assert conversion["coupon_code"] == typed.strip()


async def test_a_coupon_may_have_the_letters_of_its_country(sqlite_harness: Harness) -> None:
    """Composed or not: some keyboards write an accent as a character of its own."""
    store, clock = sqlite_harness.store, sqlite_harness.clock
    made = await create_affiliate(store, clock, name="Bea", email="bea@blog.example", coupons=["Mu\u0308ller10"])
    assert made.coupons == ("M\u00dcLLER10",)
    await sqlite_harness.order("A-2", couponCode="m\u00fcller10")
    await sqlite_harness.work()
    conversion = await sqlite_harness.conversion("A-2")
    assert conversion is not None
    assert conversion["candidate_id"] == made.id
    for refused in ("two words", "", "a\u200bb", "x" * 81):
        with pytest.raises(OperatorFault, match="without spaces"):
            await create_affiliate(store, clock, name="Bea", email="b@blog.example", coupons=[refused])


async def test_news_that_comes_before_its_order_is_parked_and_applied(harness: Harness) -> None:
    """A status may arrive first: it waits, and counts once the conversion is there."""
    click = await harness.click()
    early = await harness.status("A-3", "delivered")
    await harness.work()
    parked = await harness.event(early.event_id)
    assert (parked["status"], parked["explanation"]["skipReason"]) == ("PARKED", "unknown_order")
    await harness.order("A-3", clickId=click)
    await harness.work()
    assert (await harness.event(early.event_id))["status"] == "PROCESSED"
    commission = await harness.commission("A-3")
    assert commission is not None
    assert (commission["state"], commission["hold_until"]) == ("HOLD", NOON + 14 * DAY)


async def test_news_for_another_click_does_not_touch_the_order(harness: Harness) -> None:
    """With a clickId, a status applies only to a conversion with that click."""
    await harness.order("A-4", clickId=await harness.click())
    other = await harness.status("A-4", "cancelled", clickId="clk_0123456789abcdef0123456789abcdef")
    await harness.work()
    event = await harness.event(other.event_id)
    commission = await harness.commission("A-4")
    assert commission is not None
    assert (event["status"], event["explanation"]["skipReason"]) == ("SKIPPED", "unknown_order")
    assert commission["state"] == "PENDING"


async def test_a_status_with_a_wrong_click_does_not_swallow_its_correction(harness: Harness) -> None:
    """The same status of the same moment counts once the click is right; with the same click it is a duplicate."""
    click = await harness.click()
    await harness.order("A-4", clickId=click)
    wrong = await harness.status("A-4", "cancelled", at=NOON, clickId="clk_0123456789abcdef0123456789abcdef")
    right = await harness.status("A-4", "cancelled", at=NOON, clickId=click)
    again = await harness.status("A-4", "cancelled", at=NOON, clickId=click)
    await harness.work()
    assert (await harness.event(wrong.event_id))["status"] == "SKIPPED"
    assert (await harness.event(right.event_id))["status"] == "PROCESSED"
    assert (again.duplicate, again.event_id) == (True, right.event_id)
    commission = await harness.commission("A-4")
    assert commission is not None
    assert commission["state"] == "REJECTED"


async def test_an_order_reported_without_a_click_takes_news_with_any(harness: Harness) -> None:
    """There is no click that the news could contradict; it counts if the order is attributed later."""
    await harness.order("A-4")
    status = await harness.status("A-4", "cancelled", clickId=await harness.click())
    await harness.work()
    assert (await harness.event(status.event_id))["status"] == "PROCESSED"
    order = await harness.conversion("A-4")
    assert order is not None
    await attribute_conversion(
        harness.store, harness.clock, POLICY, order["conversion_id"], affiliate=harness.affiliate_id
    )
    commission = await harness.commission("A-4")
    assert commission is not None
    assert commission["state"] == "REJECTED"


async def test_a_status_happened_no_earlier_than_its_order(harness: Harness) -> None:
    """A delivery that is dated before the order starts the hold with the order, not a month before it."""
    await harness.order("A-4", clickId=await harness.click())
    await harness.status("A-4", "delivered", at=NOON - 30 * DAY)
    await harness.work()
    commission = await harness.commission("A-4")
    assert commission is not None
    assert (commission["state"], commission["hold_until"]) == ("HOLD", NOON + 14 * DAY)


async def test_a_parcel_that_arrives_after_its_refund_earns_nothing(harness: Harness) -> None:
    """REJECTED is left only by commission_approved; the skipped event says so."""
    await harness.order("A-5", clickId=await harness.click(), orderedAt=format_instant(NOON - 3000))
    await harness.status("A-5", "refunded", at=NOON - 2000)
    late = await harness.status("A-5", "delivered", at=NOON - 1000)
    await harness.work()
    event = await harness.event(late.event_id)
    commission = await harness.commission("A-5")
    assert commission is not None
    assert (event["status"], event["explanation"]["skipReason"]) == ("SKIPPED", "not_allowed_from_rejected")
    assert commission["state"] == "REJECTED"


async def test_a_conversion_and_an_order_created_webhook_make_one_conversion(harness: Harness) -> None:
    """The order is claimed once, whichever door it comes through, before or after the worker saw the first."""
    rest = await harness.order("A-6", "10.00")
    hook = await harness.webhook("order-created", "d-1", external_order_id="A-6", order_amount="10.00")
    await harness.work()
    again = await harness.webhook("order-created", "d-2", externalOrderId="A-6", orderAmount="10.00")
    await harness.work()
    for event_id in (hook.event_id, again.event_id):
        event = await harness.event(event_id)
        assert (event["status"], event["explanation"]["skipReason"]) == ("SKIPPED", "already_known")
        assert event["conversion_id"] == rest.conversion_id
    assert len(await harness.rows("conversion_rows")) == 1


async def test_a_conversion_after_a_webhook_names_the_webhooks_conversion(harness: Harness) -> None:
    """The duplicate answer refers to the existing record."""
    await harness.webhook("order-created", "d-3", external_order_id="A-7", order_amount="10.00")
    await harness.work()
    duplicate = await harness.order("A-7", "10.00")
    conversion = await harness.conversion("A-7")
    assert conversion is not None
    assert (duplicate.duplicate, duplicate.conversion_id) == (True, conversion["conversion_id"])


async def test_a_partial_refund_shrinks_the_commission_and_counts_once(harness: Harness) -> None:
    """A refund id counts once, through however many deliveries it comes."""
    await harness.order("A-8", "100.00", clickId=await harness.click())
    for delivery in ("d-4", "d-5"):
        await harness.webhook(
            "order-refunded", delivery, external_order_id="A-8", refund_id="r-1", refund_amount="25.00"
        )
    await harness.work()
    commission = await harness.commission("A-8")
    assert commission is not None
    assert (commission["state"], commission["amount_minor"], commission["base_minor"]) == ("PENDING", 375, 7500)


async def test_refunds_that_add_up_to_the_order_reject_the_commission(harness: Harness) -> None:
    """The sum of all refunds reaching the order's amount is a full refund."""
    await harness.order("A-9", "100.00", clickId=await harness.click())
    for number, amount in enumerate(("60.00", "40.00")):
        await harness.webhook(
            "order-refunded", f"e-{number}", external_order_id="A-9", refund_id=f"r-{number}", refund_amount=amount
        )
    await harness.work()
    commission = await harness.commission("A-9")
    assert commission is not None
    assert (commission["state"], commission["amount_minor"]) == ("REJECTED", 0)


async def test_a_webhook_that_nobody_can_map_fails_visibly(harness: Harness) -> None:
    """It is kept, FAILED with the reason, and never dropped."""
    accepted = await harness.webhook("order-created", "d-6", external_order_id="A-10")
    await harness.work()
    event = await harness.event(accepted.event_id)
    assert event["status"] == "FAILED"
    assert event["explanation"]["skipReason"].startswith("unmappable: ")
    again = await harness.order("A-10", "5.00")
    assert not again.duplicate


async def test_a_broken_event_fails_alone_and_is_tried_again(harness: Harness) -> None:
    """One event whose body was damaged takes none of its batch down, and ends FAILED after ten attempts."""
    good = await harness.order("A-11")
    bad = await harness.order("A-12")
    async with harness.store.write() as tx:
        await tx.run("spoil_body", account_id=harness.account_id, event_id=bad.event_id, body='{"orderAmount": 1}')
    await harness.work()
    assert (await harness.event(good.event_id))["status"] == "PROCESSED"
    assert (await harness.event(bad.event_id))["attempts"] == 1
    for _ in range(10):
        harness.clock.now += 400_000
        await harness.work()
    event = await harness.event(bad.event_id)
    assert (event["status"], event["attempts"]) == ("FAILED", 10)
    assert event["explanation"]["skipReason"].startswith("internal: ")


@pytest.mark.parametrize(
    ("status", "state"), [("paid", "HOLD"), ("confirmed", "HOLD"), ("commission_approved", "APPROVED")]
)
async def test_a_status_moves_the_commission(sqlite_harness: Harness, status: str, state: str) -> None:
    """The transition table, seen from the door."""
    await sqlite_harness.order("A-13", clickId=await sqlite_harness.click())
    await sqlite_harness.status("A-13", status)
    await sqlite_harness.work()
    commission = await sqlite_harness.commission("A-13")
    assert commission is not None
    assert (commission["state"], commission["hold_until"]) == (state, NOON + 14 * DAY)


async def test_the_first_order_status_counts_from_the_order(sqlite_harness: Harness) -> None:
    """The conversion's own orderStatus is its first fact, at the order's time."""
    click = await sqlite_harness.click(before_ms=5 * DAY)
    await sqlite_harness.order("A-14", clickId=click, orderStatus="delivered", orderedAt="2026-11-18T12:00:00Z")
    await sqlite_harness.work()
    commission = await sqlite_harness.commission("A-14")
    assert commission is not None
    assert (commission["state"], commission["hold_until"]) == ("HOLD", NOON + 12 * DAY)


@pytest.mark.parametrize(("mode", "status"), [("live", "SKIPPED"), ("test", "PROCESSED")])
async def test_a_platforms_test_order_never_touches_live_money(sqlite_harness: Harness, mode: str, status: str) -> None:
    """Not through the free-form webhooks either: the connector that recognises the body knows its test orders."""
    async with sqlite_harness.store.read() as tx:
        sqlite_harness.account_id = (await account_of(tx, sqlite_harness.merchant_id, mode))["account_id"]
    order = {
        "id": 5012345678901, "admin_graphql_api_id": "gid://shopify/Order/5012345678901", "test": True,
        "currency": "USD", "total_price": "10.00", "subtotal_price": "10.00", "created_at": "2026-11-20T10:00:00-05:00",
        "line_items": [{"id": 1, "product_id": 2, "quantity": 1, "price": "10.00"}],
    }  # fmt: skip
    accepted = await sqlite_harness.webhook("order-created", "d-7", **order)
    await sqlite_harness.work()
    event = await sqlite_harness.event(accepted.event_id)
    assert (event["status"], len(await sqlite_harness.rows("conversion_rows"))) == (status, int(mode == "test"))
    assert event["explanation"]["skipReason"] == ("test_delivery" if mode == "live" else None)


@pytest.mark.parametrize(("lines", "status"), [(1_000, "PROCESSED"), (1_001, "FAILED")])
async def test_a_webhook_may_have_a_thousand_lines(sqlite_harness: Harness, lines: int, status: str) -> None:
    line = {"external_product_id": "p", "quantity": 1, "amount": "0.01"}
    accepted = await sqlite_harness.webhook(
        "order-created", "d-1", external_order_id="A-9", order_amount="10.01", lines=[line] * lines
    )
    await sqlite_harness.work()
    event = await sqlite_harness.event(accepted.event_id)
    assert event["status"] == status
    if status == "FAILED":
        reason = "unmappable: the body has 1,001 lines, more than the 1,000 that the hub takes"
        assert event["explanation"]["skipReason"] == reason
