"""What an event states of an order, as it is stored, in its units and on its clock: lines, refunds, statuses, rows."""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from hub.domain.money import to_minor
from hub.domain.orders.attribution import Attribution
from hub.domain.orders.commission import OrderLine, Refund
from hub.domain.orders.facts import Fact, OrderCreated, OrderRefunded, OrderSnapshot
from hub.domain.orders.lifecycle import StatusFact
from hub.processing.events import Event
from hub.processing.ledger_rows import Conversion, lines_to_json


def status_fact(event: Event, fact: Fact, currency: str, ordered_at: int, *, late: bool) -> StatusFact:
    """Return a piece of order news as the fold takes it: what happened, when, and what was refunded.

    It happened at the latest when it was received, and no earlier than its order (`ordered_at`, ms UTC).
    """
    occurred_at = getattr(fact, "occurred_at", None)
    happened_at = event.received_at if occurred_at is None else min(occurred_at, event.received_at)
    happened_at = max(happened_at, ordered_at)
    refund = _refund(fact, currency) if isinstance(fact, OrderRefunded) else None
    status: str = fact.status  # type: ignore[union-attr]  # order news all have one
    return StatusFact(fact.key, status, happened_at, event.received_at, refund, late, event.event_id)


def order_lines(fact: OrderCreated | OrderSnapshot, order_minor: int, currency: str) -> tuple[OrderLine, ...]:
    """Return the order's lines; a single one that states no amount is the whole order."""
    if len(fact.lines) == 1:
        (line,) = fact.lines
        whole = line.amount is None or line.amount is fact.amount
        amount = order_minor if whole or line.amount is None else to_minor(line.amount, currency)
        return (OrderLine(line.external_product_id, line.quantity, amount),)
    return tuple([
        OrderLine(x.external_product_id, x.quantity, 0 if x.amount is None else to_minor(x.amount, currency))
        for x in fact.lines
    ])  # fmt: skip


def new_conversion(
    ids: tuple[str, str, str], event: Event, order: OrderCreated, attribution: Attribution, candidate: str | None,
    currency: str, order_minor: int, lines: Sequence[OrderLine], ordered_at: int, now: int,
) -> Conversion:  # fmt: skip
    """Return the conversion of an order that its event states; times are milliseconds UTC.

    `ids` are (account id, external order id, conversion id). Without a certain click it waits for a review, which is
    shown whose it may be: `candidate`, the coupon's owner or else the click's affiliate.
    """
    account_id, order_id, conversion_id = ids
    high = attribution.confidence == "HIGH"
    paid_minor = order_minor if order.paid_total is None else to_minor(order.paid_total, currency)
    metadata = None if order.metadata is None else orjson.dumps(order.metadata, default=str).decode()
    affiliate_id, candidate_id, review = (attribution.affiliate_id, None, None) if high else (None, candidate, "OPEN")
    return Conversion(
        account_id, conversion_id, event.event_id, order_id, order_minor, paid_minor, currency,
        lines_to_json(lines), order.click_id, order.coupon_code, metadata, ordered_at, event.received_at,
        attribution.confidence, attribution.reason, affiliate_id, attribution.campaign_id, candidate_id, review,
        now, born=order.born,
    )  # fmt: skip


def _refund(fact: OrderRefunded, currency: str) -> Refund | None:
    """Return the money of a partial refund; None if neither amount nor lines are stated: a full one."""
    if fact.amount is None and not fact.lines:
        return None
    return Refund(
        None if fact.amount is None else to_minor(fact.amount, currency),
        tuple(
            (x.external_product_id, x.quantity, None if x.amount is None else to_minor(x.amount, currency))
            for x in fact.lines
        ),
        0 if fact.beside_goods is None else to_minor(fact.beside_goods, currency),
        fact.as_of,
    )
