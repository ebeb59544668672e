"""From an order as the API gives it to all that it states: its payment, delivery, end, return and refunds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hub.api import (
    CREATED_KEY,
    SNAPSHOT_KEY,
    Body,
    Context,
    Fact,
    OrderCancelled,
    OrderCreated,
    OrderDelivered,
    OrderPaid,
    OrderReturned,
    OrderSnapshot,
    OrderStateUnknown,
    Uninteresting,
    Unmappable,
    as_currency,
    as_text,
    status_key,
)
from hub_bigcommerce.clicks import click_of, coupon_of, customer_of
from hub_bigcommerce.goods import goods_of
from hub_bigcommerce.options import options_of
from hub_bigcommerce.refunds import REFUNDED, refunds_of
from hub_bigcommerce.values import ZERO, moment, money, own_id

INCOMPLETE: Final = 0
COMPLETED: Final = 10
CALLED_OFF: Final = {5: "the order was cancelled", 6: "the payment was declined"}
STATUSES: Final = frozenset(range(15))
"""Those of BigCommerce's "Order Statuses", from 0, incomplete, to 14, partially refunded."""
PAID_STATUSES: Final = frozenset({2, 3, 8, 9, COMPLETED, 11})
"""Statuses of an order whose payment is confirmed, for payments that have no status of their own."""
MONEY_CAME: Final = frozenset({"captured", "paid", "partially refunded", "refunded"})
"""Statuses of a payment whose money has come at some time; "authorized" is not one."""


def of_order(order: Body, context: Context) -> Iterator[Fact]:
    """Yield every fact of an order; an incomplete one is a checkout that nobody finished.

    No field says when an order was paid or completed, so the moment at which the hub learns it counts.
    """
    order_id = own_id(order, "order")
    status = order.get("status_id")
    if isinstance(status, bool) or not isinstance(status, int):
        raise Unmappable("the order has no `status_id`")
    if status == INCOMPLETE:
        raise Uninteresting("an incomplete order, which the buyer has not placed yet")
    modified, options = moment(order.get("date_modified")), options_of(context)
    is_known = status in STATUSES or str(status) in {*options.delivered_statuses, *options.returned_statuses}
    created = _created(order, order_id, context)
    yield created
    if modified is not None:
        ended = status in {*CALLED_OFF, REFUNDED} or str(status) in options.returned_statuses
        stands = is_known and not ended
        yield OrderSnapshot(
            SNAPSHOT_KEY, order_id, modified, created.amount, created.currency, created.lines, created.paid_total,
            stands_at=modified if stands else None,
        )  # fmt: skip
    if not is_known:
        key = status_key("unknown_state", modified)
        yield OrderStateUnknown(key, order_id, modified, None, None, as_text(order.get("status")) or str(status))
    elif _is_paid(order, status):
        yield OrderPaid(status_key("paid", None), order_id, None, None, None)
    if str(status) in options.delivered_statuses:
        yield OrderDelivered(status_key("delivered", None), order_id, None, None, None)
    if status in CALLED_OFF:
        yield OrderCancelled(status_key("cancelled", modified), order_id, modified, CALLED_OFF[status], None)
    if str(status) in options.returned_statuses:
        yield OrderReturned(status_key("returned", None), order_id, None, None, None)
    yield from refunds_of(order, order_id, context)


def _created(order: Body, order_id: str, context: Context) -> OrderCreated:
    amount, lines = goods_of(order, options_of(context))
    total = money(order.get("total_inc_tax"), "total_inc_tax")
    click_id, place = click_of(order)
    said = {"source": as_text(order.get("order_source")), "clickIdFrom": place}
    return OrderCreated(
        key=CREATED_KEY,
        order_id=order_id,
        amount=amount,
        # `currency_code` is what the prices were shown in; the buyer paid in the other one.
        currency=as_currency(order.get("default_currency_code") or order.get("currency_code")),
        click_id=click_id,
        coupon_code=coupon_of(order),
        lines=lines,
        ordered_at=moment(order.get("date_created")),
        paid_total=max(total, ZERO),
        metadata={name: value for name, value in said.items() if value is not None} or None,
        customer=customer_of(order),
    )


def _is_paid(order: Body, status: int) -> bool:
    payment = as_text(order.get("payment_status"))
    return status == COMPLETED or (status in PAID_STATUSES if payment is None else payment.lower() in MONEY_CAME)
