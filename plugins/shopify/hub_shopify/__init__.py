"""The connector for Shopify stores: their own webhooks, signed with the key that the store's admin shows."""

from __future__ import annotations

from collections.abc import Iterable

from hub.api import Connector, HeaderPlace, HmacHeader, hookimpl
from hub_shopify.app_package import package
from hub_shopify.options import ShopifyOptions
from hub_shopify.requests import REQUESTS
from hub_shopify.steps import STEPS
from hub_shopify.translate import TOPICS, erasure, is_test, of_webhook, order_of, recognises


@hookimpl
def hub_connectors() -> Iterable[Connector]:
    """Give the one connector of this plugin."""
    return (
        Connector(
            name="shopify",
            title="Shopify",
            translate_webhook=of_webhook,
            recognises=recognises,
            rank=100,
            auth=HmacHeader("X-Shopify-Hmac-Sha256", encoding="base64"),
            topic=HeaderPlace("X-Shopify-Topic"),
            delivery_id=HeaderPlace("X-Shopify-Webhook-Id"),
            topics=TOPICS,
            options=ShopifyOptions,
            is_test=is_test,
            erasure=erasure,
            issues_secret=False,
            steps=STEPS,
            needs_https=True,
            source=HeaderPlace("X-Shopify-Shop-Domain"),
            order_of=order_of,
            requests=REQUESTS,
            package=package,
            api="1.1",
        ),
    )
