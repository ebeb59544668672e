"""What a run would pay: sums for each affiliate and currency, and its lines by pages. Nothing is reserved."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from typing import Final

from attrs import field, frozen

from hub.clock import Clock
from hub.config.payout_section import PayoutSettings
from hub.domain.books.exchange import Sent
from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.domain.payouts.payouts import Gathered
from hub.operations.money.books.exchange_rates import rates_in_force
from hub.operations.money.payouts.overdue import stopped_document, stopped_keys, stopped_merchants
from hub.operations.money.payouts.payable_balances import Affiliates, Decided, decided_balances, decided_slices
from hub.operations.money.payouts.payout_documents import (
    ITEMS_SHOWN,
    LINES_SHOWN,
    ItemDocument,
    ItemPlace,
    LineDocument,
    LinePlace,
    PreviewedRun,
    line_document,
    mark_of,
    page_of_lines,
    place_of,
    totals_of,
)
from hub.operations.money.payouts.payout_runs import Wanted
from hub.storage import Row, Store, Tx

PAGE: Final = 1_000


@frozen
class _Sums:
    """What slices of balances add up to: (minor units, payments) by currency, and those of a page."""

    after: ItemPlace
    paid: dict[str, tuple[int, int]] = field(factory=dict)
    page: list[Decided] = field(factory=list)

    def add(self, each: Decided) -> int:
        """Add a balance; return how many lines a run would have of it."""
        key = ItemPlace(each.gathered.affiliate_id, each.gathered.currency)
        if key > self.after and len(self.page) <= ITEMS_SHOWN:
            self.page.append(each)
        if each.carried is not None:
            return 0
        minor, payments = self.paid.get(each.sent.currency, (0, 0))
        self.paid[each.sent.currency] = minor + each.sent.minor, payments + 1
        return each.gathered.commissions + each.gathered.adjustments


async def preview_run(
    store: Store, clock: Clock, settings: PayoutSettings, wanted: Wanted, *, after: str = "", limit: int = LINES_SHOWN,
    after_item: str = "",
) -> PreviewedRun:  # fmt: skip
    """Return the run that `create_run` would make now, with a page of its items and one of its lines.

    They are those after the ends of earlier pages. Raise `OperatorFault` for a place that no page ended with.
    """
    now = clock()
    values, place, sums, count = wanted.values(now), place_of(after), _Sums(ItemPlace.at(after_item)), 0
    async with store.read() as tx:
        stopped = await stopped_merchants(tx, settings, wanted.mode, now)
        values |= {"stopped": stopped_keys(stopped)}
        async for some in decided_slices(tx, settings, values, now):
            count += sum(sums.add(each) for each in some.decided)
        items, next_item = await _items(tx, sums.page)
    lines = await _first(_lines(store, settings, values, now, place), limit + 1)
    return {
        "id": None,
        "status": "PREVIEW",
        "mode": wanted.mode,
        "mark": mark_of(wanted.mode),
        "currency": wanted.currency,
        "cutoff": format_instant(int(str(values["before"]))),
        "createdBy": None,
        "createdAt": None,
        "releasedBy": None,
        "releasedAt": None,
        "minimum": settings.minimum,
        "totals": totals_of(sums.paid),
        "items": items,
        "nextItem": next_item,
        "lineCount": count,
        **page_of_lines(lines, limit),
        "stopped": [stopped_document(row, settings) for row in stopped],
    }


async def _first(lines: AsyncGenerator[Row], most: int) -> list[Row]:
    first = list[Row]()
    async with aclosing(lines) as found:
        async for line in found:
            first.append(line)
            if len(first) == most:
                break
    return first


async def _items(tx: Tx, page: list[Decided]) -> tuple[list[ItemDocument], str | None]:
    """Return the items of a page, of which one more says that another follows, and what that is asked for by."""
    shown = page[:ITEMS_SHOWN]
    affiliates = sorted({g.affiliate_id for g, _, _ in shown})
    names = {row["affiliate_id"]: row["name"] for row in await tx.all("affiliate_names", affiliates=affiliates)}
    items = [_item(g, sent, carried, names.get(g.affiliate_id)) for g, sent, carried in shown]
    more = len(page) > ITEMS_SHOWN
    return items, str(ItemPlace(shown[-1].gathered.affiliate_id, shown[-1].gathered.currency)) if more else None


async def previewed_lines(
    store: Store, clock: Clock, settings: PayoutSettings, wanted: Wanted
) -> AsyncIterator[LineDocument]:
    """Yield every line of the run that would be made now, a page of them in memory at a time."""
    now = clock()
    async with store.read() as tx:
        stopped = await stopped_merchants(tx, settings, wanted.mode, now)
    values = wanted.values(now) | {"stopped": stopped_keys(stopped)}
    async with aclosing(_lines(store, settings, values, now, place_of(""))) as found:
        async for line in found:
            yield line_document(line)


async def _lines(
    store: Store, settings: PayoutSettings, values: Mapping[str, object], now: int, after: LinePlace
) -> AsyncGenerator[Row]:
    """Yield the lines after a place of those balances that would be paid."""
    place, known = after, dict[tuple[str, str], bool]()
    while True:
        async with store.read() as tx:
            rows = await tx.all("payout_candidates", **values, **place._asdict(), limit=PAGE)
            known = await _paid_of(tx, settings, values, now, rows, known)
        for row in rows:
            if known.get((row["affiliate_id"], row["currency"])):
                yield row
        if len(rows) < PAGE:
            return
        place = LinePlace.of(rows[-1])


async def _paid_of(
    tx: Tx, settings: PayoutSettings, values: Mapping[str, object], now: int, rows: list[Row],
    known: Mapping[tuple[str, str], bool],
) -> dict[tuple[str, str], bool]:  # fmt: skip
    """Return which balances of lines would be paid; those of the first affiliate may be known from the page before."""
    asked = [row["affiliate_id"] for row in rows]
    found = {key: paid for key, paid in known.items() if key[0] in asked[:1]}
    unknown = [each for each in asked if not found or each != asked[0]]
    if unknown:
        rates = await rates_in_force(tx, now, settings)
        some = Affiliates(unknown[0], unknown[-1])
        for each in await decided_balances(tx, settings, values, now, rates, some):
            found[each.gathered.affiliate_id, each.gathered.currency] = each.carried is None
    return found


def _item(gathered: Gathered, sent: Sent, carried: str | None, name: str | None) -> ItemDocument:
    """Return the item that a run would have; `carried` is why it would be carried on, None if it would be paid."""
    return {
        "affiliateId": gathered.affiliate_id,
        "affiliateName": name,
        "currency": gathered.currency,
        "amount": format_money(gathered.amount_minor, gathered.currency),
        "commissions": gathered.commissions,
        "adjustments": gathered.adjustments,
        "adjustmentsAmount": format_money(gathered.adjustments_minor, gathered.currency),
        "carried": carried is not None,
        "carriedReason": carried,
        "status": "OPEN" if carried is None else "CARRIED",
        "reference": None,
        "returnedReason": None,
        "fileId": None,
        "question": None,
        "sentCurrency": None if sent.exchange is None else sent.currency,
        "sentAmount": None if sent.exchange is None else format_money(sent.minor, sent.currency),
        "exchangeRate": None if sent.exchange is None else sent.exchange.rate,
    }
