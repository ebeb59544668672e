"""What a payout does to commissions is in the outbox of those who subscribed, in the order in which it happened."""

from __future__ import annotations

import pytest

from hub.operations.subscription_deliveries import list_deliveries
from hub.operations.subscriptions import NewSubscription, create_subscription
from hub.sealing import Sealer
from tests.ledger.test_payouts import pay, payable
from tests.processing.harness import Harness

SEALER = Sealer.of([b"k" * 32])
PAID = ["commission.created", "commission.held", "commission.payable", "commission.paid"]


@pytest.mark.parametrize("of_affiliate", [False, True], ids=["merchant", "affiliate"])
async def test_a_release_writes_its_messages(harness: Harness, of_affiliate: bool) -> None:
    merchant_id = await _merchant_of(harness)
    wanted = (
        NewSubscription("https://blog.example/hook", ["*"], affiliate=harness.affiliate_id)
        if of_affiliate
        else NewSubscription("https://shop.example/hook", ["*"], merchant_id, "live")
    )
    made = await create_subscription(harness.store, SEALER, harness.clock, wanted)
    await payable(harness, "100.00", "50.00")
    run = await pay(harness)
    found = list(reversed(await list_deliveries(harness.store, made["id"], limit=100)))
    commissions = {each["data"]["commissionId"] for each in found if each["type"] != "payout.released"}
    assert len(commissions) == 2
    for commission in commissions:
        told = [each for each in found if each["data"].get("commissionId") == commission]
        assert [each["type"] for each in told] == PAID
        assert [each["data"]["previousState"] for each in told[2:]] == ["HOLD", "PAYABLE"]
        assert told[-1]["data"]["paidAt"] is not None
    (released,) = [each["data"] for each in found if each["type"] == "payout.released"]
    assert released == {
        "payoutId": run["id"],
        "affiliateId": harness.affiliate_id,
        "amount": "7.50",
        "currency": "USD",
    }


async def _merchant_of(harness: Harness) -> str:
    async with harness.store.read() as tx:
        rows = await tx.all("merchants_with_accounts", merchant_id=None)
    return next(str(row["merchant_id"]) for row in rows if harness.account_id == row["live_account_id"])
