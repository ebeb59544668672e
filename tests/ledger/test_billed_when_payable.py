"""Merchants billed when commissions become payable: statement, invoice, deposit and proof say the same.

Its controls bill by the one rule and prove by the other, and charge no fee: the proof names invoice and commission.
"""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Final

import pytest

from hub.operations.errors import OperatorFault
from hub.operations.money.books.books import set_books, show_books
from hub.operations.money.books.deposits import move_deposit, require_deposit
from hub.operations.money.invoices.merchant_invoices import InvoiceDocument, invoice_text, issue_invoices
from hub.operations.money.invoices.merchant_months import by_order, owed_lines, owed_months
from hub.operations.money.invoices.statements import merchant_statement
from hub.operations.money.ledger import ledger
from hub.operations.money.ledger.ledger import verify_ledger
from hub.operations.money.rates.fees import set_fee
from hub.processing import post_entries
from tests.ledger.test_merchant_invoices import month_of
from tests.ledger.test_payouts import SEALER, pay, payable, refund
from tests.ledger.test_verify import entries_of, jobs_of
from tests.processing.harness import DAY, Harness

PARTS: Final = ("commissions", "corrections", "fee")


async def billed(harness: Harness) -> list[InvoiceDocument]:
    """The invoices of the month, once it is over."""
    month = month_of(harness)
    statement = await merchant_statement(harness.store, harness.merchant_id, month)
    harness.clock.advance(31 * DAY)
    issued = await issue_invoices(harness.store, harness.clock, harness.merchant_id, month)
    for one, owed in zip(issued, statement.owed, strict=True):
        assert Decimal(one["net"]) == sum(Decimal(getattr(owed, part)) for part in PARTS)
        assert (one["deposit"], one["payments"]) == (owed.deposit, owed.payments)
    return issued


async def test_what_is_payable_is_billed_and_its_payment_is_not(harness: Harness) -> None:
    """Nobody is paid yet; the run of the next month bills nothing a second time."""
    await set_books(harness.store, harness.clock, billed="payable")
    await payable(harness, "100.00", "50.00")
    (first,) = await billed(harness)
    assert (first["total"], first["payments"], first["billed"]) == ("7.50", 2, "payable")
    assert "that became payable (2): 7.50 USD" in invoice_text(first, "Network")
    await pay(harness)
    assert await billed(harness) == []
    assert (await verify_ledger(harness.store, SEALER))["faults"] == []


async def test_a_refund_is_credited_at_once_paid_or_not(harness: Harness) -> None:
    """In the month of the refund, with the invoice that it takes back from, whether or not the affiliate was paid."""
    await set_books(harness.store, harness.clock, billed="payable")
    await payable(harness, "100.00", "100.00")
    (first,) = await billed(harness)
    await refund(harness, "O-0", "r-1", "40.00")
    (credit,) = await billed(harness)
    assert (first["total"], credit["total"], credit["corrects"]) == ("10.00", "-2.00", [first["number"]])
    await pay(harness)
    await refund(harness, "O-1", "r-2", "20.00")
    (second,) = await billed(harness)
    assert (second["total"], second["corrects"]) == ("-1.00", [first["number"]])
    assert (await verify_ledger(harness.store, SEALER))["faults"] == []


async def test_what_the_deposit_covers_is_a_line_of_its_own(harness: Harness) -> None:
    await set_books(harness.store, harness.clock, billed="payable")
    await require_deposit(harness.store, harness.clock, harness.merchant_id, required=True)
    await move_deposit(harness.store, harness.clock, harness.merchant_id, amount="90.00", currency="USD", reference="D")
    await payable(harness, "100.00")
    lines = await owed_lines(harness.store, harness.merchant_id, month_of(harness), "live", limit=10)
    assert sorted((each["what"], each["amount"], each["deposit"]) for each in lines) == [
        ("commission", "5.00", "0.00"), ("cover", "0.00", "-5.00"),
    ]  # fmt: skip
    (invoice,) = await billed(harness)
    assert (invoice["net"], invoice["deposit"], invoice["total"]) == ("5.00", "-5.00", "0.00")
    assert (await verify_ledger(harness.store, SEALER))["faults"] == []


