"""From an order as Magento's REST API answers it, with its credit memos, to all that it states."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

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
from hub_magento.options import MagentoOptions, options_of

ZERO: Final = Decimal(0)
FINE: Final = Decimal("0.000001")
CLICK: Final = "affiliate_click_id"
IN_COMMENT: Final = re.compile(rf"{CLICK}\s*[=:]\s*([A-Za-z0-9_-]{{1,128}})(?![A-Za-z0-9_-])", re.IGNORECASE)
CANCELED: Final = "canceled"
CREDITS: Final = ("customer_balance_amount", "gift_cards_amount", "reward_currency_amount")
"""What Adobe Commerce has besides money, in the order's currency: store credit, gift cards and reward points.

Source: the REST schema's `sales-data-order-extension-interface`, which has all three, and
`sales-data-creditmemo-extension-interface`, which has the first two. `base_grand_total` is what is left after they are
subtracted (Adobe Commerce Intelligence, "sales_order").
"""
GIFT_CARD: Final = "giftcard"
"""The type of Adobe Commerce's gift cards: money that is spent later."""
INVOICED: Final = frozenset({"processing", "complete", "closed"})
"""The states of an order that has an invoice, or was shipped."""
STATES: Final = INVOICED | {"new", "pending_payment", CANCELED, "holded", "payment_review"}
"""Those of `Magento\\Sales\\Model\\Order`; a module may have more of its own."""
STANDING: Final = STATES - {CANCELED, "closed"}
VOID: Final = 3
"""The state of a credit memo that was cancelled."""


def of_order(order: Body, context: Context) -> Iterator[Fact]:
    """Yield every fact of an order; Magento does not say when it was paid, so the moment of asking counts."""
    order_id, options = as_id(order.get("entity_id"), "the order"), options_of(context)
    state = as_text(order.get("state"))
    if state is None:
        raise Unmappable("the order has no `state`")
    changed_at = _moment(order, "updated_at")
    created = _created(order, order_id, options)
    yield created
    if changed_at is not None:
        yield OrderSnapshot(
            SNAPSHOT_KEY, order_id, changed_at, created.amount, created.currency, created.lines, created.paid_total,
            stands_at=changed_at if state in STANDING else None,
        )  # fmt: skip
    if state not in STATES:
        yield OrderStateUnknown(status_key("unknown_state", changed_at), order_id, changed_at, None, None, state)
    elif _is_paid(order, state):
        yield OrderPaid(status_key("paid", None), order_id, None, None, None)
    if state in STATES and as_text(order.get("status")) in options.delivered_statuses:
        yield OrderDelivered(status_key("delivered", None), order_id, None, None, None)
    if state == CANCELED:
        yield OrderCancelled(status_key("cancelled", changed_at), order_id, changed_at, None, None)
    yield from _refunds(order, order_id, context)


def of_webhook(_: str, body: Body, context: Context) -> tuple[Fact, ...]:
    """Return the facts of a free-form v1 webhook, which must hold the whole order."""
    return tuple(of_order(body, context))


def recognises(body: Body) -> bool:
    """Recognise an order by what only Magento's have."""
    return {"entity_id", "increment_id", "base_grand_total", "order_currency_code", "items"} <= body.keys()


def order_of(_: str, body: Body) -> str | None:
    """Return the id of the order that a body is."""
    return id_or_none(body.get("entity_id"))


def _created(order: Body, order_id: str, options: MagentoOptions) -> OrderCreated:
    lines = tuple(Line(_product(item, options), pieces, worth) for item, pieces, worth in _goods(order, options))
    click_id, place = _click(order)
    told = {"orderNumber": as_text(order.get("increment_id")), "source": as_text(order.get("store_name")),
            "clickIdFrom": place}  # fmt: skip
    return OrderCreated(
        key=CREATED_KEY,
        order_id=order_id,
        amount=sum((line.amount or ZERO for line in lines), ZERO),
        currency=as_currency(as_text(order.get("order_currency_code"))),
        click_id=click_id,
        coupon_code=as_text(order.get("coupon_code"), 120),
        lines=lines,
        ordered_at=_moment(order, "created_at"),
        paid_total=max(_money(order, "grand_total") + _by_credit(order) - _called_off(order), ZERO),
        metadata={name: value for name, value in told.items() if value is not None} or None,
        born=as_text(order.get("protect_code")),  # random, while ids come again after a backup
        customer=as_text(order.get("customer_email"), 320),
    )


def _goods(order: Body, options: MagentoOptions) -> Iterator[tuple[Body, int, Decimal]]:
    """Yield each product that was bought, but no gift card, with how many pieces and what they cost after discounts.

    A configurable product or a bundle is one line, whose parts are lines of their own that name it: they may have the
    discount and the tax of the whole. What was cancelled of an order whose other part was invoiced is bought no more.
    """
    items, is_whole = as_lines(order.get("items"), "items"), as_text(order.get("state")) == CANCELED
    for item in items:
        if item.get("parent_item_id") is not None or item.get("product_type") == GIFT_CARD:
            continue
        parts = [each for each in items if each.get("parent_item_id") == item.get("item_id")]
        worth, pieces = _worth(item, parts, options), _pieces(item, "qty_ordered")
        if not is_whole:
            worth = max(worth - sum((_lost(each, options) for each in (item, *parts)), ZERO), ZERO)
            pieces -= _pieces(item, "qty_canceled")
        if pieces > 0 or worth:
            yield item, max(pieces, 1), worth


