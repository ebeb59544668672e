"""Whatever happens to a shop's orders, and whatever is lost of it on the way, the ledger comes to what its books say.

Seeded histories: orders are placed, paid, edited, refunded, called off and put back, trashed, deleted, their numbers
given again. Deliveries are lost, doubled and overtaken; the shop's API is away for hours, or something else answers in
its place; its clock may be hours or days wrong. In the end each commission is that of the shop's own books, for every
platform that can be asked.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from email.utils import format_datetime
from fractions import Fraction
from itertools import count
from typing import Final

import pytest
from aiohttp import web
from attrs import define, evolve, field

from hub.clock import Clock
from hub.domain.money import round_half_up
from hub.operations.audits.audit import audit
from hub.operations.orders.other_orders import separate_orders
from hub.platform_sync import reads
from tests.order_questions import list_order_reviews
from tests.outbound.stand_in import Handler
from tests.platform_sync.test_any_subset_lost import STORES as TOLD
from tests.platform_sync.test_any_subset_lost import Connected, connected, each_of
from tests.platform_sync.test_witnessed_orders import pass_days
from tests.platform_sync.test_wrong_clocks_and_forgeries import FORGERIES, HOUR, night
from tests.processing.harness import DAY, NOON, Harness
from tests.standins.books import BOOKS, Sold, can, done, keep
from tests.standins.stores import Store, magento_store, prestashop_store, squarespace_store
from tests.standins.trouble import Sent

STORES: Final = {**TOLD, "magento": magento_store, "prestashop": prestashop_store, "squarespace": squarespace_store}
MINUTE: Final = 60_000
SEEDS: Final = (1, *(pytest.param(seed, marks=pytest.mark.prove) for seed in range(2, 13)))
THRICE: Final = 34
"""The seed of a history in which WooCommerce gives a number for the third time."""
RATE: Final = Fraction(1, 10)
LOST: Final = 0.4
_numbers = count(9_000)

Ends = Mapping[str, tuple[str, int]]
"""The state and the amount (minor units) of each order's commission, by its click."""
UNKNOWN: Final = ("UNKNOWN", 0)


