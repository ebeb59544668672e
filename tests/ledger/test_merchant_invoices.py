"""Invoices to merchants: numbered without a gap, one for each month and currency, and never changed."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from attrs import asdict

from hub.domain.money import parse_money
from hub.operations.errors import OperatorFault
from hub.operations.money.books.deposits import move_deposit, require_deposit
from hub.operations.money.invoices.merchant_invoices import (
    invoice_csv,
    invoice_pdf,
    invoice_text,
    issue_invoices,
    list_invoices,
    show_invoice,
)
from hub.operations.money.invoices.merchant_months import owed_months
from hub.operations.money.invoices.monthly_invoices import MonthlyInvoices
from hub.operations.money.invoices.statements import merchant_statement, month_span
from hub.operations.money.rates.fees import set_fee
from hub.operations.money.tax.billing import Billing
from tests.ledger.test_payouts import create, pay, payable, refund
from tests.ledger.test_verify import holds
from tests.processing.harness import DAY, Harness
from tests.sqlite_first import on_both


def month_of(harness: Harness) -> str:
    return datetime.fromtimestamp(harness.clock() / 1000, UTC).strftime("%Y-%m")


@on_both("database_url")
async def test_a_month_that_is_over_is_invoiced_once(harness: Harness) -> None:
    """With the statement's figures; a later month gets the next number, whoever asks at the same time."""
    await set_fee(harness.store, harness.clock, harness.merchant_id, "10")
    await payable(harness, "100.00", "50.00")
    await pay(harness)
    first = month_of(harness)
    with pytest.raises(OperatorFault, match="an hour after its end"):
        await issue_invoices(harness.store, harness.clock, harness.merchant_id, first)
    harness.clock.advance(31 * DAY)
    issued, again = await asyncio.gather(*(
        issue_invoices(harness.store, harness.clock, harness.merchant_id, first) for _ in range(2)
    ))  # fmt: skip
    assert issued == again
    (owed,) = (await merchant_statement(harness.store, harness.merchant_id, first)).owed
    assert [(each["number"], each["total"], each["fee"]) for each in issued] == [(1, owed.total, "0.75")]
    await refund(harness, "O-0", "r-1", "100.00")
    await payable(harness, "400.00", start=2)
    await pay(harness)
    second = month_of(harness)
    harness.clock.advance(31 * DAY)
    (later,) = await issue_invoices(harness.store, harness.clock, harness.merchant_id, second)
    assert (later["number"], later["commissions"], later["corrections"]) == (2, "20.00", "-5.00")
    assert await issue_invoices(harness.store, harness.clock, harness.merchant_id, first) == issued
    assert [each["number"] for each in await list_invoices(harness.store)] == [2, 1]
    total = sum(parse_money(str(later[name]), "USD") for name in ("commissions", "fee")) - 500
    assert parse_money(later["total"], "USD") == total


@on_both("database_url")
async def test_the_timer_issues_the_last_month_once(harness: Harness) -> None:
    """Nothing before the month is over for an hour; two nodes at once and a restart issue nothing twice."""
    await payable(harness, "100.00")
    await pay(harness)
    first, second = (MonthlyInvoices(harness.store, harness.clock) for _ in range(2))
    assert await first.issue() == 0
    month = month_of(harness)
    harness.clock.advance(month_span(month, UTC)[1] + 3_600_000 - harness.clock() - 1)
    assert await first.issue() == 0
    assert await list_invoices(harness.store) == []
    harness.clock.advance(1)
    await asyncio.gather(first.issue(), second.issue())
    (issued,) = await list_invoices(harness.store)
    assert (issued["number"], issued["month"], issued["total"]) == (1, month, "5.00")
    assert await MonthlyInvoices(harness.store, harness.clock).issue() == 0
    assert await issue_invoices(harness.store, harness.clock, harness.merchant_id, month) == [issued]


async def test_an_invoice_is_a_document_of_the_same_bytes(sqlite_live: Harness) -> None:
    harness = sqlite_live
    await payable(harness, "100.00")
    await pay(harness)
    month = month_of(harness)
    harness.clock.advance(31 * DAY)
    await issue_invoices(harness.store, harness.clock, harness.merchant_id, month)
    found = await show_invoice(harness.store, 1)
    text = invoice_text(found, "The Network")
    assert "Invoice no. 1" in text
    assert f"To: Shop, {harness.merchant_id}" in text
    assert "Total: 5.00 USD" in text
    assert invoice_csv(found).decode().splitlines()[0].startswith("number,merchantId,billedTo,month,currency")
    assert invoice_pdf(found, "The Network") == invoice_pdf(found, "The Network")
    assert invoice_pdf(found, "The Network").startswith(b"%PDF")
    with pytest.raises(OperatorFault, match="invoice"):
        await show_invoice(harness.store, 2)
    assert await issue_invoices(harness.store, harness.clock, harness.merchant_id, "2020-01") == []


async def owed_of(harness: Harness) -> dict[str, Any]:
    """What the merchant owes for this month in dollars, as its statement says."""
    (owed,) = (await merchant_statement(harness.store, harness.merchant_id, month_of(harness))).owed
    return asdict(owed)


async def invoiced(harness: Harness) -> list[str]:
    """The totals of the invoices of this month, once it is over; the books hold with them."""
    month = month_of(harness)
    harness.clock.advance(31 * DAY)
    totals = [each["total"] for each in await issue_invoices(
        harness.store, harness.clock, harness.merchant_id, month)]  # fmt: skip
    await holds(harness.store)
    return totals


