"""The OpenAPI description and the hub's mark, which every page shows: made once at start."""

from __future__ import annotations

from typing import Final

from hub.http.router import Route
from hub.http.static_files import page_routes, resource_of, static_file
from hub.merchant_api.openapi.document import document, document_in_31
from hub.merchant_api.openapi.groups import ANY_ORIGIN, SHORT, group_routes
from hub.merchant_api.openapi.texts import TAGS

DESCRIPTION_PATH: Final = "/api/v1/openapi.json"
TWIN_PATH: Final = "/api/v1/openapi-3.1.json"
"""The same in OpenAPI 3.1."""
DOCS_PATH: Final = "/docs"
MARK_PATH: Final = "/docs/mark.svg"


def description_routes(public_url: str = "") -> list[Route]:
    """Return the routes of the description and the mark, GET and HEAD, and the redirect of /docs/ with its slash.

    `public_url` is the hub's public address, empty if none is configured.
    """
    described = {DESCRIPTION_PATH: document(public_url), TWIN_PATH: document_in_31(public_url)}
    resources = {
        path: resource_of(each, "application/json; charset=utf-8", SHORT, ANY_ORIGIN)
        for path, each in described.items()
    }
    pages = page_routes(DOCS_PATH, {**resources, MARK_PATH: static_file("mark.svg")})
    return [*pages, *group_routes("/api/v1", described[DESCRIPTION_PATH], TAGS)]