@define
class Door:
    """What stands before a shop: it is open, or shut, or somebody else answers there; and the shop's own clock."""

    clock: Clock
    behind: int = 0
    """How far (ms) the shop's clock is behind the hub's; negative if it is ahead."""
    answers: str | None = None

    def shop_time(self) -> int:
        """Return the moment (ms UTC) by the shop's clock, in whole seconds."""
        return (self.clock() - self.behind) // 1000 * 1000

    def before(self, handler: Handler) -> Handler:
        """Return the handler as it is seen from outside."""

        async def answer(request: web.Request) -> web.StreamResponse:
            if self.answers == "nothing":
                return web.Response(status=503)
            if self.answers is not None:
                return FORGERIES[self.answers]()
            response = await handler(request)
            at = datetime.fromtimestamp(self.shop_time() // 1000, UTC)
            response.headers["Date"] = format_datetime(at, usegmt=True)
            return response

        return answer


@define
class History:
    """The life of a shop by one seed; `books` are its orders by number and birth, `told` what it did, in words."""

    one: Connected
    campaign_id: str
    door: Door
    chance: random.Random
    books: dict[tuple[str, int], Sold] = field(factory=dict)
    under_way: list[Sent] = field(factory=list)
    sure: list[Sent] = field(factory=list)
    """What is under way and cannot be lost."""
    told: list[str] = field(factory=list)

    async def live(self, steps: int, *, asks: bool) -> None:
        """Let the shop do so many things, some minutes apart."""
        for _ in range(steps):
            self.one.shop.harness.clock.now += self.chance.randint(1, 90) * MINUTE
            await self._act()
            if self.chance.random() < 0.3:
                await self.arrive(asks=asks)
            self._turn_the_door()
            if asks and self.chance.random() < 0.2:
                await night(self.one)

    async def arrive(self, *, asks: bool) -> None:
        """Have what is under way arrive, in any order, some of it twice."""
        once = [*self.under_way, *self.sure]
        arriving = once + [each for each in once if self.chance.random() < 0.2]
        self.under_way, self.sure = [], []
        self.chance.shuffle(arriving)
        for sent in arriving:
            await self.one.shop.tell(sent.topic, sent.body, f"d-{next(_numbers)}", **sent.headers)
        if asks:
            await self.one.run()

    async def earned(self) -> Ends:
        """Return what each order has earned by the ledger."""
        harness = self.one.shop.harness
        clicks = {row["conversion_id"]: row["click_id"] for row in await harness.rows("conversion_rows")}
        rows = await harness.rows("commission_rows")
        return {clicks[row["conversion_id"]]: (row["state"], row["amount_minor"]) for row in rows}

    async def _act(self) -> None:
        now = self.door.shop_time()
        known = list(self.books.values())
        acts = [(act, sold) for sold in known for act in BOOKS[self.one.store.name].acts if can(act, sold)]
        if len(known) < 3 or not acts or self.chance.random() < 0.2:
            await self._place(str(next(_numbers)), 1, now)
            return
        act, sold = self.chance.choice(acts)
        if act == "renumber":
            self._write("is forgotten by a backup", evolve(sold, is_gone=True, is_replaced=True), tells=False)
            await self._place(sold.number, sold.birth + 1, now)
        else:
            self._write(act, done(act, sold, now, next(_numbers)))

    async def _place(self, number: str, birth: int, now: int) -> None:
        click = await self.one.shop.harness.click(self.campaign_id, before_ms=5 * MINUTE + max(self.door.behind, 0))
        self._write("place", Sold(number, click, now, now, birth))

    def _write(self, act: str, sold: Sold, *, tells: bool = True) -> None:
        self.books[sold.number, sold.birth] = sold
        sure = act == "place" and BOOKS[self.one.store.name].keeps_first
        sent = [each for each in keep(self.one.store, sold) if tells and (sure or self.chance.random() > LOST)]
        (self.sure if sure else self.under_way).extend(sent)
        self.told.append(f"{act} {sold.number}.{sold.birth}: {len(sent)} on their way, door {self.door.answers}")

    def _turn_the_door(self) -> None:
        if self.chance.random() < 0.2:
            self.door.answers = self.chance.choice([None, None, "nothing", *FORGERIES])


def differences(name: str, books: Iterable[Sold], earned: Ends) -> dict[str, object]:
    """Return where the ledger is not what the books say."""
    found = {sold: earned.get(sold.click_id, UNKNOWN) for sold in books}
    return {
        f"{sold.number}.{sold.birth}": (sold, end)
        for sold, end in found.items()
        if not _is_due(sold, BOOKS[name].kept(sold), *end)
    }


def _is_due(sold: Sold, kept: Fraction, state: str, minor: int) -> bool:
    """Return whether an order should have come to that.

    Of one that is gone the hub need not have heard. One that lost its number to another cannot be asked for: if its
    payment was not heard of, it waits for that, and is never paid.
    """
    if sold.is_replaced:
        return state in ("UNKNOWN", "REJECTED", "PENDING")
    if sold.is_gone or sold.is_trashed:
        return state in ("UNKNOWN", "REJECTED")
    if sold.is_cancelled:
        return state == "REJECTED"
    return (state, minor) == ("PENDING" if sold.paid_at is None else "PAYABLE", round_half_up(kept * RATE * 100))


async def played(
    harness: Harness, store: Store, seed: int, *, asks: bool, behind: int = 0
) -> tuple[dict[str, object], list[str]]:
    """Play a shop's history of some days to its end; return where the ledger differs, and what happened."""
    harness.clock.now = NOON
    campaign_id = await harness.campaign(value="10")
    door = Door(harness.clock, behind)
    async with connected(harness, store, door.before) as one:
        history = History(one, campaign_id, door, random.Random(seed))
        await history.live(12, asks=asks)
        door.answers = None
        await history.live(6, asks=asks)
        door.answers = None
        history.under_way = history.under_way[::2]
        await history.arrive(asks=asks)
        if asks:
            await settle(one)
        return differences(store.name, history.books.values(), await history.earned()), history.told


async def settle(one: Connected) -> None:
    """Let the nights of three weeks pass, with the looks before holds end; a person answers what is asked."""
    store, clock = one.shop.harness.store, one.shop.harness.clock
    for days in (0.2, 4.0, 4.0, 6.0, 1.0, 1.0, 6.0, 1.0):
        await pass_days(one, days)
        await night(one)
        asked = [each for each in await list_order_reviews(store) if each.reason == "other_order"]
        for conversion_id in {each.conversion_id for each in asked}:
            await separate_orders(store, clock, conversion_id)
        await one.run()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", each_of(STORES))
async def test_the_ledger_comes_to_what_the_shops_books_say(sqlite_harness: Harness, name: str, seed: int) -> None:
    differs, told = await played(sqlite_harness, STORES[name](), seed, asks=True)
    assert differs == {}, told
    assert (await audit(sqlite_harness.store, sqlite_harness.clock))["violations"] == []


@pytest.mark.prove
@pytest.mark.parametrize("name", each_of(STORES))
async def test_and_so_it_does_on_either_database(harness: Harness, name: str) -> None:
    differs, told = await played(harness, STORES[name](), THRICE, asks=True)
    assert differs == {}, told


@pytest.mark.parametrize("behind", [3 * HOUR, pytest.param(2 * DAY, marks=pytest.mark.prove), -3 * HOUR])
@pytest.mark.parametrize("name", each_of(STORES))
async def test_and_so_it_does_for_a_shop_whose_clock_is_wrong(harness: Harness, name: str, behind: int) -> None:
    differs, told = await played(harness, STORES[name](), THRICE, asks=True, behind=behind)
    assert differs == {}, told


@pytest.mark.prove
async def test_control_a_night_by_our_clock_alone_misses_what_changed(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Magento sends nothing, so that what a night does not list is never heard of."""
    monkeypatch.setattr(reads, "behind_by", lambda date, now: 0)
    differs, _ = await played(harness, magento_store(), THRICE, asks=True, behind=20 * DAY)
    assert differs


@pytest.mark.parametrize("name", each_of(STORES))
async def test_control_a_hub_that_asks_nobody_keeps_other_books(harness: Harness, name: str) -> None:
    differs, _ = await played(harness, STORES[name](), 1, asks=False)
    assert differs


@pytest.mark.parametrize("early_hours", [12, 0])
async def test_a_list_in_the_shops_own_time_begins_earlier(sqlite_harness: Harness, early_hours: int) -> None:
    """PrestaShop compares with its own clock on the wall, hours behind in New York; with 0 it is the control."""
    sqlite_harness.clock.now = NOON
    store = prestashop_store()
    requests = store.connector.requests
    assert requests is not None
    assert requests.orders is not None
    asking = evolve(requests, orders=evolve(requests.orders, early_hours=early_hours))
    async with connected(sqlite_harness, evolve(store, connector=evolve(store.connector, requests=asking))) as one:
        await night(one)
        sqlite_harness.clock.now += 30 * MINUTE
        now = sqlite_harness.clock()
        keep(one.store, Sold("501", "clk_1", now, now))
        sqlite_harness.clock.now += 30 * MINUTE
        await night(one)
        assert (await sqlite_harness.conversion("501") is not None) == (early_hours > 0)
