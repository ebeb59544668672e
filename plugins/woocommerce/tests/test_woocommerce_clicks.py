"""The WordPress plugin's cookie as PHP sets it, served by PHP: with the page or by its route, never without consent."""

from __future__ import annotations

import http.client
import io
import json
import os
import shutil
import socket
import subprocess
import time
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hub_woocommerce.package import package

from hub.api import PackageContext

PHP = shutil.which("php")
pytestmark = pytest.mark.skipif(PHP is None, reason="php is not installed: the WordPress plugin's PHP was NOT run")
CONTEXT = PackageContext("https://hub.example/connect/con_1", "s3cret", "https://hub.example/capture.js")
ROUTE = {"Content-Type": "application/json", "X-Affiliate-Hub": "capture"}


class Answer(NamedTuple):
    """What came back: the status, the cookie if one was set, and the body."""

    status: int
    cookie: Any
    body: Any


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    folder = tmp_path_factory.mktemp("wordpress")
    with zipfile.ZipFile(io.BytesIO(package(CONTEXT)[1])) as archive:
        archive.extractall(folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = free.getsockname()[1]
    assert PHP is not None
    page = Path(__file__).with_name("clicks.php")
    server = subprocess.Popen(
        [PHP, "-d", "error_reporting=-1", "-d", "display_errors=1", "-S", f"127.0.0.1:{number}", str(page)],
        env={**os.environ, "PLUGIN": str(folder / "affiliate-hub")},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    for _ in range(200):
        with suppress(OSError), socket.create_connection(("127.0.0.1", number), 1):
            break
        time.sleep(0.05)
    yield number
    server.terminate()
    server.wait()


def ask(port: int, address: str, told: object = None, **headers: str) -> Answer:
    """Ask for a page, or tell the route something."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = None if told is None else json.dumps(told)
    connection.request("GET" if told is None else "POST", address, body, named)
    answer = connection.getresponse()
    text = answer.read().decode()
    found = SimpleCookie(answer.getheader("Set-Cookie") or "").get("affiliate_click_id")
    connection.close()
    return Answer(answer.status, found, json.loads(text) if text else None)


def test_a_page_that_php_makes_sets_the_cookie_itself(port: int) -> None:
    """So a blocked script loses nothing, and Safari keeps it for the whole window; such a page is in no cache."""
    found = ask(port, "/shop?color=red&affiliate_click_id=clk_1")
    assert (found.cookie.value, found.cookie["path"], found.cookie["samesite"]) == ("clk_1", "/", "Lax")
    assert (found.cookie["max-age"], bool(found.cookie["secure"]), bool(found.cookie["httponly"])) == (
        "2592000", True, False,
    )  # fmt: skip
    assert (found.body["click"], found.body["uncached"], found.body["after"]) == ("clk_1", True, [])
    assert '"days":0' in found.body["inline"], "no plugin of the shop says otherwise"
    assert "affiliate-hub\\/v1\\/click" in found.body["inline"]


@pytest.mark.parametrize(("told", "kept"), [("60", 60), ("0", 30), ("99999", 30), ("x", 30), ("[]", 30)])
def test_the_campaigns_window_is_the_cookies(port: int, told: str, kept: int) -> None:
    page = ask(port, f"/shop?affiliate_click_id=clk_1&aff_days={told}")
    route = ask(port, "/wp-json/affiliate-hub/v1/click", {"click": "clk_1", "days": told}, **ROUTE)
    assert [found.cookie["max-age"] for found in (page, route)] == [str(kept * 86_400)] * 2


@pytest.mark.parametrize("query", ["", "=", "=a%0Ab", "[]=clk_1", "=" + "x" * 129])
def test_what_is_no_click_sets_nothing_and_may_be_cached(port: int, query: str) -> None:
    found = ask(port, f"/shop?affiliate_click_id{query}")
    assert (found.status, found.cookie, found.body["uncached"], found.body["click"]) == (200, None, False, "")


def test_a_page_of_a_cache_asks_the_route(port: int) -> None:
    """Only a script of the shop itself can send the header: a stranger's form or page sets nothing."""
    assert ask(port, "/wp-json/affiliate-hub/v1/click", {"click": "clk_2"}, **ROUTE).cookie.value == "clk_2"
    for told, headers in (
        ({"click": "clk_2"}, {"Content-Type": "application/json"}),
        ({"click": "a;b"}, ROUTE), ({"click": ["clk_2"]}, ROUTE), ({}, ROUTE),
    ):  # fmt: skip
        refused = ask(port, "/wp-json/affiliate-hub/v1/click", told, **headers)
        assert (refused.status, refused.cookie) == (403, None)


def test_nothing_is_set_before_the_visitor_agrees(port: int) -> None:
    """By the WP Consent API, whose script ours waits for; the control is a visitor who agreed."""
    for said, kept in (("deny", False), ("allow", True)):
        page = ask(port, "/shop?affiliate_click_id=clk_1", X_Consent=said)
        told = ask(port, "/wp-json/affiliate-hub/v1/click", {"click": "clk_1"}, X_Consent=said, **ROUTE)
        assert [page.cookie is not None, told.cookie is not None, page.body["uncached"]] == [kept] * 3
        assert page.body["after"] == ["wp-consent-api"]
