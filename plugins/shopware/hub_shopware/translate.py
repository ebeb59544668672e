"""From an order's snapshot to all that it states, whatever event brought it, or whether the hub asked for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

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
    OrderReturned,
    OrderSnapshot,
    OrderStateUnknown,
    Unmappable,
    as_currency,
    as_id,
    as_moment,
    as_money,
    as_quantity,
    as_record,
    as_text,
    read_payload,
    refund_key,
    status_key,
)
from hub_shopware.bodies import DeliveryBody, LineBody, OrderBody, PriceBody, RefundBody, ShipmentBody, TransactionBody
from hub_shopware.options import ShopwareOptions, options_of

Dated = OrderBody | LineBody | ShipmentBody | TransactionBody
CLICK = "affiliate_click_id"
CENT = Decimal("0.000001")
LATEST = 2**43
"""More seconds than any order's time has."""
PAID = frozenset({"paid", "refunded", "refunded_partially", "chargeback"})
"""States of a transaction whose money has come at some time."""
GONE_BACK = frozenset({"refunded", "chargeback"})
"""States of a transaction that take the whole order back."""
CANCELLED = "cancelled"
STATES = frozenset({"open", "in_progress", "completed", CANCELLED})
"""The states that Shopware's machine has for an order (`OrderStates`); a plugin may add some."""
NO_LINES = "the order has no `lineItems`, so nothing says what it is worth"


def of_order(body: DeliveryBody, context: Context) -> Iterator[Fact]:
    """Give every fact of the order that an event brought."""
    sent_at = body.timestamp * 1000 if isinstance(body.timestamp, int) and 0 < body.timestamp < LATEST else None
    order = body.data.payload.order
    if order.line_items is not None:
        yield from _what_it_is(order, sent_at, context)
    news = tuple(_news(order, sent_at, context))
    if order.line_items is None and not news:
        raise Unmappable(NO_LINES)
    yield from news


def of_asked_order(order: OrderBody, context: Context) -> Iterator[Fact]:
    """Give every fact of an order as the API answers it."""
    yield from _what_it_is(order, None, context)
    yield from _news(order, None, context)


def _what_it_is(order: OrderBody, sent_at: int | None, context: Context) -> Iterator[Fact]:
    """Give what the order was when it was placed, and what it is now.

    Its version is the last change of the order or of anything in it: an event that waits says the same. Bodies without
    these times are as old as their delivery (`sent_at`, ms UTC).
    """
    options, changed = options_of(context), _changed_at(order)
    created = _created(order, as_id(order.order_number, "the order"), options)
    yield created
    state, version = _state(order), sent_at if changed is None else changed
    if version is not None:
        is_known = state is None or state in STATES or state in options.delivered_states
        stands = is_known and state != CANCELLED and _payment(order) not in GONE_BACK and not _came_back(order)
        yield OrderSnapshot(
            SNAPSHOT_KEY, created.order_id, version, created.amount, created.currency, created.lines,
            created.paid_total, stands_at=changed if stands else None,
        )  # fmt: skip


def _news(order: OrderBody, sent_at: int | None, context: Context) -> Iterator[Fact]:
    """Give what happened to the order; Shopware names no moment for its states, so the time of receipt counts."""
    options, changed = options_of(context), _changed_at(order)
    number = as_id(order.order_number, "the order")
    payment, state, is_back = _payment(order), _state(order), _came_back(order)
    if state is not None and state not in STATES and state not in options.delivered_states:
        at = sent_at if changed is None else changed
        yield OrderStateUnknown(status_key("unknown_state", at), number, at, None, None, state)
    elif payment in PAID:
        yield OrderPaid(status_key("paid", None), number, None, None, None)
    if state in options.delivered_states:
        yield OrderDelivered(status_key("delivered", None), number, None, None, None)
    if state == CANCELLED:
        yield OrderCancelled(status_key("cancelled", changed), number, changed, None, None)
    if is_back:
        yield OrderReturned(status_key("returned", None), number, None, None, None)
    refunds = _refunds(order)
    yield from (_refund(number, name, refund, context) for name, refund in refunds.items())
    if payment in GONE_BACK and not refunds:
        yield OrderRefunded(refund_key("state", ""), number, None, None, None, "state", None, (), whole=True)


def of_partial_refund(body: DeliveryBody, context: Context) -> Iterator[Fact]:
    """Give every fact of an order that was partly refunded; raises `Unmappable` if the body does not say how much."""
    if not _refunds(body.data.payload.order):
        raise Unmappable(
            "Shopware says that a part was refunded, but not how much: the payment keeps no refunds; "
            "report it with the order status API"
        )
    yield from of_order(body, context)


def of_webhook(_: str, body: Body, context: Context) -> Iterator[Fact]:
    """Give the facts of a free-form v1 webhook; the hub keeps those of its kind."""
    return of_order(read_payload(DeliveryBody, body), context)


