"""Answers are compressed for whoever accepts that, and for nobody else."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping

import aiohttp
import pytest
from multidict import CIMultiDict, CIMultiDictProxy

from hub.app import Hub
from hub.http.compression import LEAST_BYTES, accepts_gzip
from hub.pages.visit import csrf_token, is_csrf_token
from tests.served_hub import Api
from tests.shared_hub import api, clock, clock_of_the_file, file_of_the_hub, hub

__all__ = ["api", "clock", "clock_of_the_file", "file_of_the_hub", "hub"]

GZIP = {"Accept-Encoding": "gzip"}
PLAIN = {"Accept-Encoding": "identity"}


@pytest.mark.parametrize(
    ("sent", "accepted"),
    [
        ("gzip", True), ("GZIP, deflate, br", True), ("br;q=1.0, gzip;q=0.1", True), ("*", True), ("x-gzip", True),
        ("", False), ("identity", False), ("gzip;q=0", False), ("gzip; q=0.0, *", False), ("*;q=0", False),
        ("gzip;q=much", False), ("not-gzip", False),
    ],
)  # fmt: skip
def test_the_weights_of_accept_encoding_are_heeded(sent: str, accepted: bool) -> None:
    assert accepts_gzip(CIMultiDictProxy(CIMultiDict({"Accept-Encoding": sent}))) is accepted


async def fetched(hub: Hub, path: str, headers: Mapping[str, str]) -> tuple[Mapping[str, str], bytes]:
    """Return an answer as it came over the wire."""
    async with (
        aiohttp.ClientSession(hub.url, auto_decompress=False, skip_auto_headers=["Accept-Encoding"]) as session,
        session.get(path, headers=headers) as response,
    ):
        return response.headers.copy(), await response.read()


async def test_a_page_is_compressed_and_says_so(hub: Hub) -> None:
    headers, body = await fetched(hub, "/docs/api", GZIP)
    plain_headers, plain = await fetched(hub, "/docs/api", PLAIN)
    assert headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain_headers
    assert "Accept-Encoding" in headers["Vary"]
    assert "Accept-Encoding" in plain_headers["Vary"]
    assert gzip.decompress(body) == plain
    assert len(body) < len(plain) / 3
    assert headers["ETag"] == f"W/{plain_headers['ETag']}"
    again, nothing = await fetched(hub, "/docs/api", {**GZIP, "If-None-Match": headers["ETag"]})
    assert nothing == b""
    assert "Content-Encoding" not in again


async def test_a_304_has_the_tag_of_the_200_in_whose_place_it_is(hub: Hub, api: Api) -> None:
    """RFC 9110, section 15.4.5: a cache that got another one could not tell the two apart from a change."""
    for accepted, begins in ((GZIP, 'W/"'), (PLAIN, '"')):
        signed = {**api.headers(b""), **accepted}
        headers, body = await fetched(hub, "/api/v1/event-types", signed)
        assert len(body) >= LEAST_BYTES
        assert headers["ETag"].startswith(begins)
        known = {**api.headers(b""), **accepted, "If-None-Match": headers["ETag"]}
        again, nothing = await fetched(hub, "/api/v1/event-types", known)
        assert (nothing, again["ETag"], again.get("Vary")) == (b"", headers["ETag"], headers.get("Vary"))


async def test_a_small_page_stays_as_it_is(hub: Hub) -> None:
    headers, body = await fetched(hub, "/healthz", GZIP)
    assert len(body) < LEAST_BYTES
    assert "Content-Encoding" not in headers


async def test_an_answer_of_the_api_is_compressed_from_a_kilobyte_on(hub: Hub, api: Api) -> None:
    items = [
        {"externalProductId": f"p-{number}", "name": f"Product {number}", "price": "10.00", "currency": "EUR",
         "productUrl": f"https://shop.example/{number}"}
        for number in range(20)
    ]  # fmt: skip
    imported = await api("POST", "/v1/products/import", {"products": items})
    assert imported.status in (200, 201, 202), imported.raw
    headers, body = await fetched(hub, "/api/v1/products", {**api.headers(b""), **GZIP})
    plain_headers, plain = await fetched(hub, "/api/v1/products", {**api.headers(b""), **PLAIN})
    assert headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(body) == plain
    assert len(plain) >= LEAST_BYTES
    assert "Content-Encoding" not in plain_headers
    assert int(headers["Content-Length"]) == len(body)


async def test_the_token_of_a_form_is_another_text_on_each_page(hub: Hub) -> None:
    """Compressed beside text of a stranger's choice, a repeated secret could be guessed from lengths."""
    async with aiohttp.ClientSession(hub.url, cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        found = set[str]()
        for _ in range(3):
            async with session.get("/login") as response:
                found |= set(re.findall(r'name="csrf" value="([0-9a-f]{64})"', await response.text()))
        assert len(found) == 3


def test_every_masked_token_counts_for_its_cookie_alone() -> None:
    tokens = {csrf_token("cookie") for _ in range(100)}
    assert len(tokens) == 100
    assert all(is_csrf_token("cookie", token) and not is_csrf_token("other", token) for token in tokens)


@pytest.mark.parametrize("given", ["", "00", "0" * 64, "0" * 32, "zz" * 32, "é" * 64, "0" * 63, "0" * 66])
def test_no_other_text_is_a_token(given: str) -> None:
    assert not is_csrf_token("cookie", given)


def test_a_token_that_is_cut_or_changed_is_none() -> None:
    token = csrf_token("cookie")
    changed = token[:-1] + ("0" if token[-1] != "0" else "1")
    assert not any(is_csrf_token("cookie", each) for each in (token[:-2], token + "00", token[2:], changed))
