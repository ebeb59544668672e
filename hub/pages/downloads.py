"""Files that a page hands out: kept by the browser's download, never shown as a page or cached."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

from aiohttp import web

from hub.pages.rendering import HEADERS

CSV: Final = "text/csv; charset=utf-8"
PDF: Final = "application/pdf"
XML: Final = "application/xml"


def download(content: bytes | AsyncIterator[bytes], name: str, kind: str = CSV) -> web.Response:
    """Return the answer that saves `content` under a name, which is plain ASCII without quotes."""
    headers = {**HEADERS, "Content-Type": kind, "Content-Disposition": f'attachment; filename="{name}"'}
    return web.Response(body=content, headers=headers)
