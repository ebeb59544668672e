"""The PrestaShop connector: its own small module sends signed snapshots, since PrestaShop has no webhooks."""

from __future__ import annotations

from collections.abc import Iterable

from hub.api import Body, Challenge, Connector, FieldPlace, HmacHeader, Topic, as_record, hookimpl, id_or_none
from hub_prestashop.bodies import OrderBody, PingBody, ProductBody
from hub_prestashop.module import package
from hub_prestashop.options import PrestashopOptions
from hub_prestashop.requests import ORDER, REQUESTS, RESOURCES
from hub_prestashop.translate import of_order, of_ping, of_product, of_webhook
from hub_prestashop.webservice import of_asked_order

STEPS = (
    "Get affiliatehub.zip from this connection's page in the hub: it has the address and the secret in it.",
    "In the PrestaShop admin open Modules > Module Manager, choose Upload a module, and drop affiliatehub.zip there.",
    "Open the module's configuration and press Send a test. Nothing needs to be typed: the address is {url}.",
    "In a shop with few visitors, have a cron job ask for the address on that page every five minutes.",
    "So that the hub can ask for orders too, open Advanced Parameters > Webservice, enable it, and add a key.",
    f"Give the key the permission View (GET) of {', '.join(RESOURCES)}, and type it on this connection's page.",
)


def recognises(body: Body) -> bool:
    """Recognise the module's envelope."""
    return body.get("platform") == "prestashop" and isinstance(body.get("topic"), str)


def order_of(topic: str, body: Body) -> str | None:
    """Name the order that a body is about: that of the module's snapshot, or one that the hub asked for."""
    return id_or_none(body.get("id") if topic == ORDER else as_record(body.get("order")).get("id"))


@hookimpl
def hub_connectors() -> Iterable[Connector]:
    """Give the one connector of this plugin."""
    return (
        Connector(
            name="prestashop",
            title="PrestaShop",
            translate_webhook=of_webhook,
            recognises=recognises,
            rank=100,
            auth=HmacHeader("X-Affiliate-Hub-Signature", encoding="hex", prefix="sha256="),
            challenge=Challenge(
                asks=("nonce",),
                header="X-Affiliate-Hub-Signature",
                signed="{nonce}",
                answer=(("proof", "{digest}"),),
                is_daily=True,
            ),
            topic=FieldPlace("topic"),
            delivery_id=FieldPlace("delivery"),
            clock=FieldPlace("clock"),
            topics=(
                Topic("order", OrderBody, of_order),
                Topic("product", ProductBody, of_product),
                Topic("ping", PingBody, of_ping),
                Topic(ORDER, dict, of_asked_order),
            ),
            options=PrestashopOptions,
            is_test=lambda body, _: body.get("topic") == "ping",
            issues_secret=True,
            steps=STEPS,
            package=package,
            requests=REQUESTS,
            order_of=order_of,
            api="1.1",
        ),
    )
