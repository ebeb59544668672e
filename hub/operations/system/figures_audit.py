"""The figures of days, recomputed from the orders and clicks themselves and compared; and counted anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypedDict

from hub.clock import Clock
from hub.domain.figures import OrderFigures, click_changes, day_changes, day_of, product_changes
from hub.operations.merchants.merchants import account_of
from hub.processing.figure_rows import NOTHING_OF_ORDERS, DayRow, ProductRow
from hub.processing.figures import figures_of, start_anew
from hub.processing.ledger_rows import FactRow
from hub.storage import Row, Store

PAGE: Final = 500
ATTEMPTS: Final = 3
"""How often an account is looked at whose figures changed while they were recomputed."""

Numbers = dict[tuple[object, ...], tuple[int, ...]]


class WrongFigures(TypedDict):
    """An account whose figures differ from its orders or clicks, and the first row that does."""

    accountId: str
    message: str


class RecountDocument(TypedDict):
    """How many accounts are counted anew; a serving process counts their orders in the background."""

    accounts: int


async def check_figures(store: Store, clock: Clock) -> list[WrongFigures]:
    """Return what differs; accounts with changes that are not counted yet, however often one looks, are left out."""
    async with store.read() as tx:
        accounts = [str(row["account_id"]) for row in await tx.all("all_accounts")]
    found = []
    for account_id in accounts:
        for _ in range(ATTEMPTS):
            before = await _stored(store, account_id)
            orders, products = await _recomputed(store, account_id)
            clicks = await _clicks(store, account_id)
            if before is None or before != await _stored(store, account_id):
                continue
            text = _difference(before[0], before[1], orders, products) or _lost_clicks(before[0], clicks, clock())
            if text is not None:
                found.append(WrongFigures(accountId=account_id, message=text))
            break
    return found


async def recount_figures(store: Store, merchant: str | None) -> RecountDocument:
    """Drop the figures of a merchant's accounts, of all without one, and have every order counted again.

    Raise `OperatorFault` for an unknown merchant.
    """
    async with store.read() as tx:
        if merchant is None:
            accounts = [str(row["account_id"]) for row in await tx.all("all_accounts")]
        else:
            accounts = [str((await account_of(tx, merchant, mode))["account_id"]) for mode in ("test", "live")]
    for account_id in accounts:
        async with store.write() as tx:
            await start_anew(tx, account_id)
    return {"accounts": len(accounts)}


async def _stored(store: Store, account_id: str) -> tuple[Numbers, Numbers] | None:
    """Return what is stored; None while changes wait to be counted."""
    async with store.read() as tx:
        waiting = await tx.one("oldest_changed_order", account_id=account_id)
        days = await tx.records(DayRow, "all_daily_figures", account_id=account_id)
        products = await tx.records(ProductRow, "all_product_figures", account_id=account_id)
    if waiting is not None:
        return None
    return _by_key(days, 5), _by_key(products, 4)


def _by_key(rows: Sequence[tuple[Any, ...]], width: int) -> Numbers:
    """Return rows that are not all zero by their key, without the account."""
    return {row[1:width]: row[width:] for row in rows if any(row[width:])}


async def _recomputed(store: Store, account_id: str) -> tuple[Numbers, Numbers]:
    """Return what the orders of an account add up to, read page by page in short transactions."""
    days: Numbers = {}
    products: Numbers = {}
    after = ""
    while True:
        async with store.read() as tx:
            page = await tx.all("conversion_ids_after", account_id=account_id, after=after, limit=PAGE)
            keys = [(account_id, row["conversion_id"]) for row in page]
            rows = await tx.all("orders_to_count", conversions=keys) if keys else []
            orders = [(account_id, row["external_order_id"]) for row in rows]
            refunds = await tx.records(FactRow, "refunds_to_count", orders=orders) if orders else []
        changes = [(None, figures) for figures in _figures(rows, refunds)]
        for key, numbers in day_changes(changes).items():
            _add(days, key, (0, *numbers))
        for product, numbers in product_changes(changes).items():
            _add(products, product, numbers)
        if len(page) < PAGE:
            return days, products
        after = page[-1]["conversion_id"]


def _figures(rows: Sequence[Row], refunds: Sequence[FactRow]) -> list[OrderFigures]:
    by_order: dict[str, list[FactRow]] = {}
    for fact in refunds:
        by_order.setdefault(fact.external_order_id, []).append(fact)
    return [figures_of(row, by_order.get(row["external_order_id"], ())) for row in rows]


async def _clicks(store: Store, account_id: str) -> Numbers:
    """Return the clicks that are left, as far as they are counted."""
    async with store.read() as tx:
        known = await tx.one("counted_clicks_of", account_id=account_id)
        last = "" if known is None else known["click_id"]
        rows = await tx.all("clicks_to_count", account_id=account_id, after="", last=last)
    found = click_changes((row["day"], row["campaign_id"], row["affiliate_id"], row["clicks"]) for row in rows)
    return {key: (number, *NOTHING_OF_ORDERS) for key, number in found.items()}


def _add(sums: Numbers, key: tuple[object, ...], numbers: tuple[int, ...]) -> None:
    known = sums.get(key)
    sums[key] = numbers if known is None else tuple(a + b for a, b in zip(known, numbers, strict=True))


def _difference(days: Numbers, products: Numbers, orders: Numbers, sold: Numbers) -> str | None:
    counted = {key: numbers for key, numbers in days.items() if key[-1] != ""}
    for name, stored, due in (("day", counted, orders), ("product", products, sold)):
        for key in sorted(stored.keys() | due.keys(), key=str):
            if stored.get(key) != due.get(key):
                return f"The figures of {name} {key} are {stored.get(key)} and should be {due.get(key)}."
    return None


def _lost_clicks(days: Numbers, clicks: Numbers, now: int) -> str | None:
    """Compare clicks: old ones are forgotten but stay counted, those of today and yesterday are all there."""
    counted = {key: numbers for key, numbers in days.items() if key[-1] == ""}
    for key in sorted(counted.keys() | clicks.keys(), key=str):
        stored, left = counted.get(key, (0,))[0], clicks.get(key, (0,))[0]
        recent = isinstance(key[0], int) and key[0] >= day_of(now) - 1
        if stored < left or (recent and stored != left):
            return f"The clicks of day {key} are {stored} and should be {left}."
    return None
