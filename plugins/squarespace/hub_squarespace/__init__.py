"""The connector for Squarespace stores, whose orders are read by the Commerce API: nothing is sent by itself."""

from __future__ import annotations

from collections.abc import Iterable

from hub.api import Connector, Topic, hookimpl
from hub_squarespace.options import SquarespaceOptions
from hub_squarespace.requests import ORDER, REQUESTS
from hub_squarespace.translate import is_test, of_order, of_webhook, order_of, recognises

STEPS = (
    "In Squarespace open Settings > Developer tools > Developer API keys and press Generate key.",
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
            topics=(Topic(ORDER, dict, of_order),),
            options=SquarespaceOptions,
            is_test=is_test,
            steps=STEPS,
            requests=REQUESTS,
            order_of=order_of,
            api="1.1",
        ),
    )
