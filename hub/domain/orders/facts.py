"""What a shop can state about an order or a product: the canonical facts that every connector translates into.

Facts are level-triggered. A platform's body is a snapshot, so a connector states everything that the snapshot says,
each fact under its own key, and the hub drops the keys that it knows. Times are milliseconds UTC, or None if the body
names none; money is a Decimal in major units (49.90 is 49 dollars 90), so that no connector needs to know minor digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, ClassVar, Final

from attrs import frozen

from hub.domain.orders.product_facts import ProductStockUpdated, ProductUpdated

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

SNAPSHOT_KEY: Final = "snapshot"
"""The key of what an order is by now: its `version` tells one snapshot from another."""

REFUND_PREFIX: Final = "refund:"
"""How the key of a refund with an id begins."""
MOST_LINES: Final = 1_000
"""The most lines that an order or a refund may have: one body of a neighbour must not occupy the worker for seconds."""


def status_key(status: str, occurred_at: int | None) -> str:
    """Return the key of a status fact within its order: the status, and its moment in ms if the shop named one."""
    return status if occurred_at is None else f"{status}:{occurred_at}"


def refund_so_far_key(version: int) -> str:
    """Return the key of a sum of all refunds so far within its order: that of one version of the order."""
    return f"refund_so_far:{version}"


def refund_key(refund_id: str | None, delivery_id: str) -> str:
    """Return the key of a refund within its order: its id, so that it counts once, or else the delivery's id."""
    return f"refund@{delivery_id}" if refund_id is None else f"{REFUND_PREFIX}{refund_id}"


@frozen
class Line:
    """One line of an order or a refund.

    `external_product_id` is the product's id as the catalogue has it, None for what is no longer a product. `amount` is
    for the whole line, not for a piece, in the order's currency; None says that the body does not state it. `quantity`
    is at least 1 in an order; in a refund 0 says that the body does not state it.
    """

    external_product_id: str | None
    quantity: int
    amount: Decimal | None


@frozen
class OrderCreated:
    """An order exists: under the key CREATED_KEY (`key`), and the platform's own id (`order_id`).

    `amount` is what the commission is calculated from: the goods after discounts, without tax (unless an option of the
    connector says otherwise), shipping, tips and gift cards. `lines` add up to it; a discount on the whole order is
    spread over them. `paid_total` is what the buyer paid in all, tax and shipping included; where it
    is less than `amount`, since a gift card paid, refunds are measured by `amount`. All three are as the order was
    placed: no later refund changes them. A `currency` of None is the merchant's. `click_id` is the affiliate's
    click that the order names, `coupon_code` a code that the buyer typed. `ordered_at` of None counts as the time of
    receipt. `metadata` is kept as JSON, for people to read.

    `born` is what makes the order this one and no other, in at most 255 characters that never change: a key or a global
    id of the platform's, not its number. A shop that was restored from a backup assigns numbers again; news with
    another birth under a known number is about another order, and a person is asked. If it is None, the time of placing
    decides.

    `customer` is the buyer's e-mail address, or else an id of the shop's that stays theirs, in at most 320 characters.
    A campaign may recognise a customer by it; only then does the hub keep it, as a keyed hash.
    """

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
    born: str | None = None
    customer: str | None = None


@frozen
class OrderSnapshot:
    """What the order `order_id` is now, under the key SNAPSHOT_KEY (`key`), in addition to its `OrderCreated`.

    `version` is a number of the platform's own that grows with each change, usually the moment of the change in ms
    UTC; of several snapshots the one with the highest version counts, whichever arrives first. `amount`, `currency`,
    `lines` and `paid_total` are as in `OrderCreated`: edits and coupons change them, refunds do not. Until the
    commission is payable they restate it; afterwards a difference is left to a person. `stands_at` is a moment (ms UTC)
    at which the platform says that the order is not cancelled: it takes back every earlier cancellation. It is None if
    the snapshot does not say so.

    `refund_ids` are the ids of all refunds that the order has as of this version, None if the body does not show them
    all. An earlier refund that is not among them was deleted: it is taken back until the commission is payable, and a
    person is asked afterwards.
    """

    key: str
    order_id: str
    version: int
    amount: Decimal
    currency: str | None
    lines: tuple[Line, ...]
    paid_total: Decimal | None
    stands_at: int | None = None
    refund_ids: tuple[str, ...] | None = None


