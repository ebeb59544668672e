"""The connector for Shopware 6: an app whose registration the hub answers, and whose webhooks it reads."""

from __future__ import annotations

from collections.abc import Iterable

from hub.api import Body, Challenge, Connector, FieldPlace, Headers, HmacHeader, Topic, Unmappable, hookimpl, parse_body
from hub_shopware.app import EVENTS, NAME, package
from hub_shopware.bodies import DeliveryBody
from hub_shopware.options import ShopwareOptions
from hub_shopware.translate import of_order, of_partial_refund, of_webhook

PARTIAL_REFUND = "state_enter.order_transaction.state.refunded_partially"
STEPS = (
    "Get the app's file, AffiliateHub.zip, from this connection's page in the hub. It holds this connection's secret.",
    "In the Shopware admin open Extensions > My extensions, choose Upload extension, and drop AffiliateHub.zip there.",
    "Install and activate the app. Shopware then registers at {url} by itself; nothing needs to be typed.",
)


def recognises(body: Body) -> bool:
    """Recognise the envelope of an app's webhook about an order."""
    data, source = body.get("data"), body.get("source")
    return isinstance(data, dict) and data.get("event") in EVENTS and isinstance(source, dict) and "shopId" in source


def handshake(_: Headers, raw: bytes) -> bool:
    """Recognise the end of the registration: it brings API keys, which the hub neither needs nor keeps."""
    try:
        body = parse_body(raw)
    except Unmappable:
        return False
    return {"apiKey", "secretKey", "shopId"} <= body.keys() and "data" not in body


@hookimpl
def hub_connectors() -> Iterable[Connector]:
    """Give the one connector of this plugin."""
    return (
        Connector(
            name="shopware",
            title="Shopware 6",
            translate_webhook=of_webhook,
            recognises=recognises,
            rank=120,
            auth=HmacHeader("shopware-shop-signature", encoding="hex"),
            topic=FieldPlace("data.event"),
            delivery_id=FieldPlace("source.eventId"),
            topics=tuple(
                Topic(event, DeliveryBody, of_partial_refund if event == PARTIAL_REFUND else of_order)
                for event in EVENTS
            ),
            options=ShopwareOptions,
            handshake=handshake,
            challenge=Challenge(
                asks=("shop-id", "shop-url", "timestamp"),
                header="shopware-app-signature",
                signed=f"{{shop-id}}{{shop-url}}{NAME}",
                answer=(("proof", "{digest}"), ("secret", "{secret}"), ("confirmation_url", "{url}")),
            ),
            issues_secret=True,
            steps=STEPS,
            package=package,
            api="1.0",
        ),
    )
