"""The raw request: its id, its encoding and type, and its body within bounds of size and time."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from functools import lru_cache
from typing import Final

from aiohttp import StreamReader, web
from multidict import CIMultiDictProxy, istr

from hub.http.errors import ApiError
from hub.ids import new_id

REQUEST_ID: Final = istr("X-Request-ID")
CONTENT_TYPE: Final = istr("Content-Type")
CONTENT_ENCODING: Final = istr("Content-Encoding")
VISIBLE: Final = re.compile(r"[!-~]{1,128}").fullmatch
FORWARDED_FOR: Final = istr("X-Forwarded-For")
BROKEN: Final = (web.RequestPayloadError, ConnectionError)
BLOCK_BYTES: Final = 1024 * 1024
"""A block is hashed and written in a thread, so that it should be worth the way there."""


def request_id_of(headers: CIMultiDictProxy[str]) -> str:
    """The caller's X-Request-ID where it is 1 to 128 visible ASCII characters, else a new one."""
    given = headers.get(REQUEST_ID)
    return given if given is not None and VISIBLE(given) else new_id("req")


def check_encoding(headers: CIMultiDictProxy[str]) -> None:
    """Raises 415 for a body that is not sent plain: the signature covers the bytes as they are sent."""
    encoding = headers.get(CONTENT_ENCODING)
    if encoding is not None and encoding.strip().lower() not in ("", "identity"):
        raise ApiError(415, "Send the body without a Content-Encoding.", "unsupported_encoding", close=True)


def check_type(headers: CIMultiDictProxy[str]) -> None:
    """Raises 415 for a body that says it is something else than JSON in UTF-8; one that says nothing is taken."""
    given = headers.get(CONTENT_TYPE)
    if given is not None and not _is_json(given):
        raise ApiError(415, "Send the body as application/json in UTF-8.", "unsupported_media_type", close=True)


def check_csv(headers: CIMultiDictProxy[str]) -> None:
    """Raises 415 for a body that says it is something else than CSV in UTF-8; one that says nothing is taken."""
    given = headers.get(CONTENT_TYPE)
    if given is not None and not _is_text_of(given, "text/csv", "application/csv"):
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


def check_length(request: web.BaseRequest, limit: int) -> None:
    """Raises 413 for a body that says it is larger than `limit` bytes."""
    length = request.content_length
    if length is not None and length > limit:
        raise _too_large(limit)


def buffered_body(request: web.BaseRequest, limit: int) -> bytes:
    """The exact bytes of a body that is here; raises 413 over `limit` bytes, 400 where it broke off."""
    try:
        raw = request.content.read_nowait()
    except BROKEN:
        raise _incomplete() from None
    if len(raw) > limit:
        raise _too_large(limit)
    return raw


async def read_body(request: web.BaseRequest, limit: int, seconds: float) -> bytes:
    """The exact bytes of the body; raises 413 over `limit` bytes, 408 after `seconds`, 400 where it breaks off."""
    check_length(request, limit)
    if request.content.is_eof():
        return buffered_body(request, limit)
    try:
        async with asyncio.timeout(seconds):
            raw = await _collect(request.content, limit)
    except TimeoutError:
        raise _too_slow() from None
    except BROKEN:
        raise _incomplete() from None
    if len(raw) > limit:
        raise _too_large(limit)
    return raw


async def read_blocks(request: web.BaseRequest, limit: int, pause: float, seconds: float) -> AsyncIterator[bytes]:
    """The exact bytes of a body of any size, in blocks of about 1 MiB; raises as `read_body` does.

    `pause` is how long its sender may be silent, `seconds` how long the whole may take; the time between the blocks
    counts.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    content, size, pieces, gathered = request.content, 0, [], 0
    try:
        while not content.at_eof():
            async with asyncio.timeout_at(min(loop.time() + pause, deadline)):
                piece = await content.readany()
            size += len(piece)
            gathered += len(piece)
            if size > limit:
                raise _too_large(limit)
            pieces.append(piece)
            if gathered >= BLOCK_BYTES:
                yield b"".join(pieces)
                pieces, gathered = [], 0
    except TimeoutError:
        raise _too_slow() from None
    except BROKEN:
        raise _incomplete() from None
    if pieces:
        yield b"".join(pieces)


async def _collect(content: StreamReader, limit: int) -> bytes:
    pieces = []
    size = 0
    while size <= limit:
        piece = await content.readany()
        if not piece and content.at_eof():
            break
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


def _too_slow() -> ApiError:
    return ApiError(408, "The body did not arrive in time.", "body_timeout", close=True)


def _incomplete() -> ApiError:
    return ApiError(400, "The body broke off or its framing is wrong.", "body_incomplete", close=True)


def _too_large(limit: int) -> ApiError:
    return ApiError(413, f"The body is larger than {limit:,} bytes.", "body_too_large", close=True)
