"""Answers that are compressed on the wire if the client accepts that (RFC 9110, sections 8.4 and 12.5.3)."""

from __future__ import annotations

import asyncio
import gzip
from typing import Final

from multidict import CIMultiDictProxy, istr

LEAST_BYTES: Final = 1024
"""Below this the head of a response weighs more than what compression takes off its body."""
MOST_AT_ONCE: Final = 64 * 1024
"""What is compressed on the event loop: at most about a millisecond."""
LEVEL: Final = 5
"""A tenth larger than the smallest that gzip makes, in half the time."""
ACCEPT_ENCODING: Final = istr("Accept-Encoding")
COMPRESSED: Final = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
"""The header fields of a compressed answer."""


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


async def compressed(body: bytes) -> bytes:
    """Return the body compressed by gzip; a large one in a thread."""
    if len(body) > MOST_AT_ONCE:
        return await asyncio.to_thread(_compressed, body)
    return _compressed(body)


def weak(tag: str) -> str:
    """Return an entity tag as that of a compressed answer: a strong one would stand for the plain bytes alone."""
    return tag if tag.startswith("W/") else f"W/{tag}"


def _compressed(body: bytes) -> bytes:
    return gzip.compress(body, LEVEL, mtime=0)
