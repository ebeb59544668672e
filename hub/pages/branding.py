"""The network's own look on every page: its stylesheet and logo, and the public pages of its imprint and terms."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from hub.domain.colours import Accent, dark_accent, light_accent
from hub.pages.rendering import HEADERS, image
from hub.pages.route_table import RouteTable
from hub.pages.visit import Page, Visit

STYLE: Final = "/branding/style.css"
LOGO: Final = "/branding/logo"
KEPT: Final = {"Cache-Control": "public, max-age=31536000, immutable"}
"""The addresses have the version of what they show."""
PAGES: Final = RouteTable(Page)


@PAGES.get(STYLE, public=True)
async def send_style(visit: Visit) -> web.StreamResponse:
    """Send the accent in both themes, nothing without one."""
    brand = await visit.services.brands.get()
    text = accent_style(brand.accent) if brand.accent else ""
    kind = {"Content-Type": "text/css; charset=utf-8"}
    return web.Response(body=text.encode(), headers={**HEADERS, **kind, **KEPT})


@PAGES.get(LOGO, public=True)
async def send_logo(visit: Visit) -> web.StreamResponse:
    """Send the logo."""
    brand = await visit.services.brands.get()
    if brand.logo is None:
        return visit.page("not_found.html", 404)
    response = image(brand.logo.content, brand.logo.media_type, "logo")
    response.headers.update(KEPT)
    return response


@PAGES.get("/imprint", public=True)
async def show_imprint(visit: Visit) -> web.StreamResponse:
    """Show who runs the network."""
    return await _text(visit, "Imprint", (await visit.services.brands.get()).imprint)


@PAGES.get("/terms", public=True)
async def show_terms(visit: Visit) -> web.StreamResponse:
    """Show the terms of the network."""
    return await _text(visit, "Terms", (await visit.services.brands.get()).terms)


async def _text(visit: Visit, title: str, text: str) -> web.StreamResponse:
    return visit.page("text.html", title=title, text=text) if text else visit.page("not_found.html", 404)


def accent_style(colour: str) -> str:
    """Return the stylesheet of an accent in both themes."""
    light, dark = _tokens(light_accent(colour)), _tokens(dark_accent(colour))
    return (
        f':root {{ {light} }}\n:root[data-theme="dark"] {{ {dark} }}\n'
        f'@media (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {{ {dark} }} }}\n'
    )


def _tokens(accent: Accent) -> str:
    return f"--fern: {accent.colour}; --fern-pale: {accent.pale}; --on-fern: {accent.on};"
