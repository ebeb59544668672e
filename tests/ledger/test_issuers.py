"""Several companies that bill: who bills a merchant, numbers without a gap for each, and what its documents say."""

from __future__ import annotations

import asyncio
import json
from typing import Final

import attrs
import pytest

from hub.config.payout_section import PayoutSettings
from hub.config.sections import ServerSettings
from hub.domain.books.receivables import creditor_reference
from hub.mail.outbox import Outbox
from hub.operations.errors import InvalidFields, OperatorFault
from hub.operations.merchants.merchants import NewMerchant, create_merchant
from hub.operations.money.books.adjustments import approve_adjustment, create_adjustment
from hub.operations.money.invoices.electronic_invoices import invoice_xml
from hub.operations.money.invoices.merchant_invoices import invoice_text, issue_invoices, list_invoices
from hub.operations.money.invoices.statement_files import statement_text
from hub.operations.money.invoices.statements import StatementPart, affiliate_statement
from hub.operations.money.ledger.ledger import verify_ledger
from hub.operations.money.payouts.overdue import Reminders
from hub.operations.money.tax.billing import Billing
from hub.operations.money.tax.issuers import (
    FIRST,
    bill_by,
    billed_by,
    list_issuers,
    self_bill_to,
    set_issuer,
    show_self_billed_to,
)
from hub.operations.trail import acting_as
from hub.records.issuers import IssuerDocument
from hub.storage import Store
from tests.ledger.test_findings import SELF_BILLED
from tests.ledger.test_merchant_invoices import month_of, profiled
from tests.ledger.test_payees import put
from tests.ledger.test_payouts import OTHER, SEALER, create, pay, payable, refund, release
from tests.ledger.test_receipts import camt, entry, questions, read, standing
from tests.processing.harness import DAY, Harness

GERMAN: Final = Billing(
    ("The Network", "1 Harbour St", "DE", "DE136695976"), "DE", "19", 14 * DAY, "IBAN DE89", "1 Harbour St",
    "DE136695976",
)  # fmt: skip
IBAN: Final = "AT611904300234573201"


async def austrian(harness: Harness, **changes: str) -> IssuerDocument:
    given = {"name": "Netz GmbH", "address": "Ring 1, 1010 Wien", "country": "AT", "vat_number": "ATU12345675",
             "vat_rate": "20", "pay_to": f"IBAN {IBAN}"}  # fmt: skip
    return await set_issuer(harness.store, harness.clock, "at", **{**given, **changes})


async def second_merchant(harness: Harness) -> str:
    wanted = NewMerchant(name="Second", email="second@shop.example", domains=["second.example"], approve=True)
    return str((await create_merchant(harness.store, harness.clock, wanted)).id)


async def owing(harness: Harness, second: str | None = None) -> str:
    """The month in which the merchants owe 5.00 USD, and the second a bonus of 2.00, once it is over."""
    await payable(harness, "100.00")
    await pay(harness)
    if second is not None:
        made = await create_adjustment(
            harness.store, harness.clock, affiliate=harness.affiliate_id, account=f"{second}:live", amount="2.00",
            currency="USD", reason="A bonus",
        )  # fmt: skip
        with acting_as(OTHER):
            await approve_adjustment(harness.store, harness.clock, PayoutSettings(), made["id"])
    month = month_of(harness)
    harness.clock.advance(31 * DAY)
    return month


async def test_each_company_numbers_its_invoices_without_a_gap(harness: Harness) -> None:
    """Two merchants of two companies are invoiced by two people each at once, month after month."""
    await austrian(harness)
    second = await second_merchant(harness)
    assert await billed_by(harness.store, second) == {"merchantId": second, "issuer": FIRST, "name": None}
    await bill_by(harness.store, harness.clock, second, "at")
    month = await owing(harness, second)
    await asyncio.gather(*(
        issue_invoices(harness.store, harness.clock, merchant, month, GERMAN)
        for merchant in (harness.merchant_id, second, harness.merchant_id, second)
    ))  # fmt: skip
    found = await list_invoices(harness.store)
    assert sorted(each["invoiceNumber"] for each in found) == ["1", "AT-1"]
    assert sorted(each["number"] for each in found) == [1, 2]
    await bill_by(harness.store, harness.clock, harness.merchant_id, "at")
    await refund(harness, "O-0", "r-1", "100.00")
    later = month_of(harness)
    harness.clock.advance(31 * DAY)
    (credit,) = await issue_invoices(harness.store, harness.clock, harness.merchant_id, later, GERMAN)
    first = next(each for each in found if each["invoiceNumber"] == "1")
    assert (credit["invoiceNumber"], credit["corrects"], credit["corrected"]) == ("AT-2", [first["number"]], ["1"])
    assert invoice_text(credit, "").startswith("Credit note no. AT-2")
    assert "Corrections in it are of invoice no. 1" in invoice_text(credit, "")
    assert (await list_issuers(harness.store))[0].next_number == "AT-3"
    await bill_by(harness.store, harness.clock, harness.merchant_id, FIRST)
    assert (await billed_by(harness.store, harness.merchant_id))["issuer"] == FIRST
    assert (await verify_ledger(harness.store))["ok"]


