"""The connector for WooCommerce shops: their own webhooks, signed with a secret that the hub issues."""

from __future__ import annotations

from collections.abc import Iterable

from hub.api import Challenge, Connector, FieldPlace, HeaderPlace, HmacHeader, hookimpl
from hub_woocommerce.options import WooOptions
from hub_woocommerce.package import package
from hub_woocommerce.payloads import recognises
from hub_woocommerce.requests import REQUESTS
from hub_woocommerce.steps import STEPS
from hub_woocommerce.translate import TOPICS, erasure, handshake, of_webhook, order_of


@hookimpl
def hub_connectors() -> Iterable[Connector]:
    """Give the one connector of this plugin."""
    return (
        Connector(
            name="woocommerce",
            title="WooCommerce",
            translate_webhook=of_webhook,
            recognises=recognises,
            rank=110,
            auth=HmacHeader("X-WC-Webhook-Signature", encoding="base64"),
            topic=HeaderPlace("X-WC-Webhook-Topic"),
            delivery_id=HeaderPlace("X-WC-Webhook-Delivery-ID"),
            topics=TOPICS,
            options=WooOptions,
            handshake=handshake,
            issues_secret=True,
            steps=STEPS,
            # Other ports are refused by WordPress's `wp_http_validate_url`, whatever their scheme.
            ports=(80, 443, 8080),
            package=package,
            erasure=erasure,
            challenge=Challenge(
                asks=("nonce", "site"),
                header="X-Affiliate-Hub-Signature",
                signed="{nonce}{site}",
                answer=(("proof", "{digest}"),),
                is_daily=True,
            ),
            source=HeaderPlace("X-WC-Webhook-Source"),
            requests=REQUESTS,
            order_of=order_of,
            # WooCommerce builds a body as it sends it, and builds it anew when it sends it again.
            clock=FieldPlace("affiliate_hub.as_of"),
            api="1.1",
        ),
    )
