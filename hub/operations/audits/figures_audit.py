"""The figures of days, recomputed from the orders and clicks themselves and compared; and counted anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypedDict

from attrs import define, field, frozen

from hub.clock import Clock
from hub.domain.orders.figures import (
    Clicks,
    OrderFigures,
    click_changes,
    click_places,
    day_of,
    sums_of,
)
from hub.domain.words import MODES
from hub.operations.references import account_of
from hub.processing.figure_rows import NOTHING_OF_ORDERS, DayRow, PlaceRow, ProductRow
from hub.processing.figures import start_anew
from hub.processing.ledger_rows import FactRow
from hub.processing.order_figures import figures_of
from hub.storage import Row, Store

PAGE: Final = 500
CLICKS: Final = 20_000
ATTEMPTS: Final = 3
"""How often an account is looked at whose figures changed while they were recomputed."""

Numbers = dict[tuple[object, ...], tuple[int, ...]]


@define
class Figures:
    """The figures of an account, by their keys; the last of a key of `days` and `places` is the currency."""

    days: Numbers = field(factory=dict)
    products: Numbers = field(factory=dict)
    places: Numbers = field(factory=dict)


class WrongFigures(TypedDict):
    """An account whose figures differ from its orders or clicks, and the first row that does."""

    accountId: str
    message: str


class RecountDocument(TypedDict):
    """How many accounts are counted anew; a serving process counts their orders in the background."""

    accounts: int


@frozen
class FiguresCheck:
    """What differs; of how many accounts the figures were compared, and of how many they changed meanwhile."""

    wrong: list[WrongFigures]
    checked: int
    left_out: int


async def check_figures(store: Store, clock: Clock) -> FiguresCheck:
    """Compare every account's figures with its orders and clicks.

    An account is left out if it has changes that are not counted yet, however often one looks: nothing is computed for
    one that is known to have some.
    """
    async with store.read() as tx:
        accounts = [str(row["account_id"]) for row in await tx.all("all_accounts")]
    wrong, checked = [], 0
    for account_id in accounts:
        for _ in range(ATTEMPTS):
            before = await _stored(store, account_id)
            if before is None:
                continue
            orders = await _recomputed(store, account_id)
            clicks = await _clicks(store, account_id)
            if before != await _stored(store, account_id):
                continue
            text = _difference(before, orders) or _lost_clicks(before, clicks, clock())
            if text is not None:
                wrong.append(WrongFigures(accountId=account_id, message=text))
            checked += 1
            break
    return FiguresCheck(wrong, checked, len(accounts) - checked)


async def recount_figures(store: Store, merchant: str | None) -> RecountDocument:
    """Drop the figures of a merchant's accounts, of all without one, and have every order counted again.

    Raise `OperatorFault` for an unknown merchant.
    """
    async with store.read() as tx:
        if merchant is None:
            accounts = [str(row["account_id"]) for row in await tx.all("all_accounts")]
        else:
            accounts = [str((await account_of(tx, merchant, mode))["account_id"]) for mode in MODES]
    for account_id in accounts:
        async with store.write() as tx:
            await start_anew(tx, account_id)
    return {"accounts": len(accounts)}


async def _stored(store: Store, account_id: str) -> Figures | None:
    """Return what is stored; None while changes wait to be counted."""
    async with store.read() as tx:
        waiting = await tx.one("oldest_uncounted", account_id=account_id)
        if waiting is not None and waiting["change_id"] is not None:
            return None
        days = await tx.records(DayRow, "all_daily_figures", account_id=account_id)
        products = await tx.records(ProductRow, "all_product_figures", account_id=account_id)
        places = await tx.records(PlaceRow, "all_affiliate_figures", account_id=account_id)
    return Figures(_by_key(days, 5), _by_key(products, 4), _by_key(places, 6))


def _by_key(rows: Sequence[tuple[Any, ...]], width: int) -> Numbers:
    """Return rows that are not all zero by their key, without the account."""
    return {row[1:width]: row[width:] for row in rows if any(row[width:])}


async def _recomputed(store: Store, account_id: str) -> Figures:
    """Return what the orders of an account add up to, read page by page in short transactions."""
    found, after = Figures(), ""
    while True:
        async with store.read() as tx:
            page = await tx.all("conversion_ids_after", account_id=account_id, after=after, limit=PAGE)
            keys = [(account_id, row["conversion_id"]) for row in page]
            rows = await tx.all("orders_to_count", conversions=keys) if keys else []
            orders = [(account_id, row["external_order_id"]) for row in rows]
            refunds = await tx.records(FactRow, "refunds_to_count", orders=orders) if orders else []
        sums = sums_of([(None, figures) for figures in _figures(rows, refunds)])
        for day, numbers in sums.days.items():
            _add(found.days, day, (0, *numbers))
        for product, numbers in sums.products.items():
            _add(found.products, product, numbers)
        for place, numbers in sums.places.items():
            _add(found.places, place, (0, *numbers))
        if len(page) < PAGE:
            return found
        after = page[-1]["conversion_id"]


def _figures(rows: Sequence[Row], refunds: Sequence[FactRow]) -> list[OrderFigures]:
    by_order: dict[str, list[FactRow]] = {}
    for fact in refunds:
        by_order.setdefault(fact.external_order_id, []).append(fact)
    return [figures_of(row, by_order.get(row["external_order_id"], ())) for row in rows]


async def _clicks(store: Store, account_id: str) -> Figures:
    """Return the clicks that are left, as far as they are counted, read in portions."""
    found, after = Figures(), ""
    async with store.read() as tx:
        known = await tx.one("counted_clicks_of", account_id=account_id)
    counted = "" if known is None else known["click_id"]
    while True:
        async with store.read() as tx:
            # Behind the last one that is counted sorts whatever begins as it does.
            between = {"account_id": account_id, "after": after, "before": f"{counted}0"}
            row = await tx.one("last_of_oldest_clicks", **between, limit=CLICKS)
            last = None if row is None else row["click_id"]
            if last is None:
                return found
            rows = await tx.records(Clicks, "clicks_to_count", account_id=account_id, after=after, last=last)
        for day, number in click_changes(rows).items():
            _add(found.days, day, (number, *NOTHING_OF_ORDERS))
        for place, number in click_places(rows).items():
            _add(found.places, place, (number, 0, 0, 0))
        after = last


def _add(sums: Numbers, key: tuple[object, ...], numbers: tuple[int, ...]) -> None:
    known = sums.get(key)
    sums[key] = numbers if known is None else tuple(a + b for a, b in zip(known, numbers, strict=True))


def _difference(stored: Figures, due: Figures) -> str | None:
    """Compare what orders add up to; rows of clicks are left out."""
    named = (("day", stored.days, due.days), ("product", stored.products, due.products),
             ("place", stored.places, due.places))  # fmt: skip
    for name, counted, recomputed in named:
        orders = counted if name == "product" else {key: row for key, row in counted.items() if key[-1] != ""}
        for key in sorted(orders.keys() | recomputed.keys(), key=str):
            if orders.get(key) != recomputed.get(key):
                return f"The figures of {name} {key} are {orders.get(key)} and should be {recomputed.get(key)}."
    return None


def _lost_clicks(stored: Figures, left: Figures, now: int) -> str | None:
    """Compare clicks: old ones are forgotten but stay counted, those of today and yesterday are all there."""
    for counted, found, day_at in ((stored.days, left.days, 0), (stored.places, left.places, 2)):
        for key, known, there in _clicks_of(counted, found):
            recent = int(str(key[day_at])) >= day_of(now) - 1
            if known < there or (recent and known != there):
                return f"The clicks of {key} are {known} and should be {there}."
    return None


def _clicks_of(
    counted: Mapping[tuple[object, ...], tuple[int, ...]], found: Mapping[tuple[object, ...], tuple[int, ...]]
) -> Iterator[tuple[tuple[object, ...], int, int]]:
    """Yield each row of clicks with how many are counted and how many are left."""
    clicks = {key: row for key, row in counted.items() if key[-1] == ""}
    for key in sorted(clicks.keys() | found.keys(), key=str):
        yield key, clicks.get(key, (0,))[0], found.get(key, (0,))[0]
