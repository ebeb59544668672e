"""An account's orders, listed by what they have in common; and found by any one of their names."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Final, NamedTuple

from attrs import evolve

from hub.domain.instants import format_instant, instant_or_none
from hub.domain.money import format_money
from hub.domain.spreadsheets import defused
from hub.operations.list_filters import end_of
from hub.operations.lists import FilterValues, List, Page, Wanted, every_part, read
from hub.operations.money.payouts.payouts import COMMISSIONS
from hub.operations.orders.conversions import CONVERSIONS
from hub.operations.orders.counted_days import is_counted
from hub.operations.orders.placed_orders import Span, every_placed, read_placed, spans_for
from hub.operations.orders.sorted_orders import is_sorted, read_sorted
from hub.operations.references import like_pattern
from hub.storage import Row, Store

TURNS: Final = 10
"""How often a page looks on that has found nothing: some 50,000 orders, in a few tenths of a second."""
NO_COMMISSION: Final = "NONE"
"""Stands for the state of an order without a commission."""


class ListedOrder(NamedTuple):
    """An order in a list; amounts in minor units of `currency`, times in ms UTC, `state` None without a commission."""

    conversion_id: str
    external_order_id: str
    order_minor: int
    currency: str
    confidence: str
    reason: str
    review: str | None
    affiliate_id: str | None
    candidate_id: str | None
    campaign_id: str | None
    coupon_code: str | None
    click_id: str | None
    ordered_at: int
    received_at: int
    affiliate_name: str | None
    campaign_title: str | None
    candidate_name: str | None
    commission_id: str | None
    state: str | None
    amount_minor: int | None
    hold_until: int | None


CSV_COLUMNS: Final = (
    "order", "orderedAt", "amount", "currency", "confidence", "reason", "affiliate", "campaign", "coupon", "clickId",
    "commission", "state", "holdUntil", "conversionId",
)  # fmt: skip


SORTS: Final[Mapping[str, tuple[str | None, bool]]] = {
    "": (None, False),
    "oldest": (None, True),
    "number": ("external_order_id", True),
    "placed": ("ordered_at", False),
    "placed-up": ("ordered_at", True),
    "amount": ("order_minor", False),
    "amount-up": ("order_minor", True),
    "commission": ("amount_minor", False),
    "commission-up": ("amount_minor", True),
    "state": ("state", True),
}
"""The orders in which a list of orders may be read: the key of the list (None: as they came in), oldest first.

