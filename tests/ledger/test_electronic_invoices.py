"""An invoice as EN 16931: judged by the schema and the rules of the standard, and found again in its PDF."""

from __future__ import annotations

import io
import re
from decimal import Decimal
from typing import Any, cast

import facturx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from pypdf import PdfReader

from hub.domain.books.vat import vat_for
from hub.operations.errors import OperatorFault
from hub.operations.money.invoices.electronic_invoices import FILE_NAME, invoice_file_pdf, invoice_xml
from hub.operations.money.invoices.merchant_invoices import InvoiceDocument, invoice_pdf
from tests.ledger.invoice_rules import Judge

GERMAN = {"name": "The Network", "address": "1 Harbour St", "country": "DE", "vatNumber": "DE136695976"}
FRENCH = {"name": "Müller & Fils", "address": "2 Rue\n75001 Paris", "country": "FR", "vatNumber": "FR83404833048"}
INVOICE = {
    "number": 7, "billed": "paid", "merchantId": "mer_1", "billedTo": ["Shop Ltd"], "month": "2026-10",
    "currency": "EUR", "commissions": "100.00", "payments": 3, "corrections": "-10.00", "fee": "20.00",
    "deposit": "-30.00", "total": "100.90", "issuedAt": "2026-11-01T01:00:00.000Z", "issuedBy": "ops",
    "timeZone": "UTC",
    "issuer": ["The Network"], "net": "110.00", "vatKind": "domestic", "vatRate": "19", "vat": "20.90", "vatNote": "",
    "corrects": [], "payTo": "IBAN DE89", "dueAt": "2026-11-15T00:00:00.000Z", "paymentReference": "RF57INV12",
    "issuerDetails": GERMAN, "billedToDetails": {**FRENCH, "country": "DE", "vatNumber": ""},
}  # fmt: skip
"""An invoice of October, part of which the deposit has paid."""


def made(**changes: Any) -> InvoiceDocument:
    """Return the invoice with other members."""
    return cast(InvoiceDocument, {**INVOICE, **changes})


CASES = {
    "at the rate of the country": made(),
    "reverse charge": made(vatKind="reverse_charge", vatRate="0", vat="0.00", vatNote="The recipient owes the VAT.",
                           billedToDetails=FRENCH),
    "outside of the Union": made(vatKind="outside", vatRate="0", vat="0.00", vatNote="Not subject to VAT.",
                                 billedToDetails={**FRENCH, "country": "US", "vatNumber": ""}),
    "of a network without VAT": made(vatKind="none", vatRate="0", vat="0.00",
                                     issuerDetails={**GERMAN, "vatNumber": ""}),
    "a credit note": made(commissions="-100.00", corrections="0.00", fee="-20.00", deposit="0.00", net="-120.00",
                          vat="-22.80", total="-142.80", corrects=[3, 4]),
    "in a currency without decimals": made(currency="JPY", commissions="1000", corrections="0", fee="0", deposit="0",
                                           net="1000", vat="190", total="1190"),
    "all paid by the deposit": made(deposit="-130.90", total="0.00"),
    "without a place to pay to": made(payTo=""),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_every_kind_of_invoice_keeps_all_rules_of_the_standard(judge: Judge, case: str) -> None:
    xml = invoice_xml(CASES[case])
    assert judge(xml) == []
    assert xml == invoice_xml(CASES[case]), "the same invoice makes the same bytes"


def test_the_rules_notice_a_total_that_is_altered(judge: Judge) -> None:
    """Control: the schema alone sees no arithmetic; the rules name the sum that is wrong."""
    xml = invoice_xml(made()).replace(b"<ram:GrandTotalAmount>130.90<", b"<ram:GrandTotalAmount>999.00<")
    assert "BR-CO-15" in judge(xml)


def test_a_credit_note_is_one_and_names_what_it_corrects(judge: Judge) -> None:
    text = invoice_xml(CASES["a credit note"]).decode()
    assert "<ram:TypeCode>381<" in text
    assert "<ram:DuePayableAmount>142.80<" in text
    assert re.findall("<ram:IssuerAssignedID>(.*?)<", text) == ["3", "4"]


def test_a_program_finds_the_amounts_that_people_read() -> None:
    text = invoice_xml(made()).decode()
    amounts = {name: Decimal(each) for name, each in re.findall(r"<ram:(\w+Amount)[^>]*>([-0-9.]+)<", text)}
    assert amounts["TaxBasisTotalAmount"] == Decimal(INVOICE["net"])  # type: ignore[arg-type]  # a text
    assert amounts["TaxTotalAmount"] == Decimal(INVOICE["vat"])  # type: ignore[arg-type]  # a text
    assert amounts["TotalPrepaidAmount"] == Decimal("30.00")
    assert amounts["DuePayableAmount"] == Decimal(INVOICE["total"])  # type: ignore[arg-type]  # a text


@settings(deadline=None)
@given(
    minor=st.tuples(*[st.integers(-(10**9), 10**9)] * 3), paid=st.integers(0, 10**9),
    rate=st.sampled_from(["7", "19", "25.5"]),
)  # fmt: skip
def test_whatever_is_billed_the_rules_hold(judge: Judge, minor: tuple[int, ...], paid: int, rate: str) -> None:
    """Any commissions, corrections and fee, of either sign, with any part prepaid."""
    net = sum(minor)
    vat = vat_for("DE", rate, "DE", buyer_has_number=False).amount(net)
    commissions, corrections, fee, deposit, tax, total = (
        str(Decimal(each).scaleb(-2)) for each in (*minor, -paid, vat, net + vat - paid)
    )
    if any(minor):
        assert judge(invoice_xml(made(commissions=commissions, corrections=corrections, fee=fee, deposit=deposit,
                                      vat=tax, vatRate=rate, total=total))) == []  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "missing"),
    [
        ({"issuerDetails": {**GERMAN, "country": ""}}, "payouts.issuer_country"),
        ({"issuerDetails": {**GERMAN, "vatNumber": ""}}, "payouts.issuer_vat_number"),
        ({"billedToDetails": {**FRENCH, "country": ""}}, "profile names no country"),
        ({"commissions": "0.00", "corrections": "0.00", "fee": "0.00"}, "bills nothing"),
    ],
)
def test_what_the_standard_asks_for_and_nobody_said_is_named(changes: dict[str, object], missing: str) -> None:
    """And the PDF is there all the same, for people alone."""
    invoice = made(**changes)
    with pytest.raises(OperatorFault, match=f"Invoice 7 cannot be written as EN 16931.*{missing}"):
        invoice_xml(invoice)
    assert invoice_file_pdf(invoice, "") == invoice_pdf(invoice, "")