async def test_affiliates_are_self_billed_to_the_company_that_they_supply(harness: Harness) -> None:
    """Numbers of their own for each company, from the next invoice on; a correction names the other company's."""
    store, clock, affiliate = harness.store, harness.clock, harness.affiliate_id
    home = PayoutSettings(issuer_address="1 Harbour St", issuer_country="DE", issuer_vat_number="DE136695976")
    french = attrs.evolve(SELF_BILLED, country="FR", tax_id="FR40303265045")
    await austrian(harness)
    await payable(harness, "100.00", payee=french)
    first = await billed(harness, home)
    assert (first["invoiceNumber"], first["invoiceTo"]) == ("1", ["1 Harbour St", "DE", "DE136695976"])
    assert "Reverse charge" in first["vatNote"]
    assert await self_bill_to(store, clock, affiliate, "at") == await show_self_billed_to(store, affiliate)
    await refund(harness, "O-0", "r-1", "40.00")
    await payable(harness, "200.00", start=1, payee=french)
    await austrian(harness, name="Netz AG")
    second = await billed(harness, home)
    assert (second["invoice"], second["invoiceNumber"], second["corrects"], second["corrected"]) == (
        2,
        "AT-1",
        [1],
        ["1"],
    )
    assert second["invoiceTo"] == ["Netz AG", "Ring 1, 1010 Wien", "AT", "ATU12345675"]
    await payable(harness, "300.00", start=2, payee=french)
    assert (await billed(harness, home))["invoiceNumber"] == "AT-2"
    await self_bill_to(store, clock, affiliate, FIRST)
    await payable(harness, "400.00", start=3, payee=french)
    assert (await billed(harness, home))["invoiceNumber"] == "2"
    assert (await verify_ledger(store))["ok"]


async def test_no_self_billed_invoice_without_an_agreement_or_to_a_company_that_is_none(
    harness: Harness, tampering: Store
) -> None:  # fmt: skip
    """The controls: a payee that did not agree has none, and a gap in a company's numbers is named."""
    with pytest.raises(OperatorFault, match="There is no issuer"):
        await self_bill_to(harness.store, harness.clock, harness.affiliate_id, "at")
    await payable(harness, "100.00")
    assert (await billed(harness, PayoutSettings()))["invoiceNumber"] is None
    await put(harness, SELF_BILLED)
    await payable(harness, "200.00", start=1)
    assert (await billed(harness, PayoutSettings()))["invoiceNumber"] == "1"
    async with tampering.write() as tx:
        await tx.run("tamper_self_billed_series")
    faults = [each["message"] for each in (await verify_ledger(harness.store))["faults"]]
    assert "There are 1 self-billed invoices to issuer first, but their numbers go up to 2." in faults


async def billed(harness: Harness, settings: PayoutSettings) -> StatementPart:
    """What the statement of a run that is released now says of its only part."""
    run = await release(harness, (await create(harness))["id"], settings)
    harness.clock.advance(4 * DAY)
    found = await affiliate_statement(harness.store, SEALER, run["id"], harness.affiliate_id, "The Network")
    (part,) = found["parts"]
    text = statement_text(found)
    if part["invoiceNumber"] is not None:
        assert f"no. {part['invoiceNumber']} over" in text
        assert all(line in text for line in part["invoiceTo"])
    return part


async def test_a_gap_in_a_companys_numbers_is_named(harness: Harness, tampering: Store) -> None:
    await austrian(harness)
    await bill_by(harness.store, harness.clock, harness.merchant_id, "at")
    await issue_invoices(harness.store, harness.clock, harness.merchant_id, await owing(harness), GERMAN)
    assert (await verify_ledger(harness.store))["ok"]
    async with tampering.write() as tx:
        await tx.run("tamper_series")
    faults = [each["message"] for each in (await verify_ledger(harness.store))["faults"]]
    assert "There are 1 invoices of issuer at, but their numbers go up to 2." in faults