def _worth(item: Body, parts: Sequence[Body], options: MagentoOptions) -> Decimal:
    """Return a line's worth: Magento keeps it without tax, takes off discounts with theirs, and tells that apart."""
    if item.get("row_total") is None:
        raise Unmappable("a line of the order has no `row_total`")
    total = _money(item, "row_total") or _sum(parts, "row_total")
    return max(total + sum((_beyond_price(each, options) for each in (item, *parts)), ZERO), ZERO)


def _beyond_price(item: Body, options: MagentoOptions) -> Decimal:
    """Return what is added to the price of one line for its discount, and for its tax if that counts."""
    tax = _money(item, "tax_amount") if options.tax == "included" else ZERO
    return _money(item, "discount_tax_compensation_amount") - _money(item, "discount_amount") + tax


def _lost(item: Body, options: MagentoOptions) -> Decimal:
    """Return what the cancelled pieces of one line were worth, to the millionth."""
    ordered, canceled = _money(item, "qty_ordered"), _money(item, "qty_canceled")
    if not ordered or not canceled:
        return ZERO
    return ((_money(item, "row_total") + _beyond_price(item, options)) * canceled / ordered).quantize(FINE)


def _by_credit(thing: Body) -> Decimal:
    """Return what was paid, or went back, by the credits of Adobe Commerce, which its `grand_total` leaves out."""
    own = as_record(thing.get("extension_attributes"))
    return sum((abs(_money(own, name)) for name in CREDITS), ZERO)


def _is_paid(order: Body, state: str) -> bool:
    """Return whether nothing is due any more; of what credits paid wholly an invoice tells, since no money came."""
    if _money(order, "total_due") > _called_off(order):
        return False
    return _money(order, "total_paid") > 0 or (state in INVOICED and not _money(order, "grand_total"))


def _called_off(order: Body) -> Decimal:
    """Return how much of an order was cancelled while the rest of it was invoiced."""
    return ZERO if as_text(order.get("state")) == CANCELED else max(_money(order, "total_canceled"), ZERO)


def _refunds(order: Body, order_id: str, context: Context) -> Iterator[OrderRefunded]:
    options = options_of(context)
    bought = {id_or_none(item.get("item_id")): (item, pieces, worth) for item, pieces, worth in _goods(order, options)}
    by_id = {id_or_none(memo.get("entity_id")): memo for memo in as_records(order.get("creditmemos"))}
    for name, memo in by_id.items():
        amount = _money(memo, "grand_total") + _by_credit(memo)
        lines = tuple(_returned(memo, bought, options))
        # Of what was paid by some module's credit the memo may say nothing: goods came back, though no money moved.
        if name is None or memo.get("state") == VOID or amount < 0 or not (amount or lines):
            continue
        beside = min(_beside_goods(memo), amount) or None
        at = _moment(memo, "created_at")
        yield OrderRefunded(
            refund_key(name, context.delivery_id), order_id, at, None, None, name, amount or None, lines,
            beside_goods=beside,
        )  # fmt: skip


def _returned(
    memo: Body, bought: Mapping[str | None, tuple[Body, int, Decimal]], options: MagentoOptions
) -> Iterator[Line]:
    """Yield the goods of a credit memo, worth what the order's lines were worth."""
    for part in as_records(memo.get("items")):
        found, pieces = bought.get(id_or_none(part.get("order_item_id"))), _pieces(part, "qty")
        if found is not None and pieces:
            item, had, worth = found
            yield Line(_product(item, options), pieces, (worth * pieces / had).quantize(FINE))


def _beside_goods(memo: Body) -> Decimal:
    """Return what of a credit memo was for shipping, its tax included."""
    with_tax = _money(memo, "shipping_incl_tax")
    return with_tax or _money(memo, "shipping_amount") + _money(memo, "shipping_tax_amount")


def _click(order: Body) -> tuple[str | None, str | None]:
    """Return the click's id and where it stood: an attribute that a module gives orders, or a comment on the order."""
    own = as_text(as_record(order.get("extension_attributes")).get(CLICK), 128)
    if own is not None:
        return own, "extension_attributes"
    comments = (as_text(each.get("comment"), 10_000) for each in as_records(order.get("status_histories")))
    for place, text in (("customer_note", as_text(order.get("customer_note"), 10_000)),
                        *(("status_histories", comment) for comment in comments)):  # fmt: skip
        if (found := IN_COMMENT.search(text or "")) is not None:
            return found[1], place
    return None, None


def _product(item: Body, options: MagentoOptions) -> str | None:
    return as_text(item.get("sku")) if options.product_key == "sku" else id_or_none(item.get("product_id"))


def _pieces(thing: Body, name: str) -> int:
    """Return a number of pieces; what is sold by weight counts as the pieces that it makes whole."""
    value: Any = thing.get(name)
    return as_quantity(int(value) if isinstance(value, Decimal) and abs(value) < 10**9 else value, 0, name)


def _moment(thing: Body, name: str) -> int | None:
    return as_moment(thing.get(name), name, utc=True)


def _sum(things: Sequence[Body], name: str) -> Decimal:
    return sum((_money(each, name) for each in things), ZERO)


def _money(thing: Body, name: str) -> Decimal:
    return as_money(thing.get(name), name, signed=True) or ZERO
