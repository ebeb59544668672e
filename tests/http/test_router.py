"""The router finds a handler by the segments of a path, and never by what only looks like them."""

from __future__ import annotations

import pytest
from aiohttp import web

from hub.http.router import Handler, PathValues, Route, Router


def handler() -> Handler:
    """Return another handler each time, so that routes can be told apart."""

    async def serve(request: web.BaseRequest, values: PathValues) -> web.StreamResponse:
        raise NotImplementedError

    return serve


PRODUCTS, IMPORT, PRODUCT, PAUSE, LINK = (handler() for _ in range(5))
ROUTER = Router([
    Route("GET", "/api/v1/products", PRODUCTS),
    Route("POST", "/api/v1/products/import", IMPORT),
    Route("GET", "/api/v1/products/{id}", PRODUCT),
    Route("PATCH", "/api/v1/products/{id}", PRODUCT),
    Route("POST", "/api/v1/campaigns/{id}/pause", PAUSE),
    Route("GET", "/t/{code}", LINK),
])  # fmt: skip


@pytest.mark.parametrize(
    ("method", "path", "found", "values"),
    [
        ("GET", "/api/v1/products", PRODUCTS, {}),
        ("POST", "/api/v1/products/import", IMPORT, {}),
        ("GET", "/api/v1/products/SKU-1", PRODUCT, {"id": "SKU-1"}),
        ("PATCH", "/api/v1/products/SKU-1", PRODUCT, {"id": "SKU-1"}),
        ("GET", "/api/v1/products/a%2Fb%20%C3%A4", PRODUCT, {"id": "a/b ä"}),
        ("GET", "/api/v1/products/%2e%2e", PRODUCT, {"id": ".."}),
        ("GET", "/api/v1/products/a+b", PRODUCT, {"id": "a+b"}),
        ("GET", "/api/v1/products/{id}", PRODUCT, {"id": "{id}"}),
        ("POST", "/api/v1/campaigns/cmp_1/pause", PAUSE, {"id": "cmp_1"}),
        ("GET", "/t/spring", LINK, {"code": "spring"}),
    ],
)
def test_a_path_leads_to_its_handler_with_its_values_decoded(
    method: str, path: str, found: Handler, values: dict[str, str]
) -> None:
    assert ROUTER.find(method, path) == (found, values)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("GET", ""),
        ("GET", "/api/v1/products/"),
        ("GET", "/api/v1/products/a/b"),
        ("GET", "/api/v1//products"),
        ("GET", "//api/v1/products"),
        ("GET", "/api/v1/%70roducts"),
        ("GET", "/API/v1/products"),
        ("POST", "/api/v1/campaigns//pause"),
        ("GET", "/t/"),
        ("GET", "/t/a/b"),
        ("DELETE", "/api/v1/products"),
        ("get", "/api/v1/products"),
        ("GET", "/api/v1/products/import/now"),
    ],
)
def test_what_only_looks_like_a_path_leads_nowhere(method: str, path: str) -> None:
    assert ROUTER.find(method, path) is None


def test_a_literal_segment_wins_over_a_name() -> None:
    """But only for the methods that it has: a product may be called like a word of the API."""
    assert ROUTER.find("POST", "/api/v1/products/import") == (IMPORT, {})
    assert ROUTER.find("PATCH", "/api/v1/products/import") == (PRODUCT, {"id": "import"})


def test_the_methods_of_a_path_are_told() -> None:
    assert ROUTER.methods("/api/v1/products/SKU-1") == ["GET", "PATCH"]
    assert ROUTER.methods("/api/v1/products/import") == ["GET", "PATCH", "POST"]
    assert ROUTER.methods("/nowhere") == []


def test_a_route_that_is_given_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="two routes"):
        Router([Route("GET", "/t/{code}", LINK), Route("GET", "/t/{name}", PRODUCT)])
