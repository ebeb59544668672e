"""The documentation page: complete, self-contained, guarded, and with samples that run."""

from __future__ import annotations

import ast
import asyncio
import gzip
import hashlib
import html
import json
import os
import re
import shutil
import sys
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any, get_args

import aiohttp
import attrs
import pytest
from playwright.async_api import Page, expect
from yarl import URL

import hub
from hub.app import Hub
from hub.clock import system_clock
from hub.domain.attribution import Reason
from hub.domain.facts import FACTS_OF_KIND, ORDER_STATUSES
from hub.domain.signing import sign, sign_v2, string_to_sign, string_to_sign_v2
from hub.domain.terms import LevelOutcome
from hub.http import static_files as resources
from hub.merchant_api import docs_page as docs
from hub.merchant_api.openapi.document import document
from hub.merchant_api.openapi.texts import WEBHOOK_FIELDS
from hub.merchant_api.responses import AttributionExplained, CommissionExplained, EventStatus
from hub.merchant_api.v1 import ENDPOINTS
from hub.testing.chromium import chromium, needs_chromium
from hub.testing.clock import FakeClock
from hub.validation.input_reader import fields_of
from hub.validation.inputs import (
    CampaignInput,
    ConversionInput,
    MerchantTerms,
    OrderStatusInput,
    ProductInput,
    ProductQuery,
    wire_name,
)
from hub.validation.validate import validate
from tests.merchant_api.test_openapi import assert_fits
from tests.served_hub import ApiKey, new_key, new_merchant

STATIC = Path(hub.__file__).parent / "static"


@pytest.fixture
def clock() -> FakeClock:
    """Stands at the real time: shells and browsers sign by their own clocks."""
    return FakeClock(system_clock())


@pytest.fixture
async def key(hub: Hub, clock: FakeClock) -> ApiKey:
    return await new_key(hub, clock, await new_merchant(hub, clock, approve=True))


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


def assets() -> set[str]:
    return {html.unescape(path) for path in re.findall(r'(?:src|href)="(docs/[^"]+)"', _page())}


def _page() -> str:
    return docs.page_html().decode()


class TestDescription:
    async def test_the_description_is_public_and_cacheable(self, session: aiohttp.ClientSession) -> None:
        status, headers, body = await fetch(session, "/api/v1/openapi.json")
        assert (status, body) == (200, document())
        assert headers["Content-Type"] == "application/json; charset=utf-8"
        assert headers["Cache-Control"] == "public, max-age=300"
        assert headers["Access-Control-Allow-Origin"] == "*"

    async def test_an_unchanged_resource_is_not_sent_twice(self, session: aiohttp.ClientSession) -> None:
        _, headers, _ = await fetch(session, "/api/v1/openapi.json")
        known = {"If-None-Match": headers["ETag"]}
        status, again, body = await fetch(session, "/api/v1/openapi.json", **known)
        assert (status, body, again["ETag"]) == (304, b"", headers["ETag"])
        assert (await fetch(session, "/api/v1/openapi.json", **{"If-None-Match": '"another"'}))[0] == 200

    async def test_the_description_is_compressed_if_the_client_accepts_it(self, session: aiohttp.ClientSession) -> None:
        _, headers, body = await fetch(session, "/api/v1/openapi.json", **{"Accept-Encoding": "gzip, br"})
        assert headers["Content-Encoding"] == "gzip"
        assert headers["Vary"] == "Accept-Encoding"
        assert gzip.decompress(body) == document()
        assert len(body) * 8 < len(document())

    async def test_head_is_answered_like_get(self, session: aiohttp.ClientSession) -> None:
        status, headers, body = await fetch(session, "/api/v1/openapi.json", "HEAD")
        assert (status, body, int(headers["Content-Length"])) == (200, b"", len(document()))


