"""From an order's snapshot to all that it states: that it exists, its payment, delivery, end, return and refunds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hub.api import (
    CREATED_KEY,
    SNAPSHOT_KEY,
    Body,
    Context,
    Fact,
    OrderCancelled,
    OrderCreated,
    OrderDelivered,
    OrderGone,
    OrderPaid,
    OrderReturned,
    OrderSnapshot,
    Uninteresting,
    Unmappable,
    status_key,
)
from hub_woocommerce.clicks import OWN, click_of, coupon_of, customer_of
from hub_woocommerce.goods import goods_of
from hub_woocommerce.options import WooOptions, options_of, slugs
from hub_woocommerce.refunds import refund_ids_of, refunds_of
from hub_woocommerce.values import ZERO, currency, instant, money, number_or_text, own_id, record, records, text, word

DRAFTS = frozenset({"checkout-draft", "auto-draft", "draft", "new"})
RENEWS = "_subscription_renewal"
"""The meta in which WooCommerce Subscriptions keeps the id of the subscription that an order renews."""
RENEWED_BY = "subscription"
"""How an order was created (`created_via`) that WooCommerce Subscriptions made without the buyer."""
CALLED_OFF = {"cancelled": None, "trash": "the order was moved to the trash"}
NOT_STANDING = frozenset({*CALLED_OFF, "failed", "refunded"})
"""Statuses that do not say that an order is on again."""
LATEST = 2**53


def of_order(body: Body, context: Context) -> Iterator[Fact]:
    """Give every fact of an order's snapshot, whatever topic brought it; a draft is no order yet."""
    order_id = own_id(body, "order")
    status, options = word(body.get("status")), options_of(context)
    if status is None:
        raise Unmappable("the order has no `status`")
    if status in DRAFTS:
        raise Uninteresting("a draft that the checkout keeps until the buyer orders")
    if "date_created_gmt" not in body and "date_created" in body:
        raise Unmappable(
            "the order is written in WooCommerce's REST API v1; set the webhook's API version to "
            "`WP REST API Integration v3`"
        )
    created = _created(body, order_id, context)
    yield created
    yield from _snapshot(body, created, status, options)
    # COD stands in "processing" unpaid; only this time says that money came, and it is never taken back.
    paid_at = instant(body.get("date_paid_gmt"))
    if paid_at is not None:
        yield OrderPaid(status_key("paid", None), order_id, paid_at, None, None)
    yield from _progress(body, order_id, status, paid_at is not None, options)
    yield from refunds_of(body, order_id, created.amount, context)


def of_deleted_order(body: Body, _: Context) -> Iterator[Fact]:
    """Give the end of an order that was moved to the trash; the body has nothing but its id."""
    order_id = own_id(body, "order")
    at = _built_at(body)
    yield OrderGone(status_key("gone", at), order_id, at, CALLED_OFF["trash"], None)


def _snapshot(body: Body, created: OrderCreated, status: str, options: WooOptions) -> Iterator[OrderSnapshot]:
    """Give what the order is by now; a body that does not say when it was changed cannot be ordered among others.

    WooCommerce counts in seconds, and where orders are posts an edit of the goods alone does not count at all. When our
    plugin built the body says it better: a body that was built later is never older.
    """
    modified = instant(body.get("date_modified_gmt"))
    if modified is None:
        return
    version = max(modified, _built_at(body) or 0)
    stands = status not in NOT_STANDING | slugs(options.returned_statuses)
    yield OrderSnapshot(
        SNAPSHOT_KEY, created.order_id, version, created.amount, created.currency, created.lines, created.paid_total,
        stands_at=modified if stands else None, refund_ids=refund_ids_of(body),
    )  # fmt: skip


def _built_at(body: Body) -> int | None:
    """Return when our plugin saw what the body states, in ms UTC; None if it says nothing."""
    seen = record(body.get(OWN)).get("as_of")
    return seen if isinstance(seen, int) and not isinstance(seen, bool) and 0 < seen < LATEST else None


def _progress(body: Body, order_id: str, status: str, paid: bool, options: WooOptions) -> Iterator[Fact]:
    modified = instant(body.get("date_modified_gmt"))
    delivered, returned = slugs(options.delivered_statuses), slugs(options.returned_statuses)
    completed = instant(body.get("date_completed_gmt"))
    was_completed = "completed" in delivered and completed is not None and status in returned | {"refunded"}
    if status in delivered or was_completed:
        at = completed if completed is not None and "completed" in delivered else modified
        yield OrderDelivered(status_key("delivered", None), order_id, at, None, None)
    if status == "trash":
        yield OrderGone(status_key("gone", modified), order_id, modified, CALLED_OFF[status], None)
    elif status in CALLED_OFF:
        yield OrderCancelled(status_key("cancelled", modified), order_id, modified, CALLED_OFF[status], None)
    elif status == "failed" and options.failed_cancels and not paid:
        yield OrderCancelled(status_key("cancelled", modified), order_id, modified, "the payment failed", None)
    if status in returned:
        yield OrderReturned(status_key("returned", None), order_id, modified, None, None)


def _created(body: Body, order_id: str, context: Context) -> OrderCreated:
    amount, lines = goods_of(body, options_of(context))
    total = money(body.get("total"), "total")
    click_id, place = click_of(body)
    told = {
        "orderNumber": number_or_text(body.get("number")),
        "source": text(body.get("created_via")),
        "clickIdFrom": place,
        **_renewal(body),
    }
    return OrderCreated(
        key=CREATED_KEY,
        order_id=order_id,
        amount=amount,
        currency=currency(body.get("currency")),
        click_id=click_id,
        coupon_code=coupon_of(body),
        lines=lines,
        ordered_at=instant(body.get("date_created_gmt")),
        paid_total=None if total is None else max(total, ZERO),
        metadata={name: value for name, value in told.items() if value is not None} or None,
        # Random for each order, while ids come again after a backup; the time of placing can be edited by the owner.
        born=text(body.get("order_key")),
        customer=customer_of(body),
    )


def _renewal(body: Body) -> dict[str, Any]:
    """Return what of an order's metadata says that it renews a subscription, and which."""
    entries = records(body.get("meta_data"))
    renewed = next((each.get("value") for each in entries if each.get("key") == RENEWS), None)
    named = number_or_text(renewed) if isinstance(renewed, int | str) else None
    if not named and text(body.get("created_via")) != RENEWED_BY:
        return {}
    return {"renewal": True, "subscription": named}
