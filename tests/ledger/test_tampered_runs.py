"""Runs and corrections that were changed behind the hub's back do not agree with the ledger."""

from __future__ import annotations

import pytest

from hub.operations.money.ledger import verify_ledger
from hub.storage import Store
from tests.ledger.test_payouts import create, pay, payable, refund, release
from tests.ledger.test_verify import holds
from tests.processing.harness import Harness


@pytest.mark.parametrize(("change", "place"), [("line", "payout"), ("item", "payout"), ("adjustment", "adjustments")])
async def test_a_changed_row_of_a_run_is_found(harness: Harness, tampering: Store, change: str, place: str) -> None:
    """The affiliate and the place are named."""
    await payable(harness, "100.00")
    await pay(harness)
    await refund(harness, "O-0", "r-1", "40.00")
    await payable(harness, "90.00", start=1)
    await payable(harness, "20.00", start=2, currency="EUR")
    run = await create(harness)
    await release(harness, run["id"])
    await refund(harness, "O-1", "r-1", "40.00")
    await holds(harness.store)
    async with tampering.write() as tx:
        assert await tx.run(f"tamper_{change}")
    messages = [fault["message"] for fault in (await verify_ledger(harness.store))["faults"]]
    assert messages
    assert all(harness.affiliate_id in message and f" in {place}," in message for message in messages)
