"""A customer is known again where a campaign asks for it: by hash, for a time, in a batch, and erased."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from hub.domain.instants import format_instant
from hub.operations.campaigns.attribution_policies import PolicyForm, set_attribution_policy
from hub.operations.errors import InvalidFields
from hub.storage import Row
from tests.processing.harness import DAY, NOON, Harness
from tests.processing.test_deliveries import connect
from tests.processing.test_deliveries import order as stated
from tests.processing.test_renewals import a_campaign, order

ADA = "Ada@shop.example"


async def kept(harness: Harness) -> Sequence[Row]:
    return await harness.rows("all_customer_orders")


async def test_an_order_without_a_click_earns_by_its_customer(harness: Harness) -> None:
    """On another device, months after the cookie; the control is a campaign that keeps nothing of customers."""
    for days, expected in ((90, "customer_matched"), (0, "click_missing")):
        campaign_id = await a_campaign(harness, customer_days=days)
        who = f"{days}@shop.example"
        await order(harness, f"{days}-1", clickId=await harness.click(campaign_id), customer=who)
        harness.clock.advance(60 * DAY)
        affiliate = harness.affiliate_id if days else None
        assert await order(harness, f"{days}-2", customer=who.upper()) == (expected, affiliate)
    earned = await harness.commission("90-2")
    assert earned is not None
    assert (earned["amount_minor"], earned["source"]) == (1_000, "CAMPAIGN")
    assert await harness.commission("0-2") is None
    assert [len(row["customer"]) for row in await kept(harness)] == [32]


async def test_the_explanation_names_the_order_by_which_the_customer_is_known(sqlite_harness: Harness) -> None:
    harness = sqlite_harness
    click_id = await harness.click(await a_campaign(harness, customer_days=30))
    await order(harness, "1", clickId=click_id, customer=ADA)
    harness.clock.advance(DAY)
    accepted = await harness.order("2", customer=ADA)
    await harness.work()
    shown = (await harness.event(accepted.event_id))["explanation"]["attribution"]
    assert shown["customer"] == {"externalOrderId": "1", "orderedAt": format_instant(NOON)}
    assert (shown["policy"]["decidedBy"], shown["windowSeconds"], shown["clickId"]) == ("customer", 30 * 86_400, None)
    assert ADA.lower() not in str(shown).lower()


async def test_the_time_runs_from_the_last_order_that_an_affiliate_brought(sqlite_harness: Harness) -> None:
    """An order that its customer brought lengthens nothing."""
    harness = sqlite_harness
    await order(harness, "1", clickId=await harness.click(await a_campaign(harness, customer_days=50)), customer=ADA)
    harness.clock.advance(40 * DAY)
    assert (await order(harness, "2", customer=ADA))[0] == "customer_matched"
    harness.clock.advance(20 * DAY)
    assert (await order(harness, "3", customer=ADA))[0] == "click_missing"
    assert len(await kept(harness)) == 1


async def test_an_order_that_came_to_nothing_speaks_for_nobody(sqlite_harness: Harness) -> None:
    harness = sqlite_harness
    await order(harness, "1", clickId=await harness.click(await a_campaign(harness, customer_days=90)), customer=ADA)
    await harness.status("1", "cancelled")
    await harness.work()
    assert (await order(harness, "2", customer=ADA))[0] == "click_missing"


async def test_a_batch_that_has_the_earlier_order_too_decides_it_first(sqlite_harness: Harness) -> None:
    harness = sqlite_harness
    click_id = await harness.click(await a_campaign(harness, customer_days=90))
    await harness.order("2", customer=ADA)
    await harness.order("3", customer="eve@shop.example")
    await harness.order("1", clickId=click_id, customer=ADA, orderedAt=format_instant(NOON))
    await harness.work()
    assert [await harness.commission(number) is not None for number in ("1", "2", "3")] == [True, True, False]


async def test_a_click_that_comes_late_makes_its_customer_known(sqlite_harness: Harness) -> None:
    harness = sqlite_harness
    click_id = await harness.click(await a_campaign(harness, customer_days=90))
    for delivery, told in (("d-1", {}), ("d-2", {"click_id": click_id})):
        body = {"external_order_id": "1", "order_amount": "100.00", "customer": ADA, **told}
        await harness.webhook("order-created", delivery, **body)
        await harness.work()
    harness.clock.advance(DAY)
    assert (await order(harness, "2", customer=ADA))[0] == "customer_matched"


async def test_fewer_days_forget_at_once_and_the_rest_in_time(sqlite_harness: Harness) -> None:
    harness = sqlite_harness
    campaign_id = await a_campaign(harness, customer_days=90)
    await order(harness, "1", clickId=await harness.click(campaign_id), customer=ADA)

    async def left(after_days: int) -> int:
        async with harness.store.write() as tx:
            await tx.run("forget_customers", account_id=harness.account_id, now=harness.clock() + after_days * DAY)
        return len(await kept(harness))

    assert await left(89) == 1
    await set_attribution_policy(harness.store, harness.clock, campaign_id, PolicyForm(customer_days=10))
    assert [row["kept_until"] for row in await kept(harness)] == [NOON + 10 * DAY]
    assert (await left(9), await left(11)) == (1, 0)


async def test_erasing_one_order_forgets_its_customer_everywhere(harness: Harness) -> None:
    """Asked for by the shop, Ada's other orders are forgotten with hers; the control is another customer's."""
    campaign_id = await a_campaign(harness, customer_days=90)
    for number, who in (("1", ADA), ("2", ADA), ("3", "eve@shop.example")):
        await order(harness, number, clickId=await harness.click(campaign_id), customer=who)
    shop = await connect(harness)
    await shop.tell("order", stated("4", buyer=ADA, extra={"click": await harness.click(campaign_id)}))
    assert len(await kept(harness)) == 4
    await shop.tell("privacy/redact", {"orders": ["4"], "email": ADA})
    assert len(await kept(harness)) == 1
    assert (await order(harness, "5", customer=ADA))[0] == "click_missing"
    assert (await order(harness, "6", customer="eve@shop.example"))[0] == "customer_matched"


async def test_days_that_no_campaign_may_name_are_refused(sqlite_harness: Harness) -> None:
    for days in (-1, 1_096):
        with pytest.raises(InvalidFields, match="0 to 1095"):
            await a_campaign(sqlite_harness, customer_days=days)


async def test_finding_a_customer_reads_their_own_orders_alone(sqlite_harness: Harness) -> None:
    plan = " ".join(await sqlite_harness.store.explain("load_customers"))
    assert "customer_orders_by_customer (account_id=? AND customer=? AND ordered_at<?)" in plan
