"""Pages made from templates: autoescaped, under a policy that lets in nothing but the hub's own stylesheet."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from aiohttp import web
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from hub.domain.instants import format_instant
from hub.http.static_files import HTML, TYPES, Resource, resource_of

HERE: Final = Path(__file__).parent
STYLE_PATH: Final = "/static/hub.css"
POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
    # Under "no-referrer" browsers send `Origin: null` with the forms of these pages, and the check would refuse them.
    "Referrer-Policy": "same-origin",
    "Server": "hub",
    "X-Content-Type-Options": "nosniff",
}

_templates = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def style() -> Resource:
    """Return the stylesheet."""
    return resource_of((HERE / "static/hub.css").read_bytes(), TYPES[".css"])


def render(template: str, status: int = 200, /, **values: Any) -> web.Response:
    """Return a page; raise `jinja2.UndefinedError` if a variable has no value."""
    body = render_text(template, **values).encode()
    return web.Response(body=body, status=status, headers={**HEADERS, "Content-Type": HTML})


def render_text(template: str, **values: Any) -> str:
    """Return the HTML of a page; raise `jinja2.UndefinedError` if a variable has no value."""
    return _templates.get_template(template).render(values)


def see_other(address: str) -> web.Response:
    """Return the redirect after a form: the browser gets the address anew, and a reload sends nothing twice."""
    return web.Response(status=303, headers={**HEADERS, "Location": address})


def instant_text(milliseconds: int) -> str:
    """Return a time (ms UTC) as a page shows it: "2026-11-22 17:40:05 UTC"."""
    return stamp_text(format_instant(milliseconds))


def stamp_text(stamp: str) -> str:
    """Return an RFC 3339 time in UTC as a page shows it."""
    return f"{stamp[:10]} {stamp[11:19]} UTC"


_templates.globals["style_address"] = f"{STYLE_PATH}?v={style().version}"
_templates.filters["instant"] = instant_text
_templates.filters["stamp"] = stamp_text
