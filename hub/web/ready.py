"""Whole answers made ready as the bytes that go out, head and body in one piece.

aiohttp builds an answer's head from a multidict, field by field; that is a third of what it does for a small request.
Here a head is one text. Only the plain case goes this way: a whole body over HTTP/1.1 on a connection that stays open.
"""

from __future__ import annotations

from collections.abc import Coroutine
from functools import lru_cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from aiohttp import HttpVersion11, web
from aiohttp.helpers import rfc822_formatted_time

if TYPE_CHECKING:
    from aiohttp.abc import AbstractStreamWriter

EMPTY: Final = frozenset({204, 304})
"""Statuses whose answers have no body, and say nothing of its length."""


def field(name: str, value: str) -> str:
    """One line of a head; raises `ValueError` where it would become two."""
    line = f"{name}: {value}"
    if "\n" in line or "\r" in line:
        raise ValueError("a header holds a line break")
    return f"{line}\r\n"


def respond(request: web.Request, status: int, fields: str, body: object, *, close: bool = False) -> web.StreamResponse:
    """An answer with these header lines (each ends as `field` ends it) and this body: bytes, or what aiohttp sends."""
    if type(body) is bytes and not close and _is_plain(request, status):
        return ReadyResponse(status, _head(status, fields, len(body)), body)
    headers = [line.split(": ", 1) for line in fields.removesuffix("\r\n").split("\r\n")]
    response = web.Response(body=body, status=status, headers=dict(headers))
    if close:
        response.force_close()
    return response


class ReadyResponse(web.StreamResponse):
    """An answer that is sent as it is; the connection stays open."""

    _out: AbstractStreamWriter

    def __init__(self, status: int, head: str, body: bytes) -> None:
        # aiohttp's own beginning is left out: what it prepares is a head that is yet to be written.
        self._status = status
        self.body = body
        self._head = head

    @property
    def keep_alive(self) -> bool:
        """Yes: an answer after which the connection closes is none of these."""
        return True

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter:
        """Notes where to write."""
        self._out = request.writer
        return self._out

    def write_eof(self, data: bytes = b"") -> Coroutine[Any, Any, None]:  # noqa: ARG002 - aiohttp's; the body is here
        """Writes everything at once."""
        return self._out.write_eof(self._head.encode() + self.body)


def _is_plain(request: web.Request, status: int) -> bool:
    return request.version == HttpVersion11 and request.keep_alive and request.method != "HEAD" and status not in EMPTY


def _head(status: int, fields: str, length: int) -> str:
    return f"{_status_line(status)}{fields}Content-Length: {length}\r\nDate: {rfc822_formatted_time()}\r\n\r\n"


@lru_cache(maxsize=128)
def _status_line(status: int) -> str:
    return f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n"