async def test_what_the_deposit_has_paid_is_not_billed_again(harness: Harness) -> None:
    """A commission of 5.00 that the deposit covers is a line of its own; the fee is still owed."""
    store, clock, merchant = harness.store, harness.clock, harness.merchant_id
    await set_fee(store, clock, merchant, "20")
    await require_deposit(store, clock, merchant, required=True)
    await move_deposit(store, clock, merchant, amount="500.00", currency="USD", reference="D-1")
    await payable(harness, "100.00")
    await pay(harness)
    owed = await owed_of(harness)
    assert [owed[name] for name in ("commissions", "deposit", "fee", "total")] == ["5.00", "-5.00", "1.00", "1.00"]
    (month,) = await owed_months(store, merchant, "live", clock())
    assert [asdict(each) for each in month.owed] == [owed]
    assert await invoiced(harness) == ["1.00"]


async def test_the_fee_comes_back_as_it_was_charged(harness: Harness) -> None:
    """Charged at 20 %, refunded when the fee is 5 %: all of it comes back."""
    store, clock, merchant = harness.store, harness.clock, harness.merchant_id
    await set_fee(store, clock, merchant, "20")
    await payable(harness, "100.00")
    await pay(harness)
    clock.advance(1)
    await set_fee(store, clock, merchant, "5")
    await refund(harness, "O-0", "r-1", "100.00")
    owed = await owed_of(harness)
    assert (owed["fee"], owed["corrections"], owed["total"]) == ("0.00", "-5.00", "0.00")
    assert await invoiced(harness) == ["0.00"]


async def test_a_fee_that_comes_back_in_parts_adds_up(harness: Harness) -> None:
    """Thirds of a fee of 0.13 come back to the last cent, and a part too small for one gives none back yet."""
    store, clock, merchant = harness.store, harness.clock, harness.merchant_id
    await set_fee(store, clock, merchant, "2.5")
    await payable(harness, "100.00")
    await pay(harness)
    left = []
    for number, amount in enumerate(("0.20", "33.13", "33.33", "33.34")):
        await refund(harness, "O-0", f"r-{number}", amount)
        left.append((await owed_of(harness))["fee"])
    assert left == ["0.13", "0.09", "0.04", "0.00"]
    await holds(store)


async def test_a_refund_after_the_payout_is_credited_in_its_month(harness: Harness) -> None:
    """Even if the affiliate never earns again; the control is the run, which carries its balance on."""
    await payable(harness, "100.00")
    await pay(harness)
    assert await invoiced(harness) == ["5.00"]
    await refund(harness, "O-0", "r-1", "100.00")
    with pytest.raises(OperatorFault, match="negative"):
        await create(harness)
    assert await invoiced(harness) == ["-5.00"]


BILLING = Billing(("The Network", "1 Harbour St", "DE", "DE136695976"), "DE", "19", 10 * DAY, "IBAN DE89")


async def profiled(harness: Harness, country: str, tax_id: str) -> None:
    """Say where the merchant is."""
    profile = json.dumps({"legalName": "Shop Ltd", "country": country, "taxId": tax_id})
    async with harness.store.write() as tx:
        await tx.run(
            "set_merchant_profile", merchant_id=harness.merchant_id, profile=profile, status="APPROVED",
            now=harness.clock(),
        )  # fmt: skip


@pytest.mark.parametrize(
    ("country", "tax_id", "kind", "vat", "total"),
    [
        ("DE", "", "domestic", "1.14", "7.14"),
        ("FR", "FR83404833048", "reverse_charge", "0.00", "6.00"),
        ("FR", "", "domestic", "1.14", "7.14"),
        ("US", "", "outside", "0.00", "6.00"),
    ],
)
async def test_vat_is_charged_by_the_table(
    sqlite_live: Harness, country: str, tax_id: str, kind: str, vat: str, total: str
) -> None:
    """On commissions and fee; the books hold with it, and the document says why, when and where it is paid."""
    harness = sqlite_live
    await set_fee(harness.store, harness.clock, harness.merchant_id, "20")
    await profiled(harness, country, tax_id)
    harness.clock.advance(DAY)
    await payable(harness, "100.00")
    await pay(harness)
    month = month_of(harness)
    harness.clock.advance(31 * DAY)
    (found,) = await issue_invoices(harness.store, harness.clock, harness.merchant_id, month, BILLING)
    assert (found["net"], found["vatKind"], found["vat"], found["total"]) == ("6.00", kind, vat, total)
    text = invoice_text(found, "")
    assert "From: The Network, 1 Harbour St, DE, DE136695976" in text
    assert ("Reverse charge" in text) == (kind == "reverse_charge")
    assert f"Due by {found['dueAt'][:10]}, to IBAN DE89" in text
    await holds(harness.store)


async def test_a_credit_note_names_the_invoice_that_it_corrects(harness: Harness) -> None:
    """And gives the VAT back with what it was charged for."""
    await payable(harness, "100.00")
    await pay(harness)
    first = month_of(harness)
    harness.clock.advance(31 * DAY)
    issue = partial(issue_invoices, harness.store, harness.clock, harness.merchant_id)
    (invoice,) = await issue(first, BILLING)
    await refund(harness, "O-0", "r-1", "100.00")
    second = month_of(harness)
    harness.clock.advance(31 * DAY)
    (credit,) = await issue(second, BILLING)
    assert (invoice["total"], credit["total"], credit["corrects"]) == ("5.95", "-5.95", [1])
    text = invoice_text(credit, "")
    assert text.startswith("Credit note no. 2")
    assert "Corrections in it are of invoice no. 1" in text
    assert "Due by" not in text
    await holds(harness.store)
