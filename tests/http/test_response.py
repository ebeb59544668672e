"""The usual answer is written in one piece: the same bytes that aiohttp would send, and never a broken header."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from aiohttp import web

from hub.app import Hub
from hub.http import response
from hub.http.response import head_of
from tests.polling import PATIENCE_SECONDS
from tests.served_hub import Api, exchange
from tests.shared_hub import api, clock, clock_of_the_file, file_of_the_hub, hub

__all__ = ["api", "clock", "clock_of_the_file", "file_of_the_hub", "hub"]


def request(api: Api, method: str, path: str, body: Any = None, *, version: str = "1.1", last: bool = False) -> bytes:
    """The bytes of a signed request; `last` asks for the connection to be closed."""
    raw = b"" if body is None else json.dumps(body).encode()
    fields = {
        "Host": "hub", "X-Request-ID": "the-same", "Content-Length": str(len(raw)), **api.headers(raw),
        **({"Connection": "close"} if last else {}),
    }  # fmt: skip
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"{method} /api{path} HTTP/{version}\r\n{head}\r\n".encode() + raw


REQUESTS = [
    ("GET", "/v1/products", None),
    ("GET", "/v1/products?page=0", None),
    ("GET", "/v1/events/evt_none", None),
    ("GET", "/v1/nothing", None),
    ("DELETE", "/v1/products", None),
    ("POST", "/v1/conversions", {"externalOrderId": "A-1"}),
    ("POST", "/v1/order-status", {"externalOrderId": "Ärger", "status": "flown"}),
]


@pytest.mark.parametrize(("method", "path", "body"), REQUESTS)
async def test_an_answer_in_one_piece_is_what_aiohttp_would_send(
    hub: Hub, api: Api, monkeypatch: pytest.MonkeyPatch, method: str, path: str, body: Any
) -> None:
    """Status, headers and body; only the date may move on, and the allowance shrinks."""
    mine = await exchange(hub, request(api, method, path, body))
    built = list[int]()

    class Watched(web.Response):
        def __init__(self, **options: Any) -> None:
            built.append(options["status"])
            super().__init__(**options)

    monkeypatch.setattr(response, "HttpVersion11", None)  # no request is of the version that is written in one piece
    monkeypatch.setattr(web, "Response", Watched)
    theirs = await exchange(hub, request(api, method, path, body))
    assert built == [int(theirs[0].split()[1])]
    for _, headers, _ in (mine, theirs):
        for name in ("Date", "RateLimit-Remaining"):
            assert headers.pop(name, None) is not None or name != "Date"
    assert mine[0] == theirs[0]
    assert dict(mine[1]) == dict(theirs[1])
    assert mine[2] == theirs[2]


async def test_a_client_that_wants_the_connection_closed_is_told_that_it_is(hub: Hub, api: Api) -> None:
    _, headers, _ = await exchange(hub, request(api, "GET", "/v1/products", last=True))
    assert headers["Connection"] == "close"


async def test_an_old_client_gets_the_headers_of_its_time(hub: Hub, api: Api) -> None:
    line, headers, _ = await exchange(hub, request(api, "GET", "/v1/products", version="1.0"))
    assert line == "HTTP/1.0 200 OK"
    assert "Connection" not in headers


async def test_several_requests_in_one_packet_are_answered_in_their_order(hub: Hub, api: Api) -> None:
    asked = [request(api, "GET", path) for path in ("/v1/products", "/v1/products/none", "/v1/campaigns")]
    reader, writer = await asyncio.open_connection("127.0.0.1", hub.server.port)
    writer.write(b"".join(asked))
    lines = []
    for _ in asked:
        head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE_SECONDS)).decode()
        length = next(int(field[16:]) for field in head.split("\r\n") if field.startswith("Content-Length: "))
        await asyncio.wait_for(reader.readexactly(length), PATIENCE_SECONDS)
        lines.append(head.split("\r\n")[0])
    writer.close()
    assert lines == ["HTTP/1.1 200 OK", "HTTP/1.1 404 Not Found", "HTTP/1.1 200 OK"]


async def test_a_look_without_a_body_gets_the_length_alone(hub: Hub) -> None:
    """HEAD goes the long way, which knows that nothing follows the head."""
    reader, writer = await asyncio.open_connection("127.0.0.1", hub.server.port)
    writer.write(b"HEAD /health HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n")
    answer = await asyncio.wait_for(reader.read(), PATIENCE_SECONDS)
    writer.close()
    head, _, rest = answer.partition(b"\r\n\r\n")
    assert b"Content-Length: " in head
    assert rest == b""


@pytest.mark.parametrize("value", ["a\r\nSet-Cookie: b", "a\nb", "a\rb"])
@pytest.mark.parametrize("name", ["Location", "X\nY"])
def test_a_header_with_a_line_break_is_not_sent(name: str, value: str) -> None:
    with pytest.raises(ValueError, match="line break"):
        head_of(200, {name: value, "Server": "hub"}, 0)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/v1/openapi.json"),
        ("GET", "/api/v1/nothing"),
        ("DELETE", "/api/v1/products"),
        ("TRACE", "/api/v1/products"),
        ("GET", "/t/nowhere"),
        ("GET", "/login"),
        ("GET", "/account"),
        ("GET", "/static/hub.css"),
        ("GET", "/capture.js"),
        ("GET", "/docs/api"),
        ("GET", "/nothing"),
        ("GET", "/healthz"),
        ("GET", "/readyz"),
        ("GET", "/metrics"),
    ],
)
async def test_every_answer_is_framed_by_nobody_and_taken_for_nothing_else(hub: Hub, method: str, path: str) -> None:
    """What a browser is led to, be it data, a page, a fault or a redirect (ASVS 5.0, 3.4.3, 3.4.4 and 3.4.6)."""
    sent = f"{method} {path} HTTP/1.1\r\nHost: hub\r\nContent-Length: 0\r\n\r\n".encode()
    line, headers, _ = await exchange(hub, sent)
    assert " 401 " not in line
    assert headers["X-Content-Type-Options"] == "nosniff"
    policy = {each.strip() for each in headers["Content-Security-Policy"].split(";")}
    assert policy >= {"default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"}


async def test_so_is_data_and_the_uniform_401_alone_keeps_its_own_fields(hub: Hub, api: Api) -> None:
    """Those fields are compared from outside: no refusal may tell itself apart from another."""
    _, headers, _ = await exchange(hub, request(api, "GET", "/v1/products"))
    assert headers.items() >= response.DEFENCES.items()
    line, headers, _ = await exchange(hub, b"GET /api/v1/products HTTP/1.1\r\nHost: hub\r\n\r\n")
    assert " 401 " in line
    assert headers.keys().isdisjoint(response.DEFENCES)
