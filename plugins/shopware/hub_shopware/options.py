"""What a store owner may set."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from hub.api import Context


@frozen
class ShopwareOptions:
    """`tax` says whether the commission's base contains it, `product_key` by what the catalogue names products."""

    tax: Literal["excluded", "included"] = "excluded"
    product_key: Literal["number", "id"] = "number"
    delivered_states: tuple[str, ...] = ("completed",)


def options_of(context: Context) -> ShopwareOptions:
    """Give the connection's options; a v1 webhook belongs to no connection, so it has the defaults."""
    return context.options if isinstance(context.options, ShopwareOptions) else ShopwareOptions()
