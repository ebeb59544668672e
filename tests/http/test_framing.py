"""What strangers learn from an answer, and requests whose framing is not supported."""

from __future__ import annotations

import asyncio

import pytest
from structlog.testing import capture_logs

from hub.app import Hub
from hub.testing.clock import FakeClock
from tests.http.hub_process import ask
from tests.merchant_api.test_receiving import ORDER, PATH, plausible_headers, talk
from tests.polling import PATIENCE_SECONDS
from tests.served_hub import Api, log_of, served
from tests.shared_hub import api, clock, clock_of_the_file, file_of_the_hub, hub

__all__ = ["api", "clock", "clock_of_the_file", "file_of_the_hub", "hub"]

REQUESTS = {
    "healthz": "GET /healthz HTTP/1.1\r\nHost: hub\r\n\r\n",
    "readyz": "GET /readyz HTTP/1.1\r\nHost: hub\r\n\r\n",
    "metrics": "GET /metrics HTTP/1.1\r\nHost: hub\r\n\r\n",
    "head": "HEAD /docs HTTP/1.1\r\nHost: hub\r\n\r\n",
    "description": "GET /api/v1/openapi.json HTTP/1.1\r\nHost: hub\r\n\r\n",
    "redirect of a page": "GET /docs/ HTTP/1.1\r\nHost: hub\r\n\r\n",
    "link": "GET /t/nothing HTTP/1.1\r\nHost: hub\r\n\r\n",
    "no path": "GET /nothing HTTP/1.1\r\nHost: hub\r\n\r\n",
    "no method": "DELETE /healthz HTTP/1.1\r\nHost: hub\r\n\r\n",
    "unauthorized": "GET /api/v1/products HTTP/1.1\r\nHost: hub\r\n\r\n",
    "old": "GET /healthz HTTP/1.0\r\n\r\n",
    "not HTTP": "hello\r\n\r\n",
    "no host": "GET /healthz HTTP/1.1\r\n\r\n",
    "expectation": "POST /api/v1/conversions HTTP/1.1\r\nHost: hub\r\nExpect: money\r\nContent-Length: 0\r\n\r\n",
    "coding": "POST /api/v1/conversions HTTP/1.1\r\nHost: hub\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "upgrade": "GET /healthz HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
}


@pytest.mark.parametrize("name", REQUESTS)
async def test_no_answer_names_versions(hub: Hub, name: str) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", hub.server.port)
    writer.write(REQUESTS[name].encode())
    head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE_SECONDS)).decode()
    writer.close()
    assert [line for line in head.split("\r\n") if line.lower().startswith("server:")] == ["Server: hub"]
    assert "python" not in head.lower()
    assert "aiohttp" not in head.lower()


async def test_a_request_line_without_a_version_is_refused(hub: Hub) -> None:
    answer = await talk(hub, b"GET /healthz\r\n\r\n")
    assert b" 400 Bad Request\r\n" in answer


@pytest.mark.parametrize("coding", ["gzip, chunked", "chunked, chunked", "identity, chunked", "x, Chunked"])
async def test_only_the_chunked_coding_is_supported(hub: Hub, coding: str) -> None:
    """aiohttp would take the body for a chunked one and hand its compressed bytes on."""
    request = f"POST /api{PATH} HTTP/1.1\r\nHost: hub\r\nTransfer-Encoding: {coding}\r\n\r\n0\r\n\r\n"
    assert (await talk(hub, request.encode())).split(b" ")[1] in (b"501", b"400")


@pytest.mark.parametrize("protocol", ["h2c", "websocket", "foo"])
async def test_behind_a_request_to_upgrade_the_connection_ends(hub: Hub, protocol: str) -> None:
    """aiohttp does not read on there, so what follows would wait until the connection is idle for too long."""
    upgrade = f"GET /healthz HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade\r\nUpgrade: {protocol}\r\n\r\n"
    more = "POST /api/v1/conversions HTTP/1.1\r\nHost: hub\r\nContent-Length: 2\r\n\r\n{}"
    answer = await talk(hub, (upgrade + more).encode())
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert answer.count(b"HTTP/1.1 ") == 1


