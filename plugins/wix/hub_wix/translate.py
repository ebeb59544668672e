"""From an order as the eCommerce API answers it, with its payments and refunds, to all that it states."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Final

from hub.api import (
    CREATED_KEY,
    SNAPSHOT_KEY,
    Body,
    Context,
    Fact,
    Line,
    OrderCancelled,
    OrderCreated,
    OrderDelivered,
    OrderPaid,
    OrderRefunded,
    OrderSnapshot,
    OrderStateUnknown,
    Uninteresting,
    Unmappable,
    as_currency,
    as_id,
    as_lines,
    as_moment,
    as_money,
    as_quantity,
    as_record,
    as_records,
    as_text,
    id_or_none,
    refund_key,
    status_key,
)
from hub_wix.options import WixOptions, options_of

ZERO: Final = Decimal(0)
FINE: Final = Decimal("0.000001")
GIFT_CARD: Final = "GIFT_CARD"
INITIALIZED: Final = "INITIALIZED"
STANDING: Final = frozenset({"PENDING", "APPROVED"})
ENDED: Final = frozenset({"CANCELED", "REJECTED"})
STATUSES: Final = STANDING | ENDED
ALL_BACK: Final = "FULLY_REFUNDED"
PAID: Final = frozenset({"PAID", "PARTIALLY_REFUNDED", ALL_BACK})
SUCCEEDED: Final = "SUCCEEDED"
REVERSED: Final = "REVERSED"
"""The state of a chargeback whose money came back to the shop."""
IN_NOTE: Final = re.compile(r"affiliate_click_id\s*[=:]\s*([A-Za-z0-9_-]{1,128})(?![A-Za-z0-9_-])", re.IGNORECASE)


def of_order(order: Body, context: Context) -> Iterator[Fact]:
    """Yield every fact of an order."""
    order_id, options = as_id(order.get("id"), "the order"), options_of(context)
    status = as_text(order.get("status"))
    if status is None:
        raise Unmappable("the order has no `status`")
    if status == INITIALIZED:
        raise Uninteresting("an order whose buyer has not finished the checkout")
    changed_at = as_moment(order.get("updatedDate"), "updatedDate")
    created = _created(order, order_id, options)
    refunds = tuple(_refunds(order, order_id, context)) or tuple(_refunded_by_status(order, order_id))
    refunds += tuple(_chargebacks(order, order_id, context))
    yield created
    if changed_at is not None:
        yield OrderSnapshot(
            SNAPSHOT_KEY, order_id, changed_at, created.amount, created.currency, created.lines, created.paid_total,
            stands_at=changed_at if status in STANDING else None,
            refund_ids=tuple(each.refund_id or "" for each in refunds) if "transactions" in order else None,
        )  # fmt: skip
    if status not in STATUSES:
        yield OrderStateUnknown(status_key("unknown_state", changed_at), order_id, changed_at, None, None, status)
    elif as_text(order.get("paymentStatus")) in PAID:
        yield OrderPaid(status_key("paid", None), order_id, _when(order, "ORDER_PAID"), None, None)
    if status in STATUSES and as_text(order.get("fulfillmentStatus")) == "FULFILLED":
        yield OrderDelivered(status_key("delivered", None), order_id, _when(order, "ORDER_FULFILLED"), None, None)
    if status in ENDED:
        at = _when(order, "ORDER_CANCELED") or _when(order, "ORDER_REJECTED")
        yield OrderCancelled(status_key("cancelled", None), order_id, at, None, None)
    yield from refunds


def of_webhook(_: str, body: Body, context: Context) -> tuple[Fact, ...]:
    """Return the facts of a free-form v1 webhook, which must hold the whole order."""
    return tuple(of_order(body, context))


def recognises(body: Body) -> bool:
    """Recognise an order by what only Wix's have."""
    return {"priceSummary", "lineItems", "fulfillmentStatus", "paymentStatus", "buyerInfo"} <= body.keys()


def order_of(_: str, body: Body) -> str | None:
    """Return the id of the order that a body is."""
    return id_or_none(body.get("id"))


def _created(order: Body, order_id: str, options: WixOptions) -> OrderCreated:
    lines = tuple(
        Line(_product(item, options), max(as_quantity(item.get("quantity"), 1), 1), worth)
        for item, worth in _goods(order, options)
    )
    click_id, place = _click(order, options)
    channel = as_text(as_record(order.get("channelInfo")).get("type"))
    told = {"orderNumber": as_text(order.get("number")), "source": channel, "clickIdFrom": place}
    placed = order.get("purchasedDate") or order.get("createdDate")
    return OrderCreated(
        key=CREATED_KEY,
        order_id=order_id,
        amount=sum((line.amount or ZERO for line in lines), ZERO),
        currency=as_currency(as_text(order.get("currency"))),
        click_id=click_id,
        coupon_code=_coupon(order),
        lines=lines,
        ordered_at=as_moment(placed, "createdDate"),
        paid_total=_price(as_record(order.get("priceSummary")), "total"),
        metadata={name: value for name, value in told.items() if value is not None} or None,
        born=order_id,  # a GUID, which never comes again
        customer=as_text(as_record(order.get("buyerInfo")).get("email"), 320),
    )


def _goods(order: Body, options: WixOptions) -> Iterator[tuple[Body, Decimal]]:
    """Yield each line that is no gift card to give away, and what it cost in all, after its discounts."""
    total = "totalPriceAfterTax" if options.tax == "included" else "totalPriceBeforeTax"
    for item in as_lines(order.get("lineItems"), "lineItems"):
        if as_text(as_record(item.get("itemType")).get("preset")) == GIFT_CARD:
            continue
        if as_record(item.get(total)).get("amount") is None:
            raise Unmappable(f"a line of the order has no `{total}`")
        yield item, _price(item, total)


