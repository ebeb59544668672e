"""What an event states of an order, in the units and on the clock of what is stored: lines, refunds and statuses."""

from __future__ import annotations

from hub.domain.commission import OrderLine, Refund
from hub.domain.facts import Fact, OrderCreated, OrderRefunded, OrderSnapshot
from hub.domain.lifecycle import StatusFact
from hub.domain.money import to_minor
from hub.processing.events import Event


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
    )
