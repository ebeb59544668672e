"""A statement as a file that a page hands out."""

from __future__ import annotations

from aiohttp import web

from hub.operations.money.statement_files import statement_csv, statement_pdf
from hub.operations.money.statements import StatementDocument
from hub.pages.downloads import PDF, download
from hub.pages.rendering import shown_logo


def statement_file(statement: StatementDocument, form: str) -> web.Response:
    """Return a statement as a file, "pdf" or "csv", whose name says TEST if it pays nobody."""
    mark = "TEST-" if statement["mark"] else ""
    name = f"{mark}statement-{statement['payoutId']}-{statement['affiliateId']}.{form}"
    if form == "pdf":
        return download(statement_pdf(statement, shown_logo()), name, PDF)
    return download(statement_csv(statement), name)
