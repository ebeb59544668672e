"""An account's orders by date placed, amount, commission and state: the newest are sorted, and a page says so."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing

import pytest
from attrs import evolve

from hub.domain.durations import DAY
from hub.operations.orders import sorted_orders
from hub.operations.orders.order_lists import SORTS, ListedOrder, asked_orders, list_orders, orders_csv
from hub.storage import Store
from tests.operations.test_placed_orders import ACCOUNT, NOON, Order, orders, walked

__all__ = ["orders"]

STATES = ("PENDING", "HOLD", "REJECTED", None)
COMMISSION = (
    "INSERT INTO commissions (account_id, commission_id, conversion_id, affiliate_id, state, amount_minor, base_minor,"
    " currency, source, terms, hold_ms, created_at, updated_at)"
    " VALUES ('acc_live', 'com_' || ?1, ?1, 'aff', ?2, ?3, 1, 'USD', 'MERCHANT', '{}', 0, 1, 1)"
)
KEYS: Mapping[str, Callable[[ListedOrder], tuple[int | str, str]]] = {
    "placed": lambda each: (each.ordered_at, each.conversion_id),
    "amount": lambda each: (each.order_minor, each.conversion_id),
    "commission": lambda each: (-1 if each.amount_minor is None else each.amount_minor, each.conversion_id),
    "state": lambda each: (each.state or "", each.conversion_id),
}


@pytest.fixture
def earning(sqlite_url: str, orders: list[Order]) -> list[Order]:
    """The orders with amounts, of which many are alike, and three of four with a commission."""
    dice = random.Random(11)
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as db, db:
        for order in orders:
            amount, state = dice.randrange(40) * 100, dice.choice(STATES)
            db.execute("UPDATE conversions SET order_minor = ? WHERE conversion_id = ?", (amount, order.id))
            if state is not None:
                db.execute(COMMISSION, (order.id, state, amount // 10))
    return orders


@pytest.mark.parametrize("sort", KEYS)
async def test_all_orders_are_sorted_and_walked_there_and_back(
    sqlite_url: str, earning: list[Order], sort: str
) -> None:
    """Equal amounts, and orders without a commission, have their place, too."""
    async with await Store.open(sqlite_url) as store:
        found = await walked(store, evolve(asked_orders({}, sort), limit=37))
        assert {each.conversion_id for each in found} == {each.id for each in earning}
        assert found == sorted(found, key=KEYS[sort], reverse=sort != "state")
        if f"{sort}-up" in SORTS:
            up = await walked(store, evolve(asked_orders({}, f"{sort}-up"), limit=37))
            assert up == found[::-1]
        held = await walked(store, evolve(asked_orders({"state": "HOLD"}, sort), limit=37))
        assert [each.conversion_id for each in held] == [each.conversion_id for each in found if each.state == "HOLD"]


async def test_of_dates_all_are_sorted_that_were_placed_then(sqlite_url: str, earning: list[Order]) -> None:
    """Those that came weeks late are among them."""
    dates = {"placed_from": NOON + 3 * DAY, "placed_to": NOON + 9 * DAY}
    async with await Store.open(sqlite_url) as store:
        found = await walked(store, evolve(asked_orders(dates, "amount"), limit=7))
    assert {each.conversion_id for each in found} == {
        each.id for each in earning if dates["placed_from"] <= each.placed < dates["placed_to"]
    }
    assert found == sorted(found, key=KEYS["amount"], reverse=True)


async def test_where_there_are_more_the_newest_are_sorted_and_the_page_says_so(
    sqlite_url: str, earning: list[Order], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file has all of them, as they came in."""
    wanted = asked_orders({}, "amount")
    async with await Store.open(sqlite_url) as store:
        assert (await list_orders(store, ACCOUNT, wanted, "live")).looked_at == 0
        monkeypatch.setattr(sorted_orders, "SORTED", 100)
        page = await list_orders(store, ACCOUNT, evolve(wanted, limit=200), "live")
        assert page.looked_at == 100
        assert {each.conversion_id for each in page.entries} == {each.id for each in earning[-100:]}
        text = b"".join([line async for line in orders_csv(store, ACCOUNT, wanted, "live")]).decode()
    assert [line.rpartition(",")[2] for line in text.splitlines()[1:]] == [each.id for each in earning[::-1]]
