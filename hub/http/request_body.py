"""The body of a request, within bounds of size and time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from aiohttp import StreamReader, web

from hub.http.errors import ApiError

BROKEN: Final = (web.RequestPayloadError, ConnectionError)
BLOCK_BYTES: Final = 1024 * 1024
"""A block is hashed and written in a thread, so it should be worth the hand-over."""


def check_length(request: web.BaseRequest, limit: int) -> None:
    """Raise a 413 if the declared length is over `limit` bytes."""
    length = request.content_length
    if length is not None and length > limit:
        raise _too_large(limit)


def buffered_body(request: web.BaseRequest, limit: int) -> bytes:
    """Return the exact bytes of a body that has arrived; raise a 413 over `limit` bytes, a 400 if it broke off."""
    try:
        raw = request.content.read_nowait()
    except BROKEN:
        raise _incomplete() from None
    if len(raw) > limit:
        raise _too_large(limit)
    return raw


async def read_body(request: web.BaseRequest, limit: int, seconds: float) -> bytes:
    """Return the exact bytes of the body; raise 413 over `limit` bytes, 408 after `seconds`, 400 if it breaks off."""
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
    """Yield the exact bytes of a body of any size, in blocks of about 1 MiB; raise as `read_body` does.

    `pause` is how many seconds its sender may be silent, `seconds` how many the whole may take, including the time that
    the caller spends between the blocks.
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