class TestPdf:
    """PDF/A-3b with the XML inside."""

    def test_a_program_finds_the_xml_and_the_same_invoice_makes_the_same_bytes(self) -> None:
        pdf = invoice_file_pdf(made(), "")
        name, xml = facturx.get_xml_from_pdf(pdf)
        assert (name, xml) == (FILE_NAME, invoice_xml(made()))
        assert pdf == invoice_file_pdf(made(), "")

    def test_the_logo_is_on_it_without_what_the_standard_forbids(self) -> None:
        """A transparent logo is drawn on white; the same logo makes the same bytes; without one there is none."""
        logo = io.BytesIO()
        Image.new("RGBA", (600, 120), (200, 0, 0, 90)).save(logo, "PNG")
        pdf = invoice_file_pdf(made(), "", logo.getvalue())
        assert pdf == invoice_file_pdf(made(), "", logo.getvalue())
        (drawn,) = PdfReader(io.BytesIO(pdf)).pages[0].images
        assert drawn.indirect_reference is not None
        picture: Any = drawn.indirect_reference.get_object()
        assert "/SMask" not in picture
        assert [*PdfReader(io.BytesIO(invoice_file_pdf(made(), ""))).pages[0].images] == []

    def test_it_says_what_it_is_and_needs_nothing_from_outside(self) -> None:
        """Its fonts are in it, its colours are said, its attachment is an alternative of its page."""
        pdf = invoice_file_pdf(made(), "")
        reader = PdfReader(io.BytesIO(pdf))
        root: Any = reader.root_object
        pages: list[Any] = list(reader.pages)
        fonts = [font.get_object() for page in pages for font in page["/Resources"]["/Font"].values()]
        assert fonts
        assert all("/FontFile2" in font["/FontDescriptor"].get_object() for font in fonts)
        intent = root["/OutputIntents"][0]
        assert intent["/S"] == "/GTS_PDFA1"
        assert intent.raw_get("/DestOutputProfile").idnum, "a stream is an object of its own"
        assert [each.get_object()["/AFRelationship"] for each in root["/AF"]] == ["/Alternative"]
        assert b"/Encrypt" not in pdf
        xmp = root["/Metadata"].get_data().decode()
        for words in ("pdfaid:part>3<", "pdfaid:conformance>B<", "fx:ConformanceLevel>EN 16931<", "Invoice no. 7"):
            assert words in xmp
        assert set(reader.metadata or {}) == {"/Title", "/Author", "/Producer"}, "dates would have to be in the XMP too"


def test_a_month_of_days_is_in_it() -> None:
    """The month that is billed, and until when it is to be paid."""
    text = invoice_xml(made(month="2026-02")).decode()
    assert re.findall(r'format="102">(\d{8})<', text) == ["20261101", "20260228", "20260201", "20260228", "20261115"]
