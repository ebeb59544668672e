"""The days on which orders of a kind were placed, as the daily figures know them.

An index of the states of orders would cost each order some writes, each time that its state changes. The figures count
each order anyway, by day, state, confidence, campaign and product. So they say on which days there is something to look
for, and a list leaves out all others: that there is none is known at once.

The figures follow the orders a moment later. What they lack is noted in the transaction that changes an order, and its
id says when it came: so those moments are looked at as well.
"""

from __future__ import annotations

from typing import Final

from hub.domain.durations import MINUTE
from hub.domain.orders.figures import ALL, day_of
from hub.ids import moment_of
from hub.operations.lists import FilterValues
from hub.storage import Tx

COUNTED: Final = ("state", "confidence", "campaign_id", "product")
"""The filters by which the figures count."""
MOST_NOTES: Final = 50_000
"""How many notes of changed orders are read, in some 20 ms; where more wait, all orders are looked at."""
FARTHEST: Final = 1 << 40
"""A day after all days."""
END: Final = (1 << 48) - 1
"""The last moment that an id can have (ms UTC)."""
NEAR: Final = 1 << 24
"""How long the moments of ids with the same first six digits are apart at most (ms): four and a half hours."""
DECIDING: Final = MINUTE
"""How much later than the order's id the id of its note may have been made, in the same process."""


def is_counted(filters: FilterValues) -> bool:
    """Return whether the figures lead to the orders that are asked for."""
    return any(filters.get(name) is not None for name in COUNTED)


async def days_of(tx: Tx, account_id: str, filters: FilterValues) -> list[int]:
    """Return the days since 1970 (UTC) on which the figures count an account's orders that may meet filters, ascending.

    The filters are those of `COUNTED`, one at least, `placed_from` and `placed_to` (exclusive, ms UTC).
    """
    begins, ends = filters.get("placed_from"), filters.get("placed_to")
    rows = await tx.all(
        "days_of_orders",
        account_id=account_id,
        first=0 if begins is None else day_of(int(begins)),
        last=FARTHEST if ends is None else day_of(int(ends) - 1),
        campaign_id=filters.get("campaign_id") or ALL,
        **{name: filters.get(name) for name in ("state", "confidence", "product")},
    )
    return [row["day"] for row in rows]


async def uncounted_moments(tx: Tx, account_id: str) -> list[tuple[int, int]] | None:
    """Return spans of time (ms UTC) in which the ids were made of all orders that the figures do not count as they are.

    New orders are one span, however many they are. None if too many others changed.
    """
    rows = await tx.all("uncounted_orders", account_id=account_id, limit=MOST_NOTES + 1)
    if sum(row["notes"] for row in rows) > MOST_NOTES:
        return None
    begins = [moment_of(f"{row['beginning']}000000") for row in rows]
    spans = [(each, each + NEAR) for each in begins]
    new = await tx.one("oldest_new_figures", account_id=account_id)
    if new is not None and new["change_id"] is not None:
        spans.append((moment_of(new["change_id"]) - DECIDING, END))
    return spans
