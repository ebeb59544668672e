"""The OpenAPI description and the hub's mark, which every page shows: made once at start."""

from __future__ import annotations

from typing import Final

from hub.http.router import Route
from hub.http.static_files import page_routes, resource_of, static_file
from hub.merchant_api.openapi.document import document

DESCRIPTION_PATH: Final = "/api/v1/openapi.json"
DOCS_PATH: Final = "/docs"
MARK_PATH: Final = "/docs/mark.svg"

SHORT: Final = "public, max-age=300"


def description_routes(public_url: str = "") -> list[Route]:
    """Return the routes of the description and the mark, GET and HEAD, and the redirect of /docs/ with its slash.

    `public_url` is the hub's public address, empty if none is configured.
    """
    # A tool on another site may read the description: it is public and the same for everybody.
    any_origin = {"Access-Control-Allow-Origin": "*"}
    description = resource_of(document(public_url), "application/json; charset=utf-8", SHORT, any_origin)
    return page_routes(DOCS_PATH, {DESCRIPTION_PATH: description, MARK_PATH: static_file("mark.svg")})
