"""The OpenAPI description and its page: made once at start, and nothing is loaded from another site."""

from __future__ import annotations

from typing import Final

from hub.domain.signing import TOLERANCE_SECONDS, sign
from hub.http.router import Route
from hub.http.static_files import HTML, STATIC, fill_template, page_routes, resource_of, static_file
from hub.merchant_api.openapi.document import document

DESCRIPTION_PATH: Final = "/api/v1/openapi.json"
PAGE_PATH: Final = "/docs"

FILES: Final = ("docs.css", "docs.js", "mark.svg", "swagger-ui/swagger-ui-bundle.js", "swagger-ui/swagger-ui.css")
"""The files that the page loads; nothing else in the folder is served, so no path can lead out of it."""
SAMPLES: Final = ("curl", "python")

SHORT: Final = "public, max-age=300"

EXAMPLE_SECRET: Final = "sec_test_an-example-that-signs-nothing"  # noqa: S105 - it is printed on a public page
EXAMPLE_TIMESTAMP: Final = "1795176000"
EXAMPLE_BODY: Final = '{"externalOrderId":"ORDER-1042","orderAmount":"49.90"}'


def docs_routes(public_url: str = "") -> list[Route]:
    """Return the routes of the description, the page and its files; GET and HEAD, they need no authentication.

    `public_url` is the hub's public address, empty if none is configured.
    """
    files = {f"{PAGE_PATH}/{name}": static_file(name) for name in FILES}
    page = resource_of(page_html(), HTML)
    # A tool on another site may read the description: it is public and the same for everybody.
    any_origin = {"Access-Control-Allow-Origin": "*"}
    description = resource_of(document(public_url), "application/json; charset=utf-8", SHORT, any_origin)
    resources = {DESCRIPTION_PATH: description, PAGE_PATH: page, **files}
    return page_routes(PAGE_PATH, resources)


def page_html() -> bytes:
    """Return the page; the addresses of its files change with their content."""
    return fill_template(
        "docs.html",
        files={name: f"docs/{name}?v={static_file(name).version}" for name in FILES},
        description=DESCRIPTION_PATH.lstrip("/"),
        tolerance=TOLERANCE_SECONDS,
        secret=EXAMPLE_SECRET,
        timestamp=EXAMPLE_TIMESTAMP,
        body=EXAMPLE_BODY,
        samples={name: (STATIC / f"samples/order.{name}.txt").read_text("utf-8").rstrip() for name in SAMPLES},
        signature=sign(EXAMPLE_SECRET.encode(), EXAMPLE_TIMESTAMP, EXAMPLE_BODY.encode()),
    )
