"""Answers that are compressed on the wire if the client accepts that (RFC 9110, sections 8.4 and 12.5.3)."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import MutableMapping
from typing import Final

from multidict import CIMultiDictProxy, istr

LEAST_BYTES: Final = 1024
"""Below this the head of a response weighs more than what compression takes off its body."""
MOST_AT_ONCE: Final = 64 * 1024
"""What is compressed on the event loop: at most about a millisecond."""
LEVEL: Final = 5
"""A tenth larger than the smallest that gzip makes, in half the time."""
ACCEPT_ENCODING: Final = istr("Accept-Encoding")


def accepts_gzip(headers: CIMultiDictProxy[str]) -> bool:
    """Return whether a request's Accept-Encoding names gzip, or anything, with a weight above nought."""
    weights: dict[str, float] = {}
    for line in headers.getall(ACCEPT_ENCODING, ()):
        for each in line.split(","):
            coding, _, parameter = each.partition(";")
            weights[coding.strip().lower()] = _weight(parameter)
    return weights.get("gzip", weights.get("x-gzip", weights.get("*", 0.0))) > 0


def _weight(parameter: str) -> float:
    name, _, value = parameter.partition("=")
    if name.strip().lower() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0


async def packed(sent: CIMultiDictProxy[str], headers: MutableMapping[str, str], body: bytes) -> bytes:
    """Return a body of LEAST_BYTES or more as the client takes it; `headers` of the answer say so if it is compressed.

    A strong ETag becomes a weak one then: it would stand for the plain bytes alone.
    """
    if not accepts_gzip(sent):
        return body
    headers["Content-Encoding"] = "gzip"
    note_packed(headers)
    return await asyncio.to_thread(_compressed, body) if len(body) > MOST_AT_ONCE else _compressed(body)


def is_packed(sent: CIMultiDictProxy[str], size: int) -> bool:
    """Return whether an answer of `size` bytes would be compressed for the client."""
    return size >= LEAST_BYTES and accepts_gzip(sent)


def note_packed(headers: MutableMapping[str, str]) -> None:
    """Tell of a compressed answer, or of the 304 in its place, that it varies; its ETag is a weak one."""
    note_variants(headers)
    if "ETag" in headers and not headers["ETag"].startswith("W/"):
        headers["ETag"] = f"W/{headers['ETag']}"


def note_variants(headers: MutableMapping[str, str]) -> None:
    """Tell caches that the answer depends on what the client accepts."""
    vary = headers.get("Vary", "")
    if ACCEPT_ENCODING not in vary:
        headers["Vary"] = f"{vary}, {ACCEPT_ENCODING}" if vary else ACCEPT_ENCODING


def _compressed(body: bytes) -> bytes:
    return gzip.compress(body, LEVEL, mtime=0)
