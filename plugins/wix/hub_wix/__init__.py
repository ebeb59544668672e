"""The connector for Wix stores: tokens that name an order, and the eCommerce API that is asked for it."""

from __future__ import annotations

from collections.abc import Iterable

from hub.api import Connector, FieldPlace, JwtBody, hookimpl
from hub_wix.deliveries import TOPICS
from hub_wix.options import WixOptions
from hub_wix.requests import REQUESTS
from hub_wix.translate import of_webhook, order_of, recognises

_EVENTS = (
    "On its page Webhooks add, of eCommerce, each event of Orders (created, approved, updated, payment status updated, "
    "fulfilled, canceled) and of Order Transactions (updated, refund completed), with the callback URL {url}."
)
_KEYS = (
    "Press Get Public Key there and add it here as a secret; then type App ID, App secret (page OAuth) and the "
    "instance ID, which Wix shows after the installation, on this connection's page in the hub."
)
STEPS = (
    "In Wix Studio open Custom Apps, create an app from scratch and name it Affiliate Hub.",
    "On its page Permissions add Read Orders and Manage Your App.",
    _EVENTS,
    "Install the app on your site: Test app > Test on site, or its install link.",
    _KEYS,
    "Give each affiliate a coupon of its own: Wix keeps nothing of an address with an order.",
)


@hookimpl
def hub_connectors() -> Iterable[Connector]:
    """Return the one connector of this plugin."""
    return (
        Connector(
            name="wix",
            title="Wix",
            translate_webhook=of_webhook,
            recognises=recognises,
            rank=145,
            auth=JwtBody(),
            topic=FieldPlace("data.eventType"),
            delivery_id=FieldPlace("data.data.id"),
            source=FieldPlace("data.instanceId"),
            topics=TOPICS,
            options=WixOptions,
            steps=STEPS,
            needs_https=True,
            ports=(443,),
            requests=REQUESTS,
            order_of=order_of,
            api="1.1",
        ),
    )
