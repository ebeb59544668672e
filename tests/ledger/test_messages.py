"""What payouts and silent stores do is in the outbox of those who subscribed, in the order in which it happened."""

from __future__ import annotations

import pytest

from hub.ids import new_id
from hub.intake.rules import EventRow
from hub.operations.lists import Wanted
from hub.operations.webhooks.subscription_deliveries import first_deliveries
from hub.operations.webhooks.subscriptions import NewSubscription, create_subscription
from hub.processing.silent_connections import report_silent_connections
from hub.sealing import Sealer
from tests.ledger.test_payouts import pay, payable
from tests.processing.harness import DAY, Harness

SEALER = Sealer.of([b"k" * 32])
PAID = ["commission.created", "commission.held", "commission.payable", "commission.paid"]


@pytest.mark.parametrize("of_affiliate", [False, True], ids=["merchant", "affiliate"])
async def test_a_release_writes_its_messages(harness: Harness, of_affiliate: bool) -> None:
    merchant_id = await _merchant_of(harness)
    wanted = (
        NewSubscription("https://blog.example/hook", ["*"], affiliate_id=harness.affiliate_id)
        if of_affiliate
        else NewSubscription("https://shop.example/hook", ["*"], merchant_id, "live")
    )
    made = await create_subscription(harness.store, SEALER, harness.clock, (), wanted)
    await payable(harness, "100.00", "50.00")
    run = await pay(harness)
    found = list(reversed(await first_deliveries(harness.store, made.id, Wanted(limit=100))))
    commissions = {each.data["commissionId"] for each in found if each.type != "payout.released"}
    assert len(commissions) == 2
    for commission in commissions:
        told = [each for each in found if each.data.get("commissionId") == commission]
        assert [each.type for each in told] == PAID
        assert [each.data["previousState"] for each in told[2:]] == ["HOLD", "PAYABLE"]
        assert told[-1].data["paidAt"] is not None
    (released,) = [each.data for each in found if each.type == "payout.released"]
    assert released == {
        "payoutId": run["id"],
        "affiliateId": harness.affiliate_id,
        "amount": "7.50",
        "currency": "USD",
        "merchantId": merchant_id,
        "mode": "live",
    }


async def _merchant_of(harness: Harness) -> str:
    async with harness.store.read() as tx:
        rows = await tx.all("merchants_with_accounts")
    return next(str(row["merchant_id"]) for row in rows if harness.account_id == row["live_account_id"])


async def test_a_silent_connection_is_told_of_once_for_each_silence(harness: Harness) -> None:
    """Not before a day, not one that never delivered, and again only after a new delivery."""
    store, clock = harness.store, harness.clock
    wanted = NewSubscription("https://shop.example/hook", ["connection.silent"], await _merchant_of(harness), "live")
    made = await create_subscription(store, SEALER, clock, (), wanted)
    await connect(harness, "con_1", "con_2")
    for told in (1, 2):
        await deliver(harness, "con_1")
        clock.advance(DAY - 1_000)
        assert await report_silent_connections(store, clock()) == 0
        clock.advance(2_000)
        assert await report_silent_connections(store, clock()) == 1
        assert await report_silent_connections(store, clock()) == 0
        found = await first_deliveries(store, made.id, Wanted(limit=10))
        assert [each.data["connectionId"] for each in found] == ["con_1"] * told


async def connect(harness: Harness, *names: str) -> None:
    """Connect stores that have delivered nothing yet."""
    for name in names:
        async with harness.store.write() as tx:
            await tx.run(
                "insert_connection", account_id=harness.account_id, connection_id=name, connector="shopify",
                title="Shop", secrets="[]", options="{}", link_parameters="{}", now=harness.clock(),
            )  # fmt: skip


async def deliver(harness: Harness, connection_id: str) -> None:
    """Store a delivery of a connection as it is once it was read."""
    event = EventRow(
        harness.account_id, new_id("evt"), "webhook", None, "PROCESSED", None, None, None, harness.clock(),
        connection_id, "orders/create",
    )  # fmt: skip
    async with harness.store.write() as tx:
        await tx.run("insert_events", events=[event])
