"""What is read beside conversions, for many at once: explanations, what they await, sub-ids, rates by volume."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypedDict

import orjson

from hub.domain.books.book_time import month_of
from hub.domain.money import format_money
from hub.domain.orders.awaited import Awaited, awaited
from hub.operations.money.books.books import zone_of_books
from hub.processing.ledger_rows import Commission, Conversion
from hub.records.orders import VolumeOfOrder
from hub.storage import Tx, values_of


class Progress(TypedDict):
    """Why an order was decided so, null if it is not decided, what it awaits, null if nothing, and its sub-ids.

    A click's sub-ids count only in its order's own account.
    """

    explanation: dict[str, Any] | None
    awaits: Awaited | None
    sub_ids: dict[str, str]


async def progress_of(
    tx: Tx, orders: Iterable[tuple[Conversion, Commission | None]], stored: Callable[[str], Any] = orjson.loads
) -> dict[str, Progress]:
    """Return the progress of each of these conversions, by its id; `stored` makes the explanation of its JSON."""
    named = {order.conversion_id: (order, commission) for order, commission in orders}
    keys = [(each.account_id, each.conversion_id, each.event_id, each.click_id) for each, _ in named.values()]
    rows = await tx.all("progress_of_conversions", conversions=keys) if keys else ()
    return {
        conversion_id: {
            "explanation": None if explanation is None else stored(explanation),
            "awaits": _awaited(*named[conversion_id], needs_deposit=awaits_deposit is not None),
            "sub_ids": {} if subs is None else orjson.loads(subs),
        }
        for conversion_id, explanation, awaits_deposit, subs in values_of(rows)
    }


def _awaited(conversion: Conversion, commission: Commission | None, *, needs_deposit: bool) -> Awaited | None:
    if commission is None:
        return awaited(conversion.review, None, needs_deposit=needs_deposit)
    return awaited(
        conversion.review,
        commission.state,
        needs_deposit=needs_deposit,
        unseen=commission.awaits_platform is not None,
        holds=commission.hold_until is not None,
    )


async def volumes_of(tx: Tx, conversions: Sequence[Conversion]) -> dict[str, VolumeOfOrder]:
    """Return what these conversions count for rates by volume, by id; without such rates none is there."""
    keys = [(each.account_id, each.conversion_id) for each in conversions]
    rows = await tx.all("volumes_of_orders", conversions=keys) if keys else []
    if not rows:
        return {}
    zone = await zone_of_books(tx)
    return {
        row["conversion_id"]: VolumeOfOrder(
            month=month_of(row["placed_at"], zone),
            standing=row["standing"],
            place=row["place"],
            begins=row["tier_from"],
            commission_type=row["type"],
            commission_value=row["value"],
            amount=format_money(row["added_minor"], row["currency"]),
        )
        for row in rows
    }