Those from `placed` on have no index, see `sorted_orders.py`.
"""


def asked_orders(filters: FilterValues, sort: str = "") -> Wanted:
    """Return what is asked for of an account's orders, in one of `SORTS`.

    The filters are `state` (`NO_COMMISSION` for none), `confidence`, `review`, `affiliate_id`, `campaign_id`,
    `product`, the merchant's own id, `coupon`, `text`, a part of the order's number or its coupon, `number`, with which
    the order's number begins, and `placed_from` and `placed_to` (exclusive), which bound when it was placed (ms UTC).
    Those that begin with a number are read in the order of their numbers.
    """
    key, oldest_first = SORTS.get(sort or ("" if filters.get("number") is None else "number"), SORTS[""])
    return Wanted(filters, sort=key, oldest_first=oldest_first)


def list_of(wanted: Wanted) -> List:
    """Return which list has the orders: those of an affiliate are read by its commissions, which an index leads to."""
    given = wanted.filters
    by_commission = given.get("affiliate_id") is not None and wanted.sort is None and given.get("review") is None
    by_commission = by_commission and given.get("state") != NO_COMMISSION and not _is_dated(given)
    return COMMISSIONS if by_commission else CONVERSIONS


async def list_orders(store: Store, account_id: str, wanted: Wanted, mode: str) -> Page[ListedOrder]:
    """Return a part of the orders of an account in a mode, as `asked_orders` says; raise `CursorFault`.

    What belongs to nobody has no commission, so an affiliate's orders are those with its commissions. Where nothing is
    found among those that are looked through, it looks on, `TURNS` times.
    """
    if is_sorted(wanted):
        by_ids = mode == "live"
        found = await read_sorted(store, account_id, _led(wanted), wanted.filters, by_ids=by_ids)
        return found.of(_listed)
    way, _ = list_of(wanted).start(wanted)
    spans = await _spans(store, account_id, wanted, mode)
    page, looked_at = await _part(store, account_id, wanted, spans), 0
    for _ in range(TURNS - 1):
        following: str | None = getattr(page, way)
        if page.entries or following is None:
            break
        looked_at += page.looked_at
        page = await _part(store, account_id, evolve(wanted, cursor=following), spans)
    return evolve(page, looked_at=looked_at + page.looked_at if page.looked_at else 0)


async def _spans(store: Store, account_id: str, wanted: Wanted, mode: str) -> list[Span] | None:
    """Return in which spans of ids the orders are that are wanted; None if ids do not lead to them."""
    if not _is_spanned(wanted, mode):
        return None
    async with store.read() as tx:
        return await spans_for(tx, account_id, wanted.filters)


async def _part(store: Store, account_id: str, wanted: Wanted, spans: Sequence[Span] | None) -> Page[ListedOrder]:
    if spans is not None:
        return (await read_placed(store, account_id, _led(wanted), spans)).of(_listed)
    return (await read(store, list_of(wanted), _led(wanted), within={"account_id": account_id})).of(_listed)


def _is_dated(filters: FilterValues) -> bool:
    return filters.get("placed_from") is not None or filters.get("placed_to") is not None


def _is_spanned(wanted: Wanted, mode: str) -> bool:
    """Whether ids lead to a span of dates: not in a test account, whose clock may be moved while its ids stay."""
    given = wanted.filters
    led = given.get("coupon") is not None or given.get("review") is not None or list_of(wanted) is COMMISSIONS
    return mode == "live" and wanted.sort is None and not led and (_is_dated(given) or is_counted(given))


def _led(wanted: Wanted) -> Wanted:
    filters = dict(wanted.filters)
    coupon, product, text = (filters.get(name) for name in ("coupon", "product", "text"))
    if coupon is not None:
        filters["coupon"] = str(coupon).upper()
    if product is not None:
        filters["product"] = _escaped(f"[{json.dumps(product, ensure_ascii=False)},")
    if text is not None:
        filters["text"] = like_pattern(str(text))
    if wanted.sort == "external_order_id":
        begins = str(filters.pop("number", None) or "")
        filters |= {"number_from": begins, "number_until": end_of(begins)}
    return evolve(wanted, filters=filters)


async def find_order(store: Store, account_id: str, name: str) -> str | None:
    """Return the id of the one order with this number, id, click, commission or event; None for none or several."""
    async with store.read() as tx:
        found = await tx.all("orders_named", account_id=account_id, name=name)
    return str(found[0]["conversion_id"]) if len(found) == 1 else None


async def orders_csv(store: Store, account_id: str, wanted: Wanted, mode: str) -> AsyncIterator[bytes]:
    """Yield the orders as CSV, read in short transactions so that any number of rows fits.

    What is wanted in an order without an index is read as it came in, so that the file has all.
    """
    wanted = evolve(wanted, sort=None, oldest_first=False) if is_sorted(wanted) else wanted
    yield _lines([CSV_COLUMNS])
    spans = await _spans(store, account_id, wanted, mode)
    if spans is not None:
        async for rows in every_placed(store, account_id, _led(wanted), spans):
            yield _lines([_cells(_listed(row)) for row in rows])
        return
    async for page in every_part(store, list_of(wanted), _led(wanted), {"account_id": account_id}):
        yield _lines([_cells(_listed(row)) for row in page.entries])


def _listed(row: Row) -> ListedOrder:
    return ListedOrder(*(row[name] for name in ListedOrder._fields))


def _escaped(text: str) -> str:
    """Return a pattern of LIKE that matches a text anywhere; `!` is its escape, as in the queries."""
    for each in "!%_":
        text = text.replace(each, f"!{each}")
    return f"%{text}%"


def _cells(order: ListedOrder) -> list[object]:
    minor = order.amount_minor
    return [
        order.external_order_id,
        format_instant(order.ordered_at),
        format_money(order.order_minor, order.currency),
        order.currency,
        order.confidence,
        order.reason,
        order.affiliate_name,
        order.campaign_title,
        order.coupon_code,
        order.click_id,
        None if minor is None else format_money(minor, order.currency),
        order.state,
        instant_or_none(order.hold_until),
        order.conversion_id,
    ]


def _lines(rows: Sequence[Sequence[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(
        [[defused(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    )
    return text.getvalue().encode()
