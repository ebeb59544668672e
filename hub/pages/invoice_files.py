"""An invoice to a merchant as a file that a page hands out."""

from __future__ import annotations

from aiohttp import web

from hub.operations.errors import OperatorFault
from hub.operations.money.invoices.electronic_invoices import invoice_file_pdf
from hub.operations.money.invoices.merchant_invoices import InvoiceDocument, invoice_csv, show_invoice
from hub.pages.downloads import PDF, download
from hub.pages.rendering import shown_logo
from hub.pages.visit import PageServices

MOST_DIGITS = 9


async def found_invoice(services: PageServices, number: str, merchant_id: str) -> InvoiceDocument:
    """Return a merchant's invoice by its number; raise `OperatorFault` if it has none of this number."""
    if not (number.isascii() and number.isdigit() and len(number) <= MOST_DIGITS):
        raise OperatorFault(f"There is no invoice {number!r}.")
    return await show_invoice(services.store, int(number), merchant_id)


def invoice_file(services: PageServices, invoice: InvoiceDocument, form: str) -> web.Response:
    """Return an invoice as a file: "csv", else PDF, with its XML inside where that can be."""
    name = f"invoice-{invoice['number']}"
    if form == "csv":
        return download(invoice_csv(invoice), f"{name}.csv")
    return download(invoice_file_pdf(invoice, services.settings.issuer, shown_logo()), f"{name}.pdf", PDF)
