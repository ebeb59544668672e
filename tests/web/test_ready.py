"""Answers made ready: the same bytes that aiohttp would send, and never a header that somebody broke in two."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from aiohttp.test_utils import make_mocked_request

from hub.app import Hub
from hub.http import raw_response as ready
from hub.http.raw_response import ReadyResponse, field, respond

from .conftest import Api

Answer = tuple[str, dict[str, str], bytes]


async def exchange(hub: Hub, request: bytes) -> Answer:
    """Status line, headers and body, read from the socket as far as their length says."""
    reader, writer = await asyncio.open_connection("127.0.0.1", hub.server.port)
    writer.write(request)
    head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)).decode()
    line, *fields = head.removesuffix("\r\n\r\n").split("\r\n")
    headers = dict(field.split(": ", 1) for field in fields)
    body = await asyncio.wait_for(reader.readexactly(int(headers.get("Content-Length", "0"))), 5)
    writer.close()
    return line, headers, body


def request(api: Api, method: str, path: str, body: Any = None, *, version: str = "1.1", last: bool = False) -> bytes:
    """The bytes of a signed request; `last` says that the connection shall close."""
    raw = b"" if body is None else json.dumps(body).encode()
    fields = {
        "Host": "hub", "X-Request-ID": "the-same", "Content-Length": str(len(raw)), **api.headers(raw),
        **({"Connection": "close"} if last else {}),
    }  # fmt: skip
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"{method} /api{path} HTTP/{version}\r\n{head}\r\n".encode() + raw


TOLD = [
    ("GET", "/v1/products", None),
    ("GET", "/v1/products?page=0", None),
    ("GET", "/v1/events/evt_none", None),
    ("GET", "/v1/nothing", None),
    ("DELETE", "/v1/products", None),
    ("POST", "/v1/conversions", {"externalOrderId": "A-1"}),
    ("POST", "/v1/order-status", {"externalOrderId": "Ärger", "status": "flown"}),
]


@pytest.mark.parametrize(("method", "path", "body"), TOLD)
async def test_both_ways_say_the_same(
    hub: Hub, api: Api, monkeypatch: pytest.MonkeyPatch, method: str, path: str, body: Any
) -> None:
    """Status, headers in their order, and body; only the date may move on and the allowance shrinks."""
    mine = await exchange(hub, request(api, method, path, body))
    monkeypatch.setattr(ready, "_is_plain", lambda request, status: False)
    theirs = await exchange(hub, request(api, method, path, body))
    for _, headers, _ in (mine, theirs):
        for name in ("Date", "RateLimit-Remaining"):
            assert headers.pop(name, None) is not None or name != "Date"
    assert mine[0] == theirs[0]
    assert list(mine[1].items()) == list(theirs[1].items())
    assert mine[2] == theirs[2]


async def test_the_plain_case_is_made_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """A control of the test above: what it compares are really two ways."""
    asked = make_mocked_request("GET", "/")
    assert isinstance(respond(asked, 200, field("Server", "hub"), b"{}"), ReadyResponse)
    monkeypatch.setattr(ready, "_is_plain", lambda request, status: False)
    assert not isinstance(respond(asked, 200, field("Server", "hub"), b"{}"), ReadyResponse)


async def test_who_wants_the_connection_closed_is_told_that_it_is(hub: Hub, api: Api) -> None:
    _, headers, _ = await exchange(hub, request(api, "GET", "/v1/products", last=True))
    assert headers["Connection"] == "close"


async def test_an_old_client_gets_the_headers_of_its_time(hub: Hub, api: Api) -> None:
    line, headers, _ = await exchange(hub, request(api, "GET", "/v1/products", version="1.0"))
    assert line == "HTTP/1.0 200 OK"
    assert "Connection" not in headers


async def test_several_requests_in_one_packet_are_answered_in_their_order(hub: Hub, api: Api) -> None:
    """Each answer is whole; a known path and one that the router reads take turns."""
    asked = [request(api, "GET", path) for path in ("/v1/products", "/v1/products/none", "/v1/campaigns")]
    reader, writer = await asyncio.open_connection("127.0.0.1", hub.server.port)
    writer.write(b"".join(asked))
    lines = []
    for _ in asked:
        head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)).decode()
        length = next(int(field[16:]) for field in head.split("\r\n") if field.startswith("Content-Length: "))
        await asyncio.wait_for(reader.readexactly(length), 5)
        lines.append(head.split("\r\n")[0])
    writer.close()
    assert lines == ["HTTP/1.1 200 OK", "HTTP/1.1 404 Not Found", "HTTP/1.1 200 OK"]


@pytest.mark.parametrize("value", ["a\r\nSet-Cookie: b", "a\nb", "a\rb"])
def test_a_header_with_a_line_break_is_not_sent(value: str) -> None:
    with pytest.raises(ValueError, match="line break"):
        field("Location", value)
