"""Self-billed invoices as documents: what people read, and the XML that the rules of EN 16931 judge."""

from __future__ import annotations

import re
from typing import Any, cast

import attrs
import facturx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hub.config.payout_section import PayoutSettings
from hub.domain.payouts.payees import Payee
from hub.operations.errors import OperatorFault
from hub.operations.money.invoices.electronic_invoices import FILE_NAME
from hub.operations.money.invoices.pdf_pages import lines_pdf
from hub.operations.money.invoices.self_billed_invoices import (
    SelfBilledInvoice,
    self_billed_file,
    self_billed_invoice,
    self_billed_pdf,
    self_billed_text,
    self_billed_xml,
)
from hub.operations.money.payouts.payout_returns import return_payment
from hub.operations.money.tax.issuers import self_bill_to
from tests.ledger.invoice_rules import Judge
from tests.ledger.test_findings import SELF_BILLED
from tests.ledger.test_issuers import austrian
from tests.ledger.test_payees import put
from tests.ledger.test_payouts import SEALER, create, payable, refund, release
from tests.processing.harness import DAY, Harness

HOME = PayoutSettings(
    debtor_name="The Network", issuer_address="1 Harbour St", issuer_country="DE", issuer_vat_number="DE136695976"
)
FRENCH = attrs.evolve(SELF_BILLED, country="FR", tax_id="FR40303265045")
PARTY = {"name": "Müller & Fils", "address": "2 Rue, 75001 Paris", "country": "FR", "vatNumber": "FR40303265045",
         "vatProof": ""}  # fmt: skip
GERMAN = {"name": "The Network", "address": "1 Harbour St", "country": "DE", "vatNumber": "DE136695976", "vatProof": ""}
REVERSED = "Reverse charge: the recipient owes the VAT (Article 196 of Directive 2006/112/EC)."
INVOICE = {
    "number": 3, "invoiceNumber": "AT-2", "payoutId": "pay_1", "affiliateId": "aff_1", "currency": "EUR",
    "amount": "12.34", "issuedAt": "2026-11-02T10:00:00.000Z", "supplier": PARTY, "company": GERMAN,
    "companyLines": ["The Network", "1 Harbour St"], "vatKind": "reverse_charge", "vatNote": REVERSED,
    "addsVat": False, "corrected": [], "paymentReference": "1/1",
}  # fmt: skip
NO_VAT = {"vatKind": "none", "vatNote": ""}


def made(**changes: Any) -> SelfBilledInvoice:
    return cast(SelfBilledInvoice, {**INVOICE, **changes})


