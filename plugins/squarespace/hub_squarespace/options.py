"""The settings of a Squarespace connection."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from hub.api import Context


@frozen
class SquarespaceOptions:
    """How a store's orders are read.

    `tax` says whether commission is taken from prices with tax, `product_key` what the hub's products are known by,
    `field` the label of the checkout's form field that has the click.
    """

    tax: Literal["excluded", "included"] = "excluded"
    product_key: Literal["id", "sku", "variant"] = "id"
    field: str = "affiliate_click_id"


def options_of(context: Context) -> SquarespaceOptions:
    """Return the connection's options; a v1 webhook has the defaults."""
    return context.options if isinstance(context.options, SquarespaceOptions) else SquarespaceOptions()
