"""Shortcuts lead where the router leads, and only where a path says by its text alone what it is for."""

from __future__ import annotations

from itertools import cycle, product

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from hub.http.router import Handler, Shortcuts
from hub.http.server import API_ROOT
from hub.merchant_api.v1 import ENDPOINTS

METHODS = ("GET", "HEAD", "POST", "PATCH")
LAST_PARTS = (
    "evt_0193", "SKU-1.5", "a~b_c", ".", "..", "import", "archive", "products", "",
    "a%20b", "a%2Fb", "%2e", "a:b", "a+b", "a;b", "a@b", "{id}", "a{", "ärger", "\u0661", "a/b", "a/", "/a",
)  # fmt: skip
QUERIES = ("", "?", "?page=2", "?page=2&page=3", "?a=%2F", "?a/b", "#there", "?a#b", "#b?a")


def handler() -> Handler:
    """Another one each time, so that routes can be told apart."""

    async def serve(request: web.Request) -> web.StreamResponse:
        raise NotImplementedError

    return serve


@pytest.fixture
def application() -> web.Application:
    """The routes of the API, and some that only look like them."""
    made = web.Application()
    routes = [(endpoint.method, API_ROOT + endpoint.path) for endpoint in ENDPOINTS]
    routes += [("GET", "/t/{code}"), ("HEAD", "/t/{code}"), ("GET", "/docs/"), ("GET", "/{file}.js")]
    routes += [("POST", r"/v/{number:\d+}"), ("GET", "/v/{name}/{number}"), ("*", "/any"), ("*", "/{path:.*}")]
    for method, path in routes:
        made.router.add_route(method, path, handler())
    return made


def targets() -> list[tuple[str, str]]:
    """Each path with each ending; the queries in turn, so that each ending meets each of them somewhere."""
    stems = {(API_ROOT + endpoint.path).split("{")[0].rstrip("/") for endpoint in ENDPOINTS}
    stems |= {"", "/t", "/v", "/v/name", "/any", "/docs", "//api/v1/products", "http://hub/t"}
    paths = [stem + ending for stem in sorted(stems) for ending in ("", *(f"/{part}" for part in LAST_PARTS))]
    asked = zip(product(METHODS, paths), cycle(QUERIES))
    return [(method, path + query) for (method, path), query in asked if path + query]


async def test_they_lead_where_the_router_leads(application: web.Application) -> None:
    """Whatever is asked: to the same handler with the same parts of the path, or the router is left to say it."""
    shortcuts = Shortcuts(application)
    taken = 0
    for method, target in targets():
        request = make_mocked_request(method, target)
        request._match_info = None
        found = shortcuts.find(request)
        if found is not None:
            taken += 1
            parts: dict[str, str] = dict(request._match_info or {})
            routed = await application.router.resolve(request)
            assert (found, parts) == (routed.handler, dict(routed)), (method, target)
    assert taken > 50


@pytest.mark.parametrize(
    ("method", "target", "parts"),
    [
        ("GET", "/api/v1/events/evt_0193", {"eventId": "evt_0193"}),
        ("GET", "/t/abc?utm_source=x", {"code": "abc"}),
        ("GET", "/api/v1/products?page=2", {}),
        ("POST", "/api/v1/conversions", {}),
    ],
)
def test_what_most_requests_ask_for_is_short(
    application: web.Application, method: str, target: str, parts: dict[str, str]
) -> None:
    """A control of the test above."""
    request = make_mocked_request(method, target)
    request._match_info = None
    assert Shortcuts(application).find(request) is not None
    assert dict(request._match_info or {}) == parts


@pytest.mark.parametrize("target", ["/v/7", "/v/seven", "/script.js", "/any", "/api/v1/campaigns/a/pause", "/nowhere"])
def test_the_router_has_what_needs_reading(application: web.Application, target: str) -> None:
    """Patterns, two parts, any method: none of them can be told by a look into a dict."""
    for method in METHODS:
        assert Shortcuts(application).find(make_mocked_request(method, target)) is None
