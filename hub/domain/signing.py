"""The request signature: HMAC-SHA256 over "<timestamp>.<raw body>" (API specification, Authentication).

Secrets are bytes, timestamps the header's text: Unix seconds as 10 digits.
"""

from __future__ import annotations

import hmac
from functools import lru_cache
from typing import Final

TOLERANCE_SECONDS: Final = 300
"""How many seconds a request's timestamp may differ from the server's time, either way."""


def string_to_sign(timestamp: str, body: bytes) -> bytes:
    """Return the bytes that are signed: without a body, the timestamp and the dot alone."""
    # A header's odd bytes arrive as surrogates, and must yield a wrong signature instead of an error.
    return timestamp.encode("utf-8", "surrogateescape") + b"." + body


def sign(secret: bytes, timestamp: str, body: bytes) -> str:
    """Return the signature as 64 lower-case hex digits; `body` is the exact bytes that are sent."""
    mac = _keyed(secret).copy()
    mac.update(string_to_sign(timestamp, body))
    return mac.hexdigest()


@lru_cache(maxsize=4_096)
def _keyed(secret: bytes) -> hmac.HMAC:
    """Return an HMAC that has taken in the key and no message yet (docs/performance.md says what that gains)."""
    return hmac.new(secret, digestmod="sha256")


def verify(secret: bytes, timestamp: str, body: bytes, signature: bytes) -> bool:
    """Return whether `signature` is the right one, in a time that does not depend on where it differs."""
    return hmac.compare_digest(sign(secret, timestamp, body).encode("ascii"), signature)


@lru_cache(maxsize=256)
def timestamp_seconds(text: str) -> int | None:
    """Read a timestamp of exactly 10 ASCII digits into Unix seconds; return None for anything else."""
    return int(text) if len(text) == 10 and text.isascii() and text.isdigit() else None
