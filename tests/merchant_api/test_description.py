"""The OpenAPI description as it is served: public, cacheable, compressed."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
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


async def test_head_is_answered_like_get(session: aiohttp.ClientSession) -> None:
    status, headers, body = await fetch(session, "/api/v1/openapi.json", "HEAD")
    assert (status, body, int(headers["Content-Length"])) == (200, b"", len(document()))
