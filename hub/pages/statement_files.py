"""A statement as a file that a page hands out."""

from __future__ import annotations

from aiohttp import web

from hub.operations.money.invoices.self_billed_invoices import self_billed_invoice, self_billed_pdf
from hub.operations.money.invoices.statement_files import statement_csv, statement_pdf
from hub.operations.money.invoices.statements import StatementDocument
from hub.pages.downloads import PDF, download
from hub.pages.rendering import shown_logo
from hub.pages.visit import PageServices


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
