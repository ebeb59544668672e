"""What a request says: its id, its media type, and its body, within bounds of size, time and memory.

A body that breaks off leaves nothing behind: aiohttp's reader keeps the exception that it raised, the exception keeps
its traceback, and the traceback keeps every frame on it with its variables. That is a circle which only the garbage
collector finds, so the traceback is cut, and what was read is dropped rather than left to the frames.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextvars import ContextVar
from functools import lru_cache
from typing import Final, Self

from aiohttp import web
from multidict import CIMultiDictProxy, istr

from hub.http.admission import Admission
from hub.http.errors import ApiError, overloaded
from hub.ids import new_id

REQUEST_ID: Final = istr("X-Request-ID")
CONTENT_TYPE: Final = istr("Content-Type")
CONTENT_ENCODING: Final = istr("Content-Encoding")
VISIBLE: Final = re.compile(r"[!-~]{1,128}").fullmatch
BROKEN: Final = (web.RequestPayloadError, ConnectionError)
BLOCK_BYTES: Final = 1024 * 1024
"""A block is hashed and written in a thread, so it should be worth the hand-over."""
SHOWN_BYTES: Final = 200
"""How much of a refused body the request log shows."""

current_request: ContextVar[str] = ContextVar("current_request", default="")
"""The id of the request that is being answered, for the lines of the log; empty outside of one."""


def request_id_of(headers: CIMultiDictProxy[str]) -> str:
    """Return the caller's X-Request-ID if it is 1 to 128 visible ASCII characters, else a new id."""
    given = headers.get(REQUEST_ID)
    return given if given is not None and VISIBLE(given) else new_id("req")


def readable(value: str) -> str:
    """Return a header's value as text that a store can keep: bytes that are no UTF-8 are replaced."""
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def check_encoding(headers: CIMultiDictProxy[str]) -> None:
    """Raise a 415 for a compressed body: the signature covers the bytes as they are sent."""
    encoding = headers.get(CONTENT_ENCODING)
    if encoding is not None and encoding.strip().lower() not in ("", "identity"):
        raise ApiError(415, "Send the body without a Content-Encoding.", "unsupported_encoding", close=True)


def check_type(headers: CIMultiDictProxy[str]) -> None:
    """Raise a 415 if the body is declared as anything but JSON in UTF-8; an undeclared type is accepted."""
    given = headers.get(CONTENT_TYPE)
    if given is not None and not _is_json(given):
        raise ApiError(415, "Send the body as application/json in UTF-8.", "unsupported_media_type", close=True)


def check_csv(headers: CIMultiDictProxy[str]) -> None:
    """Raise a 415 if the body is declared as anything but CSV in UTF-8; an undeclared type is accepted.

    So are plain bytes, which is what generated clients send of a file.
    """
    given = headers.get(CONTENT_TYPE)
    if given is not None and not _is_text_of(given, "text/csv", "application/csv", "application/octet-stream"):
        raise ApiError(415, "Send the body as text/csv in UTF-8.", "unsupported_media_type", close=True)


@lru_cache(maxsize=256)
def _is_json(content_type: str) -> bool:
    return _is_text_of(content_type, "application/json")


def _is_text_of(content_type: str, *kinds: str) -> bool:
    kind, *parameters = content_type.split(";")
    if kind.strip().lower() not in kinds:
        return False
    named = (parameter.partition("=") for parameter in parameters)
    charsets = [value.strip().strip('"').lower() for name, _, value in named if name.strip().lower() == "charset"]
    return all(charset in ("utf-8", "utf8") for charset in charsets)


