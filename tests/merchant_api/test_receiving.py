"""Bad requests of every kind get the error body, never a 500, and store nothing."""

from __future__ import annotations

import asyncio
import gzip
import json
from typing import Any

import pytest
from structlog.testing import capture_logs

from hub.app import Hub
from hub.merchant_api.v1 import ENDPOINTS
from hub.testing.clock import FakeClock
from tests.polling import PATIENCE_SECONDS
from tests.served_hub import Api, Reply, api_of, log_of, served

ORDER = b'{"externalOrderId":"A-1","orderAmount":"10.00"}'
PATH = "/v1/conversions"


def is_error(reply: Reply, status: int, error: str) -> None:
    assert reply.status == status
    assert reply.headers["Content-Type"] == "application/json; charset=utf-8"
    assert {"statusCode", "message", "error"} <= reply.json.keys()
    assert (reply.json["statusCode"], reply.json["error"]) == (status, error)


async def talk(hub: Hub, request: bytes, *, wait: float = PATIENCE_SECONDS) -> bytes:
    """Sends raw bytes and reads until the hub closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", hub.server.port)
    writer.write(request)
    await writer.drain()
    try:
        return await asyncio.wait_for(reader.read(), wait)
    finally:
        writer.close()
        await writer.wait_closed()


def body_of(response: bytes) -> Any:
    return json.loads(response.partition(b"\r\n\r\n")[2])


def plausible_headers(clock: FakeClock) -> str:
    """Headers of a stranger that cannot be refused before the body has come."""
    fields = {"Host": "x", "X-API-Key": "ak_test_" + "0" * 32, "X-Timestamp": clock() // 1000, "X-Signature": "0" * 64}
    return "".join(f"{name}: {value}\r\n" for name, value in fields.items())


class TestRequestId:
    @pytest.mark.parametrize("given", ["a", "order-42/7f", "x" * 128])
    async def test_the_request_id_is_echoed(self, api: Api, hub: Hub, given: str) -> None:
        assert (await api("GET", "/v1/products", headers={"X-Request-ID": given})).headers["X-Request-ID"] == given
        assert (await log_of(hub, api.key))[-1]["requestId"] == given

    @pytest.mark.parametrize("given", [None, "", "x" * 129, "a b", "é"])
    async def test_a_request_id_is_made_if_none_can_be_used(self, api: Api, given: str | None) -> None:
        reply = await api("GET", "/v1/products", headers={"X-Request-ID": given})
        assert reply.headers["X-Request-ID"].startswith("req_")

    async def test_errors_have_a_request_id_too(self, api: Api) -> None:
        for path in ("/v1/nothing", "/v1/products/nothing", "/v1/conversions"):
            assert (await api("GET", path, headers={"X-Request-ID": "mine"})).headers["X-Request-ID"] == "mine"


class TestRoutes:
    @pytest.mark.parametrize(
        "path", ["/v1", "/v1/nothing", "/v1/products/", "/v2/products", "/v1/webhooks/order-lost", ""]
    )
    async def test_an_unknown_path_is_a_404(self, api: Api, path: str) -> None:
        is_error(await api("POST", path, {}), 404, "Not Found")

    @pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.route)
    async def test_a_wrong_method_is_a_405(self, api: Api, hub: Hub, endpoint: Any) -> None:
        """HEAD is a method like any other here; Allow names those that the path has."""
        path = endpoint.path.replace("{id}", "x").replace("{eventId}", "x")
        allowed = {row.method for row in ENDPOINTS if row.path == endpoint.path}
        named = {"/v1/products/import", "/v1/products/upsert", "/v1/products/archive"}
        extra = {"GET", "PATCH"} if endpoint.path in named else set()  # the path of an id too
        extra |= {"GET"} if endpoint.operation.startswith("upload") else set()
        for method in {"DELETE", "PUT", "HEAD", "OPTIONS", "TRACE"} - allowed:
            reply = await api(method, path)
            assert reply.status == 405
            assert set(reply.headers["Allow"].split(", ")) == allowed | extra
        assert (await log_of(hub, api.key))[-1]["errorCode"] == "method_not_allowed"

    async def test_a_path_that_lacks_the_root_of_the_api_is_answered_in_json(self, api: Api) -> None:
        """The address of a program that left out `/api` is no page."""
        async with api.session.get("/v1/conversions") as reply:
            assert (reply.status, reply.content_type) == (404, "application/json")

    async def test_a_404_outside_the_api_is_not_logged(self, hub: Hub, api: Api) -> None:
        async with api.session.get("/nothing") as reply:
            assert (reply.status, reply.content_type) == (404, "text/html")
            assert "There is no such page" in await reply.text()
        assert await log_of(hub) == []


class TestBodies:
    @pytest.mark.parametrize(
        "kind",
        ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin-1", "json", "a/b;=;"],
    )
    async def test_other_content_types_are_a_415(self, api: Api, hub: Hub, kind: str) -> None:
        is_error(await api("POST", PATH, ORDER, headers={"Content-Type": kind}), 415, "Unsupported Media Type")
        assert (await log_of(hub, api.key))[-1]["errorCode"] == "unsupported_media_type"

    @pytest.mark.parametrize(
        "kind", [None, "application/json", "APPLICATION/JSON;charset=UTF-8", 'application/json; charset="utf-8"; q=1']
    )
    async def test_json_in_utf8_is_accepted(self, api: Api, kind: str | None) -> None:
        assert (await api("POST", PATH, ORDER, headers={"Content-Type": kind})).status == 202

    @pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "x", "identity, gzip"])
    async def test_compressed_bodies_are_a_415(self, api: Api, hub: Hub, encoding: str) -> None:
        """The signature covers the bytes as sent, so nothing is decompressed."""
        body = gzip.compress(ORDER)
        reply = await api("POST", PATH, body, headers={"Content-Encoding": encoding})
        is_error(reply, 415, "Unsupported Media Type")
        assert (await log_of(hub, api.key))[-1]["errorCode"] == "unsupported_encoding"

    async def test_identity_is_no_encoding(self, api: Api) -> None:
        assert (await api("POST", PATH, ORDER, headers={"Content-Encoding": "identity"})).status == 202

    @pytest.mark.parametrize("path", [PATH, "/v1/webhooks/order-paid", "/v1/products/import"])
    async def test_a_body_that_is_too_large_is_a_413(self, sqlite_url: str, clock: FakeClock, path: str) -> None:
        bounds = {"HUB_SERVER_MAX_BODY": "1024", "HUB_SERVER_MAX_IMPORT": "1024"}
        async with served(sqlite_url, clock, **bounds) as hub, api_of(hub, clock) as api:
            body = b'{"a":"' + b"x" * 1_100 + b'"}'
            is_error(await api("POST", path, body), 413, "Request Entity Too Large")
            assert (await log_of(hub, api.key))[-1]["errorCode"] == "body_too_large"

    async def test_a_chunked_body_that_is_too_large_is_a_413(self, sqlite_url: str, clock: FakeClock) -> None:
        """Without a Content-Length the bytes are counted as they come."""
        async with served(sqlite_url, clock, HUB_SERVER_MAX_BODY="1024") as hub:
            chunks = b"".join(b"200\r\n" + b"x" * 512 + b"\r\n" for _ in range(3)) + b"0\r\n\r\n"
            response = await talk(
                hub, f"POST /api{PATH} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode() + chunks
            )
            assert response.startswith(b"HTTP/1.1 413")
            assert body_of(response)["statusCode"] == 413

    async def test_a_chunked_body_is_accepted(self, api: Api) -> None:
        """What counts for the signature is the body, not how it is cut."""

        async def pieces() -> Any:
            yield ORDER[:7]
            await asyncio.sleep(0.02)
            yield ORDER[7:]

        headers = {**api.headers(ORDER), "Content-Type": "application/json"}
        async with api.session.post(f"/api{PATH}", data=pieces(), headers=headers) as reply:
            assert reply.status == 202

    async def test_a_body_that_is_too_slow_is_a_408(self, sqlite_url: str, clock: FakeClock) -> None:
        """A body that stalls holds its connection for as long as the setting says, no longer."""
        async with served(sqlite_url, clock, HUB_SERVER_BODY_TIMEOUT="100ms") as hub:
            headers = plausible_headers(clock)
            response = await talk(hub, f"POST /api{PATH} HTTP/1.1\r\n{headers}Content-Length: 50\r\n\r\n{{".encode())
            assert response.startswith(b"HTTP/1.1 408")
            assert body_of(response)["error"] == "Request Timeout"
            assert (await log_of(hub))[-1]["errorCode"] == "body_timeout"

    async def test_a_client_that_leaves_is_no_error_of_ours(self, hub: Hub) -> None:
        with capture_logs() as logs:
            _, writer = await asyncio.open_connection("127.0.0.1", hub.server.port)
            writer.write(f"POST /api{PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{{".encode())
            await writer.drain()
            await asyncio.sleep(0.05)
            writer.transport.abort()
            await asyncio.sleep(0.05)
        assert [entry for entry in logs if entry["log_level"] == "error"] == []

    @pytest.mark.parametrize(
        ("body", "code"),
        [
            (b"", "malformed_json"),
            (b"{", "malformed_json"),
            (b"\xef\xbb\xbf{}", "malformed_json"),
            (b'{"a":NaN}', "malformed_json"),
            (b'{"a":"\xff"}', "malformed_json"),
            (b'{"a":"\\ud800"}', "malformed_json"),
            (b"\x00", "malformed_json"),
            (b"[]", "validation_failed"),
            (b"null", "validation_failed"),
            (b'"text"', "validation_failed"),
            (b'{"externalOrderId":"a\\u0000","orderAmount":"1"}', "validation_failed"),
            (b'{"a":' + b"[" * 40 + b"]" * 40 + b"}", "validation_failed"),
            (b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}", None),
        ],
        ids=range(13),
    )
    @pytest.mark.parametrize("path", [PATH, "/v1/webhooks/order-created", "/v1/products/upsert"])
    async def test_broken_json_is_a_400(self, api: Api, hub: Hub, path: str, body: bytes, code: str | None) -> None:
        reply = await api("POST", path, body, headers={"X-External-Event-Id": "e"})
        is_error(reply, 400, "Bad Request")
        assert isinstance(reply.json["message"], list)
        entry = (await log_of(hub, api.key))[-1]
        assert entry["errorCode"] == (code or entry["errorCode"])
        assert entry["detail"]["faults"] == reply.json["message"]


class TestBrokenHttp:
    @pytest.mark.parametrize(
        "request_bytes",
        [
            b"nonsense\r\n\r\n",
            b"GET /api/v1/products HTTP/1.1\r\n\r\n",
            b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
            b"POST /api/v1/conversions HTTP/1.1\r\nHost:x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
            b"POST /api/v1/conversions HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
            b"GET /api/v1/products HTTP/1.1\r\nHost: x\r\nX-API-Key: " + b"a" * 20_000 + b"\r\n\r\n",
            b"GET /api/v1/products HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
            b"POST /api/v1/conversions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        ],
        ids=[
            "no http",
            "no host",
            "version",
            "two framings",
            "two lengths",
            "long header",
            "bad header",
            "tls",
            "bad chunk",
        ],
    )
    async def test_broken_http_is_a_400_with_the_error_body(self, hub: Hub, request_bytes: bytes) -> None:
        with capture_logs() as logs:
            response = await talk(hub, request_bytes, wait=15)
        assert response.startswith(b"HTTP/1.")
        assert body_of(response)["statusCode"] == 400
        assert b"Traceback" not in response
        assert [entry for entry in logs if entry["log_level"] == "error"] == []

    @pytest.mark.parametrize(
        "target",
        [
            "/api/v1/products/%00",
            "/api/v1/products/%ED%A0%80",
            "/api/v1/products/%zz",
            "/api/v1/products?search=%00",
            "/api/v1/products?page=1&page=2",
            "/api/v1/products?page=%D9%A1",
            "/api/v1/events/" + "x" * 4_000,
        ],
    )
    async def test_odd_targets_are_answered(self, hub: Hub, api: Api, target: str) -> None:
        headers = "".join(f"{name}: {value}\r\n" for name, value in api.headers(b"").items())
        response = await talk(hub, f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}\r\n".encode())
        assert int(response.split(b" ")[1]) in {400, 404}
        assert {"statusCode", "message", "error"} <= body_of(response).keys()

    @pytest.mark.parametrize("target", ["//evil/api", "/%", "/../../etc"])
    async def test_odd_targets_outside_the_api_are_answered_with_a_page(self, hub: Hub, target: str) -> None:
        response = await talk(hub, f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        assert int(response.split(b" ")[1]) == 404
        assert b"There is no such page" in response

    async def test_an_expectation_is_met_or_refused(self, hub: Hub, api: Api) -> None:
        headers = "".join(f"{name}: {value}\r\n" for name, value in api.headers(ORDER).items())
        head = f"POST /api{PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(ORDER)}\r\n{headers}"
        kept = await talk(hub, f"{head}Expect: 100-continue\r\n\r\n".encode() + ORDER)
        assert kept.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 202 ")
        old = await talk(hub, f"{head.replace('/1.1', '/1.0', 1)}Expect: wonders\r\n\r\n".encode() + ORDER)
        assert old.startswith(b"HTTP/1.0 401 "), "the expectation is ignored; only the signature was used before"
        odd = await talk(hub, f"{head}Expect: wonders\r\n\r\n".encode() + ORDER)
        assert odd.startswith(b"HTTP/1.1 417 ")
        assert body_of(odd)["error"] == "Expectation Failed"


class TestOurFaults:
    async def test_an_unexpected_fault_is_a_500_without_details(self, api: Api, hub: Hub, monkeypatch: Any) -> None:
        async def fail(*_: object, **__: object) -> None:
            raise RuntimeError("the inner secret")

        monkeypatch.setattr(hub.parts.services.submissions, "submit", fail)
        with capture_logs() as logs:
            reply = await api("POST", PATH, ORDER, headers={"X-Request-ID": "mine"})
        is_error(reply, 500, "Internal Server Error")
        assert b"inner secret" not in reply.raw
        fault = next(entry for entry in logs if entry["log_level"] == "error")
        assert (fault["request_id"], fault["route"]) == ("mine", "POST /v1/conversions")
        assert (await log_of(hub, api.key))[-1]["errorCode"] == "internal_error"

    async def test_a_store_that_is_away_is_503(self, api: Api, hub: Hub, monkeypatch: Any) -> None:
        from hub.batcher import BatcherFull

        async def full(*_: object) -> None:
            raise BatcherFull("too many")

        monkeypatch.setattr(hub.parts.services.submissions, "submit", full)
        reply = await api("POST", PATH, ORDER)
        is_error(reply, 503, "Service Unavailable")
        assert reply.headers["Retry-After"] == "1"
        assert (await log_of(hub, api.key))[-1]["errorCode"] == "store_unavailable"

    async def test_so_is_one_that_cannot_tell_who_is_calling(
        self, api: Api, hub: Hub, clock: FakeClock, monkeypatch: Any
    ) -> None:
        """A key that was read long ago is not believed; as soon as the store is back all is well."""
        from hub.storage import StoreUnavailable

        def gone(*_: Any, **__: Any) -> Any:
            raise StoreUnavailable("gone")

        assert (await api("POST", PATH, ORDER)).status == 202
        clock.advance(2_000)
        with monkeypatch.context() as outage, capture_logs() as logs:
            outage.setattr(hub.parts.store, "fetch_one", gone)
            for _ in range(5):
                is_error(await api("POST", PATH, ORDER), 503, "Service Unavailable")
            own = [entry["log_level"] for entry in logs if entry["event"] == "the hub could not serve a request"]
            assert own == ["warning"], "told once a second, not five times"
        assert (await api("POST", PATH, ORDER)).status == 202