def _refunds(order: Body, order_id: str, context: Context) -> Iterator[OrderRefunded]:
    """Yield what has gone back; a refund that is under way or has failed has moved nothing."""
    bought = {id_or_none(item.get("id")): (item, worth) for item, worth in _goods(order, options_of(context))}
    by_id = {id_or_none(each.get("id")): each for each in as_records(_transactions(order).get("refunds"))}
    for name, refund in by_id.items():
        amount = sum((_price(each, "amount") for each in _moved(refund)), ZERO)
        if name is None or not amount:
            continue
        details = as_record(refund.get("details"))
        lines = tuple(_returned(details, bought, options_of(context)))
        beside = min(_beside_goods(details, order), amount) or None
        at = as_moment(refund.get("createdDate"), "createdDate")
        yield OrderRefunded(
            refund_key(name, context.delivery_id), order_id, at, None, None, name, amount, lines, beside_goods=beside
        )


def _chargebacks(order: Body, order_id: str, context: Context) -> Iterator[OrderRefunded]:
    """Yield what buyers had charged back; one that was reversed is not among the refunds any more."""
    for payment in as_records(_transactions(order).get("payments")):
        for each in as_records(as_record(payment.get("regularPaymentDetails")).get("chargebacks")):
            name, amount = id_or_none(each.get("id")), _price(each, "amount")
            if name is not None and amount and as_text(each.get("status")) != REVERSED:
                at = as_moment(each.get("createdDate"), "createdDate")
                yield OrderRefunded(
                    refund_key(name, context.delivery_id), order_id, at, "chargeback", None, name, amount, ()
                )


def _refunded_by_status(order: Body, order_id: str) -> Iterator[OrderRefunded]:
    """Yield that all was refunded if the status says so and no refund is listed, not even one that is under way."""
    if as_text(order.get("paymentStatus")) == ALL_BACK and not as_records(_transactions(order).get("refunds")):
        at = _when(order, "ORDER_REFUNDED")
        yield OrderRefunded(refund_key("status", ""), order_id, at, None, None, "status", None, (), whole=True)


def _moved(refund: Body) -> Iterator[Body]:
    for each in as_records(refund.get("transactions")):
        if as_text(each.get("refundStatus")) == SUCCEEDED:
            yield each


def _returned(details: Body, bought: Mapping[str | None, tuple[Body, Decimal]], options: WixOptions) -> Iterator[Line]:
    """Yield the goods of a refund, worth what the order's lines were worth."""
    for part in as_records(details.get("items")) or as_records(details.get("lineItems")):
        found, pieces = bought.get(id_or_none(part.get("lineItemId"))), as_quantity(part.get("quantity"), 0)
        if found is not None and pieces:
            item, worth = found
            had = max(as_quantity(item.get("quantity"), 1), 1)
            yield Line(_product(item, options), pieces, (worth * pieces / had).quantize(FINE))


def _beside_goods(details: Body, order: Body) -> Decimal:
    """Return what of a refund was for shipping and additional fees, as far as Wix says it."""
    fees = sum((_price(each, "amount") for each in as_records(details.get("additionalFees"))), ZERO)
    shipping = _price(as_record(details.get("shipping")), "amount")
    if not shipping and details.get("shippingIncluded") is True:
        shipping = _price(as_record(order.get("priceSummary")), "shipping")
    return fees + shipping


def _click(order: Body, options: WixOptions) -> tuple[str | None, str | None]:
    """Return the click's id and where it stood: an extended field, a field of the checkout, or the buyer's note."""
    for fields in as_record(as_record(order.get("extendedFields")).get("namespaces")).values():
        if (own := as_text(as_record(fields).get(options.field), 128)) is not None:
            return own, "extendedFields"
    for field in as_records(order.get("customFields")):
        title, value = as_text(field.get("title")), as_text(field.get("value"), 128)
        if title is not None and value is not None and title.lower() == options.field.lower():
            return value, "customFields"
    if (found := IN_NOTE.search(as_text(order.get("buyerNote"), 10_000) or "")) is not None:
        return found[1], "buyerNote"
    return None, None


def _coupon(order: Body) -> str | None:
    coupons = (as_record(each.get("coupon")) for each in as_records(order.get("appliedDiscounts")))
    return next((code for each in coupons if (code := as_text(each.get("code"), 120)) is not None), None)


def _when(order: Body, kind: str) -> int | None:
    """Return when the order's log first says that something happened; None if it does not say it.

    `activityType` has taken the place of `type`, which was to go in March 2026.
    """
    moments = (
        as_moment(each.get("createdDate"), "createdDate")
        for each in as_records(order.get("activities"))
        if as_text(each.get("activityType") or each.get("type")) == kind
    )
    return min((at for at in moments if at is not None), default=None)


def _product(item: Body, options: WixOptions) -> str | None:
    sku = as_text(as_record(item.get("physicalProperties")).get("sku"))
    of_catalogue = as_text(as_record(item.get("catalogReference")).get("catalogItemId"))
    return sku or of_catalogue if options.product_key == "sku" else of_catalogue


def _transactions(order: Body) -> Body:
    return as_record(order.get("transactions"))


def _price(thing: Body, name: str) -> Decimal:
    return as_money(as_record(thing.get(name)).get("amount"), name) or ZERO
