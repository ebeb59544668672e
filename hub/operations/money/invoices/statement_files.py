"""A statement as text, CSV or PDF; the same statement makes the same bytes."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Final

from hub.domain.spreadsheets import defused
from hub.operations.money.invoices.statements import StatementDocument, StatementPart

COLUMNS: Final = ("Line", "Merchant", "Order", "What", "Amount")


def title_of(statement: StatementDocument) -> str:
    """Return the heading of a statement, which says TEST if it pays nobody."""
    mark = "" if statement["mark"] is None else f"{statement['mark']} — "
    return f"{mark}Statement of payout {statement['payoutId']}"


def statement_text(statement: StatementDocument) -> str:
    """Return a statement as plain text."""
    lines = [title_of(statement), *_head(statement)]
    for part in statement["parts"]:
        lines += ["", *_summary(part), ""]
        lines += ["  ".join(cells) for cells in _rows(part)]
    return "\n".join([*lines, "", statement["rounding"], ""])


def statement_csv(statement: StatementDocument) -> bytes:
    """Return a statement as CSV: a row for each line."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(["mark", "payoutId", "affiliateId", "id", "merchantId", "externalOrderId", "reason", "amount",
                     "currency", "invoice"])  # fmt: skip
    for part in statement["parts"]:
        for line in part["lines"]:
            whose = (statement["mark"], statement["payoutId"], statement["affiliateId"], line["id"], line["merchantId"])
            cells = (*whose, line["externalOrderId"], line["reason"], line["amount"], line["currency"],
                     part["invoiceNumber"])  # fmt: skip
            writer.writerow(["" if cell is None else defused(str(cell)) for cell in cells])
    return text.getvalue().encode()


def statement_pdf(statement: StatementDocument, logo: bytes | None = None) -> bytes:
    """Return a statement as PDF, pages of A4, with the network's logo if it has one."""
    from hub.operations.money.invoices.pdf_pages import TableOfLines, tables_pdf

    tables = [
        TableOfLines(list(_summary(part)), [COLUMNS, *_rows(part)], (140, 90, 90, 120, 75))
        for part in statement["parts"]
    ]
    return tables_pdf(title_of(statement), statement["issuer"], list(_head(statement)), tables, statement["rounding"],
                      logo)  # fmt: skip


def _head(statement: StatementDocument) -> Iterator[str]:
    yield f"From: {statement['issuer']}"
    payee = statement["payee"]
    if payee is None:
        yield f"To: {statement['affiliateName']} ({statement['affiliateId']})"
    else:
        yield f"To: {payee['name']}, {', '.join(payee['address'])}"
        if payee["taxId"]:
            yield f"Tax number: {payee['taxId']}"
    yield f"Created {statement['createdAt']}, released {statement['releasedAt'] or 'not yet'}"


def _summary(part: StatementPart) -> Iterator[str]:
    currency = part["currency"]
    if part["invoice"] is not None:
        kind = "credit note" if (part["invoiceAmount"] or "").startswith("-") else "invoice"
        yield f"Self-billed {kind} no. {part['invoiceNumber']} over {part['invoiceAmount']} {currency}"
    if part["invoiceTo"]:
        yield f"It is to {', '.join(part['invoiceTo'])}"
    if part["vatNote"]:
        yield part["vatNote"]
    if part["corrects"]:
        yield f"It corrects invoice no. {', '.join(part['corrected'])}"
    yield f"Balance before: {part['balanceBefore']} {currency}"
    yield f"Commissions: {part['commissions']} {currency}, corrections: {part['adjustments']} {currency}"
    yield f"Paid: {part['paid']} {currency} ({part['status']}{', ' + part['reference'] if part['reference'] else ''})"
    if part["sentCurrency"] is not None:
        sent, rate = f"{part['sentAmount']} {part['sentCurrency']}", f"{part['exchangeRate']} {part['sentCurrency']}"
        yield f"Sent as {sent}, at {rate} for 1 {currency}, rounded once"
    yield f"Balance after: {part['balanceAfter']} {currency}"


def _rows(part: StatementPart) -> Iterator[tuple[str, ...]]:
    for line in part["lines"]:
        what = line["reason"] or "Commission"
        yield (
            line["id"],
            line["merchantName"],
            line["externalOrderId"] or "",
            what,
            f"{line['amount']} {line['currency']}",
        )
