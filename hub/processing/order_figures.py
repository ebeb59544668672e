"""What an order adds to the figures: read from the store, or known when it is decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import orjson

from hub.domain.orders.commission import OrderLine
from hub.domain.orders.figures import OrderFigures, day_of, refunded_minor, sums_of, sums_to_json
from hub.domain.orders.lifecycle import StatusFact
from hub.domain.orders.undone import LastWord, read_refund_set, undone
from hub.ids import new_id
from hub.processing.ledger_rows import Commission, Conversion, FactRow, RecordedClick
from hub.storage import Row

NewOrders = Mapping[str, Sequence[tuple[str, OrderFigures]]]
"""The orders that a transaction creates, (conversion id, figures), by account."""


def figures_of(row: Row, facts: Iterable[FactRow]) -> OrderFigures:
    """Return the figures of an order: a row of `orders_to_count`, and its refunds."""
    last = LastWord(row["stands_at"], read_refund_set(row["refund_set"]))
    refunds = [fact.fact for fact in facts]
    return OrderFigures(
        day=day_of(row["ordered_at"]),
        campaign_id=row["campaign_id"] or "",
        affiliate_id=row["affiliate_id"] or "",
        currency=row["currency"],
        high=int(row["confidence"] == "HIGH"),
        revenue_minor=row["order_minor"],
        refunds_minor=_refunded(row["order_minor"], row["base_minor"], refunds, last),
        state=row["state"] or "",
        commission_minor=row["amount_minor"] or 0,
        code=row["code"] or "",
        subs=row["subs"] or "",
        products=tuple((name or "", quantity, minor) for name, quantity, minor in orjson.loads(row["lines_json"])),
    )


def _refunded(order_minor: int, base_minor: int | None, refunds: Sequence[StatusFact], last: LastWord) -> int:
    """Return how much of an order was refunded by those refunds that the platform has not taken back."""
    gone = undone(refunds, last) if refunds else {}
    return refunded_minor(order_minor, base_minor, [fact for fact in refunds if fact.key not in gone])


def figures_of_new(
    conversion: Conversion, lines: Iterable[OrderLine], commission: Commission | None, click: RecordedClick | None,
    facts: Iterable[StatusFact],
) -> OrderFigures:  # fmt: skip
    """Return the figures of an order that is about to be stored with these lines, as `figures_of` would afterwards."""
    base = None if commission is None else commission.base_minor
    refunds = [fact for fact in facts if fact.status == "refunded"]
    return OrderFigures(
        day=day_of(conversion.ordered_at),
        campaign_id=conversion.campaign_id or "",
        affiliate_id=conversion.affiliate_id or "",
        currency=conversion.currency,
        high=int(conversion.confidence == "HIGH"),
        revenue_minor=conversion.order_minor,
        refunds_minor=_refunded(conversion.order_minor, base, refunds, conversion.last_word) if refunds else 0,
        state="" if commission is None else commission.state,
        commission_minor=0 if commission is None else commission.amount_minor,
        code="" if click is None else click.code,
        subs="" if click is None else click.subs_json or "",
        products=tuple([(name or "", quantity, minor) for name, quantity, minor in lines]),
    )


def counted_rows(new: NewOrders) -> list[tuple[str, str, str]]:
    """Return the rows of `store_counted_orders`: what the figures contain of new orders once the notes are added."""
    return [
        (account_id, conversion_id, orjson.dumps([*figures]).decode())
        for account_id, orders in new.items()
        for conversion_id, figures in orders
    ]


def notes_of_new(new: NewOrders) -> list[tuple[str, str, str]]:
    """Return the rows of `note_new_figures`: one for each account, whatever the number of its orders."""
    return [
        (account_id, new_id("chg"), orjson.dumps(sums_to_json(sums_of([(None, each) for _, each in orders]))).decode())
        for account_id, orders in new.items()
    ]
