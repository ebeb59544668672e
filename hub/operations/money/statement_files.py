"""A statement as text, CSV or PDF; the same statement makes the same bytes."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from PIL import Image as pictures  # noqa: N813 - reportlab has an Image, too
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Flowable, Image, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from hub.domain.spreadsheets import defused
from hub.operations.money.statements import StatementDocument, StatementPart

COLUMNS: Final = ("Line", "Merchant", "Order", "What", "Amount")
_FONT: Final = "Vera"
LOGO: Final = (160, 48)
"""The most that a logo is wide and high, in points."""
_STYLE: Final = ParagraphStyle("plain", fontName=_FONT, fontSize=9, leading=12)
_TITLE: Final = ParagraphStyle("title", fontName=_FONT, fontSize=15, leading=20)


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
    tables = [
        TableOfLines(list(_summary(part)), [COLUMNS, *_rows(part)], (140, 90, 90, 120, 75))
        for part in statement["parts"]
    ]
    return tables_pdf(title_of(statement), statement["issuer"], list(_head(statement)), tables, statement["rounding"],
                      logo)  # fmt: skip


class TableOfLines(NamedTuple):
    """A table of a document, with lines above and below; the first row is its heading, `widths` are in points."""

    above: Sequence[str]
    rows: Sequence[tuple[str, ...]]
    widths: Sequence[int]
    below: Sequence[str] = ()


def tables_pdf(
    title: str, author: str, head: Sequence[str], tables: Sequence[TableOfLines], foot: str, logo: bytes | None = None
) -> bytes:
    """Return a logo, a heading, lines, tables and a last line as PDF, pages of A4."""
    pdfmetrics.registerFont(TTFont(_FONT, "Vera.ttf"))
    story = _beginning(title, logo)
    story += [Paragraph(_escaped(line), _STYLE) for line in head]
    for table in tables:
        story += [Spacer(1, 14), *(Paragraph(_escaped(line), _STYLE) for line in table.above), Spacer(1, 8)]
        story.append(_table(table.rows, table.widths))
        story += [Paragraph(_escaped(line), _STYLE) for line in table.below]
    story += [Spacer(1, 14), Paragraph(_escaped(foot), _STYLE)]
    file = io.BytesIO()
    SimpleDocTemplate(file, pagesize=A4, title=title, author=author, invariant=1, initialFontName=_FONT).build(story)
    return file.getvalue()


def lines_pdf(title: str, author: str, lines: Sequence[str], logo: bytes | None = None) -> bytes:
    """Return a logo, a heading and lines as PDF, pages of A4; an empty line is a gap."""
    pdfmetrics.registerFont(TTFont(_FONT, "Vera.ttf"))
    story = _beginning(title, logo)
    story += [Paragraph(_escaped(line), _STYLE) if line else Spacer(1, 14) for line in lines]
    file = io.BytesIO()
    SimpleDocTemplate(file, pagesize=A4, title=title, author=author, invariant=1, initialFontName=_FONT).build(story)
    return file.getvalue()


def _beginning(title: str, logo: bytes | None) -> list[Flowable]:
    """Return the logo, as large as `LOGO` allows, and the heading."""
    drawn: list[Flowable] = []
    if logo is not None:
        picture = Image(_opaque(logo), hAlign="LEFT")
        scale = min(LOGO[0] / picture.imageWidth, LOGO[1] / picture.imageHeight, 1)
        picture.drawWidth, picture.drawHeight = picture.imageWidth * scale, picture.imageHeight * scale
        drawn = [picture, Spacer(1, 12)]
    return [*drawn, Paragraph(_escaped(title), _TITLE), Spacer(1, 8)]


def _opaque(logo: bytes) -> io.BytesIO:
    """Return a picture as a PNG on white: PDF/A-3 takes nothing transparent."""
    opened = pictures.open(io.BytesIO(logo)).convert("RGBA")
    white = pictures.new("RGBA", opened.size, "white")
    file = io.BytesIO()
    pictures.alpha_composite(white, opened).convert("RGB").save(file, "PNG")
    file.seek(0)
    return file


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


def _table(rows: Sequence[tuple[str, ...]], widths: Sequence[int]) -> Table:
    small = ParagraphStyle("cell", parent=_STYLE, fontSize=7, leading=9)
    cells = [[Paragraph(_escaped(cell), small) for cell in row] for row in rows]
    table = Table(cells, colWidths=list(widths), repeatRows=1)
    table.setStyle(
        TableStyle([("LINEBELOW", (0, 0), (-1, -1), 0.25, colors.grey), ("VALIGN", (0, 0), (-1, -1), "TOP")])
    )
    return table


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
