"""What a simulated store tells: for each step of an order's life, the delivery that its platform would send."""

from __future__ import annotations

import hmac
from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Final

from attrs import field, frozen

from hub.domain.connector import Auth, HmacHeader

STEPS: Final = ("created", "paid", "delivered", "refunded", "cancelled", "ping", "test")
"""The steps that a connector may have a scene for; "refunded" takes a part of the order back."""


@frozen
class Play:
    """The order that a simulated store plays; `placed_at` is ms UTC, `currency` an ISO 4217 code."""

    order_id: str
    click_id: str | None
    currency: str
    placed_at: int


@frozen
class Delivery:
    """One POST of a platform, byte for byte; topic, delivery id and signature are added to `headers` where it signs.

    A delivery that is not `signed`, such as a ping, is sent with its own headers only.
    """

    topic: str
    body: bytes
    headers: Mapping[str, str] = field(factory=dict)
    signed: bool = True


Scene = Callable[[Play], Delivery]
"""Makes the delivery of one step. A plugin's module `scenarios` has them as `SCENES`, by the names of the steps."""


def proof(auth: Auth, secret: str, raw: bytes) -> str:
    """Give what a platform that knows the secret puts into its header; raises `ValueError` where hex is due."""
    if not isinstance(auth, HmacHeader):
        return secret
    key = bytes.fromhex(secret) if auth.secret_encoding == "hex" else secret.encode()  # noqa: S105 - no password
    digest = hmac.digest(key, raw, auth.algorithm)
    return auth.prefix + (b64encode(digest).decode("ascii") if auth.encoding == "base64" else digest.hex())
