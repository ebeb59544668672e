"""An account's orders by state, confidence, campaign and product: looked for on the days that the figures name."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest.mock import AsyncMock

import pytest
from attrs import evolve

from hub.domain.durations import DAY, HOUR
from hub.domain.orders.figures import OrderFigures
from hub.domain.words import COMMISSION_STATES
from hub.ids import id_at
from hub.operations import lists
from hub.operations.lists import FilterValues
from hub.operations.orders import counted_days, placed_orders
from hub.operations.orders.counted_days import days_of
from hub.operations.orders.order_lists import asked_orders, list_orders
from hub.processing.figures import FigureCounter
from hub.processing.order_figures import notes_of_new
from hub.storage import Store
from hub.testing.clock import FakeClock
from tests.operations.test_placed_orders import ACCOUNT, MERCHANT, NOON, walked

ORDERS: Final = 800
RARE: Final = 5
"""The one order that is REJECTED, of the second campaign, HIGH and has the second product: an old one."""
ORDER = (
    "INSERT INTO conversions (account_id, conversion_id, event_id, external_order_id, order_minor, paid_minor,"
    " currency, lines, ordered_at, received_at, confidence, reason, campaign_id, created_at)"
    " VALUES ('acc_live', ?1, 'evt', ?1, 1, 1, 'USD', ?2, ?3, ?4, ?5, 'no_click', ?6, ?4)"
)
COMMISSION = (
    "INSERT INTO commissions (account_id, commission_id, conversion_id, affiliate_id, state, amount_minor, base_minor,"
    " currency, source, terms, hold_ms, paid_at, created_at, updated_at)"
    " VALUES ('acc_live', 'com_' || ?1, ?1, 'aff', ?2, 1, 1, 'USD', 'MERCHANT', '{}', 0, ?3, 1, 1)"
)


class Made(NamedTuple):
    """What a list may be asked for of an order; moments in ms UTC."""

    id: str
    state: str
    confidence: str
    campaign_id: str
    product: str
    placed: int
    created: int


def made(number: int) -> Made:
    """An order an hour, of which each tenth comes seven weeks late, as a history does."""
    created, rare = NOON + number * HOUR, number == RARE
    state = "REJECTED" if rare else ("HOLD", "PAID", "NONE")[number % 3]
    placed = created - (50 * DAY if number % 10 == 3 else number % 20 * HOUR)
    return Made(f"{id_at('cnv', created)}{number:020x}", state, "HIGH" if rare else "LOW", f"cmp_{rare}",
                f"lamp-{rare}", placed, created)  # fmt: skip


def put(db: sqlite3.Connection, each: Made) -> None:
    """Store an order and its commission."""
    lines = json.dumps([[each.product, 1, 1]], separators=(",", ":"))
    db.execute(ORDER, (each.id, lines, each.placed, each.created, each.confidence, each.campaign_id))
    if each.state != "NONE":
        db.execute(COMMISSION, (each.id, each.state, 1 if each.state == "PAID" else None))


@pytest.fixture(scope="module")
def orders() -> list[Made]:
    """A live account's orders over 33 days, the lowest id first."""
    return [made(number) for number in range(ORDERS)]


@pytest.fixture(scope="module")
async def counted(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory, orders: list[Made]) -> Path:
    """A file with those orders, which the figures have counted."""
    path = shutil.copyfile(migrated_file, tmp_path_factory.mktemp("counted") / "hub.db")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(MERCHANT)
        db.execute("INSERT INTO accounts (account_id, merchant_id, mode) VALUES ('acc_live', 'mer', 'live')")
        for each in orders:
            put(db, each)
    async with await Store.open(f"sqlite:///{path}") as store:
        async with store.write() as tx:
            await tx.run("note_all_orders", account_id=ACCOUNT)
        await FigureCounter(store, FakeClock(), _no_rest).count()
    return path


@pytest.fixture
async def store(counted: Path) -> AsyncIterator[Store]:
    """The store of that file, to read."""
    async with await Store.open(f"sqlite:///{counted}") as store:
        yield store


async def _no_rest(_: float) -> None:
    """Go on at once."""


def meeting(orders: list[Made], filters: FilterValues) -> list[str]:
    """The ids of the orders that meet filters, the newest first."""
    own = {name: value for name, value in filters.items() if not name.startswith("placed")}
    first, last = int(filters.get("placed_from") or 0), int(filters.get("placed_to") or 1 << 62)
    met = [each for each in orders if all(getattr(each, name) == value for name, value in own.items())]
    return [each.id for each in reversed(met) if first <= each.placed < last]


RARE_ONES: Final[tuple[Mapping[str, Any], ...]] = (
    {"state": "REJECTED"}, {"confidence": "HIGH"}, {"campaign_id": "cmp_True"}, {"product": "lamp-True"},
    {"state": "REJECTED", "product": "lamp-True", "campaign_id": "cmp_True"},
)  # fmt: skip
NONE_SUCH: Final[tuple[Mapping[str, Any], ...]] = (
    {"state": "APPROVED"}, {"campaign_id": "cmp_gone"}, {"product": "lamp"},
    {"state": "REJECTED", "campaign_id": "cmp_False"}, {"confidence": "HIGH", "placed_from": NOON + 10 * DAY},
)  # fmt: skip
COMMON: Final[tuple[Mapping[str, Any], ...]] = (
    {"state": "HOLD"}, {"state": "NONE"}, {"product": "lamp-False"}, {"state": "PAID", "confidence": "LOW"},
    {"state": "HOLD", "placed_from": NOON + 3 * DAY, "placed_to": NOON + 5 * DAY},
)  # fmt: skip


