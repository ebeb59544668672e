"""The request signature: HMAC-SHA256 over "<timestamp>.<raw body>" (API specification, Authentication)."""

from __future__ import annotations

import hashlib
import hmac
from functools import lru_cache
from typing import Final

TOLERANCE_SECONDS: Final = 300
"""How far a request's timestamp may lie from the server's time, either way."""

_BLOCK: Final = 64
_INNER: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER: Final = bytes(byte ^ 0x5C for byte in range(256))


def string_to_sign(timestamp: str, body: bytes) -> bytes:
    """Join what is signed; a request without a body signs the timestamp and the point alone."""
    # A header's odd bytes arrive as surrogates, and must yield a wrong signature instead of an error.
    return timestamp.encode("utf-8", "surrogateescape") + b"." + body


def sign(secret: bytes, timestamp: str, body: bytes) -> str:
    """Give the signature as 64 lower-case hex digits; `body` is the exact bytes that are sent."""
    begun_inner, begun_outer = _begun(secret)
    inner, outer = begun_inner.copy(), begun_outer.copy()
    inner.update(string_to_sign(timestamp, body))
    outer.update(inner.digest())
    return outer.hexdigest()


@lru_cache(maxsize=4_096)
def _begun(secret: bytes) -> tuple[hashlib._Hash, hashlib._Hash]:
    """The two hashes of an HMAC once they have taken in the key (RFC 2104, section 4: the same for every message).

    A digest that is looked up by its name and keyed anew costs several times what a small body does.
    """
    key = (hashlib.sha256(secret).digest() if len(secret) > _BLOCK else secret).ljust(_BLOCK, b"\0")
    return hashlib.sha256(key.translate(_INNER)), hashlib.sha256(key.translate(_OUTER))


def verify(secret: bytes, timestamp: str, body: bytes, signature: bytes) -> bool:
    """Tell whether `signature` is the right one, in a time that does not depend on where it differs."""
    return hmac.compare_digest(sign(secret, timestamp, body).encode("ascii"), signature)


@lru_cache(maxsize=256)
def timestamp_seconds(text: str) -> int | None:
    """Read a timestamp of exactly 10 ASCII digits into Unix seconds, anything else into None."""
    return int(text) if len(text) == 10 and text.isascii() and text.isdigit() else None
