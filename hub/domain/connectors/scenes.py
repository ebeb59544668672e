"""What a simulated store sends: for each step of an order's life, the delivery that its platform would make."""

from __future__ import annotations

import hmac
from base64 import b64encode
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Final

from attrs import field, frozen

from hub.domain.connectors.connector import Auth, HmacHeader, SecretHeader, TimestampHmac
from hub.domain.connectors.jwt_body import JwtBody
from hub.domain.connectors.timestamp_hmac import stamped_headers

ORDER_STEPS: Final = ("created", "paid", "delivered", "refunded", "cancelled", "edited", "priced")
STEPS: Final = (*ORDER_STEPS, "ping", "test")
"""The steps that a connector may have a scene for.

"refunded" takes back a part of the order, not all of it. "edited" follows "delivered": the shop has changed what was
ordered. "priced" is "created" of an order with all that a price can have there: a coupon, included tax, shipping, a
gift card, several pieces of a product.
"""


@frozen
class Play:
    """The order that a simulated store plays.

    `order_id` are digits, and the facts must state it; `click_id` is the affiliate's click, None for an order without
    one; `currency` is an ISO 4217 code; `placed_at` is ms UTC, and every step follows it within an hour.
    """

    order_id: str
    click_id: str | None
    currency: str
    placed_at: int


@frozen
class Delivery:
    """One POST of a platform: its `topic`, and its `body` byte for byte.

    `headers` are those besides topic, delivery id and signature, which are added. A delivery that is not `signed`, such
    as a ping, is sent with its own headers only. `amount` is what the delivery is worth in major units, written a
    second time beside the body: of "created" and "priced" the amount that the order's fact must state, of "edited" what
    the order is worth by then, of "refunded" the money that went back. "priced" says more a second time: `paid_total`,
    the `coupon` that the buyer typed, and how many `pieces` of goods were bought.
    """

    topic: str
    body: bytes
    headers: Mapping[str, str] = field(factory=dict)
    signed: bool = True
    amount: Decimal | None = None
    paid_total: Decimal | None = None
    coupon: str | None = None
    pieces: int | None = None


Scene = Callable[[Play], Delivery]
"""A function that makes the delivery of one step. A plugin's module `scenarios` has them in `SCENES`, by step."""


def signed_headers(auth: Auth, secret: str, raw: bytes, at: int, delivery_id: str) -> Mapping[str, str]:
    """Return the headers by which a platform that knows the secret proves a body at a moment (ms UTC).

    Raise `TypeError` for one that signs with a key of its own, which nobody else has.
    """
    if isinstance(auth, JwtBody):
        raise TypeError("only the platform has the key of its tokens")
    if isinstance(auth, TimestampHmac):
        return stamped_headers(auth, secret, raw, at, delivery_id)
    return {auth.header: proof(auth, secret, raw)}


def proof(auth: HmacHeader | SecretHeader, secret: str, raw: bytes) -> str:
    """Return what a platform that knows the secret puts into its header; raise `ValueError` if hex is expected."""
    if not isinstance(auth, HmacHeader):
        return secret
    key = bytes.fromhex(secret) if auth.secret_encoding == "hex" else secret.encode()  # noqa: S105 - no password
    digest = hmac.digest(key, raw, auth.algorithm)
    return auth.prefix + (b64encode(digest).decode("ascii") if auth.encoding == "base64" else digest.hex())
