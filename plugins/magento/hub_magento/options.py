"""The settings of a Magento connection."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from hub.api import Context


@frozen
class MagentoOptions:
    """How a store's orders are read.

    `tax` says whether commission is taken from prices with tax, `product_key` what the hub's products are known by,
    `delivered_statuses` which order statuses mean that an order has arrived (Magento ships, and knows no arrival).
    """

    tax: Literal["excluded", "included"] = "excluded"
    product_key: Literal["sku", "id"] = "sku"
    delivered_statuses: tuple[str, ...] = ("complete",)


def options_of(context: Context) -> MagentoOptions:
    """Return the connection's options; a v1 webhook has the defaults."""
    return context.options if isinstance(context.options, MagentoOptions) else MagentoOptions()
