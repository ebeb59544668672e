"""Stores on stand-in platforms: what a step of an order's life changes there, and which deliveries it sends."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from attrs import evolve, field, frozen
from hub_bigcommerce import hub_connectors as bigcommerce_connectors
from hub_bigcommerce.scenarios import order as bigcommerce_order
from hub_bigcommerce.scenarios import refund as bigcommerce_refund
from hub_magento import hub_connectors as magento_connectors
from hub_prestashop import hub_connectors as prestashop_connectors
from hub_shopify import hub_connectors as shopify_connectors
from hub_shopify.scenarios import SCENES
from hub_shopware import hub_connectors as shopware_connectors
from hub_shopware.scenarios import SCENES as SHOPWARE_SCENES
from hub_squarespace import hub_connectors as squarespace_connectors
from hub_squarespace.scenarios import SCENES as SQUARESPACE_SCENES
from hub_wix import hub_connectors as wix_connectors
from hub_wix.scenarios import SCENES as WIX_SCENES
from hub_woocommerce import hub_connectors as woocommerce_connectors
from hub_woocommerce.scenarios import SCENES as WOOCOMMERCE_SCENES

from hub.api import Connector, OAuthConsent, Play
from tests.standins import bigcommerce, magento, prestashop, shopify, shopware, squarespace, wix, woocommerce
from tests.standins.bigcommerce import BigCommerce
from tests.standins.magento import Magento
from tests.standins.prestashop import PrestaShop
from tests.standins.shopify import Shopify
from tests.standins.shopify_graphql import Points
from tests.standins.shopware import Shopware
from tests.standins.squarespace import Squarespace
from tests.standins.trouble import Record, Sent
from tests.standins.wix import Wix
from tests.standins.woocommerce import WooCommerce

SHOPWARE_STEPS = ("created", "paid", "delivered", "refunded", "cancelled")


@frozen
class Store:
    """A platform's store: its connector here, its credentials, and what a step of an order's life sends."""

    name: str
    standin: BigCommerce | Magento | PrestaShop | Shopify | Shopware | Squarespace | Wix | WooCommerce
    connector: Connector
    credentials: Mapping[str, str]
    step: Callable[[str, Play], list[Sent]]
    turn_off: Callable[[Record], None]
    root: str
    token_path: str = ""
    tokens: Mapping[str, str] = field(factory=dict)
    """What a consent granted beside the credentials."""

    def connector_at(self, address: str) -> Connector:
        """Return the connector as if the platform were at an address of this machine, without its rate limit."""
        requests = self.connector.requests
        assert requests is not None
        root = f"{address}{self.root}"
        grant = requests.grant and evolve(requests.grant, url=f"{address}{self.token_path}")
        rate = evolve(requests.rate, per_second=900, burst=900)
        consent = requests.consent
        if isinstance(consent, OAuthConsent):
            token_url = f"{address}{self.token_path}"
            renewal = consent.renewal and evolve(consent.renewal, url=token_url)
            consent = evolve(consent, token=evolve(consent.token, path=token_url), renewal=renewal)
        return evolve(self.connector, requests=evolve(requests, root=root, grant=grant, rate=rate, consent=consent))


def bigcommerce_store() -> Store:
    standin = BigCommerce()
    (connector,) = bigcommerce_connectors()
    statuses = {"created": (7, "pending"), "paid": (11, "captured"), "refunded": (11, "partially refunded"),
                "cancelled": (5, "void")}  # fmt: skip

    def step(name: str, play: Play) -> list[Sent]:
        status, payment = statuses[name]
        refunds = [bigcommerce_refund(play)] if name == "refunded" else []
        standin.put(bigcommerce_order(play, list(statuses).index(name), status, payment, refunds))
        scope = "store/order/created" if name == "created" else "store/order/updated"
        return standin.deliver(scope, int(play.order_id))

    def turn_off(hook: Record) -> None:
        hook["is_active"] = False

    credentials = {"store": bigcommerce.STORE, "token": bigcommerce.TOKEN}
    return Store("bigcommerce", standin, connector, credentials, step, turn_off, "/stores/{store}")


def shopify_store() -> Store:
    standin = Shopify(points=Points(most=1e9, refill=1e9, left=1e9))
    (connector,) = shopify_connectors()

    def step(name: str, play: Play) -> list[Sent]:
        body = json.loads(SCENES["paid" if name == "refunded" else name](play).body)
        if name == "refunded":
            back = json.loads(SCENES["refunded"](play).body)
            body |= {"refunds": [back], "financial_status": "partially_refunded", "updated_at": back["created_at"]}
        standin.orders[body["id"]] = body
        return standin.deliver("orders/create" if name == "created" else "orders/updated", body)

    def delete(hook: Record) -> None:
        del standin.hooks[int(hook["id"].rpartition("/")[2])]

    credentials = {"shop": shopify.SHOP, "client_id": shopify.CLIENT_ID, "client_secret": shopify.CLIENT_SECRET}
    token_path = "/admin/oauth/access_token"
    return Store("shopify", standin, connector, credentials, step, delete, f"/admin/api/{shopify.API}", token_path)


def woocommerce_store() -> Store:
    standin = WooCommerce()
    (connector,) = woocommerce_connectors()

    def step(name: str, play: Play) -> list[Sent]:
        body = json.loads(WOOCOMMERCE_SCENES[name](play).body)
        standin.orders[body["id"]] = body
        return standin.deliver("order.created" if name == "created" else "order.updated", body)

    def turn_off(hook: Record) -> None:
        hook["status"] = "disabled"

    credentials = {"site": "https://shop.example", "key": woocommerce.KEY, "secret": woocommerce.SECRET}
    return Store("woocommerce", standin, connector, credentials, step, turn_off, woocommerce.API)


def shopware_store() -> Store:
    """Return a Shopware shop, whose webhooks come with its app: nobody can turn them off alone."""
    standin = Shopware()
    (connector,) = shopware_connectors()

    def step(name: str, play: Play) -> list[Sent]:
        delivery = SHOPWARE_SCENES[name](play)
        order = json.loads(delivery.body)["data"]["payload"]["order"]
        at = play.placed_at + 1_000 * SHOPWARE_STEPS.index(name)
        standin.keep(order, at)
        return standin.deliver(delivery.topic, order, at)

    credentials = {"shop": "https://shop.example", "key": shopware.KEY, "secret": shopware.SECRET}
    return Store("shopware", standin, connector, credentials, step, _no_webhook, "/api", "/api/oauth/token")


def prestashop_store() -> Store:
    """Return a PrestaShop shop, whose orders its books write (tests/standins/books.py)."""
    (connector,) = prestashop_connectors()
    credentials = {"site": "https://shop.example", "key": prestashop.KEY}
    return Store("prestashop", PrestaShop(), connector, credentials, _no_step, _no_webhook, "/api")


def squarespace_store() -> Store:
    """Return a Squarespace site with an API key, to which it sends nothing."""
    (connector,) = squarespace_connectors()
    credentials = {"token": squarespace.TOKEN}
    return Store(
        "squarespace", Squarespace(), connector, credentials, _no_step, _no_webhook, "/1.0", squarespace.TOKENS
    )


def magento_store() -> Store:
    """Return a Magento store, which sends nothing; its pages are short, so that there are some."""
    (connector,) = magento_connectors()
    assert connector.requests is not None
    assert connector.requests.orders is not None
    short = evolve(connector.requests, orders=evolve(connector.requests.orders, page_size=2))
    credentials = {"site": "https://shop.example", "token": magento.TOKEN}
    here = evolve(connector, requests=short)
    return Store("magento", Magento(), here, credentials, _no_step, _no_webhook, "/rest/all/V1")


def wix_store() -> Store:
    """Return a Wix site, whose webhooks are set by hand in the app."""
    standin = Wix()
    (connector,) = wix_connectors()

    def step(name: str, play: Play) -> list[Sent]:
        order = json.loads(WIX_SCENES[name](play).body)
        standin.orders[order["id"]] = order
        event = "created" if name == "created" else "updated"
        return standin.deliver(f"wix.ecom.v1.order_{event}", order["id"])

    credentials = {"app_id": wix.APP_ID, "app_secret": wix.APP_SECRET, "instance_id": wix.INSTANCE}
    return Store("wix", standin, connector, credentials, step, _no_webhook, "", "/oauth2/token")


def squarespace_app() -> Store:
    """Return a Squarespace site whose owner has agreed to the operator's app, which is told of each order."""
    standin = Squarespace(tokens=[squarespace.TOKEN], refreshes=[squarespace.TOKEN])
    (connector,) = squarespace_connectors()

    def step(name: str, play: Play) -> list[Sent]:
        body = json.loads(SQUARESPACE_SCENES[name](play).body)
        standin.orders[play.order_id] = {each: body[each] for each in body if each != "topic"}
        return standin.deliver("order.create" if name == "created" else "order.update", play.order_id)

    credentials, path = {"token": squarespace.TOKEN}, squarespace.TOKENS
    granted = {"refresh_token": squarespace.TOKEN}
    return Store("squarespace", standin, connector, credentials, step, _no_webhook, "/1.0", path, granted)


def _no_step(name: str, _: Play) -> list[Sent]:
    raise AssertionError(f"only its books write this shop's orders, and {name!r} is no act of theirs")


def _no_webhook(_: Record) -> None:
    raise AssertionError("the platform has no webhooks that could be turned off")
