"""Files that a page hands out: kept by the browser's download, never shown as a page or cached."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

from aiohttp import web

from hub.operations.errors import OperatorFault
from hub.operations.money.invoices.electronic_invoices import invoice_file_pdf
from hub.operations.money.invoices.merchant_invoices import InvoiceDocument, invoice_csv, show_invoice
from hub.operations.money.invoices.self_billed_invoices import self_billed_invoice, self_billed_pdf
from hub.operations.money.invoices.statement_files import statement_csv, statement_pdf
from hub.operations.money.invoices.statements import StatementDocument
from hub.pages.rendering import HEADERS, shown_logo
from hub.pages.visit import PageServices

CSV: Final = "text/csv; charset=utf-8"
PDF: Final = "application/pdf"
XML: Final = "application/xml"
MOST_DIGITS: Final = 9
"""Of an invoice's number."""


def download(content: bytes | AsyncIterator[bytes], name: str, kind: str = CSV) -> web.Response:
    """Return the answer that saves `content` under a name, which is plain ASCII without quotes."""
    headers = {**HEADERS, "Content-Type": kind, "Content-Disposition": f'attachment; filename="{name}"'}
    return web.Response(body=content, headers=headers)


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


def statement_file(statement: StatementDocument, form: str) -> web.Response:
    """Return a statement as a file, "pdf" or "csv", whose name says TEST if it pays nobody."""
    mark = "TEST-" if statement["mark"] else ""
    name = f"{mark}statement-{statement['payoutId']}-{statement['affiliateId']}.{form}"
    if form == "pdf":
        return download(statement_pdf(statement, shown_logo()), name, PDF)
    return download(statement_csv(statement), name)


async def self_billed_file(services: PageServices, statement: StatementDocument, currency: str) -> web.Response:
    """Return the self-billed invoice of a statement in a currency as PDF, with its XML inside where that can be.

    Raise `OperatorFault` if it has none.
    """
    run, affiliate = statement["payoutId"], statement["affiliateId"]
    invoice = await self_billed_invoice(services.store, services.sealer, run, affiliate, currency)
    name = f"self-billed-{invoice['invoiceNumber']}-{affiliate}.pdf"
    return download(self_billed_pdf(invoice, shown_logo()), name, PDF)
