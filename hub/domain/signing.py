"""The request signature: HMAC-SHA256 over "<timestamp>.<raw body>" (API specification, Authentication).

With a nonce it is over "<timestamp>.<nonce>.<raw body>". Version 2 also covers what the request asks for:
"v2.<timestamp>.<nonce>.<METHOD>.<path and query as sent>.<SHA-256 of the raw body, 64 lower-case hex digits>".
Secrets are bytes, timestamps the header's text: Unix seconds as 10 digits.
"""

from __future__ import annotations

import hashlib
import hmac
from functools import lru_cache
from typing import Final

TOLERANCE_SECONDS: Final = 300
"""How many seconds a request's timestamp may differ from the server's time, either way."""


def string_to_sign(timestamp: str, body: bytes, nonce: str | None = None) -> bytes:
    """Return the bytes that are signed: without a body, the timestamp and the dot alone."""
    # A header's odd bytes arrive as surrogates, and must yield a wrong signature instead of an error.
    text = timestamp if nonce is None else f"{timestamp}.{nonce}"
    return text.encode("utf-8", "surrogateescape") + b"." + body


def string_to_sign_v2(timestamp: str, nonce: str | None, method: str, target: str, body_sha256: str) -> bytes:
    """Return the bytes that version 2 signs; `target` is the path with its query as they were sent."""
    return f"v2.{timestamp}.{nonce or ''}.{method}.{target}.{body_sha256}".encode("utf-8", "surrogateescape")


def sign(secret: bytes, timestamp: str, body: bytes, nonce: str | None = None) -> str:
    """Return the signature as 64 lower-case hex digits; `body` is the exact bytes that are sent."""
    return sign_bytes(secret, string_to_sign(timestamp, body, nonce))


def sign_v2(secret: bytes, timestamp: str, nonce: str | None, method: str, target: str, body: bytes) -> str:
    """Return the signature of version 2 as 64 lower-case hex digits."""
    digest = hashlib.sha256(body).hexdigest()
    return sign_bytes(secret, string_to_sign_v2(timestamp, nonce, method, target, digest))


def sign_bytes(secret: bytes, text: bytes) -> str:
    """Return the HMAC-SHA256 of a string to sign, as 64 lower-case hex digits."""
    signer = _signer(secret).copy()
    signer.update(text)
    return signer.hexdigest()


@lru_cache(maxsize=256)
def _signer(secret: bytes) -> hmac.HMAC:
    """Return what signs with a secret, to be copied: to make it anew for each text would cost as much as the text."""
    return hmac.new(secret, digestmod="sha256")


def verify(secret: bytes, text: bytes, signature: bytes) -> bool:
    """Return whether `signature` is that of a string to sign, in a time that does not depend on where it differs."""
    return hmac.compare_digest(sign_bytes(secret, text).encode("ascii"), signature)


@lru_cache(maxsize=256)
def timestamp_seconds(text: str) -> int | None:
    """Read a timestamp of exactly 10 ASCII digits into Unix seconds; return None for anything else."""
    return int(text) if len(text) == 10 and text.isascii() and text.isdigit() else None
