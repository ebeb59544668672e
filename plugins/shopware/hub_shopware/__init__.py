"""The connector for Shopware 6: an app whose registration the hub answers, and whose webhooks it reads."""

from __future__ import annotations

from collections.abc import Iterable

from hub.api import Body, Challenge, Connector, FieldPlace, HmacHeader, Topic, as_record, as_text, hookimpl
from hub_shopware.app import EVENTS, NAME, package
from hub_shopware.bodies import DeliveryBody, OrderBody
from hub_shopware.options import ShopwareOptions
from hub_shopware.requests import ORDER, REQUESTS
from hub_shopware.translate import of_asked_order, of_order, of_partial_refund, of_webhook

PARTIAL_REFUND = "state_enter.order_transaction.state.refunded_partially"
STEPS = (
    "Get the app's file, AffiliateHub.zip, from this connection's page in the hub. It holds this connection's secret.",
    "In the Shopware admin open Extensions > My extensions, choose Upload extension, and drop AffiliateHub.zip there.",
    "Install and activate the app. Shopware then registers at {url} and hands over keys; nothing needs to be typed.",
)


def recognises(body: Body) -> bool:
    """Recognise the envelope of an app's webhook about an order."""
    data, source = body.get("data"), body.get("source")
    return isinstance(data, dict) and data.get("event") in EVENTS and isinstance(source, dict) and "shopId" in source


def order_of(_: str, body: Body) -> str | None:
    """Name the order that a body is about: that of an event, or one that the hub asked for."""
    order = as_record(as_record(as_record(body.get("data")).get("payload")).get("order"))
    return as_text(order.get("orderNumber")) or as_text(body.get("orderNumber"))


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
            topics=(
                *(
                    Topic(event, DeliveryBody, of_partial_refund if event == PARTIAL_REFUND else of_order)
                    for event in EVENTS
                ),
                Topic(ORDER, OrderBody, of_asked_order),
            ),
            options=ShopwareOptions,
            challenge=Challenge(
                asks=("shop-id", "shop-url", "timestamp"),
                header="shopware-app-signature",
                signed=f"{{shop-id}}{{shop-url}}{NAME}",
                answer=(("proof", "{digest}"), ("secret", "{secret}"), ("confirmation_url", "{url}")),
                keys=(("shop", "shopUrl"), ("key", "apiKey"), ("secret", "secretKey")),
            ),
            issues_secret=True,
            secret_length=64,  # Shopware takes no shorter secret of a shop
            link_parameters=(("campaignCode", "{click}"), ("affiliateCode", "{affiliate}")),
            steps=STEPS,
            package=package,
            requests=REQUESTS,
            order_of=order_of,
            api="1.1",
        ),
    )
