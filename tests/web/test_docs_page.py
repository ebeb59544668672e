"""The documentation page: complete, self-contained, guarded, and with samples that run."""

from __future__ import annotations

import gzip
import html
import os
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from playwright.async_api import Page, async_playwright, expect
from yarl import URL

import hub.web
from hub.app import Hub, running
from hub.clock import system_clock
from hub.domain.signing import sign
from hub.settings import load_settings
from hub.web import docs
from hub.web.openapi import document
from hub.web.v1 import ENDPOINTS

from .conftest import MASTER_KEY, ApiKey, new_key, new_merchant

CHROMIUM = Path("/usr/bin/chromium")
STATIC = Path(hub.web.__file__).parent / "static"


@pytest.fixture
async def real_hub(sqlite_url: str) -> AsyncIterator[Hub]:
    """A hub in real time, as browsers and shells sign by their own clocks."""
    environ = {"HUB_DATABASE_URL": sqlite_url, "HUB_SERVER_PORT": "0", "HUB_MASTER_KEY": MASTER_KEY}
    async with running(load_settings(None, environ)) as hub:
        yield hub


@pytest.fixture
async def key(real_hub: Hub) -> ApiKey:
    merchant_id = await new_merchant(real_hub, system_clock, approve=True)  # type: ignore[arg-type]  # a clock is a clock
    return await new_key(real_hub, system_clock, merchant_id)  # type: ignore[arg-type]


@pytest.fixture
async def session(real_hub: Hub) -> AsyncIterator[aiohttp.ClientSession]:
    """Requests without any authentication, bodies as they came."""
    async with aiohttp.ClientSession(real_hub.url, auto_decompress=False) as session:
        yield session


async def fetch(session: aiohttp.ClientSession, path: str, method: str = "GET", **headers: str) -> Any:
    url = URL(path, encoded=True)
    async with session.request(method, url, headers=headers, allow_redirects=False) as response:
        return response.status, response.headers, await response.read()


def assets() -> list[str]:
    return [html.unescape(path) for path in re.findall(r'(?:src|href)="(docs/[^"]+)"', _page())]


def _page() -> str:
    (page,) = (route for route in docs.docs_routes() if route.path == "/docs")
    body: bytes = page.handler.__self__.body  # type: ignore[union-attr]
    return body.decode()


class TestDescription:
    async def test_is_public_and_cacheable(self, session: aiohttp.ClientSession) -> None:
        status, headers, body = await fetch(session, "/api/v1/openapi.json")
        assert (status, body) == (200, document())
        assert headers["Content-Type"] == "application/json; charset=utf-8"
        assert headers["Cache-Control"] == "public, max-age=300"
        assert headers["Access-Control-Allow-Origin"] == "*"

    async def test_is_not_sent_twice(self, session: aiohttp.ClientSession) -> None:
        _, headers, _ = await fetch(session, "/api/v1/openapi.json")
        known = {"If-None-Match": headers["ETag"]}
        status, again, body = await fetch(session, "/api/v1/openapi.json", **known)
        assert (status, body, again["ETag"]) == (304, b"", headers["ETag"])
        assert (await fetch(session, "/api/v1/openapi.json", **{"If-None-Match": '"another"'}))[0] == 200

    async def test_is_compressed_for_those_who_take_it(self, session: aiohttp.ClientSession) -> None:
        _, headers, body = await fetch(session, "/api/v1/openapi.json", **{"Accept-Encoding": "gzip, br"})
        assert headers["Content-Encoding"] == "gzip"
        assert headers["Vary"] == "Accept-Encoding"
        assert gzip.decompress(body) == document()
        assert len(body) * 8 < len(document())

    async def test_has_a_head(self, session: aiohttp.ClientSession) -> None:
        status, headers, body = await fetch(session, "/api/v1/openapi.json", "HEAD")
        assert (status, body, int(headers["Content-Length"])) == (200, b"", len(document()))


class TestFiles:
    async def test_are_typed_and_kept_forever(self, session: aiohttp.ClientSession) -> None:
        """Under the address that the page gives them, which changes with their content."""
        assert len(assets()) == len(docs.FILES)
        for path in assets():
            status, headers, body = await fetch(session, f"/{path}")
            name = path.partition("?")[0].removeprefix("docs/")
            assert (status, body) == (200, (STATIC / name).read_bytes())
            assert headers["Content-Type"] == docs.TYPES[Path(name).suffix]
            assert headers["Cache-Control"] == "public, max-age=31536000, immutable"

    @pytest.mark.parametrize("query", ["", "?v=0123456789abcdef"])
    async def test_elsewhere_are_asked_for_again(self, session: aiohttp.ClientSession, query: str) -> None:
        """A stale address must not keep new content under an old name."""
        _, headers, _ = await fetch(session, f"/docs/docs.css{query}")
        assert headers["Cache-Control"] == "no-cache"
        assert headers["ETag"]

    @pytest.mark.parametrize(
        "path",
        [
            "/docs/../docs.py", "/docs/..%2fdocs.py", "/docs/%2e%2e/docs.py", "/docs/..%5cdocs.py", "/docs//etc/passwd",
            "/docs/swagger-ui/../../docs.py", "/docs/swagger-ui/", "/docs/swagger-ui/README.md", "/docs/docs.html",
            "/docs/docs.css%00.js", "/docs/samples/order.curl.txt", "/docs/swagger-ui%2fswagger-ui.css/../../docs.py",
        ],
    )  # fmt: skip
    async def test_no_other_file_is_served(self, session: aiohttp.ClientSession, path: str) -> None:
        status, headers, _ = await fetch(session, path)
        assert (status, headers["Content-Type"]) == (404, "application/json; charset=utf-8")

    def test_are_licensed(self) -> None:
        """What others wrote carries their licence and its version."""
        folder = STATIC / "swagger-ui"
        assert "Apache License" in (folder / "LICENSE").read_text()
        assert (folder / "NOTICE").exists()
        version = re.search(r"Swagger UI (\d+\.\d+\.\d+)", (folder / "README.md").read_text())
        assert version is not None
        assert version[1] in (folder / "swagger-ui-bundle.js").read_text("utf-8")


class TestPage:
    async def test_lets_nothing_in(self, session: aiohttp.ClientSession) -> None:
        status, headers, body = await fetch(session, "/docs")
        assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
        policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
        assert policy["frame-ancestors"] == "'none'"
        assert headers["X-Content-Type-Options"] == "nosniff"
        text = body.decode()
        assert not re.search(r"<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=|<style|https?://", text), "inline or foreign"

    async def test_answers_with_a_slash_too(self, session: aiohttp.ClientSession) -> None:
        status, headers, _ = await fetch(session, "/docs/")
        assert (status, headers["Location"]) == (308, "../docs")

    def test_signs_its_example_rightly(self) -> None:
        vector = [html.unescape(value) for value in re.findall(r"<dd><code>(.*?)</code></dd>", _page())]
        secret, timestamp, body, signature = vector
        assert signature == sign(secret.encode(), timestamp, body.encode())

    @pytest.mark.parametrize("name", ["curl", "python"])
    def test_samples_run(self, real_hub: Hub, key: ApiKey, name: str, tmp_path: Path) -> None:
        """As they stand on the page."""
        found = re.search(rf'<pre id="sample-{name}"><code>(.*?)</code></pre>', _page(), re.DOTALL)
        assert found is not None
        answer = run_sample(html.unescape(found[1]), name, real_hub, key, tmp_path)
        assert "RECEIVED" in answer
        assert "evt_" in answer
