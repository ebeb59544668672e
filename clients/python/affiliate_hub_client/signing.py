"""The signature of a request: HMAC-SHA256 over its timestamp, its nonce and what it asks for, body included."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time

SIGNATURE_VERSION = "2"


def signature(secret: str, timestamp: str, nonce: str, body: bytes) -> str:
    """Return the signature of version 1 as 64 lowercase hex digits; the secret counts as the text it is."""
    signed = f"{timestamp}.{nonce}.".encode() + body
    return hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def signature_v2(secret: str, timestamp: str, nonce: str, method: str, target: str, body: bytes) -> str:
    """Return the signature of version 2, which also covers the method and the target (path and query as sent)."""
    signed = f"v2.{timestamp}.{nonce}.{method}.{target}.{hashlib.sha256(body).hexdigest()}"
    return hmac.new(secret.encode(), signed.encode(), hashlib.sha256).hexdigest()


def signed_headers(key: str, secret: str, method: str, target: str, body: bytes) -> dict[str, str]:
    """Return the headers of one attempt: the time and the nonce are new for each."""
    timestamp, nonce = str(int(time.time())), secrets.token_hex(16)
    return {
        "X-API-Key": key,
        "X-Timestamp": timestamp,
        "X-Nonce": nonce,
        "X-Signature-Version": SIGNATURE_VERSION,
        "X-Signature": signature_v2(secret, timestamp, nonce, method, target, body),
    }
