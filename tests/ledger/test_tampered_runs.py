"""Runs and corrections that were changed behind the hub's back do not agree with the ledger."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from hub.operations.money.books.deposits import move_deposit, require_deposit
from hub.operations.money.invoices.merchant_invoices import issue_invoices
from hub.operations.money.ledger.ledger import verify_ledger
from hub.storage import Store
from tests.ledger.conftest import FOLDERS
from tests.ledger.test_payouts import create, pay, payable, refund, release
from tests.ledger.test_verify import holds
from tests.processing.harness import DAY, Harness


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
    assert any(f" in {place}," in message and harness.affiliate_id in message for message in messages)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("deposit_payment", "in received, but its payments into the deposit"),
        ("deposit_cover", "in covered, but its covered commissions"),
        ("deposit_balance", "in deposit, but its deposit"),
        ("merchant_invoice", "Invoice 1 of"),
        ("merchant_invoice_number", "their numbers go up to 2"),
    ],
)
async def test_a_changed_row_of_a_deposit_or_an_invoice_is_found(
    sqlite_live: Harness, sqlite_url: str, change: str, words: str
) -> None:
    """The control is the same account before."""
    harness = sqlite_live
    store, clock, merchant = harness.store, harness.clock, harness.merchant_id
    await require_deposit(store, clock, merchant, required=True)
    await move_deposit(store, clock, merchant, amount="9.00", currency="USD", reference="D-1")
    await payable(harness, "100.00")
    await pay(harness)
    month = datetime.fromtimestamp(clock() / 1000, UTC).strftime("%Y-%m")
    clock.advance(31 * DAY)
    assert len(await issue_invoices(store, clock, merchant, month)) == 1
    await holds(store)
    async with (
        await Store.open(sqlite_url, query_folders=FOLDERS) as tampering,
        tampering.write() as tx,
    ):
        assert await tx.run(f"tamper_{change}")
    assert any(words in fault["message"] for fault in (await verify_ledger(store))["faults"])
