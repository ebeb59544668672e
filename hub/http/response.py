"""Responses: a status, header fields and a whole body, or a file that is read while it is sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from email.utils import formatdate
from functools import cache, lru_cache
from http import HTTPStatus
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from aiohttp import HttpVersion11, web
from aiohttp.abc import AbstractStreamWriter
from attrs import frozen

from hub.clock import system_clock

NO_FIELDS: Final[Mapping[str, str]] = {}
JSON: Final = "application/json; charset=utf-8"
CSV: Final = "text/csv; charset=utf-8"
BLOCK_BYTES: Final = 256 * 1024
PIECE_BYTES: Final = 64 * 1024
SERVER: Final = "hub"
"""The `Server` header: neither aiohttp's version nor Python's is anybody's business."""
DEFENCES: Final = {
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
}
"""What every response has for a browser that is led to it, unless it says it itself: it is data, and no page."""


@frozen
class FileBeginning:
    """The first `size` bytes of a file, which may grow meanwhile."""

    path: Path
    size: int


@frozen
class Lines:
    """A body of unknown length that is made while it is sent, block by block."""

    blocks: AsyncIterator[bytes]
    content_type: str = JSON


class Reply(NamedTuple):
    """A response, of an error or a success; `code` and `detail` are for the request log only."""

    status: int
    body: bytes | FileBeginning | Lines
    headers: Mapping[str, str] = NO_FIELDS
    code: str | None = None
    detail: Mapping[str, Any] | None = None
    close: bool = False
    content_type: str = JSON


async def respond(
    request: web.BaseRequest, status: int, headers: Mapping[str, str], body: bytes, *, close: bool = False
) -> web.StreamResponse:
    """Respond with these header fields and this body; close the connection afterwards if `close`.

    aiohttp prepares each header field by itself. The usual response, over HTTP/1.1 on a connection that stays open, is
    written here instead, head and body in one piece (see docs/performance.md for the gain).
    """
    if len(body) > PIECE_BYTES and request.method != "HEAD":
        return await _respond_in_pieces(request, status, headers, body, close=close)
    if status == 304:  # has no body, so it must not state the length of one (RFC 9110, section 8.6)
        return web.Response(status=status, headers=headers)
    if not close and request.version == HttpVersion11 and request.keep_alive and request.method != "HEAD":
        await request.writer.write_eof(head_of(status, headers, len(body)) + body)
        return SENT if status < 400 else SENT_REFUSAL
    response = web.Response(status=status, headers=headers, body=body)
    if close:
        response.force_close()
    return response


async def _respond_in_pieces(
    request: web.BaseRequest, status: int, headers: Mapping[str, str], body: bytes, *, close: bool
) -> web.StreamResponse:
    """Write a large body piece by piece: a client that does not read holds one of them in memory and not all."""
    response = web.StreamResponse(status=status, headers=headers)
    response.content_length = len(body)
    if close:
        response.force_close()
    await response.prepare(request)
    for start in range(0, len(body), PIECE_BYTES):
        await response.write(memoryview(body)[start : start + PIECE_BYTES])
    await response.write_eof()
    return response


async def finish_response(request: web.BaseRequest, response: web.StreamResponse) -> None:
    """Write a response, or what is still to be written of it, under the server's own name and with its defences."""
    if not response.prepared:
        for name, value in {"Server": SERVER, **DEFENCES}.items():
            response.headers.setdefault(name, value)
        await response.prepare(request)
    await response.write_eof()


class Sent(web.StreamResponse):
    """A placeholder for a response that is already written; the connection stays open."""

    @property
    def keep_alive(self) -> bool:
        """Return True: the connection stays open."""
        return True

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter:
        """Do nothing: the head is written."""
        return request.writer

    async def write_eof(self, data: bytes = b"") -> None:
        """Do nothing: the body is written."""


SENT: Final = Sent()
SENT_REFUSAL: Final = Sent(status=400)
"""The same of a response from 400 on: who looks at the status of what was sent sees that nothing was done."""


def head_of(status: int, headers: Mapping[str, str], length: int) -> bytes:
    """Return the status line and the header fields; raise ValueError if a field would become two."""
    said = "".join(chain(headers, headers.values()))
    if "\r" in said or "\n" in said:
        raise ValueError("a header holds a line break")
    fields = "\r\n".join(map(": ".join, headers.items()))
    date = _date(system_clock() // 1000)
    return f"{_status_line(status)}\r\n{fields}\r\nContent-Length: {length}\r\nDate: {date}\r\n\r\n".encode()


@cache
def _status_line(status: int) -> str:
    return f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"


@lru_cache(maxsize=1)
def _date(second: int) -> str:
    return formatdate(second, usegmt=True)


async def send_file(
    request: web.BaseRequest, status: int, headers: Mapping[str, str], file: FileBeginning
) -> web.StreamResponse:
    """Send the beginning of a file, block by block; break the connection off if it cannot be read."""
    response = web.StreamResponse(status=status, headers=headers)
    response.content_length = file.size
    await response.prepare(request)
    try:
        await _send_blocks(response, file)
    except OSError as error:
        raise ConnectionError("the file could not be read to its end") from error
    await response.write_eof()
    return response


async def send_lines(
    request: web.BaseRequest, status: int, headers: Mapping[str, str], lines: Lines
) -> web.StreamResponse:
    """Send the blocks of a body as they are made; break the connection off if one cannot be made."""
    response = web.StreamResponse(status=status, headers=headers)
    if request.version >= HttpVersion11:
        response.enable_chunked_encoding()
    await response.prepare(request)
    try:
        async for block in lines.blocks:
            await response.write(block)
    except ConnectionError:
        raise
    except Exception as error:
        raise ConnectionError("the answer could not be made to its end") from error
    await response.write_eof()
    return response


async def _send_blocks(response: web.StreamResponse, file: FileBeginning) -> None:
    source = await asyncio.to_thread(file.path.open, "rb")
    try:
        left = file.size
        while left:
            block = await asyncio.to_thread(source.read, min(left, BLOCK_BYTES))
            if not block:
                raise ConnectionError("the file ended before its time")
            await response.write(block)
            left -= len(block)
    finally:
        await asyncio.to_thread(source.close)
