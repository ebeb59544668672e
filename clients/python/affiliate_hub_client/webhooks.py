"""Messages of the hub to a shop or an affiliate, verified by the Standard Webhooks specification."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import cast

from affiliate_hub_client.models import WebhookMessage

TOLERANCE_SECONDS = 300


class WebhookFault(Exception):
    """The message is not the hub's, or too old: answer with 400, and do nothing."""


def verify_webhook(
    secret: str, headers: Mapping[str, str], body: bytes | str, *, now: float | None = None
) -> WebhookMessage:
    """Return the message; raise `WebhookFault` unless it was signed with the secret (`whsec_...`) in the last minutes.

    Its `type` tells what its `data` holds. `body` has to be the bytes that arrived, or the same as text. Remember
    `webhook-id`: a message may arrive more than once.
    """
    raw = body.encode() if isinstance(body, str) else body
    lower = {name.lower(): value for name, value in headers.items()}
    try:
        message_id, timestamp, signatures = (lower[f"webhook-{part}"] for part in ("id", "timestamp", "signature"))
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        age = abs((time.time() if now is None else now) - int(timestamp))
    except (KeyError, ValueError, binascii.Error) as fault:
        raise WebhookFault("a header of the signature is missing or malformed") from fault
    if age > TOLERANCE_SECONDS:
        raise WebhookFault(f"the message is {age:.0f} seconds off")
    mac = hmac.new(key, f"{message_id}.{timestamp}.".encode() + raw, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(mac)
    if not any(hmac.compare_digest(expected, each.encode()) for each in signatures.split(" ")):
        raise WebhookFault("the signature is another one")
    return cast("WebhookMessage", json.loads(raw))
