"""Pages made from templates: autoescaped, under a policy that lets in nothing but the hub's own files."""

from __future__ import annotations

import shlex
from contextvars import ContextVar
from datetime import tzinfo
from functools import cache
from pathlib import Path
from typing import Any, Final

from aiohttp import web
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from hub.clock import system_clock
from hub.domain.countries import country_choices
from hub.domain.instants import format_instant
from hub.domain.orders.rule_kinds import kind_of, rule_choices
from hub.domain.orders.volume_rates import volume_words
from hub.http.static_files import HTML, TYPES, Resource, resource_of
from hub.operations.figures.figures import day_date
from hub.operations.system.branding import USUAL, Branding
from hub.pages import markup, money_words
from hub.pages.navigation import navigation_of
from hub.pages.spans import span_of

HERE: Final = Path(__file__).parent
STYLE_PATH: Final = "/static/hub.css"
STYLES: Final = ("fonts.css", "hub.css", "explanation.css", "print.css")
FONTS: Final = tuple(f"/static/fonts/inter-{script}.woff2" for script in ("latin", "latin-ext", "greek", "cyrillic"))
SCRIPT_PATH: Final = "/static/hub.js"
PASSKEYS_PATH: Final = "/static/passkeys.js"
DOCS_FILES: Final = ("/static/docs.css", "/static/docs.js")
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
IMAGE_TYPES: Final = {"svg": "image/svg+xml", "png": "image/png"}
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
    # Under "no-referrer" browsers send `Origin: null` with the forms of these pages, and the check would refuse them.
    "Referrer-Policy": "same-origin",
    "Server": "hub",
    "X-Content-Type-Options": "nosniff",
}


def templates_in(folder: Path) -> Environment:
    """Return the templates of a folder: escaped, and strict about variables without a value."""
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


_brand: ContextVar[Branding] = ContextVar("brand", default=USUAL)
_templates = templates_in(HERE / "templates")


def show_brand(brand: Branding) -> None:
    """Make the pages of this request with a branding."""
    _brand.set(brand)


def shown_logo() -> bytes | None:
    """Return the logo of the branding that this request is answered with, for its documents; None without one."""
    logo = _brand.get().logo
    return None if logo is None else logo.content


@cache
def style() -> Resource:
    """Return the stylesheet: its parts, one after the other, with the versions of the fonts in their addresses."""
    text = b"".join((HERE / "static" / part).read_bytes() for part in STYLES)
    for path in FONTS:
        text = text.replace(f'"{path}"'.encode(), f'"{path}?v={static_of(path).version}"'.encode())
    return resource_of(text, TYPES[".css"])


@cache
def script() -> Resource:
    """Return the script, without which every page works too."""
    return resource_of((HERE / "static/hub.js").read_bytes(), TYPES[".js"])


@cache
def passkeys_script() -> Resource:
    """Return the script of the pages on which passkeys are made and used."""
    return resource_of((HERE / "static/passkeys.js").read_bytes(), TYPES[".js"])


@cache
def static_of(path: str) -> Resource:
    """Return a font, or the stylesheet or the script of the documentation, by its address."""
    return resource_of((HERE / path[1:]).read_bytes(), TYPES[Path(path).suffix])


def render(template: str, status: int = 200, /, **values: Any) -> web.Response:
    """Return a page; raise `jinja2.UndefinedError` if a variable has no value."""
    return html_response(render_text(template, **values), status)


def html_response(text: str, status: int = 200) -> web.Response:
    """Return the answer that has this HTML."""
    return web.Response(body=text.encode(), status=status, headers={**HEADERS, "Content-Type": HTML})


def image(content: bytes, media_type: str, name: str) -> web.Response:
    """Return the answer that is a picture; `name` is what a browser calls the file."""
    headers = {**HEADERS, "Content-Type": media_type, "Content-Disposition": f'inline; filename="{name}"'}
    return web.Response(body=content, headers=headers)


def render_text(template: str, *, zone: tzinfo | None = None, now: int | None = None, **values: Any) -> str:
    """Return the HTML of a page; raise `jinja2.UndefinedError` if a variable has no value.

    Times are shown in `zone`, UTC if it is None, and those close to `now` (ms UTC) in relation to it.
    """
    moment = system_clock() if now is None else now
    with markup.read_by(zone, moment):
        return _templates.get_template(template).render(now=moment, brand=_brand.get(), **values)


def csv_file(name: str, text: str, as_of: int | None = None) -> web.Response:
    """Return the answer that is a CSV file to keep under this name; `as_of` (ms UTC) is the moment of a replica."""
    kind = {"Content-Type": "text/csv; charset=utf-8", "Content-Disposition": f'attachment; filename="{name}"'}
    lag = {} if as_of is None else {"X-As-Of": format_instant(as_of)}
    return web.Response(body=text.encode(), headers={**HEADERS, **kind, **lag})


def see_other(address: str) -> web.Response:
    """Return the redirect after a form: the browser gets the address anew, and a reload sends nothing twice."""
    return web.Response(status=303, headers={**HEADERS, "Location": address})


_templates.globals.update(
    style_address=f"{STYLE_PATH}?v={style().version}",
    script_address=f"{SCRIPT_PATH}?v={script().version}",
    passkeys_address=f"{PASSKEYS_PATH}?v={passkeys_script().version}",
    docs_addresses=[f"{path}?v={static_of(path).version}" for path in DOCS_FILES],
    navigation_of=navigation_of,
    money=markup.money,
    like=markup.like,
    count=markup.count,
    many=markup.many,
    instant=markup.instant,
    until=markup.until,
    status=markup.status,
    status_word=markup.status_word,
    shape=markup.shape,
    day_words=markup.day_words,
    month_words=markup.month_words,
    day_date=day_date,
    identifier=markup.identifier,
    span_text=markup.span_text,
    zone_words=markup.zone_words,
    span_of=span_of,
    countries=country_choices(),
    money_words=money_words,
    kind_of=kind_of,
    volume_words=volume_words,
    rule_choices=rule_choices,
)
_templates.filters["instant"] = markup.instant
_templates.filters["coded"] = markup.coded
_templates.filters["shell"] = shlex.quote