@pytest.mark.parametrize("most", [1, 32])
@pytest.mark.parametrize("filters", [*RARE_ONES, *NONE_SUCH, *COMMON], ids=str)
async def test_a_list_is_whole_in_both_orders(
    store: Store, orders: list[Made], filters: FilterValues, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However few spans the days are joined to; what came weeks late is among them."""
    monkeypatch.setattr(placed_orders, "MOST_SPANS", most)
    newest = [each.conversion_id for each in await walked(store, evolve(asked_orders(filters), limit=90))]
    assert newest == meeting(orders, filters)
    oldest = [each.conversion_id for each in await walked(store, evolve(asked_orders(filters, "oldest"), limit=500))]
    assert oldest == newest[::-1]


@pytest.mark.parametrize("filters", NONE_SUCH, ids=str)
async def test_that_there_is_none_is_known_without_looking(
    store: Store, filters: FilterValues, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "DEPTH", 1)
    page = await list_orders(store, ACCOUNT, asked_orders(filters), "live")
    assert (page.entries, page.older, page.looked_at) == ([], None, 0)


@pytest.mark.parametrize("filters", RARE_ONES, ids=str)
async def test_a_rare_one_is_found_on_its_day(
    store: Store, orders: list[Made], filters: FilterValues, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page looks through 400 orders of 800 at the most; without the days the old one is out of its reach."""
    monkeypatch.setattr(lists, "DEPTH", 40)
    found = [each.conversion_id for each in (await list_orders(store, ACCOUNT, asked_orders(filters), "live")).entries]
    assert found == [orders[RARE].id]
    monkeypatch.setattr(counted_days, "MOST_NOTES", -1)
    assert (await list_orders(store, ACCOUNT, asked_orders(filters), "live")).entries == []


async def test_what_is_not_counted_yet_is_found_too(
    counted: Path, orders: list[Made], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An order that is new, and one that changed just now; with the figures alone both would be missing."""
    path = shutil.copyfile(counted, tmp_path / "hub.db")
    new = made(ORDERS)._replace(state="APPROVED")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE commissions SET state = 'APPROVED' WHERE conversion_id = ?", (orders[201].id,))
        put(db, new)
    figures = OrderFigures(new.placed // DAY, "", "aff", "USD", 0, 1, 0, "APPROVED", 1, "", "", ())
    ((account_id, _, sums),) = notes_of_new({ACCOUNT: [(new.id, figures)]})
    wanted = asked_orders({"state": "APPROVED"})
    dated = asked_orders({"state": "APPROVED", "placed_to": new.placed})
    async with await Store.open(f"sqlite:///{path}") as store:
        async with store.write() as tx:
            await tx.run("note_changed_orders", changes=[(ACCOUNT, "chg_1", orders[201].id)])
            await tx.run("note_new_figures", notes=[(account_id, id_at("chg", new.created + HOUR // 120), sums)])
        assert [each.conversion_id for each in await walked(store, wanted)] == [new.id, orders[201].id]
        assert [each.conversion_id for each in await walked(store, dated)] == [orders[201].id]
        monkeypatch.setattr(placed_orders, "uncounted_moments", AsyncMock(return_value=[]))
        assert await walked(store, wanted) == []


async def test_however_many_wait_to_be_counted_old_orders_are_left_out(
    counted: Path, orders: list[Made], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thousand notes of the last days' orders, as after a night's holds: the rare old one is still found at once."""
    path = shutil.copyfile(counted, tmp_path / "hub.db")
    changes = [(ACCOUNT, f"chg_{number}", orders[-1 - number % 40].id) for number in range(1_000)]
    monkeypatch.setattr(lists, "DEPTH", 40)
    async with await Store.open(f"sqlite:///{path}") as store:
        async with store.write() as tx:
            await tx.run("note_changed_orders", changes=changes)
        for filters in RARE_ONES:
            page = await list_orders(store, ACCOUNT, asked_orders(filters), "live")
            assert [each.conversion_id for each in page.entries] == [orders[RARE].id]
        monkeypatch.setattr(counted_days, "MOST_NOTES", 999)
        assert (await list_orders(store, ACCOUNT, asked_orders(RARE_ONES[0]), "live")).entries == []


async def test_every_state_is_counted_by_its_own_name(store: Store) -> None:
    """A state that the query does not know would lead to every day."""
    async with store.read() as tx:
        days = {each: await days_of(tx, ACCOUNT, {"state": each}) for each in (*COMMISSION_STATES, "NONE", "new")}
    assert {each for each, found in days.items() if not found} == {"PENDING", "APPROVED", "PAYABLE"}
    assert len(days["REJECTED"]) == 1
