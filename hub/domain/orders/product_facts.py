"""What a shop can state about a product; orders are in facts.py."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen


@frozen
class ProductUpdated:
    """Fields of a product changed; `fields` has the product input's camelCase names, only those that were sent.

    `key` tells one change from another, `external_product_id` is the product as orders name it, `updated_at` the moment
    of the change: older news than the newest known is dropped.

    `items` are the platform's inventory item ids of the product: the hub remembers whose they are, for stock news that
    names only an item.
    """

    key: str
    external_product_id: str
    fields: Mapping[str, str | None]
    updated_at: int | None
    items: tuple[str, ...] = ()


@frozen
class ProductStockUpdated:
    """The stock of a product changed: the shop's own word for it (`stock_status`), a number (`quantity`), or both.

    `key` tells one change from another; `updated_at` is the moment of the change.

    If the platform names only an inventory item, `external_product_id` is empty, `item_id` names the item and
    `location_id` its place: the product's stock is the sum over its items and their locations.
    """

    key: str
    external_product_id: str
    stock_status: str | None
    quantity: int | None
    updated_at: int | None
    item_id: str | None = None
    location_id: str | None = None
