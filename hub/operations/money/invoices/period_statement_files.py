"""A statement of a period as text, CSV or PDF; the same statement makes the same bytes."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Final

from hub.domain.spreadsheets import defused
from hub.operations.errors import OperatorFault
from hub.operations.money.invoices.period_statements import PeriodLine, PeriodPart, PeriodStatement, what_of

COLUMNS: Final = ("When", "Merchant", "Order", "What", "Amount", "Balance")
MOST_PRINTED: Final = 5_000
"""A PDF is made in memory, and nobody reads a longer one."""
FIELDS: Final = tuple(PeriodLine.__annotations__)


def period_title(statement: PeriodStatement) -> str:
    """Return the heading of a statement, which says TEST if it is of test accounts."""
    mark = "" if statement["mark"] is None else f"{statement['mark']} — "
    return f"{mark}Statement of {statement['affiliateName']}"


def period_text(statement: PeriodStatement) -> str:
    """Return a statement as plain text."""
    lines = [period_title(statement), *_head(statement)]
    for part in statement["parts"]:
        lines += ["", _opening(part), *("  ".join(cells) for cells in _rows(part)), _closing(part)]
    return "\n".join([*lines, "", statement["rounding"], ""])


def period_csv(statement: PeriodStatement) -> bytes:
    """Return a statement as CSV: a row for each line, between one for each opening and closing balance."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(["mark", "affiliateId", "currency", *FIELDS])
    for part in statement["parts"]:
        whose = (statement["mark"] or "", statement["affiliateId"], part["currency"])
        writer.writerow([*whose, statement["since"], "opening", *_blank(part["openingBalance"])])
        for line in part["lines"]:
            cells = line.values()
            writer.writerow([*whose, *("" if cell is None else defused(str(cell)) for cell in cells)])
        writer.writerow([*whose, statement["until"], "closing", *_blank(part["closingBalance"])])
    return text.getvalue().encode()


def period_pdf(statement: PeriodStatement, logo: bytes | None = None) -> bytes:
    """Return a statement as PDF, pages of A4, with the network's logo if it has one.

    Raise `OperatorFault` for one of more than `MOST_PRINTED` lines.
    """
    if sum(len(part["lines"]) for part in statement["parts"]) > MOST_PRINTED:
        raise OperatorFault(f"A PDF has at most {MOST_PRINTED:,} lines; take the CSV, or a shorter period.")
    from hub.operations.money.invoices.pdf_pages import TableOfLines, tables_pdf

    tables = [
        TableOfLines([_opening(part)], [COLUMNS, *_rows(part)], (80, 80, 80, 130, 70, 75), [_closing(part)])
        for part in statement["parts"]
    ]
    return tables_pdf(
        period_title(statement), statement["issuer"], list(_head(statement)), tables, statement["rounding"], logo
    )


def _blank(balance: str) -> list[str]:
    """Return the cells after `at` and `what` of a row that is a balance."""
    return [*[""] * (len(FIELDS) - 3), defused(balance)]


def _head(statement: PeriodStatement) -> Iterator[str]:
    yield f"From: {statement['issuer']}"
    yield f"To: {statement['affiliateName']} ({statement['affiliateId']})"
    yield f"From {statement['since']} until before {statement['until']}"
    if not statement["parts"]:
        yield "There was no balance, and nothing changed it."


def _opening(part: PeriodPart) -> str:
    return f"Opening balance: {part['openingBalance']} {part['currency']}"


def _closing(part: PeriodPart) -> str:
    return f"Closing balance: {part['closingBalance']} {part['currency']}"


def _rows(part: PeriodPart) -> Iterator[tuple[str, ...]]:
    for line in part["lines"]:
        what = what_of(line) if line["merchantId"] else f"{what_of(line)} {line['reference']}"
        yield (
            line["at"][:16].replace("T", " "), line["merchantName"] or "", line["externalOrderId"] or "", what,
            f"{line['amount']} {part['currency']}", line["balance"],
        )  # fmt: skip
