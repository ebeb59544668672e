"""The connector for Squarespace stores: their orders are read by the Commerce API, and an app is told of each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from hub.api import Connector, FieldPlace, HmacHeader, hookimpl
from hub_squarespace.deliveries import TOPICS
from hub_squarespace.options import SquarespaceOptions
from hub_squarespace.requests import REQUESTS
from hub_squarespace.translate import is_test, of_webhook, order_of, recognises

HEX: Final = "hex"
STEPS = (
    "If this page has the button Connect in Squarespace, press it and agree there; then go on with the last step.",
    "Otherwise open Settings > Developer tools > Developer API keys in Squarespace and press Generate key.",
    "Name it Affiliate Hub, choose the permission Orders with read only, and copy the key, which is shown once.",
    "Type it on this connection's page in the hub, which reads the orders every hour from then on.",
    "Give each affiliate a promo code of its own: Squarespace keeps nothing of an address with an order.",
)


@hookimpl
def hub_connectors() -> Iterable[Connector]:
    """Return the one connector of this plugin."""
    return (
        Connector(
            name="squarespace",
            title="Squarespace",
            translate_webhook=of_webhook,
            recognises=recognises,
            rank=140,
            auth=HmacHeader("Squarespace-Signature", encoding="hex", secret_encoding=HEX),
            topic=FieldPlace("topic"),
            delivery_id=FieldPlace("id"),
            topics=TOPICS,
            options=SquarespaceOptions,
            is_test=is_test,
            steps=STEPS,
            needs_https=True,
            requests=REQUESTS,
            order_of=order_of,
            api="1.1",
        ),
    )
