"""Signatures of outgoing webhooks by the Standard Webhooks specification: over id, timestamp and the body's bytes."""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Iterable, Mapping
from typing import Final

PREFIX: Final = "whsec_"
SECRET_BYTES: Final = 32


def secret_text(key: bytes) -> str:
    """Return the form in which a receiver gets its key."""
    return PREFIX + base64.b64encode(key).decode()


def secret_key(text: str) -> bytes:
    """Return the key of a secret; raise ValueError if the text is not one."""
    if not text.startswith(PREFIX):
        raise ValueError("a secret begins with whsec_")
    try:
        return base64.b64decode(text.removeprefix(PREFIX), validate=True)
    except binascii.Error:
        raise ValueError("a secret is base64 behind whsec_") from None


def signature(key: bytes, message_id: str, timestamp: int, body: bytes) -> str:
    """Return the signature of a body; `timestamp` is in Unix seconds."""
    digest = hmac.digest(key, b"%s.%d.%s" % (message_id.encode(), timestamp, body), "sha256")
    return "v1," + base64.b64encode(digest).decode()


def webhook_headers(
    keys: Iterable[bytes], message_id: str, timestamp: int, body: bytes, version: str
) -> Mapping[str, str]:
    """Return the headers of a webhook, signed with every key: while a secret rotates there are two signatures.

    `version` is that of the body (`hub/domain/messages/payload_versions.py`).
    """
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signature(key, message_id, timestamp, body) for key in keys),
        "webhook-payload-version": version,
    }