class TestFiles:
    async def test_the_files_are_typed_and_cached_forever(self, session: aiohttp.ClientSession) -> None:
        """Under the address that the page gives them, which changes with their content."""
        assert len(assets()) == len(docs.FILES)
        for path in assets():
            status, headers, body = await fetch(session, f"/{path}")
            name = path.partition("?")[0].removeprefix("docs/")
            assert (status, body) == (200, (STATIC / name).read_bytes())
            assert headers["Content-Type"] == resources.TYPES[Path(name).suffix]
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
        assert (status, headers["Content-Type"]) == (404, "text/html; charset=utf-8")

    def test_vendored_files_carry_their_licence(self) -> None:
        """What others wrote carries their licence and its version."""
        folder = STATIC / "swagger-ui"
        assert "Apache License" in (folder / "LICENSE").read_text()
        assert (folder / "NOTICE").exists()
        version = re.search(r"Swagger UI (\d+\.\d+\.\d+)", (folder / "README.md").read_text())
        assert version is not None
        assert version[1] in (folder / "swagger-ui-bundle.js").read_text("utf-8")


class TestPage:
    async def test_the_policy_allows_no_other_site(self, session: aiohttp.ClientSession) -> None:
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

    def test_the_page_signs_its_example_correctly(self) -> None:
        vector = [html.unescape(value) for value in re.findall(r"<dd><code>(.*?)</code></dd>", _page())]
        secret, timestamp, body, signature = vector
        assert signature == sign(secret.encode(), timestamp, body.encode())

    @pytest.mark.parametrize("name", ["curl", "python"])
    async def test_the_samples_run(self, hub: Hub, key: ApiKey, name: str, tmp_path: Path) -> None:
        """As they stand on the page."""
        found = re.search(rf'<pre id="sample-{name}"><code>(.*?)</code></pre>', _page(), re.DOTALL)
        assert found is not None
        answer = await run_sample(html.unescape(found[1]), name, hub, key, tmp_path)
        assert "RECEIVED" in answer
        assert "evt_" in answer


PROGRAMS = {"curl": "sh", "sh": "sh", "python": sys.executable, "php": "php", "js": "node"}
SUFFIXES = {"js": ".mjs"}


