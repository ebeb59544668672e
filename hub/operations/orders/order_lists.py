"""An account's orders, listed by what they have in common; and found by any one of their names."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final, NamedTuple

from attrs import frozen

from hub.domain.instants import format_instant, instant_or_none
from hub.domain.money import format_money
from hub.domain.spreadsheets import defused
from hub.operations.keyset import DEPTH, LAST, Cursor, Reader, Slice, read_slice
from hub.operations.references import like_pattern
from hub.storage import Store, Tx

NO_COMMISSION: Final = "NONE"
"""Stands for the state of an order without a commission."""
CSV_PAGE: Final = 1_000
FOREVER: Final = 1 << 62


@frozen
class OrderFilter:
    """Which orders of an account are wanted; None is no condition.

    `text` is a part of the order's number or its coupon; `since` and `until` (exclusive) bound when it was placed (ms
    UTC); `product` is the merchant's own id.
    """

    state: str | None = None
    confidence: str | None = None
    affiliate: str | None = None
    campaign: str | None = None
    product: str | None = None
    coupon: str | None = None
    text: str | None = None
    since: int = -FOREVER
    until: int = FOREVER


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
    commission_id: str | None
    state: str | None
    amount_minor: int | None
    hold_until: int | None


CSV_COLUMNS: Final = (
    "order", "orderedAt", "amount", "currency", "confidence", "reason", "affiliate", "campaign", "coupon", "clickId",
    "commission", "state", "holdUntil", "conversionId",
)  # fmt: skip


async def list_orders(store: Store, account_id: str, wanted: OrderFilter, cursor: Cursor) -> Slice[ListedOrder]:
    """Return a page of an account's orders, the newest first."""
    async with store.read() as tx:
        return await read_slice(_reader(tx, account_id, wanted), cursor)


async def find_order(store: Store, account_id: str, name: str) -> str | None:
    """Return the id of the one order with this number, id, click, commission or event; None for none or several."""
    async with store.read() as tx:
        found = await tx.all("orders_named", account_id=account_id, name=name)
    return str(found[0]["conversion_id"]) if len(found) == 1 else None


async def orders_csv(store: Store, account_id: str, wanted: OrderFilter) -> AsyncIterator[bytes]:
    """Yield the orders as CSV, the newest first, read in short transactions so that any number of rows fits."""
    yield _lines([CSV_COLUMNS])
    start: str | None = LAST
    while start is not None:
        async with store.read() as tx:
            reader = _reader(tx, account_id, wanted)
            found = await reader.below(start, CSV_PAGE)
            full = len(found) == CSV_PAGE
            start = found[-1].conversion_id if full else await reader.edge_below(start)
        yield _lines([_cells(each) for each in found])


def _reader(tx: Tx, account_id: str, wanted: OrderFilter) -> Reader[ListedOrder]:
    values = _parameters(account_id, wanted)
    depth = DEPTH if wanted != OrderFilter() else None

    async def below(cursor: str, limit: int) -> Sequence[ListedOrder]:
        return await tx.records(ListedOrder, "orders_below", **values, cursor=cursor, limit=limit, depth=depth or limit)

    async def above(cursor: str, limit: int) -> Sequence[ListedOrder]:
        return await tx.records(ListedOrder, "orders_above", **values, cursor=cursor, limit=limit, depth=depth or limit)

    async def edge_below(cursor: str) -> str | None:
        if depth is None:
            return None
        row = await tx.one("order_at_depth_below", account_id=account_id, cursor=cursor, offset=depth - 1)
        return None if row is None else str(row["id"])

    async def edge_above(cursor: str) -> str | None:
        if depth is None:
            return None
        row = await tx.one("order_at_depth_above", account_id=account_id, cursor=cursor, offset=depth - 1)
        return None if row is None else str(row["id"])

    return Reader(below, above, edge_below, edge_above, lambda order: order.conversion_id)


def _parameters(account_id: str, wanted: OrderFilter) -> dict[str, Any]:
    product = None if wanted.product is None else _escaped(f"[{json.dumps(wanted.product, ensure_ascii=False)},")
    return {
        "account_id": account_id,
        "state": wanted.state,
        "confidence": wanted.confidence,
        "affiliate": wanted.affiliate,
        "campaign": wanted.campaign,
        "coupon": None if wanted.coupon is None else wanted.coupon.upper(),
        "product": product,
        "text": None if wanted.text is None else like_pattern(wanted.text),
        "since": wanted.since,
        "until": wanted.until,
    }


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
