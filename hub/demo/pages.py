"""The shop's pages: autoescaped templates, its own styles and drawings, and headers that let nothing else in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from aiohttp import web

from hub.pages.rendering import templates_in

HERE = Path(__file__).parent
STATIC = HERE / "static"

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

_templates = templates_in(HERE / "templates")


def page(template: str, status: int = 200, /, **values: Any) -> web.Response:
    """Render a template into a whole answer."""
    text = _templates.get_template(template).render(values)
    return web.Response(text=text, status=status, content_type="text/html")


async def guard_headers(request: web.Request, response: web.StreamResponse) -> None:  # noqa: ARG001 - aiohttp's signal
    """Put the headers on every answer, static files included."""
    response.headers.update(HEADERS)