async def run_sample(text: str, language: str, hub: Hub, key: ApiKey, folder: Path) -> str:
    """Runs a snippet as its reader would, and gives what it prints; skips where the machine lacks the language."""
    program = shutil.which(PROGRAMS[language])
    tools = [program, *(shutil.which(tool) for tool in ("curl", "openssl") if PROGRAMS[language] == "sh")]
    if program is None or None in tools:
        pytest.skip(f"the {language} snippet needs {PROGRAMS[language]} (and curl and openssl for a shell)")
    file = folder / f"snippet{SUFFIXES.get(language, '')}"
    file.write_text(text)
    known = {"HUB_BASE_URL": f"{hub.url}/api", "HUB_KEY": key.key_id, "HUB_SECRET": key.secret}
    done = await asyncio.create_subprocess_exec(
        program, file, env={**os.environ, **known}, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    out, _ = await asyncio.wait_for(done.communicate(), 60)
    assert done.returncode == 0, out.decode()
    return out.decode()


@needs_chromium("how /docs looks and works in a browser")
class TestBrowser:
    """In a real browser, which holds the page to its own policy; anything it complains about fails the test."""

    @pytest.fixture
    async def page(self) -> AsyncIterator[Page]:
        complaints: list[str] = []
        async with chromium() as browser:
            page = await browser.new_page()
            page.on("console", lambda message: complaints.append(message.text))
            page.on("pageerror", lambda error: complaints.append(str(error)))
            yield page
        assert complaints == []

    async def test_every_operation_is_drawn(self, hub: Hub, page: Page) -> None:
        hosts: set[str] = set()
        page.on("request", lambda request: hosts.add(str(URL(request.url).origin()).rstrip("/")))
        await page.goto(f"{hub.url}/docs")
        await expect(page.locator(".opblock")).to_have_count(len(ENDPOINTS))
        for endpoint in ENDPOINTS:
            await expect(page.locator(f"#operations-{endpoint.tag}-{endpoint.operation}")).to_be_visible()
        await expect(page.locator("#base")).to_have_text(f"{hub.url}/api")
        await page.locator("#operations-conversions-reportConversion button").first.click()
        await expect(page.locator("tr.response[data-code='503']")).to_be_visible()
        assert hosts == {hub.url}

    async def test_a_test_key_signs_what_is_tried(self, hub: Hub, key: ApiKey, page: Page) -> None:
        """An order is reported from the page, and listed products too: with and without a body."""
        await page.goto(f"{hub.url}/docs")
        await page.get_by_label("Key id").fill(key.key_id)
        await page.get_by_label("Signing secret").fill(key.secret)
        await page.get_by_role("button", name="Use this key").click()
        await expect(page.locator("#key-state")).to_have_text(f"Requests are signed as {key.key_id}.")
        await expect(page.get_by_label("Signing secret")).to_have_value("")
        for operation, status in (("conversions-reportConversion", "202"), ("products-listProducts", "200")):
            block = page.locator(f"#operations-{operation}")
            await block.locator(".opblock-summary-control").click()
            await block.get_by_role("button", name="Try it out").click()
            await block.get_by_role("button", name="Execute").click()
            await expect(block.locator(".live-responses-table .response-col_status").last).to_contain_text(status)

    async def test_live_keys_are_not_asked_for(self, hub: Hub, page: Page) -> None:
        await page.goto(f"{hub.url}/docs")
        await page.get_by_label("Key id").fill("ak_live_0123456789abcdef")
        await page.get_by_label("Signing secret").fill("sec_live_secret")
        await page.get_by_role("button", name="Use this key").click()
        await expect(page.locator("#key-state")).to_contain_text("No key")


GUIDE = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)(?: (\w+))?\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
TERMS = MerchantTerms("USD", ("shop.example",))


def snippets(language: str) -> list[str]:
    return [text for name, _, text in BLOCKS if name == language]


