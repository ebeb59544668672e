"""The signature of a request: HMAC-SHA256 over the timestamp, the nonce and the exact bytes of the body."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time


def signature(secret: str, timestamp: str, nonce: str, body: bytes) -> str:
    """Return the signature as 64 lowercase hex digits; the secret counts as the text it is."""
    signed = f"{timestamp}.{nonce}.".encode() + body
    return hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def signed_headers(key: str, secret: str, body: bytes) -> dict[str, str]:
    """Return the headers of one attempt: the time and the nonce are new for each."""
    timestamp, nonce = str(int(time.time())), secrets.token_hex(16)
    return {
        "X-API-Key": key,
        "X-Timestamp": timestamp,
        "X-Nonce": nonce,
        "X-Signature": signature(secret, timestamp, nonce, body),
    }
