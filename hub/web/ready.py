"""Whole answers made ready as the bytes that go out, head and body in one piece.

aiohttp builds an answer's head from a multidict, field by field; that is a third of what it does for a small request.
Here a head is one text. Only the plain case goes this way: a whole body over HTTP/1.1 on a connection that stays open.
"""

from __future__ import annotations

from functools import lru_cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from aiohttp import HttpVersion11, web
from aiohttp.helpers import rfc822_formatted_time

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aiohttp.abc import AbstractStreamWriter

EMPTY: Final = frozenset({204, 304})
"""Statuses whose answers have no body, and say nothing of its length."""


def respond(
    request: web.Request, status: int, headers: Mapping[str, str], body: object, *, close: bool = False
) -> web.StreamResponse:
    """An answer of these headers and this body: bytes, or what aiohttp sends piece by piece."""
    if type(body) is bytes and not close and _is_plain(request, status):
        return ReadyResponse(status, _head(status, headers, len(body)), body)
    response = web.Response(body=body, status=status, headers=headers)
    if close:
        response.force_close()
    return response


class ReadyResponse(web.StreamResponse):
    """An answer that is sent as it is; the connection stays open."""

    def __init__(self, status: int, head: str, body: bytes) -> None:
        super().__init__(status=status)
        self.body = body
        self._head = head
        self._out: AbstractStreamWriter | None = None

    @property
    def keep_alive(self) -> bool:
        """Yes: an answer after which the connection closes is none of these."""
        return True

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter | None:
        """Notes where to write."""
        self._out = request.writer
        return self._out

    async def write_eof(self, data: bytes = b"") -> None:  # noqa: ARG002 - aiohttp's; the body is here
        """Writes everything at once."""
        out, self._out = self._out, None
        if out is not None:
            await out.write_eof(self._head.encode() + self.body)


def _is_plain(request: web.Request, status: int) -> bool:
    return request.version == HttpVersion11 and request.keep_alive and request.method != "HEAD" and status not in EMPTY


def _head(status: int, headers: Mapping[str, str], length: int) -> str:
    lines = [f"{name}: {value}" for name, value in headers.items()]
    told = "".join(lines)
    if "\n" in told or "\r" in told:
        raise ValueError("a header holds a line break")
    length_and_date = f"Content-Length: {length}", f"Date: {rfc822_formatted_time()}"
    return "\r\n".join([_status_line(status), *lines, *length_and_date, "", ""])


@lru_cache(maxsize=128)
def _status_line(status: int) -> str:
    return f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"
