"""What is read beside conversions, for many at once: sub-ids, explanations, what they await, rates by volume."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypedDict

import orjson

from hub.domain.books.book_time import month_of
from hub.domain.money import format_money
from hub.domain.orders.awaited import Awaited, awaited
from hub.operations.money.books.books import zone_of_books
from hub.processing.ledger_rows import Conversion
from hub.records.orders import VolumeOfOrder
from hub.storage import Tx


class Progress(TypedDict):
    """Why a conversion was decided so, null if it is not decided, and what it awaits, null if nothing."""

    explanation: dict[str, Any] | None
    awaits: Awaited | None


async def progress_of(
    tx: Tx, conversions: Sequence[Conversion], stored: Callable[[str], Any] = orjson.loads
) -> dict[str, Progress]:
    """Return the progress of each of these conversions, by its id; `stored` makes the explanation of its JSON."""
    keys = [(each.account_id, each.conversion_id, each.event_id, each.review) for each in conversions]
    rows = await tx.all("progress_of_conversions", conversions=keys) if keys else ()
    return {
        row["conversion_id"]: {
            "explanation": None if row["explanation"] is None else stored(row["explanation"]),
            "awaits": awaited(
                row["review"],
                row["state"],
                needs_deposit=row["awaits_deposit"] is not None,
                unseen=row["awaits_platform"] is not None,
                holds=row["hold_until"] is not None,
            ),
        }
        for row in rows
    }


async def sub_ids_of(tx: Tx, conversions: Iterable[Conversion]) -> dict[str, dict[str, str]]:
    """Return the sub-ids of the clicks that these conversions name, by the click's id; clicks without any are left out.

    A click counts only in its conversion's own account.
    """
    named = sorted({(each.account_id, each.click_id) for each in conversions if each.click_id is not None})
    rows = await tx.all("sub_ids_of_clicks", clicks=named) if named else ()
    return {row["click_id"]: orjson.loads(row["subs"]) for row in rows}


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
