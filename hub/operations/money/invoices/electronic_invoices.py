"""An invoice for programs: as XML of EN 16931, and inside of its PDF (Factur-X, also called ZUGFeRD)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

from hub.domain.books.book_time import next_month
from hub.domain.books.e_invoice import EInvoice, Line, Party, cross_industry_invoice, gaps
from hub.operations.errors import OperatorFault
from hub.operations.money.invoices.merchant_invoices import InvoiceDocument, corrected_of, invoice_pdf, number_of
from hub.operations.money.tax.billing import PartyDocument

FILE_NAME: Final = "factur-x.xml"
_CHARGES: Final = ("Commissions of affiliates", "Corrections of commissions", "Network fee")


def invoice_xml(invoice: InvoiceDocument) -> bytes:
    """Return a merchant's invoice as XML of EN 16931; raise `OperatorFault` that names all that it lacks for that."""
    return written_xml(_electronic(invoice))


def invoice_file_pdf(invoice: InvoiceDocument, issuer: str, logo: bytes | None = None) -> bytes:
    """Return a merchant's invoice as PDF/A-3 with its XML inside; as a PDF alone if it lacks what EN 16931 asks for."""
    return with_xml(invoice_pdf(invoice, issuer, logo), _electronic(invoice), invoice["issuedAt"])


def written_xml(invoice: EInvoice, more: Sequence[str] = ()) -> bytes:
    """Return an invoice as XML; raise `OperatorFault` that names what it lacks, `more` before all else."""
    if missing := [*more, *gaps(invoice)]:
        raise OperatorFault(f"Invoice {invoice.number} cannot be written as EN 16931. {' '.join(missing)}")
    return cross_industry_invoice(invoice)


def with_xml(pdf: bytes, invoice: EInvoice, issued_at: str, more: Sequence[str] = ()) -> bytes:
    """Return the PDF of an invoice as PDF/A-3 with its XML inside; as it is if it lacks what EN 16931 asks for."""
    if more or gaps(invoice):
        return pdf
    from hub.operations.money.invoices.archive_pdf import Attachment, archived

    xml = Attachment(FILE_NAME, cross_industry_invoice(invoice), "The same invoice for programs (EN 16931).")
    return archived(pdf, xml, issued_at)


def _electronic(invoice: InvoiceDocument) -> EInvoice:
    first = date.fromisoformat(f"{invoice['month']}-01")
    return EInvoice(
        number=number_of(invoice),
        issued_on=invoice["issuedAt"][:10],
        since=first.isoformat(),
        until=(next_month(first) - timedelta(days=1)).isoformat(),
        currency=invoice["currency"],
        seller=party_of(invoice["issuerDetails"]),
        buyer=party_of(invoice["billedToDetails"]),
        lines=list(_lines(invoice)),
        vat_kind=invoice["vatKind"],
        vat_rate=invoice["vatRate"],
        vat=Decimal(invoice["vat"]),
        prepaid=-Decimal(invoice["deposit"]),
        due_on=invoice["dueAt"][:10],
        reference=invoice["paymentReference"],
        terms=f"To {invoice['payTo']}" if invoice["payTo"] else "",
        note=invoice["vatNote"],
        corrects=corrected_of(invoice),
    )


def _lines(invoice: InvoiceDocument) -> Iterator[Line]:
    amounts = (invoice["commissions"], invoice["corrections"], invoice["fee"])
    for name, amount in zip(_CHARGES, amounts, strict=True):
        if Decimal(amount):
            yield Line(f"{name}, {invoice['month']}", Decimal(amount))


def party_of(parts: PartyDocument) -> Party:
    """Return a side of an invoice as the standard has it."""
    return Party(parts["name"], parts["address"].replace("\n", ", "), parts["country"], parts["vatNumber"])