CASES = {
    "reverse charge": (made(), "389"),
    "a credit note": (made(amount="-8.00", corrected=["AT-1", "7"]), "261"),
    "a supplier without a number": (made(**NO_VAT, supplier={**PARTY, "vatNumber": ""}), "389"),
    "a supplier outside of the Union": (
        made(**NO_VAT, supplier={**PARTY, "country": "US", "vatNumber": "12-3456789"}),
        "389",
    ),
    "a network outside of the Union": (made(**NO_VAT, company={**GERMAN, "country": "US", "vatNumber": ""}), "389"),
    "in a currency without decimals": (made(currency="JPY", amount="1000"), "389"),
    "in a currency of three decimals": (made(currency="BHD", amount="1.5"), "389"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_every_kind_of_self_billed_invoice_keeps_all_rules_of_the_standard(judge: Judge, case: str) -> None:
    """Code 389 is a self-billed invoice, 261 a self-billed credit note (UNTDID 1001)."""
    invoice, code = CASES[case]
    xml = self_billed_xml(invoice)
    assert judge(xml) == []
    assert f"<ram:TypeCode>{code}<" in xml.decode()
    assert xml == self_billed_xml(invoice), "the same invoice makes the same bytes"


def test_control_the_rules_notice_an_unknown_kind_of_document_and_a_buyer_without_its_number(judge: Judge) -> None:
    xml = self_billed_xml(made())
    assert judge(xml.replace(b"<ram:TypeCode>389<", b"<ram:TypeCode>999<")) != []
    assert "BR-AE-" in str(judge(xml.replace(b'<ram:ID schemeID="VA">DE136695976</ram:ID>', b"")))


def test_the_supplier_sells_and_the_network_buys() -> None:
    text = self_billed_xml(made()).decode()
    seller, buyer = (re.findall(rf"<ram:{side}TradeParty>.*?</ram:{side}TradeParty>", text, re.DOTALL)[0]
                     for side in ("Seller", "Buyer"))  # fmt: skip
    assert "FR40303265045" in seller
    assert "DE136695976" in buyer
    assert re.findall(r"<ram:IssuerAssignedID>(.*?)<", self_billed_xml(CASES["a credit note"][0]).decode()) == [
        "AT-1",
        "7",
    ]


@settings(deadline=None)
@given(minor=st.integers(-(10**9), 10**9).filter(bool))
def test_whatever_is_paid_the_rules_hold(judge: Judge, minor: int) -> None:
    sign, (whole, cents) = "-" if minor < 0 else "", divmod(abs(minor), 100)
    assert judge(self_billed_xml(made(amount=f"{sign}{whole}.{cents:02}"))) == []


@pytest.mark.parametrize(
    ("changes", "missing"),
    [
        ({"company": {**GERMAN, "country": ""}, **NO_VAT}, "payouts.issuer_country"),
        ({"company": {**GERMAN, "vatNumber": ""}}, "payouts.issuer_vat_number"),
        ({"company": {**GERMAN, "name": ""}}, "payouts.debtor_name"),
        ({"supplier": {**PARTY, "country": ""}, **NO_VAT}, "The payee's details name no country"),
        ({"addsVat": True, **NO_VAT}, "The supplier adds its VAT itself"),
    ],
)
def test_what_the_standard_asks_for_and_nobody_knows_is_named(changes: dict[str, object], missing: str) -> None:
    """And the PDF is there all the same, for people alone."""
    invoice = made(**changes)
    with pytest.raises(OperatorFault, match=f"Invoice AT-2 cannot be written as EN 16931.*{missing}"):
        self_billed_xml(invoice)
    text = self_billed_text(invoice).splitlines()
    assert self_billed_pdf(invoice) == lines_pdf(text[0], invoice["company"]["name"], text[1:])


def test_a_program_finds_the_xml_in_the_pdf() -> None:
    pdf = self_billed_pdf(made())
    assert facturx.get_xml_from_pdf(pdf) == (FILE_NAME, self_billed_xml(made()))
    assert pdf == self_billed_file(made(), "pdf")


async def _paid(harness: Harness, payee: Payee, *amounts: str, start: int = 0) -> str:
    await payable(harness, *amounts, start=start, payee=payee, currency="EUR")
    run = await release(harness, (await create(harness))["id"], HOME)
    harness.clock.advance(4 * DAY)
    return str(run["id"])


async def test_a_business_abroad_gets_its_invoice_of_a_run(harness: Harness, judge: Judge) -> None:
    """From what was kept when the run was released: later changes of the payee are not on it."""
    run = await _paid(harness, FRENCH, "100.00")
    invoice = await self_billed_invoice(harness.store, SEALER, run, harness.affiliate_id)
    assert (invoice["invoiceNumber"], invoice["amount"], invoice["vatKind"]) == ("1", "5.00", "reverse_charge")
    assert judge(self_billed_xml(invoice)) == []
    text = self_billed_text(invoice)
    heading = "To: The Network, 1 Harbour St"
    for words in ("no. 1\n", "From: Ada Łovelace & Söhne", "FR40303265045", heading, "Self-billing", "Reverse", run):
        assert words in text
    before = self_billed_xml(invoice)
    await austrian(harness)
    await self_bill_to(harness.store, harness.clock, harness.affiliate_id, "at")
    await refund(harness, "O-0", "r-1", "40.00")
    await put(harness, attrs.evolve(FRENCH, legal_name="Ada SARL"))
    second = await _paid(harness, FRENCH, "200.00", start=1)
    later = await self_billed_invoice(harness.store, SEALER, second, harness.affiliate_id, "EUR")
    assert (later["invoiceNumber"], later["amount"], later["corrected"]) == ("AT-1", "8.00", ["1"])
    assert (later["supplier"]["name"], later["company"]["country"]) == ("Ada SARL", "AT")
    assert judge(self_billed_xml(later)) == []
    assert self_billed_xml(await self_billed_invoice(harness.store, SEALER, run, harness.affiliate_id)) == before


async def test_a_network_without_a_name_is_not_called_by_its_address(sqlite_live: Harness) -> None:
    harness = sqlite_live
    await payable(harness, "100.00", payee=FRENCH, currency="EUR")
    run = await release(harness, (await create(harness))["id"], attrs.evolve(HOME, debtor_name=""))
    invoice = await self_billed_invoice(harness.store, SEALER, str(run["id"]), harness.affiliate_id)
    assert (invoice["company"]["name"], invoice["companyLines"][0]) == ("", "1 Harbour St")
    with pytest.raises(OperatorFault, match="payouts.debtor_name"):
        self_billed_xml(invoice)


async def test_a_business_at_home_adds_its_own_vat(sqlite_live: Harness) -> None:
    """The hub does not know its rate, so it writes no XML that says there is none."""
    run = await _paid(sqlite_live, attrs.evolve(SELF_BILLED, tax_id="DE129273398"), "100.00")
    invoice = await self_billed_invoice(sqlite_live.store, SEALER, run, sqlite_live.affiliate_id)
    assert invoice["addsVat"] is True
    assert "adds its VAT itself" in self_billed_text(invoice)
    with pytest.raises(OperatorFault, match="adds its VAT itself"):
        self_billed_xml(invoice)


async def test_what_has_no_invoice_says_so(sqlite_live: Harness) -> None:
    """A payee that did not agree, another currency, a payment that was invoiced before, and several currencies."""
    harness = sqlite_live
    run = await _paid(harness, FRENCH, "100.00")
    with pytest.raises(OperatorFault, match="has no self-billed invoice of .* in USD"):
        await self_billed_invoice(harness.store, SEALER, run, harness.affiliate_id, "USD")
    await return_payment(harness.store, harness.clock, run, harness.affiliate_id, "closed")
    again = await release(harness, (await create(harness))["id"], HOME)
    with pytest.raises(OperatorFault, match="has no self-billed invoice"):
        await self_billed_invoice(harness.store, SEALER, str(again["id"]), harness.affiliate_id)
    await payable(harness, "100.00", start=1, currency="USD", payee=FRENCH)
    both = await _paid(harness, FRENCH, "100.00", start=2)
    with pytest.raises(OperatorFault, match="one in each of EUR, USD; name the currency"):
        await self_billed_invoice(harness.store, SEALER, both, harness.affiliate_id)
    found = await self_billed_invoice(harness.store, SEALER, both, harness.affiliate_id, "USD")
    assert found["currency"] == "USD"
    with pytest.raises(OperatorFault, match="no payout"):
        await self_billed_invoice(harness.store, SEALER, "pay_none", harness.affiliate_id)
