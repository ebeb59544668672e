"""The settings of a Wix connection."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from hub.api import Context


@frozen
class WixOptions:
    """How a store's orders are read.

    `tax` says whether commission is taken from prices with tax, `product_key` what the hub's products are known by,
    `field` the title of the checkout's custom field, or the name of the extended field, that has the click.
    """

    tax: Literal["excluded", "included"] = "excluded"
    product_key: Literal["id", "sku"] = "id"
    field: str = "affiliate_click_id"


def options_of(context: Context) -> WixOptions:
    """Return the connection's options; a v1 webhook has the defaults."""
    return context.options if isinstance(context.options, WixOptions) else WixOptions()
