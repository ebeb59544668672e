"""The API's description and its page: everything is read and made once at start, and nothing comes from elsewhere."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from aiohttp import web
from aiohttp.web_exceptions import HTTPPermanentRedirect
from attrs import frozen
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from hub.domain.signing import TOLERANCE_SECONDS, sign
from hub.web.openapi import document

STATIC: Final = Path(__file__).parent / "static"
DESCRIPTION_PATH: Final = "/api/v1/openapi.json"
PAGE_PATH: Final = "/docs"

TYPES: Final[Mapping[str, str]] = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
FILES: Final = ("docs.css", "docs.js", "mark.svg", "swagger-ui/swagger-ui-bundle.js", "swagger-ui/swagger-ui.css")
"""The files that the page loads; nothing else in the folder is served, so no path can lead out of it."""
SAMPLES: Final = ("curl", "python")

SHORT: Final = "public, max-age=300"
FOREVER: Final = "public, max-age=31536000, immutable"
REVALIDATE: Final = "no-cache"

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
GUARDS: Final = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Server": "hub",
    "X-Content-Type-Options": "nosniff",
}

EXAMPLE_SECRET: Final = "sec_test_an-example-that-signs-nothing"  # noqa: S105 - it is printed on a public page
EXAMPLE_TIMESTAMP: Final = "1795176000"
EXAMPLE_BODY: Final = '{"externalOrderId":"ORDER-1042","orderAmount":"49.90"}'


@frozen(eq=False)
class Resource:
    """Bytes that are served as they are; `version` is in the address of what may be kept forever."""

    body: bytes
    content_type: str
    cache_control: str
    version: str
    headers: Mapping[str, str]

    async def serve(self, request: web.Request) -> web.Response:
        """The bytes, compressed where the client takes that, or 304 where it has them already."""
        tag = f'W/"{self.version}"'
        asked_for_this = request.query.get("v") == self.version
        cache_control = FOREVER if asked_for_this else self.cache_control
        headers = {"ETag": tag, "Cache-Control": cache_control, "Vary": "Accept-Encoding", **GUARDS, **self.headers}
        if any(known.value in {self.version, "*"} for known in request.if_none_match or ()):
            return web.Response(status=304, headers=headers)
        headers["Content-Type"] = self.content_type
        body = self.body
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            body = await asyncio.to_thread(_packed, body)  # the largest takes 60 ms, the first time
            headers["Content-Encoding"] = "gzip"
        return web.Response(body=body, headers=headers)


def docs_routes() -> list[web.RouteDef]:
    """The routes of the description, the page and its files; GET and HEAD, without authentication."""
    files = {f"{PAGE_PATH}/{name}": _file(name) for name in FILES}
    versions = {name: files[f"{PAGE_PATH}/{name}"].version for name in FILES}
    page = _resource(_page(versions), "text/html; charset=utf-8", REVALIDATE)
    # A tool on another site may read the description: it is public and the same for everybody.
    description = _resource(document(), "application/json; charset=utf-8", SHORT, {"Access-Control-Allow-Origin": "*"})
    resources = {DESCRIPTION_PATH: description, PAGE_PATH: page, **files}
    return [
        web.get(f"{PAGE_PATH}/", _without_slash),
        *(web.get(path, resource.serve) for path, resource in resources.items()),
    ]


async def _without_slash(_: web.Request) -> web.Response:
    raise HTTPPermanentRedirect(f"..{PAGE_PATH}")


def _page(versions: Mapping[str, str]) -> bytes:
    templates = Environment(loader=FileSystemLoader(STATIC), autoescape=True, undefined=StrictUndefined)
    addresses = {name: f"docs/{name}?v={version}" for name, version in versions.items()}
    return (
        templates.get_template("docs.html")
        .render(
            files=addresses,
            description=DESCRIPTION_PATH.lstrip("/"),
            tolerance=TOLERANCE_SECONDS,
            secret=EXAMPLE_SECRET,
            timestamp=EXAMPLE_TIMESTAMP,
            body=EXAMPLE_BODY,
            samples={name: (STATIC / f"samples/order.{name}.txt").read_text("utf-8").rstrip() for name in SAMPLES},
            signature=sign(EXAMPLE_SECRET.encode(), EXAMPLE_TIMESTAMP, EXAMPLE_BODY.encode()),
        )
        .encode()
    )


def _file(name: str) -> Resource:
    return _resource((STATIC / name).read_bytes(), TYPES[Path(name).suffix], REVALIDATE)


def _resource(body: bytes, content_type: str, cache_control: str, headers: Mapping[str, str] | None = None) -> Resource:
    return Resource(body, content_type, cache_control, sha256(body).hexdigest()[:16], headers or {})


@cache
def _packed(body: bytes) -> bytes:
    return gzip.compress(body, 6, mtime=0)