async def test_an_invoice_says_who_its_issuer_was(sqlite_live: Harness) -> None:
    """Its VAT, its XML and where it is paid are the company's; a later change of it changes no invoice."""
    harness = sqlite_live
    await profiled(harness, "AT", "ATU12345675")
    await austrian(harness)
    await bill_by(harness.store, harness.clock, harness.merchant_id, "at")
    month = await owing(harness)
    (found,) = await issue_invoices(harness.store, harness.clock, harness.merchant_id, month, GERMAN)
    assert (found["vatKind"], found["vatRate"], found["total"], found["payTo"], found["issuerCode"]) == (
        "domestic", "20", "6.00", f"IBAN {IBAN}", "at",
    )  # fmt: skip
    assert "From: Netz GmbH, Ring 1, 1010 Wien, AT, ATU12345675" in invoice_text(found, "The Network")
    xml = invoice_xml(found).decode()
    assert all(text in xml for text in ("<ram:ID>AT-1</ram:ID>", "Netz GmbH", "ATU12345675"))
    await austrian(harness, name="Netz AG")
    assert await issue_invoices(harness.store, harness.clock, harness.merchant_id, month, GERMAN) == [found]


async def test_payments_find_the_invoice_of_the_company_that_they_name(harness: Harness) -> None:
    """By its own number or its reference; what came to one company's account pays no other's invoice."""
    await austrian(harness, iban=IBAN)
    second = await second_merchant(harness)
    await bill_by(harness.store, harness.clock, second, "at")
    month = await owing(harness, second)
    (first,) = await issue_invoices(harness.store, harness.clock, harness.merchant_id, month, GERMAN)
    (other,) = await issue_invoices(harness.store, harness.clock, second, month, GERMAN)
    assert (first["invoiceNumber"], other["invoiceNumber"]) == ("1", "AT-1")
    content = camt(
        entry(other["total"], "Rechnung AT-1"), entry(first["total"], f"again {creditor_reference(first['number'])}")
    )
    to_austria = content.replace(b"DE89370400440532013000", IBAN.encode())
    done = await read(harness, to_austria)
    assert (done["matched"], done["questions"]) == (1, 1)
    assert ((await standing(harness, other["number"]))["state"]) == "paid"
    (question,) = await questions(harness)
    assert question["question"] == "other_issuer"
    assert (await read(harness, content))["matched"] == 1, "At the other bank AT-1 is paid already, and 1 is not."
    assert ((await standing(harness, first["number"]))["state"]) == "paid"
    assert (await verify_ledger(harness.store))["ok"]


async def test_a_reminder_names_the_company_and_its_number(harness: Harness, tampering: Store) -> None:
    await austrian(harness)
    await bill_by(harness.store, harness.clock, harness.merchant_id, "at")
    await issue_invoices(harness.store, harness.clock, harness.merchant_id, await owing(harness), GERMAN)
    harness.clock.advance(22 * DAY)
    outbox = Outbox(SEALER, is_on=True)
    settings = PayoutSettings(reminders="7d")
    assert await Reminders(harness.store, harness.clock, settings, outbox, ServerSettings()).send() == 1
    async with tampering.read() as tx:
        (mail,) = await tx.all("mail_parameters")
    said = json.loads(mail["parameters"])
    assert (said["number"], said["issuer"], said["pay_to"]) == ("AT-1", "Netz GmbH", f"IBAN {IBAN}")


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"country": "XX"}, "country"), ({"vat_number": "ATU1"}, "vat_number"), ({"vat_rate": "120"}, "vat_rate"),
     ({"iban": "AT00"}, "iban"), ({"name": " "}, "name"), ({"address": "a\u0000b"}, "address")],
)  # fmt: skip
async def test_what_cannot_be_right_is_refused(sqlite_live: Harness, changes: dict[str, str], field: str) -> None:
    with pytest.raises(InvalidFields) as refused:
        await austrian(sqlite_live, **changes)
    assert set(refused.value.faults) == {field}


async def test_unknown_ones_and_words_that_payers_write_are_no_company(sqlite_live: Harness) -> None:
    harness = sqlite_live
    with pytest.raises(OperatorFault, match="issuer"):
        await bill_by(harness.store, harness.clock, harness.merchant_id, "ch")
    for code in ("inv", "first", "AT", "a-b", ""):
        with pytest.raises(InvalidFields):
            await set_issuer(harness.store, harness.clock, code, name="A", address="B", country="AT")
