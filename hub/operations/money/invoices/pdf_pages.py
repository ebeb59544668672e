"""Pages of A4 as PDF: a logo, a heading, lines and tables. The same content makes the same bytes.

reportlab takes a tenth of a second and 14 MB to load, so callers import this module where they write a PDF.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Final, NamedTuple

from PIL import Image as pictures  # noqa: N813 - reportlab has an Image, too
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Flowable, Image, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

LOGO: Final = (160, 48)
"""The most that a logo is wide and high, in points."""
_FONT: Final = "Vera"
_STYLE: Final = ParagraphStyle("plain", fontName=_FONT, fontSize=9, leading=12)
_TITLE: Final = ParagraphStyle("title", fontName=_FONT, fontSize=15, leading=20)


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
