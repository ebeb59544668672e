"""Pages, scripts and styles: made once, tagged, compressed if the client accepts that, with security headers."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from aiohttp import web
from attrs import frozen
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from hub.http.compression import accepts_gzip
from hub.http.response import respond
from hub.http.router import Route, get

STATIC: Final = Path(__file__).parents[1] / "static"
TEMPLATES: Final = Environment(loader=FileSystemLoader(STATIC), autoescape=True, undefined=StrictUndefined)
HTML: Final = "text/html; charset=utf-8"
TYPES: Final[Mapping[str, str]] = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}

FOREVER: Final = "public, max-age=31536000, immutable"
REVALIDATE: Final = "no-cache"

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
SECURITY_HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Server": "hub",
    "X-Content-Type-Options": "nosniff",
}


@frozen(eq=False)
class Resource:
    """Bytes to serve; a URL with `version` in its query may be cached forever."""

    body: bytes
    content_type: str
    cache_control: str
    version: str
    headers: Mapping[str, str]

    async def serve(self, request: web.BaseRequest) -> web.StreamResponse:
        """Return the bytes, compressed if the client accepts that, or a 304 if it has them already."""
        tag = f'W/"{self.version}"'
        asked_for_this = request.query.get("v") == self.version
        cache_control = FOREVER if asked_for_this else self.cache_control
        headers = {
            "ETag": tag,
            "Cache-Control": cache_control,
            "Vary": "Accept-Encoding",
            **SECURITY_HEADERS,
            **self.headers,
        }
        if any(known.value in {self.version, "*"} for known in request.if_none_match or ()):
            return web.Response(status=304, headers=headers)
        headers["Content-Type"] = self.content_type
        body = self.body
        if self.content_type != TYPES[".woff2"] and accepts_gzip(request.headers):  # that is compressed already
            body = await asyncio.to_thread(_compressed, body)  # the largest takes 60 ms, the first time
            headers["Content-Encoding"] = "gzip"
        return await respond(request, 200, headers, body)


def page_routes(path: str, resources: Mapping[str, Resource]) -> list[Route]:
    """Return the routes of these resources; the address of the page at `path` with a slash redirects to it."""

    async def without_slash(_: web.BaseRequest) -> web.Response:
        return web.Response(status=308, headers={"Location": f"..{path}", **SECURITY_HEADERS})

    routes = get(f"{path}/", without_slash)
    for each, resource in resources.items():
        routes += get(each, resource.serve)
    return routes


def resource_of(
    body: bytes, content_type: str, cache_control: str = REVALIDATE, headers: Mapping[str, str] | None = None
) -> Resource:
    """Return these bytes as a resource; `headers` are added to the security headers."""
    return Resource(body, content_type, cache_control, _version(body), headers or {})


@cache
def static_file(name: str) -> Resource:
    """Return a file of the static folder; its suffix determines its media type."""
    return resource_of((STATIC / name).read_bytes(), TYPES[Path(name).suffix])


def fill_template(name: str, **values: Any) -> bytes:
    """Return a rendered template of the static folder; raise `jinja2.UndefinedError` if a variable has no value."""
    return TEMPLATES.get_template(name).render(**values).encode()


@cache
def _version(body: bytes) -> str:
    return sha256(body).hexdigest()[:16]


@cache
def _compressed(body: bytes) -> bytes:
    return gzip.compress(body, 6, mtime=0)