class ReceivedBody:
    """The part of a body that is in memory, counted against the bounds; a context manager that drops it at its end.

    Of a body that is not to be kept only the first `SHOWN_BYTES` are, and the rest comes out as zeros: whoever checks a
    signature over it does the same work.
    """

    def __init__(self, admission: Admission, client: str, *, keep: bool = True) -> None:
        self._admission = admission
        self._share = admission.share_of(client)
        self._keep = keep
        self._pieces: list[bytes] = []
        self._size = 0
        self._reserved = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._drop()

    def add(self, piece: bytes) -> int:
        """Take the next bytes; return how many have come since the last `take`. Raises a 503 if they are too many."""
        kept = piece if self._keep else piece[: max(0, SHOWN_BYTES - self._size)]
        if not self._admission.reserve(self._share, len(kept)):
            raise overloaded()
        self._reserved += len(kept)
        self._size += len(piece)
        self._pieces.append(kept)
        return self._size

    def take(self) -> bytes:
        """Return the bytes that have come, and drop them here."""
        whole = b"".join(self._pieces)
        missing = self._size - len(whole)
        self._drop()
        return whole + bytes(missing) if missing else whole

    def _drop(self) -> None:
        self._pieces.clear()
        self._size = 0
        self._admission.release(self._share, self._reserved)
        self._reserved = 0


def check_length(request: web.BaseRequest, limit: int) -> None:
    """Raise a 413 if the declared length is over `limit` bytes."""
    length = request.content_length
    if length is not None and length > limit:
        raise _too_large(limit)


def buffered_body(request: web.BaseRequest, limit: int) -> bytes:
    """Return the exact bytes of a body that has arrived; raise a 413 over `limit` bytes, a 400 if it broke off."""
    try:
        raw = request.content.read_nowait()
    except BROKEN as fault:
        raise _incomplete(fault) from None
    if len(raw) > limit:
        raise _too_large(limit)
    return raw


async def read_body(request: web.BaseRequest, limit: int, seconds: float, body: ReceivedBody) -> bytes:
    """Return the exact bytes of a body, or of zeros if it is not kept.

    Raises a 413 over `limit` bytes, a 408 after `seconds`, a 400 if it breaks off, a 503 if memory is short.
    """
    check_length(request, limit)
    if request.content.is_eof():
        return buffered_body(request, limit)
    with body:
        async for piece in read_pieces(request, limit, seconds, seconds):
            body.add(piece)
        return body.take()


async def read_blocks(
    request: web.BaseRequest, limit: int, pause: float, seconds: float, body: ReceivedBody
) -> AsyncIterator[bytes]:
    """Yield the exact bytes of a body of any size, in blocks of about 1 MiB; raise as `read_body` does.

    `pause` is how many seconds its sender may be silent, `seconds` how many the whole may take, including the time that
    the caller spends between the blocks.
    """
    with body:
        async for piece in read_pieces(request, limit, pause, seconds):
            if body.add(piece) >= BLOCK_BYTES:
                yield body.take()
        rest = body.take()
    if rest:
        yield rest


async def read_pieces(request: web.BaseRequest, limit: int, pause: float, seconds: float) -> AsyncIterator[bytes]:
    """Yield the exact bytes of a body as they arrive; raise as `read_body` does, with the times of `read_blocks`."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    content, size = request.content, 0
    try:
        while not content.at_eof():
            async with asyncio.timeout_at(min(loop.time() + pause, deadline)):
                piece = await content.readany()
            size += len(piece)
            if size > limit:
                raise _too_large(limit)
            yield piece
    except TimeoutError:
        raise _too_slow() from None
    except BROKEN as fault:
        raise _incomplete(fault) from None


def _too_slow() -> ApiError:
    return ApiError(408, "The body did not arrive in time.", "body_timeout", close=True)


def _incomplete(fault: BaseException) -> ApiError:
    """Return a 400; the reader keeps the fault, which must not keep the frames that it came through."""
    fault.__traceback__ = None
    return ApiError(400, "The body broke off or its framing is wrong.", "body_incomplete", close=True)


def _too_large(limit: int) -> ApiError:
    return ApiError(413, f"The body is larger than {limit:,} bytes.", "body_too_large", close=True)
