"""What a shop can state about an order or a product: the canonical facts that every connector translates into.

Facts are level-triggered. A platform's body is a snapshot, so a connector states everything the snapshot says, each
fact under its own key, and the hub drops the keys it already knows. Times are milliseconds UTC, or None where the shop
named none; money is a Decimal in major units (49.90 is 49 dollars 90), so that no connector need know minor digits.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, ClassVar, Final

from attrs import frozen

ORDER_STATUSES: Final = (
    "pending",
    "confirmed",
    "paid",
    "delivered",
    "commission_approved",
    "commission_rejected",
    "cancelled",
    "returned",
    "refunded",
)
"""Every status that an order may be reported in, in the order that breaks ties between facts of the same moment."""

CREATED_KEY: Final = "created"
"""The key of the one fact that an order exists."""


def status_key(status: str, occurred_at: int | None) -> str:
    """Give the key of a status fact within its order: the status, and its moment in ms where the shop named one."""
    return status if occurred_at is None else f"{status}:{occurred_at}"


def refund_key(refund_id: str | None, delivery_id: str) -> str:
    """Give the key of a refund within its order: its id, so that it counts once, or else the delivery that told it."""
    return f"refund@{delivery_id}" if refund_id is None else f"refund:{refund_id}"


@frozen
class Line:
    """One line of an order or a refund; an `amount` of None is not stated, nor is a refund's quantity of 0."""

    external_product_id: str | None
    quantity: int
    amount: Decimal | None


@frozen
class OrderCreated:
    """An order exists: `amount` is what commission is taken from, `paid_total` what the buyer paid in all."""

    key: str
    order_id: str
    amount: Decimal
    currency: str | None
    click_id: str | None
    coupon_code: str | None
    lines: tuple[Line, ...]
    ordered_at: int | None
    paid_total: Decimal | None
    metadata: Mapping[str, Any] | None


@frozen
class _News:
    key: str
    order_id: str
    occurred_at: int | None
    reason: str | None
    click_id: str | None


@frozen
class OrderPaid(_News):
    """The buyer's money has arrived."""

    status: ClassVar[str] = "paid"


@frozen
class OrderDelivered(_News):
    """The parcel has arrived, which starts the hold."""

    status: ClassVar[str] = "delivered"


@frozen
class OrderCancelled(_News):
    """The order was called off."""

    status: ClassVar[str] = "cancelled"


@frozen
class OrderReturned(_News):
    """The goods came back."""

    status: ClassVar[str] = "returned"


@frozen
class OrderRefunded(_News):
    """Money went back: `amount` and `lines` say how much; with neither, all of it."""

    status: ClassVar[str] = "refunded"
    refund_id: str | None
    amount: Decimal | None
    lines: tuple[Line, ...]


@frozen
class OrderStatus:
    """A status that the REST API reported, one of ORDER_STATUSES; "refunded" means the whole order."""

    key: str
    order_id: str
    status: str
    occurred_at: int | None
    reason: str | None
    click_id: str | None


@frozen
class ProductUpdated:
    """Fields of a product changed; `fields` has the product input's camelCase names, only those that were sent.

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
    """The stock of a product changed, told as the shop's own word, as a quantity, or as both.

    Where the platform names only an inventory item, `external_product_id` is empty and `item_id` says which, and
    `location_id` where it lies: the product's stock is the sum over its items and their locations.
    """

    key: str
    external_product_id: str
    stock_status: str | None
    quantity: int | None
    updated_at: int | None
    item_id: str | None = None
    location_id: str | None = None


OrderNews = OrderPaid | OrderDelivered | OrderCancelled | OrderReturned | OrderRefunded | OrderStatus
ProductNews = ProductUpdated | ProductStockUpdated
Fact = OrderCreated | OrderNews | ProductNews

FACTS_OF_KIND: Final[Mapping[str, type[Fact]]] = {
    "order-created": OrderCreated,
    "order-paid": OrderPaid,
    "order-delivered": OrderDelivered,
    "order-cancelled": OrderCancelled,
    "order-returned": OrderReturned,
    "order-refunded": OrderRefunded,
    "product-updated": ProductUpdated,
    "product-stock-updated": ProductStockUpdated,
}
"""The eight webhook kinds and the one class of facts that each may state (API specification, Webhook endpoints)."""
