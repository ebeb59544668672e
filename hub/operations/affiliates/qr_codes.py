"""QR codes of tracking links, for print: SVG scales to any size, PNG goes where SVG does not."""

from __future__ import annotations

import io
from typing import Final

import segno

FORMATS: Final = ("svg", "png")
SCALE: Final = 8
"""Pixels of one dot."""


def qr_code(url: str, kind: str) -> bytes:
    """Return the QR code of a URL as a file of one of `FORMATS`, black on white with the quiet zone around it."""
    written = io.BytesIO()
    # A quarter of the dots may be lost: printed codes get scratched, and logos are pasted over their middle.
    segno.make_qr(url, error="q").save(written, kind=kind, scale=SCALE, light="#fff")
    return written.getvalue()
