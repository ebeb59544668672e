"""An account's orders by when they were placed: exact over spans of ids, without an index of the dates."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from typing import NamedTuple

import pytest
from attrs import evolve

from hub.domain.durations import DAY, HOUR
from hub.ids import id_at
from hub.operations import lists
from hub.operations.lists import Page, Wanted
from hub.operations.orders import order_lists, placed_orders
from hub.operations.orders.order_lists import ListedOrder, asked_orders, list_orders
from hub.storage import Store

ACCOUNT = "acc_live"
NOON = 1_795_176_000_000
ORDERS = 600
MERCHANT = (
    "INSERT INTO merchants (merchant_id, name, email, domains, currency, status, created_at, updated_at)"
    " VALUES ('mer', 'Shop', 'a@b.example', '[]', 'USD', 'APPROVED', 1, 1)"
)
ORDER = (
    "INSERT INTO conversions (account_id, conversion_id, event_id, external_order_id, order_minor, paid_minor,"
    " currency, lines, coupon_code, ordered_at, received_at, confidence, reason, created_at)"
    " VALUES ('acc_live', ?, 'evt', ?, 1, 1, 'USD', '[]', ?, ?, ?, 'LOW', 'no_click', ?)"
)


class Order(NamedTuple):
    """An order that is stored; moments in ms UTC."""

    id: str
    number: str
    coupon: str | None
    placed: int
    created: int


def made(number: int, dice: random.Random) -> Order:
    """Most orders come within a day; some weeks late, as a history does, and some before they were placed."""
    created = NOON + number * HOUR
    late = dice.choice((dice.randrange(DAY), dice.randrange(DAY), dice.randrange(90 * DAY), -dice.randrange(3 * DAY)))
    coupon = "Anna10" if number % 100 == 0 else None
    return Order(f"{id_at('cnv', created)}{number:020x}", f"{number % 7}-{number:05d}", coupon, created - late, created)


@pytest.fixture
def orders(sqlite_url: str) -> list[Order]:
    """A live account's orders, the lowest id first."""
    dice = random.Random(7)
    rows = [made(number, dice) for number in range(ORDERS)]
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as db, db:
        db.execute(MERCHANT)
        db.execute("INSERT INTO accounts (account_id, merchant_id, mode) VALUES ('acc_live', 'mer', 'live')")
        db.executemany(ORDER, [(*row[:4], row.created, row.created) for row in rows])
    return rows


async def walked(store: Store, wanted: Wanted) -> list[ListedOrder]:
    """All pages of what is wanted, one after the other; and back again, which shows the same."""
    pages: list[Page[ListedOrder]] = [await list_orders(store, ACCOUNT, wanted, "live")]
    while pages[-1].following is not None:
        pages.append(await list_orders(store, ACCOUNT, evolve(wanted, cursor=pages[-1].following), "live"))
    found = [each for page in pages for each in page.entries]
    back, cursor = list[ListedOrder](), pages[-1].older if wanted.oldest_first else pages[-1].newer
    while cursor is not None:
        page = await list_orders(store, ACCOUNT, evolve(wanted, cursor=cursor), "live")
        back, cursor = [*page.entries, *back], page.older if wanted.oldest_first else page.newer
    assert [*back, *pages[-1].entries] == found
    return found


@pytest.mark.parametrize(
    "dates",
    [
        {"placed_from": NOON + 3 * DAY, "placed_to": NOON + 5 * DAY},
        {"placed_from": NOON + 20 * DAY},
        {"placed_to": NOON - 10 * DAY},
        {"placed_to": NOON + 4 * DAY},
        {"placed_from": NOON + 400 * DAY},
    ],
)
@pytest.mark.parametrize("sort", ["", "oldest"])
async def test_a_span_of_dates_is_whole(
    sqlite_url: str, orders: list[Order], dates: Mapping[str, int], sort: str
) -> None:
    wanted = evolve(asked_orders(dates, sort), limit=7)
    begins, ends = dates.get("placed_from", 0), dates.get("placed_to", 1 << 62)
    stored = [each.id for each in orders if begins <= each.placed < ends]
    async with await Store.open(sqlite_url) as store:
        found = [each.conversion_id for each in await walked(store, wanted)]
    assert found == (stored if sort else stored[::-1])


async def test_control_without_those_that_came_astray_some_are_lost(
    sqlite_url: str, orders: list[Order], monkeypatch: pytest.MonkeyPatch
) -> None:
    dates = {"placed_from": NOON + 3 * DAY, "placed_to": NOON + 5 * DAY}
    stored = {each.id for each in orders if dates["placed_from"] <= each.placed < dates["placed_to"]}
    every = placed_orders.spans_of
    monkeypatch.setattr(placed_orders, "spans_of", lambda filters: [each for each in every(filters) if not each.astray])
    async with await Store.open(sqlite_url) as store:
        found = {each.conversion_id for each in await walked(store, asked_orders(dates))}
    assert found < stored


async def test_a_number_begins_with_what_is_asked(sqlite_url: str, orders: list[Order]) -> None:
    """They are in the order of their numbers, which an index has."""
    async with await Store.open(sqlite_url) as store:
        found = [each.external_order_id for each in await walked(store, asked_orders({"number": "3-000"}))]
        assert found == sorted(each.number for each in orders if each.number.startswith("3-000"))
        assert [each.coupon_code for each in await walked(store, asked_orders({"coupon": "anna10"}))] == ["Anna10"] * 6


async def test_a_page_looks_on_until_something_is_found(
    sqlite_url: str, orders: list[Order], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page says how far it looked; without looking on, the first order of 600 is 86 pages away."""
    monkeypatch.setattr(lists, "DEPTH", 7)
    wanted = asked_orders({"text": orders[0].number})
    async with await Store.open(sqlite_url) as store:
        page = await list_orders(store, ACCOUNT, wanted, "live")
        assert (page.entries, page.looked_at) == ([], 7 * order_lists.TURNS)
        assert [each.conversion_id for each in await walked(store, wanted)] == [orders[0].id]


async def test_all_whose_number_begins_so_are_found_and_nothing_else_is_looked_through(
    sqlite_url: str, orders: list[Order], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both ends of the beginning are known, so the last page is the last, and that there is none is known at once."""
    monkeypatch.setattr(lists, "DEPTH", 5)
    async with await Store.open(sqlite_url) as store:
        found = await walked(store, evolve(asked_orders({"number": "3-"}), limit=37))
        none = await list_orders(store, ACCOUNT, asked_orders({"number": "3-x"}), "live")
        every = await walked(store, evolve(asked_orders({}, "number"), limit=37))
    assert [each.external_order_id for each in found] == sorted(each.number for each in orders if each.number[0] == "3")
    assert (none.entries, none.following, none.looked_at) == ([], None, 0)
    assert len(every) == len(orders)