class TestRefusedByHeaders:
    """What no body can make genuine is refused before the body has come, with the same 401 as ever."""

    @pytest.mark.parametrize(
        ("changed", "code"),
        [
            ({"X-Signature": None}, "missing_header"),
            ({"X-Timestamp": ""}, "missing_header"),
            ({"X-API-Key": None}, "missing_header"),
            ({"X-Signature": "0" * 63}, "unknown_key"),
            ({"X-Signature": "G" * 64}, "unknown_key"),
            ({"X-Timestamp": "1"}, "unknown_key"),
            ({"X-Timestamp": "soon"}, "unknown_key"),
        ],
    )
    async def test_at_once(self, hub: Hub, clock: FakeClock, changed: dict[str, str | None], code: str) -> None:
        head = self.head(clock, {"X-API-Key": "ak_test_" + "0" * 32, **changed})
        refusal = await ask(hub.server.port, f"{head}Content-Length: 1000\r\n\r\n{{".encode())
        whole = await ask(hub.server.port, f"{head}Content-Length: 2\r\n\r\n{{}}".encode())
        assert refusal.startswith(b"HTTP/1.1 401 ")
        assert stripped(refusal) == stripped(whole)
        assert {entry["errorCode"] for entry in (await log_of(hub))[-2:]} == {code}

    async def test_a_known_key_makes_no_difference(self, hub: Hub, api: Api, clock: FakeClock) -> None:
        """Neither early nor in what is said: the answer waits for the body of both, or of neither."""
        for key_id in (api.key.key_id, "ak_test_" + "0" * 32):
            late = self.head(clock, {"X-API-Key": key_id, "X-Signature": "short"})
            answer = await ask(hub.server.port, f"{late}Content-Length: 1000\r\n\r\n{{".encode())
            assert answer.startswith(b"HTTP/1.1 401 ")
            plausible = self.head(clock, {"X-API-Key": key_id})
            with pytest.raises(TimeoutError):
                await ask(hub.server.port, f"{plausible}Content-Length: 1000\r\n\r\n{{".encode(), seconds=0.3)

    async def test_an_unknown_key_gets_the_same_refusal_for_a_body_in_two_pieces(
        self, hub: Hub, api: Api, clock: FakeClock
    ) -> None:
        answers = []
        for key_id in (api.key.key_id, "ak_test_" + "0" * 32):
            reader, writer = await asyncio.open_connection("127.0.0.1", hub.server.port)
            writer.write(f"{self.head(clock, {'X-API-Key': key_id})}Content-Length: 600\r\n\r\n".encode())
            await asyncio.sleep(0.05)
            writer.write(b"x" * 600)
            answers.append(await asyncio.wait_for(reader.readuntil(b"}"), PATIENCE_SECONDS))
            writer.close()
        assert stripped(answers[0]) == stripped(answers[1])
        (*_, unknown) = [entry for entry in await log_of(hub) if entry["errorCode"] == "unknown_key"]
        (known,) = [entry for entry in await log_of(hub, api.key) if entry["errorCode"] == "bad_signature"]
        assert unknown["detail"]["signedString"] == known["detail"]["signedString"]

    @staticmethod
    def head(clock: FakeClock, changed: dict[str, str | None]) -> str:
        lines = dict(line.split(": ", 1) for line in plausible_headers(clock).splitlines())
        fields = {name: value for name, value in {**lines, **changed}.items() if value is not None}
        return f"POST /api{PATH} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items())


def stripped(answer: bytes) -> list[bytes]:
    """An answer without what differs from one to the next."""
    return [line for line in answer.split(b"\r\n") if not line.startswith((b"Date:", b"X-Request-ID:"))]


async def test_bodies_over_a_mebibyte_are_for_imports(sqlite_url: str, clock: FakeClock) -> None:
    async with served(sqlite_url, clock) as hub:
        for path, status in ((PATH, 413), ("/v1/campaigns", 413), ("/v1/products/import", 401)):
            head = f"POST /api{path} HTTP/1.1\r\nHost: hub\r\nContent-Length: {2**20 + 1}\r\n\r\n"
            answer = await ask(hub.server.port, head.encode())
            assert answer.startswith(f"HTTP/1.1 {status} ".encode())


async def test_a_client_that_leaves_before_its_answer_is_no_error_of_ours(hub: Hub, api: Api) -> None:
    """A stranger must not write a traceback into the log with each connection that he drops."""
    headers = "".join(f"{name}: {value}\r\n" for name, value in api.headers(ORDER).items())
    request = f"POST /api{PATH} HTTP/1.1\r\nHost: hub\r\nContent-Length: {len(ORDER)}\r\n{headers}\r\n".encode() + ORDER
    with capture_logs() as logs:
        for _ in range(20):
            _, writer = await asyncio.open_connection("127.0.0.1", hub.server.port)
            writer.write(request)
            await writer.drain()
            writer.transport.abort()
        assert (await ask(hub.server.port, b"GET /healthz HTTP/1.1\r\nHost: hub\r\n\r\n")).startswith(b"HTTP/1.1 200")
        await asyncio.sleep(0.1)
    assert [entry for entry in logs if entry["log_level"] == "error"] == []