class TestGuide:
    def test_vectors_are_what_the_code_computes(self) -> None:
        cells = {
            name: [cell.strip().strip("`") for cell in row]
            for name, *row in (line.strip("|").split("|") for line in GUIDE.splitlines() if line.startswith("| s"))
        }
        (timestamps,) = re.findall(r"^\| timestamp \| `(\d+)` \| `(\d+)` \|$", GUIDE, re.MULTILINE)
        (body,) = re.findall(r"^\| body \| `(.*)` \| \|$", GUIDE, re.MULTILINE)
        secrets, signed, signatures = cells[" secret "], cells[" signed "], cells[" signature "]
        for column, raw in enumerate((body, "")):
            assert signed[column] == f"{timestamps[column]}.{raw}"
            assert signatures[column] == sign(secrets[column].encode(), timestamps[column], raw.encode())
        assert (secrets[0], timestamps[0], body) == (docs.EXAMPLE_SECRET, docs.EXAMPLE_TIMESTAMP, docs.EXAMPLE_BODY)

    def test_the_vectors_with_a_nonce_are_what_the_code_computes(self) -> None:
        (texts,) = re.findall(r"^\| text \| `(.*)` \| `(.*)` \|$", GUIDE, re.MULTILINE)
        (macs,) = re.findall(r"^\| its HMAC \| `(.*)` \| `(.*)` \|$", GUIDE, re.MULTILINE)
        secret, stamp, body = docs.EXAMPLE_SECRET.encode(), docs.EXAMPLE_TIMESTAMP, docs.EXAMPLE_BODY.encode()
        digest, target = hashlib.sha256(body).hexdigest(), "/api/v1/conversions"
        assert texts[0].encode() == string_to_sign(stamp, body, "n-1")
        assert texts[1].encode() == string_to_sign_v2(stamp, "n-1", "POST", target, digest)
        assert macs == (sign(secret, stamp, body, "n-1"), sign_v2(secret, stamp, "n-1", "POST", target, body))

    @pytest.mark.parametrize("language", ["sh", "python", "php", "js"])
    async def test_the_snippets_run(self, hub: Hub, key: ApiKey, language: str, tmp_path: Path) -> None:
        answer = await run_sample("\n\n".join(snippets(language)), language, hub, key, tmp_path)
        assert "evt_" in answer
        assert "RECEIVED" in answer
        assert language != "python" or answer.splitlines()[-1] == "RECEIVED", "the snippet that retries"

    def test_the_guide_has_the_pages_snippets(self) -> None:
        for language, name in (("sh", "curl"), ("python", "python")):
            assert snippets(language)[0] == (STATIC / f"samples/order.{name}.txt").read_text("utf-8")

    @pytest.mark.parametrize(("name", "text"), [(name, text) for language, name, text in BLOCKS if language == "json"])
    def test_json_is_what_the_hub_takes_and_gives(self, name: str, text: str) -> None:
        value = json.loads(text)
        assert_fits(value, name)
        if name in {cls.__name__ for cls in (CampaignInput, ConversionInput, OrderStatusInput)}:
            (cls,) = (cls for cls in (CampaignInput, ConversionInput, OrderStatusInput) if cls.__name__ == name)
            assert validate(cls, value, TERMS).unknown_fields == ()

    def test_every_field_is_named(self) -> None:
        told = set(re.findall(r"`([A-Za-z_]+)`", GUIDE))
        for cls in (ProductInput, CampaignInput, ConversionInput, ProductQuery):
            assert {field.wire for field in fields_of(cls)} <= told, cls
        assert {name for names in WEBHOOK_FIELDS.values() for name in names} <= told
        assert set(FACTS_OF_KIND) <= set(re.findall(r"`([a-z-]+)`", GUIDE))
        assert {*ORDER_STATUSES, *get_args(Reason), *get_args(EventStatus), *get_args(LevelOutcome)} <= told
        for part in (AttributionExplained, CommissionExplained):
            assert {wire_name(field.name) for field in attrs.fields(part)} <= told, part

    def test_every_status_and_error_code_is_named(self) -> None:
        rows = "\n".join(line for line in GUIDE.splitlines() if line.startswith("|"))
        assert {str(status) for endpoint in ENDPOINTS for status in endpoint.errors} <= set(re.findall(r"\d{3}", rows))
        codes = error_codes()
        assert {"bad_signature", "validation_failed", "rate_limited", "not_found", "key_expired"} <= codes
        assert codes <= set(re.findall(r"`([a-z_]+)`", rows))

    def test_every_link_has_a_target(self) -> None:
        headings = {
            re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-")
            for title in re.findall(r"^#+ (.*)$", GUIDE, re.MULTILINE)
        }
        links = re.findall(r"\]\(#([^)]+)\)", GUIDE)
        assert links
        assert set(links) <= headings


def error_codes() -> set[str]:
    """Every errorCode in the source: what refusals are raised with, and what the checks of a key return."""
    codes: set[str] = set()
    for file in (STATIC.parent).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id in {"ApiError", "unauthorized", "invalid"}:
                    codes |= _words(node.args[-1:])
            elif isinstance(node, ast.FunctionDef) and node.name in {"fault", "_fault"}:
                codes |= _words([each.value for each in ast.walk(node) if isinstance(each, ast.Return) and each.value])
    return codes


def _words(nodes: Iterable[ast.expr]) -> set[str]:
    constants = (each for node in nodes for each in ast.walk(node) if isinstance(each, ast.Constant))
    return {str(each.value) for each in constants if re.fullmatch(r"[a-z]+(_[a-z]+)+", str(each.value))}
