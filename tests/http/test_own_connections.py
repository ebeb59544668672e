"""The hub's requests to itself in memory: whole answers, in the client's name, and an end whatever the server does."""

from __future__ import annotations

import asyncio

import pytest
from aiohttp import web

from hub.http.admission import Admission, Bounds
from hub.http.connection import Timeouts
from hub.http.own_connections import MOST_BYTES, NoOwnAnswer, OwnConnections
from hub.http.response import JSON, respond
from hub.http.router import PathValues, Route, Router
from hub.http.server import HttpServer
from tests.polling import until


async def echo(request: web.BaseRequest, _: PathValues) -> web.StreamResponse:
    said = f"{request.remote} {request.raw_path} {request.headers.get('X-One')} ".encode() + await request.read()
    return await respond(request, 201, {"Content-Type": JSON}, said)


async def large(request: web.BaseRequest, _: PathValues) -> web.StreamResponse:
    return await respond(request, 200, {}, bytes(int(request.query["bytes"])))


async def stuck(_: web.BaseRequest, __: PathValues) -> web.StreamResponse:
    await asyncio.sleep(3600)
    raise AssertionError


async def streamed(request: web.BaseRequest, _: PathValues) -> web.StreamResponse:
    response = web.StreamResponse()
    response.enable_chunked_encoding()
    await response.prepare(request)
    for piece in (b"one ", b"two"):
        await response.write(piece)
    await response.write_eof()
    return response


def connections(admission: Admission | None = None) -> OwnConnections:
    routes = [
        Route("POST", "/echo", echo), Route("GET", "/large", large), Route("GET", "/stuck", stuck),
        Route("GET", "/streamed", streamed),
    ]  # fmt: skip
    server = HttpServer(Router(routes), stuck, Admission() if admission is None else admission, Timeouts())
    return OwnConnections(server.connections())


async def test_a_request_is_the_clients_and_its_answer_whole() -> None:
    answer = await connections().ask("192.0.2.7", "POST", "/echo?a=%20b", {"X-One": "1"}, "Grün".encode(), 5)
    assert (answer.status, answer.body.decode()) == (201, "192.0.2.7 /echo?a=%20b 1 Grün")
    answer = await connections().ask("192.0.2.7", "GET", "/streamed", {}, b"", 5)
    assert (answer.status, answer.body) == (200, b"one two")


async def test_an_answer_has_a_bound() -> None:
    own = connections()
    assert len((await own.ask("192.0.2.7", "GET", "/large?bytes=900000", {}, b"", 5)).body) == 900_000
    with pytest.raises(NoOwnAnswer, match="too long"):
        await own.ask("192.0.2.7", "GET", f"/large?bytes={MOST_BYTES + 1}", {}, b"", 5)


async def test_a_server_that_does_not_answer_is_left() -> None:
    """Its connection is given back, and so is that of one who asks no more."""
    admission = Admission()
    own = connections(admission)
    with pytest.raises(NoOwnAnswer, match="in time"):
        await own.ask("192.0.2.7", "GET", "/stuck", {}, b"", 0.05)
    asking = asyncio.create_task(own.ask("192.0.2.7", "GET", "/stuck", {}, b"", 60))
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await until(lambda: (admission.connections, len(admission)) == (0, 0))
    with pytest.raises(NoOwnAnswer, match="does not serve"):
        await OwnConnections().ask("192.0.2.7", "GET", "/echo", {}, b"", 1)


async def test_a_client_has_no_more_connections_in_memory_than_it_may_have() -> None:
    own = connections(Admission(Bounds(connections=1, connections_per_address=1)))
    first = asyncio.create_task(own.ask("192.0.2.7", "GET", "/stuck", {}, b"", 60))
    await asyncio.sleep(0)
    with pytest.raises(NoOwnAnswer, match="too much"):
        await own.ask("192.0.2.7", "POST", "/echo", {}, b"", 5)
    first.cancel()


async def test_a_header_cannot_become_two() -> None:
    with pytest.raises(ValueError, match="line break"):
        await connections().ask("192.0.2.7", "POST", "/echo", {"X-One": "1\r\nX-Two: 2"}, b"", 5)
