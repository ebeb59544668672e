"""What a store may set: which order states mean what, and whether tax counts."""

from __future__ import annotations

from typing import Literal

from attrs import frozen


@frozen
class PrestashopOptions:
    """Order states are the ids that the shop's admin shows; a shop may have any number of its own.

    Without ids, delivered, cancelled and refunded are the states that PrestaShop itself configures for them. `tax` says
    whether the commission's base contains it, `product_key` what names a product.
    """

    delivered_states: tuple[str, ...] = ()
    cancelled_states: tuple[str, ...] = ()
    returned_states: tuple[str, ...] = ()
    tax: Literal["excluded", "included"] = "excluded"
    product_key: Literal["id", "sku", "variant"] = "id"
