"""An account's orders by when they were placed, without an index of these moments, which each order would pay for.

Ids sort by the time at which orders came, and an order mostly comes soon after it is placed. So those of a span of time
are a span of ids, from a day before it (clocks and time zones) to a week behind it. The others, such as an imported
history, have a partial index, by which those on both sides of the span are found. Of orders in a state, of a campaign
or of a product, the figures say on which days they were placed (`counted_days.py`), and each day is such a span.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Final

from attrs import evolve, frozen

from hub.domain.durations import DAY
from hub.ids import id_at
from hub.operations.lists import CHUNK, FilterValues, Page, Place, Wanted, Way, place_of, read
from hub.operations.orders.conversions import CONVERSIONS
from hub.operations.orders.counted_days import END, days_of, is_counted, uncounted_moments
from hub.storage import HIGHEST, LOWEST, Row, Store, Tx

SOONEST: Final = DAY
LATEST: Final = 7 * DAY
"""The index `conversions_astray` has what comes sooner than a day before it is placed, or later than a week."""
MOST_SPANS: Final = 32


@frozen
class Span:
    """A span of ids, of all orders or of those that came astray; the upper end is not in it."""

    since: str
    before: str
    astray: bool

    def start(self, way: Way, place: str | None) -> str | None:
        """Return behind which id a reader begins that has come to a place; None if the span does not lie ahead."""
        if way == "older":
            return self.before if place is None or place >= self.before else place if place > self.since else None
        return self.since if place is None or place <= self.since else place if place < self.before else None

    def within(self, account_id: str) -> Mapping[str, str]:
        """Return the filters of the span in an account."""
        found = {"account_id": account_id, "since": self.since, "before": self.before}
        return {**found, "astray": "yes"} if self.astray else found


def spans_of(filters: FilterValues) -> list[Span]:
    """Return where the orders are that were placed from `placed_from` to before `placed_to` (ms UTC), the lowest first.

    Without either, all are in one span.
    """
    first, last = filters.get("placed_from"), filters.get("placed_to")
    if first is None and last is None:
        return [Span(LOWEST, HIGHEST, astray=False)]
    begins = LOWEST if first is None else id_at("cnv", int(first) - SOONEST)
    ends = HIGHEST if last is None else id_at("cnv", int(last) + LATEST)
    spans = (Span(LOWEST, begins, astray=True), Span(begins, ends, astray=False), Span(ends, HIGHEST, astray=True))
    return [each for each in spans if each.since < each.before]


def spans_at(moments: Sequence[tuple[int, int]]) -> list[Span]:
    """Return the spans of the ids that were made in these spans of time (ms UTC), and of what came astray beside them.

    There are at most `MOST_SPANS` of them, the lowest first: those that are near each other are taken together.
    """
    gap, moments = 0, sorted(moments)
    joined = _joined(moments, 0)
    while len(joined) > MOST_SPANS:
        gap = 2 * gap + DAY
        joined = _joined(moments, gap)
    spans, below = list[Span](), LOWEST
    for first, last in joined:
        begins, ends = id_at("cnv", first), id_at("cnv", last)
        spans += [Span(below, begins, astray=True), Span(begins, ends, astray=False)]
        below = ends
    return [*spans, Span(below, HIGHEST, astray=True)] if spans else []


def _joined(moments: Sequence[tuple[int, int]], gap: int) -> list[tuple[int, int]]:
    """Return spans of time, sorted, as some that are more than `gap` from each other."""
    joined = list[tuple[int, int]]()
    for begins, ends in moments:
        if joined and begins <= joined[-1][1] + gap:
            joined[-1] = joined[-1][0], max(joined[-1][1], ends)
        else:
            joined.append((begins, ends))
    return joined


async def spans_for(tx: Tx, account_id: str, filters: FilterValues) -> list[Span]:
    """Return where an account's orders are that filters may meet, the lowest first.

    `filters` are as they were typed. Those by which the figures count lead to the days of such orders, and to what the
    figures do not count yet.
    """
    uncounted = await uncounted_moments(tx, account_id) if is_counted(filters) else None
    if uncounted is None:
        return spans_of(filters)
    days = await days_of(tx, account_id, filters)
    placed = [(day * DAY - SOONEST, (day + 1) * DAY + LATEST) for day in days]
    first, last = filters.get("placed_from"), filters.get("placed_to")
    begins, ends = 0 if first is None else int(first) - SOONEST, END if last is None else int(last) + LATEST
    changed = [(max(since, begins), min(before, ends)) for since, before in uncounted]
    return spans_at([*placed, *((since, before) for since, before in changed if since < before)])


async def read_placed(store: Store, account_id: str, wanted: Wanted, spans: Sequence[Span]) -> Page[Row]:
    """Return a part of an account's orders, in the order of their ids; raise `CursorFault`.

    The spans, of `spans_for`, follow each other as one list: what is left of a page when one ends is filled from the
    next.
    """
    way, place = CONVERSIONS.start(wanted)
    rows: list[Row] = []
    onwards, looked_at, forwards = None, 0, (way == "newer") is wanted.oldest_first
    async with store.read() as tx:
        for span in spans if way == "newer" else reversed(spans):
            start = span.start(way, None if place is None else str(place[0]))
            if start is None:
                continue
            left = wanted.limit - len(rows)
            part = evolve(wanted, limit=max(left, 1), cursor=CONVERSIONS.cursor(wanted, way, [start]))
            page = await read(tx, CONVERSIONS, part, span.within(account_id))
            onwards, looked_at = getattr(page, way), page.looked_at
            if not left and page.entries:  # the page was full already, and there is more
                onwards, looked_at = CONVERSIONS.cursor(wanted, way, _place(rows[-1])), 0
            elif left:
                rows += page.entries if forwards else page.entries[::-1]
            if onwards is not None:
                break
    back: Way = "newer" if way == "older" else "older"
    ends: dict[Way, str | None] = {way: onwards, back: None}
    if place is not None:
        ends[back] = CONVERSIONS.cursor(wanted, back, _place(rows[0]) if rows else place)
    return Page(rows if forwards else rows[::-1], ends["older"], ends["newer"], looked_at, wanted.oldest_first)


async def every_placed(
    store: Store, account_id: str, wanted: Wanted, spans: Sequence[Span]
) -> AsyncIterator[Sequence[Row]]:
    """Yield all orders of `read_placed`, in parts that are each read in a short transaction of their own."""
    part: Wanted | None = evolve(wanted, limit=CHUNK)
    while part is not None:
        page = await read_placed(store, account_id, part, spans)
        yield page.entries
        part = None if page.following is None else evolve(part, cursor=page.following)


def _place(row: Row) -> Place:
    return place_of(CONVERSIONS.query.key(None), row)