@frozen
class OrderUnclear:
    """Something about the order `order_id` that contradicts itself: it changes nothing, and a person is asked to look.

    `key` tells one question about the order from another, `reason` is a sentence of at most 1,000 characters.
    """

    key: str
    order_id: str
    reason: str


@frozen
class _News:
    """News of an order.

    `key` is from `status_key` or `refund_key`, `order_id` the order's id. `occurred_at` is the platform's moment; None
    counts as the time of receipt. `reason` is for people to read, at most 1,000 characters. `click_id` is a click that
    only the news names, usually None.
    """

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
    """The parcel has arrived, which starts the hold at `occurred_at`, or at the receipt of the news if that is None."""

    status: ClassVar[str] = "delivered"


@frozen
class OrderCancelled(_News):
    """The order was cancelled."""

    status: ClassVar[str] = "cancelled"


@frozen
class OrderGone(_News):
    """The platform no longer has the order: it was trashed or deleted. Its commission ends, and a person is asked.

    It counts as a cancellation: an `OrderSnapshot` that stands at a later moment takes it back.
    """

    status: ClassVar[str] = "cancelled"


@frozen
class OrderStateUnknown(_News):
    """The order is in a `state` that its connector does not know, of a module's or a newer version's.

    Its commission waits, and a person is asked. An `OrderSnapshot` that stands at a later moment takes it back; what
    ends the order, and a person's approval, count as ever. `key` is from `status_key("unknown_state", ...)`.
    """

    status: ClassVar[str] = "pending"
    state: str


@frozen
class OrderReturned(_News):
    """The goods came back."""

    status: ClassVar[str] = "returned"


@frozen
class OrderRefunded(_News):
    """Money went back to the buyer.

    `refund_id` is the platform's id of the refund, None if it has none. `amount` is the money, tax and shipping
    included; `lines` are the goods that it was for, worth what the order's lines were worth. One of them must say how
    much; otherwise `whole` says that the platform calls the whole order refunded without naming a sum. A refund that
    says none of this is refused, so that a forgotten amount never takes everything back. `beside_goods` is the part of
    `amount` that was only for shipping, fees or tax: it leaves the commission as it is.

    Where a platform states only how much went back so far, `as_of` is the version of the order that says so, and the
    key is from `refund_so_far_key`: of several such sums only the one with the highest version counts. A connector
    states either these or single refunds.
    """

    status: ClassVar[str] = "refunded"
    refund_id: str | None
    amount: Decimal | None
    lines: tuple[Line, ...]
    whole: bool = False
    beside_goods: Decimal | None = None
    as_of: int | None = None

    @property
    def says_how_much(self) -> bool:
        """Whether exactly one of a number (money or lines) and `whole` is stated."""
        return self.whole != (self.amount is not None or bool(self.lines))


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
class FetchOrder:
    """A delivery that only names an order: the hub asks the platform for it, by the connector's `requests.order`.

    `key` distinguishes it from other such facts of a body, `order_id` is the {id} of the request.
    """

    key: str
    order_id: str


@frozen
class FetchProduct:
    """A delivery that only names a product: the hub asks for it, by the connector's `requests.product`.

    `key` distinguishes it from other such facts of a body, `external_product_id` is the {id} of the request.
    """

    key: str
    external_product_id: str


OrderEnd = OrderCancelled | OrderGone | OrderReturned | OrderRefunded
OrderNews = OrderPaid | OrderDelivered | OrderEnd | OrderStateUnknown | OrderStatus
ProductNews = ProductUpdated | ProductStockUpdated
ToFetch = FetchOrder | FetchProduct
Fact = OrderCreated | OrderSnapshot | OrderUnclear | OrderNews | ProductNews | ToFetch

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


def lines_fault(facts: Iterable[Fact]) -> str | None:
    """Return what is wrong with a body that states an order or a refund of more than `MOST_LINES` lines, else None."""
    for fact in facts:
        count = len(getattr(fact, "lines", ()))
        if count > MOST_LINES:
            return f"the body has {count:,} lines, more than the {MOST_LINES:,} that the hub takes"
    return None
