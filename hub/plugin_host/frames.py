"""Frames between the hub and its plugin host: a JSON object, and beside it the raw bytes of a body or a file.

A frame is two lengths of four bytes each (big-endian, of the JSON and of the bytes), then both. Nothing is pickled:
what a plugin's process sends can name values, and never code.
"""

from __future__ import annotations

from collections.abc import Mapping
from struct import Struct
from typing import Any, Final

import orjson

LENGTHS: Final = Struct(">II")
MOST_BYTES: Final = 32 * 1024 * 1024
"""The longest frame that the hub reads from its plugin host: more than any body, and not enough to hurt."""


class FrameFault(Exception):
    """Bytes that are not a frame."""


def packed(head: Mapping[str, Any], body: bytes = b"") -> bytes:
    """Return the frame of a JSON object and bytes; raise TypeError for what JSON cannot hold."""
    text = orjson.dumps(head)
    return LENGTHS.pack(len(text), len(body)) + text + body


def lengths_in(prefix: bytes) -> tuple[int, int]:
    """Return how many bytes of JSON and of body follow the first eight; raise `FrameFault` if they are too many."""
    head, body = LENGTHS.unpack(prefix)
    if head + body > MOST_BYTES:
        raise FrameFault(f"a frame of {head + body:,} bytes")
    return head, body


def head_of(text: bytes) -> dict[str, Any]:
    """Return the JSON object of a frame; raise `FrameFault` if it is not one."""
    try:
        head = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise FrameFault("a frame without JSON") from error
    if not isinstance(head, dict):
        raise FrameFault("a frame whose JSON is not an object")
    return head
