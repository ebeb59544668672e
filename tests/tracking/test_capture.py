"""The capture script and its page as they are served; what the script does in a browser is in browser/."""

from __future__ import annotations

import gzip
import html
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from hub.app import Hub
from hub.http.static_files import STATIC
from hub.testing.clock import FakeClock
from hub.tracking.capture_page import FILES, SHARED, without_comments
from tests.served_hub import served

GUIDE = (Path(__file__).parents[2] / "docs" / "capture.md").read_text("utf-8")
OPTIONS = {"data-days", "data-domain", "data-platform", "data-consent", "data-clean"}


@pytest.fixture
async def session(hub: Hub) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(hub.url, auto_decompress=False) as session:
        yield session


async def fetch(session: aiohttp.ClientSession, path: str, method: str = "GET", **headers: str) -> Any:
    sent = {"Accept-Encoding": "identity", **headers}
    async with session.request(method, path, headers=sent, allow_redirects=False) as response:
        return response.status, response.headers, await response.read()


class TestScript:
    async def test_is_small(self, session: aiohttp.ClientSession) -> None:
        """Under 7 kB as it is served, and under 3 once compressed."""
        _, headers, body = await fetch(session, "/capture.js")
        assert len(body) < 7_000
        assert len(gzip.compress(body)) < 3_000
        assert int(headers["Content-Length"]) == len(body)

    async def test_any_shop_may_load_and_keep_it(self, session: aiohttp.ClientSession) -> None:
        status, headers, _ = await fetch(session, "/capture.js", Origin="https://shop.example")
        assert status == 200
        assert headers["Content-Type"] == "text/javascript; charset=utf-8"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "public, max-age=3600"
        assert headers["Access-Control-Allow-Origin"] == "*"
        assert headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert "Set-Cookie" not in headers

    async def test_is_not_sent_twice(self, session: aiohttp.ClientSession) -> None:
        _, headers, _ = await fetch(session, "/capture.js")
        status, again, body = await fetch(session, "/capture.js", **{"If-None-Match": headers["ETag"]})
        assert (status, body, again["ETag"]) == (304, b"", headers["ETag"])
        assert again["Cross-Origin-Resource-Policy"] == "cross-origin"

    async def test_is_compressed_and_has_a_head(self, session: aiohttp.ClientSession) -> None:
        _, _, plain = await fetch(session, "/capture.js")
        _, headers, packed = await fetch(session, "/capture.js", **{"Accept-Encoding": "gzip"})
        assert headers["Vary"] == "Accept-Encoding"
        assert gzip.decompress(packed) == plain
        status, headers, body = await fetch(session, "/capture.js", "HEAD")
        assert (status, body, int(headers["Content-Length"])) == (200, b"", len(plain))

    async def test_says_where_it_is_explained(self, session: aiohttp.ClientSession) -> None:
        """A developer who finds it in a shop should not have to guess."""
        _, _, body = await fetch(session, "/capture.js")
        assert b"see /capture on this hub" in body.splitlines()[0]

    async def test_needs_nothing_that_a_strict_policy_forbids(self, session: aiohttp.ClientSession) -> None:
        _, _, body = await fetch(session, "/capture.js")
        assert not re.search(rb"eval|new Function|innerHTML|document\.write|<script|import\(|\?\.|https?://", body)

    def test_comments_stay_at_home(self) -> None:
        source = "/* kept */\n\n  // gone\n  const a = 'https://x'; // kept\n"
        assert without_comments(source) == "/* kept */\nconst a = 'https://x'; // kept\n"

    def test_knows_its_options(self) -> None:
        (names,) = re.findall(r"const \{ (.*) \} = script\.dataset", (STATIC / "capture.js").read_text("utf-8"))
        assert {f"data-{name}" for name in names.split(", ")} == OPTIONS


class TestPage:
    async def test_lets_nothing_in(self, session: aiohttp.ClientSession) -> None:
        status, headers, body = await fetch(session, "/capture")
        assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
        policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == "'self'"
        assert policy["frame-ancestors"] == "'none'"
        assert not re.search(r"<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=|<style", body.decode()), "inline"

    async def test_its_files_are_served(self, session: aiohttp.ClientSession) -> None:
        _, _, body = await fetch(session, "/capture")
        paths = set(re.findall(r'(?:src|href)="([^"]+\?v=[^"]+)"', body.decode()))
        assert len(paths) == len(FILES) + len(SHARED)
        for path in paths:
            status, headers, _ = await fetch(session, f"/{path}")
            assert (status, headers["Cache-Control"]) == (200, "public, max-age=31536000, immutable"), path

    @pytest.mark.parametrize("path", ["/capture/page.html", "/capture/..%2fdocs.html", "/capture/x"])
    async def test_no_other_file_is_served(self, session: aiohttp.ClientSession, path: str) -> None:
        assert (await fetch(session, path))[0] == 404

    async def test_answers_with_a_slash_too(self, session: aiohttp.ClientSession) -> None:
        status, headers, _ = await fetch(session, "/capture/")
        assert (status, headers["Location"]) == (308, "../capture")

    async def test_names_the_configured_address(self, sqlite_url: str, clock: FakeClock) -> None:
        configured = {"HUB_SERVER_PUBLIC_URL": "https://hub.example/affiliates"}
        async with served(sqlite_url, clock, **configured) as hub, aiohttp.ClientSession(hub.url) as session:
            _, _, body = await fetch(session, "/capture")
        line = '<script async src="https://hub.example/affiliates/capture.js"></script>'
        assert f">{line}<" in html.unescape(body.decode())

    async def test_tells_every_option(self, session: aiohttp.ClientSession) -> None:
        """As the guide does."""
        _, _, body = await fetch(session, "/capture")
        told = re.findall(r"<tr><td><code>(data-[a-z]+)", body.decode())
        assert len(told) == len(OPTIONS)
        assert set(told) == set(re.findall(r"^\| `(data-[a-z]+)", GUIDE, re.MULTILINE)) == OPTIONS
