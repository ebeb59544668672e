"""The OpenAPI description as it is served: public, cacheable, compressed."""

from __future__ import annotations

import gzip
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from openapi_spec_validator import validate as validate_document
from yarl import URL

from hub.app import Hub
from hub.merchant_api.openapi.document import document


@pytest.fixture
async def session(hub: Hub) -> AsyncIterator[aiohttp.ClientSession]:
    """Requests without any authentication, bodies as they came."""
    async with aiohttp.ClientSession(hub.url, auto_decompress=False) as session:
        yield session


async def fetch(session: aiohttp.ClientSession, path: str, method: str = "GET", **headers: str) -> Any:
    url = URL(path, encoded=True)
    sent = {"Accept-Encoding": "identity", **headers}
    async with session.request(method, url, headers=sent, allow_redirects=False) as response:
        return response.status, response.headers, await response.read()


async def test_the_description_is_public_and_cacheable(session: aiohttp.ClientSession) -> None:
    status, headers, body = await fetch(session, "/api/v1/openapi.json")
    assert (status, body) == (200, document())
    assert headers["Content-Type"] == "application/json; charset=utf-8"
    assert headers["Cache-Control"] == "public, max-age=300"
    assert headers["Access-Control-Allow-Origin"] == "*"


async def test_an_unchanged_resource_is_not_sent_twice(session: aiohttp.ClientSession) -> None:
    _, headers, _ = await fetch(session, "/api/v1/openapi.json")
    known = {"If-None-Match": headers["ETag"]}
    status, again, body = await fetch(session, "/api/v1/openapi.json", **known)
    assert (status, body, again["ETag"]) == (304, b"", headers["ETag"])
    assert (await fetch(session, "/api/v1/openapi.json", **{"If-None-Match": '"another"'}))[0] == 200


async def test_the_description_is_compressed_if_the_client_accepts_it(session: aiohttp.ClientSession) -> None:
    _, headers, body = await fetch(session, "/api/v1/openapi.json", **{"Accept-Encoding": "gzip, br"})
    assert headers["Content-Encoding"] == "gzip"
    assert headers["Vary"] == "Accept-Encoding"
    assert gzip.decompress(body) == document()
    assert len(body) * 7 < len(document())
    assert len(body) < 45_000, "what is served; unpacked it cannot get below 150 kB (docs/decisions.md)"


async def test_head_is_answered_like_get(session: aiohttp.ClientSession) -> None:
    status, headers, body = await fetch(session, "/api/v1/openapi.json", "HEAD")
    assert (status, body, int(headers["Content-Length"])) == (200, b"", len(document()))


LARGEST_GROUP = {"/api/v1": 60_000, "/api/admin/v1": 100_000, "/api/affiliate/v1": 40_000}
"""Bytes before they are compressed: what somebody reads who looks for one call (docs/decisions.md)."""


@pytest.mark.parametrize("root", LARGEST_GROUP)
async def test_each_group_has_a_document_that_stands_alone_and_is_small(
    session: aiohttp.ClientSession, root: str
) -> None:
    """Every operation is in the one of its tag, as in the whole; the largest is a third of what was read before."""
    _, _, body = await fetch(session, f"{root}/openapi.json")
    whole = json.loads(body)
    named = whole["components"]["responses"]
    assert [name for name, each in named.items() if "$ref" in each] == [], "generators leave out a name of a name"
    found: dict[tuple[str, str], Any] = {}
    for tag in whole["tags"]:
        status, headers, body = await fetch(session, f"{root}/openapi/{tag['name']}.json")
        assert (status, headers["Access-Control-Allow-Origin"]) == (200, "*")
        assert len(body) < LARGEST_GROUP[root]
        group = json.loads(body)
        validate_document(group)
        assert {each for methods in group["paths"].values() for row in methods.values() for each in row["tags"]} == {
            tag["name"]
        }
        found |= {(path, method): row for path, methods in group["paths"].items() for method, row in methods.items()}
    assert {place: row["operationId"] for place, row in found.items()} == {
        (path, method): row["operationId"]
        for path, methods in whole["paths"].items()
        for method, row in methods.items()
    }
    assert (await fetch(session, f"{root}/openapi/nothing.json"))[0] == 404