def _created(order: OrderBody, number: str, options: ShopwareOptions) -> OrderCreated:
    if order.line_items is None:
        raise Unmappable(NO_LINES)
    items = [line for line in order.line_items if line.parent_id is None and line.price is not None]
    worths = [(line, _worth(line, order, options)) for line in items]
    goods = [line for line, worth in worths if not _takes_off(line, worth)]
    taken_off = -sum((worth for line, worth in worths if _takes_off(line, worth)), Decimal(0))
    shares = _spread([worth for line, worth in worths if not _takes_off(line, worth)], taken_off)
    return OrderCreated(
        key=CREATED_KEY,
        order_id=number,
        amount=sum(shares, Decimal(0)),
        currency=as_currency(None if order.currency is None else order.currency.iso_code),
        click_id=_click(order),
        coupon_code=_coupon(items),
        lines=tuple(
            Line(_product(line, options), max(as_quantity(line.quantity, 1), 1), share)
            for line, share in zip(goods, shares, strict=True)
        ),
        ordered_at=as_moment(order.order_date_time, "orderDateTime"),
        paid_total=as_money(order.amount_total, "amountTotal"),
        metadata=None,
        born=as_text(order.id),
        customer=None if order.order_customer is None else as_text(order.order_customer.email, 320),
    )


def _takes_off(line: LineBody, worth: Decimal) -> bool:
    """Return whether a line is no product but money off the others: whoever adds one of a type of their own, too."""
    return worth < 0 or line.type in {"promotion", "discount", "credit"}


def _worth(line: LineBody, order: OrderBody, options: ShopwareOptions) -> Decimal:
    """Return a line's price with or without its tax; only the tax status "gross" contains it."""
    price = line.price or PriceBody(Decimal(0))
    total = as_money(price.total_price, "totalPrice", signed=True) or Decimal(0)
    tax = sum(
        (as_money(each.tax, "tax", signed=True) or Decimal(0) for each in price.calculated_taxes or ()), Decimal(0)
    )
    if order.tax_status == "gross":
        return total - tax if options.tax == "excluded" else total
    return total + tax if options.tax == "included" and order.tax_status == "net" else total


def _spread(worths: Sequence[Decimal], taken_off: Decimal) -> list[Decimal]:
    """Each line's part after the promotions, which Shopware keeps as lines of their own."""
    total = sum(worths, Decimal(0))
    left = max(total - taken_off, Decimal(0))
    return [(worth * left / total).quantize(CENT) if taken_off and total else worth for worth in worths]


def _click(order: OrderBody) -> str | None:
    """Return the click from the order's custom field, or from the campaign code that Shopware keeps."""
    found = as_text(as_record(order.custom_fields).get(CLICK))
    campaign = as_text(order.campaign_code)
    return found or (campaign if campaign is not None and campaign.startswith("clk_") else None)


def _coupon(items: Sequence[LineBody]) -> str | None:
    codes = (as_text(as_record(line.payload).get("code"), 120) for line in items if line.type == "promotion")
    return next((code for code in codes if code is not None), None)


def _product(line: LineBody, options: ShopwareOptions) -> str | None:
    number = as_text(as_record(line.payload).get("productNumber"))
    return number if options.product_key == "number" and number is not None else as_text(line.product_id)


def _payment(order: OrderBody) -> str | None:
    states = [each.state.technical_name for each in order.transactions or () if each.state is not None]
    return states[-1] if states else None


def _state(order: OrderBody) -> str | None:
    return None if order.state is None else order.state.technical_name


def _came_back(order: OrderBody) -> bool:
    """Return whether all of the order's deliveries were returned."""
    shipments = [shipment.state.technical_name for shipment in order.deliveries or () if shipment.state is not None]
    return bool(shipments) and all(name == "returned" for name in shipments)


def _changed_at(order: OrderBody) -> int | None:
    """Return when the order or anything in it changed last (ms UTC), None if nothing says it."""
    dated: list[Dated] = [order, *(order.line_items or ()), *(order.deliveries or ()), *(order.transactions or ())]
    texts = [text for each in (*dated, *_all_refunds(order)) for text in (each.created_at, each.updated_at)]
    return max((at for text in texts if (at := as_moment(text, "updatedAt", lenient=True)) is not None), default=None)


def _all_refunds(order: OrderBody) -> Iterator[RefundBody]:
    for transaction in order.transactions or ():
        for capture in transaction.captures or ():
            yield from capture.refunds or ()


def _refunds(order: OrderBody) -> dict[str, RefundBody]:
    return {
        as_id(refund.id, "the refund"): refund
        for refund in _all_refunds(order)
        if refund.state is not None and refund.state.technical_name == "completed"
    }


def _refund(number: str, name: str, refund: RefundBody, context: Context) -> OrderRefunded:
    amount = as_money(refund.amount.total_price, "refund.amount")
    return OrderRefunded(refund_key(name, context.delivery_id), number, None, None, None, name, amount, ())
