"""An invoice that a merchant's program reads: EN 16931 as a Cross Industry Invoice, the XML inside of a Factur-X file.

The rules that are named (BR-...) are of EN 16931-1 and are checked by its Schematron, not by the schema. A credit note
(code 381, self-billed 261) has the amounts of an invoice, each with its sign turned.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final, assert_never
from xml.etree import ElementTree as ET

from attrs import frozen

from hub.domain.words import VatKind

PROFILE: Final = "urn:cen.eu:en16931:2017"
_INVOICE: Final = "380"
_CREDIT_NOTE: Final = "381"
_SELF_BILLED: Final = "389"
_SELF_BILLED_CREDIT: Final = "261"
_RSM: Final = "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
_RAM: Final = "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"
_UDT: Final = "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"
_ONE: Final = "C62"
"""A piece (UN/ECE Recommendation 20)."""


@frozen
class Party:
    """A side of an invoice; `vat_number` is empty if it has none."""

    name: str
    address: str
    country: str
    vat_number: str


@frozen
class Line:
    """What is billed, and its net amount."""

    name: str
    amount: Decimal


@frozen
class EInvoice:
    """An invoice in the terms of the standard; amounts are in `currency`, days are ISO dates.

    `prepaid` is what is paid of it already. `corrects` are the numbers of the invoices before it that it takes back
    from, `note` is the sentence why there is no VAT, `terms` what it says of how to pay. The buyer writes a self-billed
    one.
    """

    number: str
    issued_on: str
    since: str
    until: str
    currency: str
    seller: Party
    buyer: Party
    lines: Sequence[Line]
    vat_kind: VatKind
    vat_rate: str
    vat: Decimal
    prepaid: Decimal
    due_on: str
    reference: str
    terms: str
    note: str
    corrects: Sequence[str]
    is_self_billed: bool = False

    @property
    def net(self) -> Decimal:
        """Return the sum of the lines."""
        return sum((line.amount for line in self.lines), Decimal())

    @property
    def due(self) -> Decimal:
        """Return what is to be paid, negative if it goes back."""
        return self.net + self.vat - self.prepaid


def gaps(invoice: EInvoice) -> list[str]:
    """Return what the standard asks for and the invoice does not say, a sentence each; none if it can be written."""
    found = []
    if not invoice.lines:
        found.append("It bills nothing (BR-16).")
    seller, buyer = (
        "The network's country is not set: payouts.issuer_country",
        "The merchant's profile names no country",
    )
    if invoice.is_self_billed:
        seller, buyer = "The payee's details name no country", seller
    if not invoice.seller.country:
        found.append(f"{seller} (BR-9).")
    if not invoice.buyer.country:
        found.append(f"{buyer} (BR-11).")
    network = invoice.buyer if invoice.is_self_billed else invoice.seller
    if not network.name:
        found.append("The network's name is not set: payouts.debtor_name (BR-6, BR-7).")
    if _has_vat_numbers(invoice.vat_kind) and not network.vat_number:
        found.append("The network's VAT number is not set: payouts.issuer_vat_number (BR-S-2, BR-AE-2).")
    return found


def cross_industry_invoice(invoice: EInvoice) -> bytes:
    """Return the XML; the same invoice makes the same bytes. Raise ValueError if it has gaps."""
    if missing := gaps(invoice):
        raise ValueError(" ".join(missing))
    for prefix, namespace in (("rsm", _RSM), ("ram", _RAM), ("udt", _UDT)):
        ET.register_namespace(prefix, namespace)
    root = ET.Element(f"{{{_RSM}}}CrossIndustryInvoice")
    context = ET.SubElement(root, f"{{{_RSM}}}ExchangedDocumentContext")
    _add(context, "GuidelineSpecifiedDocumentContextParameter/ID", PROFILE)
    _document(ET.SubElement(root, f"{{{_RSM}}}ExchangedDocument"), invoice)
    trade = ET.SubElement(root, f"{{{_RSM}}}SupplyChainTradeTransaction")
    sign = _sign(invoice)
    for place, line in enumerate(invoice.lines, 1):
        _line(_add(trade, "IncludedSupplyChainTradeLineItem"), place, line, invoice, sign)
    agreement = _add(trade, "ApplicableHeaderTradeAgreement")
    seller = _add(agreement, "SellerTradeParty")
    if not _has_vat_numbers(invoice.vat_kind):
        _add(seller, "ID", invoice.seller.vat_number or invoice.seller.name)  # a seller has some identifier (BR-CO-26)
    _party(seller, invoice.seller, invoice.vat_kind)
    _party(_add(agreement, "BuyerTradeParty"), invoice.buyer, invoice.vat_kind)
    delivery = _add(trade, "ApplicableHeaderTradeDelivery")
    _day(_add(delivery, "ActualDeliverySupplyChainEvent/OccurrenceDateTime"), invoice.until)
    _settlement(_add(trade, "ApplicableHeaderTradeSettlement"), invoice, sign)
    ET.indent(root)
    written: bytes = ET.tostring(root, "utf-8")
    return b"<?xml version='1.0' encoding='UTF-8'?>\n" + written + b"\n"


def _document(document: ET.Element, invoice: EInvoice) -> None:
    _add(document, "ID", invoice.number)
    _add(document, "TypeCode", _type(invoice))
    _day(_add(document, "IssueDateTime"), invoice.issued_on)
    if invoice.note:
        _add(document, "IncludedNote/Content", invoice.note)


def _type(invoice: EInvoice) -> str:
    """Return the kind of document (UNTDID 1001)."""
    if invoice.is_self_billed:
        return _SELF_BILLED_CREDIT if _sign(invoice) < 0 else _SELF_BILLED
    return _CREDIT_NOTE if _sign(invoice) < 0 else _INVOICE


def _line(item: ET.Element, place: int, line: Line, invoice: EInvoice, sign: int) -> None:
    """Write a line; a price is never negative (BR-27), so what is taken off is a negative number of pieces."""
    amount = sign * line.amount
    _add(item, "AssociatedDocumentLineDocument/LineID", str(place))
    _add(item, "SpecifiedTradeProduct/Name", line.name)
    _add(item, "SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount", str(abs(amount)))
    pieces = _add(item, "SpecifiedLineTradeDelivery/BilledQuantity", "-1" if amount < 0 else "1")
    pieces.set("unitCode", _ONE)
    settlement = _add(item, "SpecifiedLineTradeSettlement")
    tax = _add(settlement, "ApplicableTradeTax")
    _add(tax, "TypeCode", "VAT")
    _add(tax, "CategoryCode", _category(invoice.vat_kind))
    _rate(tax, invoice)
    _add(settlement, "SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount", str(amount))


def _settlement(settlement: ET.Element, invoice: EInvoice, sign: int) -> None:
    _add(settlement, "PaymentReference", invoice.reference)
    _add(settlement, "InvoiceCurrencyCode", invoice.currency)
    tax = _add(settlement, "ApplicableTradeTax")
    _add(tax, "CalculatedAmount", str(sign * invoice.vat))
    _add(tax, "TypeCode", "VAT")
    if reason := _reason(invoice):
        _add(tax, "ExemptionReason", reason)
    _add(tax, "BasisAmount", str(sign * invoice.net))
    _add(tax, "CategoryCode", _category(invoice.vat_kind))
    _rate(tax, invoice)
    period = _add(settlement, "BillingSpecifiedPeriod")
    _day(_add(period, "StartDateTime"), invoice.since)
    _day(_add(period, "EndDateTime"), invoice.until)
    terms = _add(settlement, "SpecifiedTradePaymentTerms")
    if invoice.terms:
        _add(terms, "Description", invoice.terms)
    _day(_add(terms, "DueDateDateTime"), invoice.due_on)
    _totals(_add(settlement, "SpecifiedTradeSettlementHeaderMonetarySummation"), invoice, sign)
    for number in invoice.corrects:
        _add(_add(settlement, "InvoiceReferencedDocument"), "IssuerAssignedID", number)


def _totals(totals: ET.Element, invoice: EInvoice, sign: int) -> None:
    _add(totals, "LineTotalAmount", str(sign * invoice.net))
    _add(totals, "TaxBasisTotalAmount", str(sign * invoice.net))
    _add(totals, "TaxTotalAmount", str(sign * invoice.vat)).set("currencyID", invoice.currency)
    _add(totals, "GrandTotalAmount", str(sign * (invoice.net + invoice.vat)))
    _add(totals, "TotalPrepaidAmount", str(sign * invoice.prepaid))
    _add(totals, "DuePayableAmount", str(sign * invoice.due))


def _party(party: ET.Element, of: Party, kind: VatKind) -> None:
    _add(party, "Name", of.name)
    address = _add(party, "PostalTradeAddress")
    if of.address:
        _add(address, "LineOne", of.address)
    _add(address, "CountryID", of.country)
    if of.vat_number and _has_vat_numbers(kind):
        _add(party, "SpecifiedTaxRegistration/ID", of.vat_number).set("schemeID", "VA")


def _category(kind: VatKind) -> str:
    """Return the category of UNTDID 5305: S at a rate, AE reverse charge, O not subject to VAT."""
    match kind:
        case "domestic":
            return "S"
        case "reverse_charge":
            return "AE"
        case "none" | "outside":
            return "O"
        case _:
            assert_never(kind)


def _has_vat_numbers(kind: VatKind) -> bool:
    """Return whether the sides are named by their VAT numbers, which an invoice outside of VAT must not (BR-O-2)."""
    return _category(kind) != "O"


def _reason(invoice: EInvoice) -> str:
    """Return why there is no VAT, which all but the standard rate must say (BR-AE-10, BR-O-10)."""
    return "" if invoice.vat_kind == "domestic" else invoice.note or "No VAT is charged."


def _rate(tax: ET.Element, invoice: EInvoice) -> None:
    """Write the rate, which what is not subject to VAT must not have (BR-O-5)."""
    if _has_vat_numbers(invoice.vat_kind):
        _add(tax, "RateApplicablePercent", invoice.vat_rate)


def _sign(invoice: EInvoice) -> int:
    return -1 if invoice.due < 0 else 1


def _day(element: ET.Element, day: str) -> None:
    written = ET.SubElement(element, f"{{{_UDT}}}DateTimeString", {"format": "102"})
    written.text = day.replace("-", "")


def _add(parent: ET.Element, path: str, text: str | None = None) -> ET.Element:
    """Add the elements of a path, and the text to the last; return that."""
    for name in path.split("/"):
        parent = ET.SubElement(parent, f"{{{_RAM}}}{name}")
    parent.text = text
    return parent