async def test_the_fee_is_billed_with_its_commission_and_frozen(harness: Harness) -> None:
    """What becomes payable is charged the fee of then; its payment nothing, and a refund gives its part back."""
    await set_books(harness.store, harness.clock, billed="payable")
    await set_fee(harness.store, harness.clock, harness.merchant_id, "20")
    await payable(harness, "100.00", "100.00")
    lines = by_order(await owed_lines(harness.store, harness.merchant_id, month_of(harness), "live", limit=10))
    assert [(each["what"], each["amount"], each["fee"], each["total"]) for each in lines] == [
        ("commission", "5.00", "1.00", "6.00")
    ] * 2
    (month,) = await owed_months(harness.store, harness.merchant_id, "live", harness.clock())
    assert (month.billed, month.time_zone, month.owed[0].fee) == ("payable", "UTC", "2.00")
    (first,) = await billed(harness)
    assert (first["fee"], first["total"]) == ("2.00", "12.00")
    await set_fee(harness.store, harness.clock, harness.merchant_id, "5")
    await refund(harness, "O-0", "r-1", "40.00")
    await pay(harness)
    await refund(harness, "O-1", "r-2", "50.50")
    (credit,) = await billed(harness)
    assert (credit["commissions"], credit["corrections"], credit["fee"]) == ("-2.00", "-2.52", "-0.90")
    await harness.status("O-0", "cancelled")
    await harness.status("O-1", "cancelled")
    await harness.work()
    (rest,) = await billed(harness)
    assert Decimal(first["net"]) + Decimal(credit["net"]) + Decimal(rest["net"]) == 0
    assert (await verify_ledger(harness.store, SEALER))["faults"] == []


async def test_a_commission_that_is_rejected_while_payable_gives_its_fee_back(harness: Harness) -> None:
    """Parts add up: what three refunds and a cancellation take back is all of it, whatever each was rounded to."""
    await set_books(harness.store, harness.clock, billed="payable")
    await set_fee(harness.store, harness.clock, harness.merchant_id, "33.3333")
    await payable(harness, "10.00")
    for number in range(3):
        await refund(harness, "O-0", f"r-{number}", "3.00")
        assert (await verify_ledger(harness.store, SEALER))["faults"] == []
    await harness.status("O-0", "cancelled")
    await harness.work()
    assert sum(Decimal(each["net"]) for each in await billed(harness)) == 0
    assert (await verify_ledger(harness.store, SEALER))["faults"] == []


async def test_a_commission_without_its_fee_is_named(sqlite_live: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: a hub that forgets the fee of what becomes payable."""

    async def nothing(_: object, moved: object) -> object:
        return moved

    await set_books(sqlite_live.store, sqlite_live.clock, billed="payable")
    await set_fee(sqlite_live.store, sqlite_live.clock, sqlite_live.merchant_id, "20")
    monkeypatch.setattr(post_entries, "with_payable_fees", nothing)
    await payable(sqlite_live, "100.00")
    (fault,) = (await verify_ledger(sqlite_live.store, SEALER))["faults"]
    assert "is 0.00 USD, but another was due when it became payable" in fault["message"]


async def test_a_fee_that_was_charged_by_one_rule_is_not_charged_by_another(harness: Harness) -> None:
    """Before there is an invoice as well: once what bears a fee is payable, the rule stays."""
    await set_fee(harness.store, harness.clock, harness.merchant_id, "20")
    await set_books(harness.store, harness.clock, billed="payable")
    await set_books(harness.store, harness.clock, billed="paid")
    await payable(harness, "100.00")
    with pytest.raises(OperatorFault, match="would charge it twice, or not at all"):
        await set_books(harness.store, harness.clock, billed="payable")
    assert (await set_books(harness.store, harness.clock, "Europe/Berlin"))["billed"] == "paid"


async def test_a_hold_that_ends_while_the_rule_is_set_is_charged_by_one_of_both(harness: Harness) -> None:
    """Whoever comes second sees the first: a fee is there and the rule stays, or it is charged by the new rule."""
    store, clock = harness.store, harness.clock
    await set_fee(store, clock, harness.merchant_id, "20")
    click_id = await harness.click()
    for number in range(20):
        await harness.order(f"O-{number}", "100.00", clickId=click_id, orderStatus="confirmed")
    await harness.work()
    clock.advance(15 * DAY)
    _, refused = await asyncio.gather(
        jobs_of(harness).release_holds(), set_books(store, clock, billed="payable"), return_exceptions=True
    )
    kept = await show_books(store)
    assert isinstance(refused, OperatorFault) == (kept["billed"] == "paid")
    fees = [entry for entry in await entries_of(harness) if entry.kind == "fee"]
    assert len(fees) == (20 if kept["billed"] == "payable" else 0)
    assert (await verify_ledger(store, SEALER))["faults"] == []


async def test_it_is_settled_before_the_first_invoice_or_a_switch_bills_twice(
    sqlite_live: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    await payable(sqlite_live, "100.00")
    await pay(sqlite_live)
    assert len(await billed(sqlite_live)) == 1
    with pytest.raises(OperatorFault, match="would bill hours or commissions twice"):
        await set_books(sqlite_live.store, sqlite_live.clock, billed="payable")
    assert (await verify_ledger(sqlite_live.store, SEALER))["faults"] == []

    async def otherwise(_: object) -> str:
        return "payable"

    await payable(sqlite_live, "100.00", start=1)
    sqlite_live.clock.advance(31 * DAY)
    await pay(sqlite_live)
    assert len(await billed(sqlite_live)) == 1
    monkeypatch.setattr(ledger, "billed_when", otherwise)
    faults = [each["message"] for each in (await verify_ledger(sqlite_live.store, SEALER))["faults"]]
    assert any("is not what the entries of that month" in each for each in faults), "the control"
