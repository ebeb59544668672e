"""The settings of a BigCommerce connection."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from hub.api import Context


@frozen
class BigCommerceOptions:
    """How a store's orders are read.

    `tax` says whether commission is taken from prices with tax, `product_key` what the hub's products are known by,
    `delivered_statuses` and `returned_statuses` which numbers of statuses mean that an order has arrived or come back.
    `shop_url` is the storefront's address, for the addresses of products.
    """

    tax: Literal["excluded", "included"] = "excluded"
    product_key: Literal["id", "sku", "variant"] = "id"
    delivered_statuses: tuple[str, ...] = ("10",)
    returned_statuses: tuple[str, ...] = ()
    shop_url: str = ""


def options_of(context: Context) -> BigCommerceOptions:
    """Return the connection's options; a v1 webhook has the defaults."""
    return context.options if isinstance(context.options, BigCommerceOptions) else BigCommerceOptions()
