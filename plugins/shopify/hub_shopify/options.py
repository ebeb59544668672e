"""What a store may set; see the README for what each choice means."""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from hub.api import Context

_MOST_DAYS = 365


def _days(_: object, __: object, value: int) -> None:
    if not 0 < value <= _MOST_DAYS:
        raise ValueError(f"delivered_after_days is from 1 to {_MOST_DAYS}")


@frozen
class ShopifyOptions:
    """`tax` says whether the commission's base contains tax, `product_key` what names a product.

    `delivered` says what counts as delivered: the carrier's word, that all is shipped, or that and some days.
    `returned_on` is the step of a return that sends the whole order back. `excluded` names what never earns (product
    ids, skus or titles), `shop_url` is the storefront's address, for the addresses of products. `stock_from_products`
    says that the quantities in product bodies count as stock.
    """

    tax: Literal["excluded", "included"] = "excluded"
    product_key: Literal["id", "sku", "variant"] = "id"
    delivered: Literal["auto", "fulfilled", "after_days"] = "auto"
    delivered_after_days: int = field(default=14, validator=_days)
    returned_on: Literal["close", "approve", "never"] = "close"
    excluded: tuple[str, ...] = ()
    shop_url: str = ""
    stock_from_products: bool = True


def options_of(context: Context) -> ShopifyOptions:
    """Return the connection's options; a v1 webhook belongs to no connection and has the defaults."""
    return context.options if isinstance(context.options, ShopifyOptions) else ShopifyOptions()
