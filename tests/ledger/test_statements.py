"""Statements say what was paid and for what, invoices are numbered without gaps, and merchants see what they owe."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.errors import OperatorFault
from hub.operations.money.invoices.statement_files import statement_csv, statement_pdf, statement_text
from hub.operations.money.invoices.statements import affiliate_statement, merchant_statement
from hub.operations.money.rates.fees import fee_history, set_fee
from tests.ledger.test_payees import put
from tests.ledger.test_payouts import PAYEE, SEALER, create, pay, payable, refund, release
from tests.ledger.test_verify import holds
from tests.processing.harness import DAY, Harness


async def stated(harness: Harness, payout_id: str) -> Any:
    return await affiliate_statement(harness.store, SEALER, payout_id, harness.affiliate_id, "Hub GmbH")


async def test_a_statement_has_every_line(harness: Harness) -> None:
    """As JSON, text, CSV and PDF, the same bytes each time."""
    await payable(harness, "100.00", "50.00")
    await pay(harness)
    await refund(harness, "O-0", "r-1", "40.00")
    await payable(harness, "80.00", start=2)
    run = await pay(harness)
    found = await stated(harness, run["id"])
    (part,) = found["parts"]
    assert (part["commissions"], part["adjustments"], part["paid"], part["balanceAfter"]) == (
        "4.00", "-2.00", "2.00", "0.00"
    )  # fmt: skip
    assert {line["externalOrderId"] for line in part["lines"]} == {"O-0", "O-2"}
    assert "Paid: 2.00 USD (SETTLED, SEPA-1)" in statement_text(found)
    assert statement_csv(found).decode().count("\n") == 3
    pdf = statement_pdf(found)
    assert pdf.startswith(b"%PDF")
    assert pdf == statement_pdf(await stated(harness, run["id"]))


async def test_invoices_have_no_gaps_and_keep_their_payee(harness: Harness) -> None:
    """A business that agreed gets one for each run and currency; a later payee does not change it."""
    business = attrs.evolve(PAYEE, is_business=True, self_billing=True, tax_id="DE136695976")
    await put(harness, business)
    numbers, last = [], ""
    for place in range(3):
        await payable(harness, "100.00", start=place)
        run = await pay(harness)
        last = run["id"]
        numbers.append((await stated(harness, last))["parts"][0]["invoice"])
        for _ in range(2):
            await release(harness, run["id"])
    assert numbers == [1, 2, 3]
    await put(harness, attrs.evolve(business, legal_name="Another"))
    assert (await stated(harness, last))["payee"]["name"] == PAYEE.legal_name


async def test_a_private_person_gets_no_invoice(harness: Harness) -> None:
    await put(harness)
    await payable(harness, "100.00")
    run = await pay(harness)
    assert (await stated(harness, run["id"]))["parts"][0]["invoice"] is None


async def test_a_merchant_owes_commissions_corrections_and_the_fee(harness: Harness) -> None:
    """The fee in force when it was paid, rounded for each commission; a refund takes its part back."""
    await set_fee(harness.store, harness.clock, harness.merchant_id, "12.5")
    await payable(harness, "100.00", "33.00")
    await pay(harness)
    await refund(harness, "O-0", "r-1", "40.00")
    await payable(harness, "100.00", start=2)
    await pay(harness)
    harness.clock.advance(DAY)
    await set_fee(harness.store, harness.clock, harness.merchant_id, "0")
    months = {"2026-01", "2026-02"} | {f"20{year}-{month:02d}" for year in range(20, 30) for month in range(1, 13)}
    found = [await merchant_statement(harness.store, harness.merchant_id, month) for month in sorted(months)]
    owed = [each for statement in found for each in statement.owed]
    names = ("commissions", "corrections", "fee", "total")
    totals = {name: sum(float(getattr(each, name)) for each in owed) for name in names}
    assert totals == pytest.approx({"commissions": 11.65, "corrections": -2.0, "fee": 1.22, "total": 10.87})
    assert [each["percentage"] for each in await fee_history(harness.store, harness.merchant_id)] == ["0", "12.5"]
    await holds(harness.store)


async def test_what_cannot_be_stated_is_refused(harness: Harness) -> None:
    await payable(harness, "100.00")
    run = await create(harness)
    other = await create_affiliate(harness.store, harness.clock, name="Bob", email="bob@blog.example")
    with pytest.raises(OperatorFault, match="has nothing of affiliate"):
        await affiliate_statement(harness.store, SEALER, run["id"], str(other.id), "Hub")
    with pytest.raises(OperatorFault, match="is not a month"):
        await merchant_statement(harness.store, harness.merchant_id, "November")
    with pytest.raises(OperatorFault, match="percentage from"):
        await set_fee(harness.store, harness.clock, harness.merchant_id, "101")
