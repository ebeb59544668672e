"""The days on which orders of a kind were placed, as the daily figures know them.

An index of the states of orders would cost each order some writes, each time that its state changes. The figures count
each order anyway, by day, state, confidence, campaign and product. So they say on which days there is something to look
for, and a list leaves out all others: that there is none is known at once.

The figures follow the orders a moment later. What they lack is noted in the transaction that changes an order, so the
days of the orders in those notes are looked at as well.
"""

from __future__ import annotations

from itertools import chain
from typing import Final

import orjson

from hub.domain.durations import DAY
from hub.domain.figures import ALL, day_of, sums_from_json
from hub.operations.lists import FilterValues
from hub.storage import Tx

COUNTED: Final = ("state", "confidence", "campaign_id", "product")
"""The filters by which the figures count."""
MOST_NOTES: Final = 200
"""How many notes of each kind are read; where more wait, all days are looked at."""
FARTHEST: Final = 1 << 40
"""A day after all days."""


def is_counted(filters: FilterValues) -> bool:
    """Return whether the figures lead to the orders that are asked for."""
    return any(filters.get(name) is not None for name in COUNTED)


async def days_of(tx: Tx, account_id: str, filters: FilterValues) -> list[int] | None:
    """Return the days since 1970 (UTC) on which an account's orders may meet filters, ascending.

    The filters are those of `COUNTED`, `placed_from` and `placed_to` (exclusive, ms UTC). None stands for any day:
    because no filter is among those that count, or because too much is not counted yet.
    """
    if not is_counted(filters):
        return None
    waiting = await _uncounted(tx, account_id)
    if waiting is None:
        return None
    begins, ends = filters.get("placed_from"), filters.get("placed_to")
    first, last = 0 if begins is None else day_of(int(begins)), FARTHEST if ends is None else day_of(int(ends) - 1)
    rows = await tx.all(
        "days_of_orders",
        account_id=account_id,
        first=first,
        last=last,
        campaign_id=filters.get("campaign_id") or ALL,
        **{name: filters.get(name) for name in ("state", "confidence", "product")},
    )
    return sorted({row["day"] for row in rows} | {day for day in waiting if first <= day <= last})


async def _uncounted(tx: Tx, account_id: str) -> set[int] | None:
    """Return the days of orders that the figures do not count as they are yet; None if these are too many."""
    new = await tx.all("new_figures_of", account_id=account_id, limit=MOST_NOTES + 1)
    changed = await tx.all("uncounted_orders", account_id=account_id, limit=MOST_NOTES + 1)
    if max(len(new), len(changed)) > MOST_NOTES:
        return None
    noted = chain.from_iterable(sums_from_json(orjson.loads(row["sums"])).days for row in new)
    return {key[0] for key in noted} | {row["ordered_at"] // DAY for row in changed}
