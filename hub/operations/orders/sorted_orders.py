"""An account's orders by what no index has them in the order of: placed, amount, commission, state.

Each such index would cost every order some writes. So the newest `SORTED` orders are sorted, of all or of those of a
span of time, and the page says so where there are more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hub.operations.lists import ORDER_OF, FilterValues, Page, Wanted, place_of
from hub.operations.merged_lists import merged
from hub.operations.orders.conversions import CONVERSIONS
from hub.operations.orders.placed_orders import spans_of
from hub.storage import HIGHEST, LOWEST, Row, Store, Tx

SORTED: Final = 20_000
"""How many orders are sorted: in some 100 ms."""


def is_sorted(wanted: Wanted) -> bool:
    """Return whether no index has the order that is wanted."""
    return bool(CONVERSIONS.query.key(wanted.sort).sorts)


async def read_sorted(store: Store, account_id: str, wanted: Wanted, asked: FilterValues, *, by_ids: bool) -> Page[Row]:
    """Return a part of an account's orders in an order without an index; raise `CursorFault`.

    `asked` are the filters as they were typed. `by_ids` says that ids lead to the span of dates that they name, so
    that the newest of that span are sorted. `looked_at` is how many were, if there are more.
    """
    spans = spans_of(asked if by_ids else {})
    async with store.read() as tx:
        parts = [await _part(tx, wanted, each.within(account_id)) for each in spans]
    return merged(CONVERSIONS, wanted, parts)


async def _part(tx: Tx, wanted: Wanted, within: Mapping[str, str]) -> Page[Row]:
    query, key = CONVERSIONS.query, CONVERSIONS.query.key(wanted.sort)
    way, place = CONVERSIONS.start(wanted)
    given = {name: value for name, value in wanted.filters.items() if value is not None} | dict(within)
    led, _ = query.parted(key, frozenset(given))
    bounds = {"since": LOWEST, "before": HIGHEST} | {name: given[name] for name in led | (key.bounds & given.keys())}
    rest = {name: given.get(name) for name in query.looked_for(key, led)}
    order = ORDER_OF[way]
    behind = (
        {}
        if place is None
        else {f"behind_{column.name}": value for column, value in zip(key.columns, place, strict=True)}
    )
    name = query.query_name("search", key, order, led, goes_on=place is not None)
    found = await tx.all(name, **bounds, **rest, **behind, depth=SORTED, limit=wanted.limit + 1)
    name = query.query_name("edge", key, "newest", led, goes_on=False)
    edge = await tx.one(name, **bounds, depth=SORTED)
    beyond = None
    if len(found) > wanted.limit:
        beyond = CONVERSIONS.cursor(wanted, way, place_of(key, found[wanted.limit - 1]))
    rows = found[: wanted.limit] if (way == "newer") is wanted.oldest_first else found[: wanted.limit][::-1]
    looked_at = 0 if edge is None else SORTED
    return Page(rows, beyond if way == "older" else None, beyond if way == "newer" else None, looked_at)
