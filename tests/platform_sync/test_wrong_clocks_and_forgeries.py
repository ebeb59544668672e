"""A shop's clock may be wrong, and something else may answer at its address: no order is lost, and none is ended.

Beside `test_any_subset_lost.py` and `test_witnessed_orders.py`, of which the shop's clock is right and every answer its
own. Each guard has its control.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import format_datetime

import pytest
from aiohttp import web
from attrs import define, evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hub.api import Play
from hub.clock import Clock
from hub.operations.connections.platform_access import ask_for_read
from hub.outbound.platform_client import PlatformClient
from hub.platform_sync import reads
from tests.outbound.stand_in import Handler
from tests.platform_sync.test_any_subset_lost import LIVES, STORES, Connected, _lived, _numbers, connected, each_of
from tests.platform_sync.test_witnessed_orders import pass_days
from tests.processing.harness import DAY, NOON, Harness
from tests.standins import shopify

HOUR = 60 * 60_000
HAS_ENDING_TOKENS = {"shopware", "wix"}
"""Whose token lasts minutes: a forger, who has none to give, is not believed anyway."""
FORGERIES: dict[str, Callable[[], web.Response]] = {
    "not found": lambda: web.json_response({"code": "rest_no_route"}, status=404),
    "blank": web.Response,
    "empty object": lambda: web.json_response({}),
    "empty list": lambda: web.json_response([]),
    "web page": lambda: web.Response(text="<html>This domain is for sale</html>", content_type="text/html"),
}
"""What a parked domain, a broken route, a fatal error or a proxy answers in a shop's place."""


@define
class Face:
    """What stands before a stand-in: it has a clock of its own, and may answer in the shop's place."""

    clock: Clock
    behind: int = 0
    forges: str | None = None

    def before(self, handler: Handler) -> Handler:
        """Return the handler as it is seen from outside."""

        async def answer(request: web.Request) -> web.StreamResponse:
            if self.forges is not None:
                return FORGERIES[self.forges]()
            response = await handler(request)
            at = datetime.fromtimestamp((self.clock() - self.behind) / 1000, UTC)
            response.headers["Date"] = format_datetime(at, usegmt=True)
            return response

        return answer


async def night(one: Connected) -> None:
    """Read what changed since the last night, as the scheduler has it read."""
    await ask_for_read(one.platforms, one.shop.connection_id)
    await one.run()


@pytest.mark.parametrize("name", each_of(STORES))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=5)
@given(st.sampled_from([-3 * HOUR, 3 * HOUR, 2 * DAY, 20 * DAY]), st.sampled_from(LIVES), st.data())
async def test_a_night_finds_what_was_lost_of_a_shop_with_a_wrong_clock(
    sqlite_harness: Harness, name: str, behind: int, life: tuple[str, ...], data: st.DataObject
) -> None:
    """Its orders say that they changed long before the last night, which by its own clock they did not."""
    sqlite_harness.clock.now = NOON + DAY
    click = await sqlite_harness.click(before_ms=25 * DAY)
    face = Face(sqlite_harness.clock, behind)
    async with connected(sqlite_harness, STORES[name](), face.before) as one:
        await night(one)
        sqlite_harness.clock.now += DAY
        placed_at = sqlite_harness.clock() - behind
        whole, holed = (Play(str(next(_numbers)), click, "USD", placed_at) for _ in range(2))
        for each in _lived(one.store, [whole], [life]):
            await one.tell(each)
        for each in _lived(one.store, [holed], [life]):
            if data.draw(st.booleans()):
                await one.tell(each)
        sqlite_harness.clock.now += HOUR
        await night(one)
        due, found = await one.end(whole.order_id), await one.end(holed.order_id)
        assert due is not None
        assert found is not None
        # What a clock that is ahead says is not believed: then a hold begins when the hub learns of the payment.
        kept = len(due) if behind > 0 else len(due) - 1
        assert found[:kept] == due[:kept]


@pytest.mark.parametrize("name", each_of(STORES))
async def test_control_a_night_by_our_clock_alone_loses_the_order(
    sqlite_harness: Harness, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reads, "behind_by", lambda date, now: 0)
    sqlite_harness.clock.now = NOON + DAY
    face = Face(sqlite_harness.clock, 2 * DAY)
    async with connected(sqlite_harness, STORES[name](), face.before) as one:
        await night(one)
        sqlite_harness.clock.now += DAY
        play = Play(str(next(_numbers)), None, "USD", sqlite_harness.clock() - 2 * DAY)
        assert one.store.step("created", play)
        sqlite_harness.clock.now += HOUR
        await night(one)
        assert await sqlite_harness.conversion(play.order_id) is None


@pytest.mark.parametrize("forgery", FORGERIES)
@pytest.mark.parametrize("name", each_of(STORES))
async def test_a_night_of_forged_answers_loses_nothing(sqlite_harness: Harness, name: str, forgery: str) -> None:
    """Once the shop is itself again, the next reading begins where the last true one ended."""
    sqlite_harness.clock.now = NOON + DAY
    click = await sqlite_harness.click(before_ms=3 * DAY)
    face = Face(sqlite_harness.clock)
    async with connected(sqlite_harness, STORES[name](), face.before) as one:
        await night(one)
        play = await lost(one, click)
        face.forges = forgery
        for _ in range(3):
            sqlite_harness.clock.now += DAY
            await night(one)
        face.forges = None
        sqlite_harness.clock.now += DAY
        await night(one)
        assert await one.end(play.order_id) is not None


async def lost(one: Connected, click: str) -> Play:
    """Have an order placed and paid of which nothing arrives."""
    play = Play(str(next(_numbers)), click, "USD", one.shop.harness.clock())
    assert list(_lived(one.store, [play], [("created", "paid")]))
    return play


async def looked_for(one: Connected, face: Face, forgery: str) -> tuple[str, str]:
    """Let a hold end while something else answers, then the shop; return the commission's state after each."""
    harness = one.shop.harness
    click = await harness.click(before_ms=DAY)
    play = Play(str(next(_numbers)), click, "USD", harness.clock())
    for each in _lived(one.store, [play], [("created", "paid")]):
        await one.tell(each)
    face.forges = forgery
    await pass_days(one, 13.3)
    await pass_days(one, 1.2)
    forged = await harness.commission(play.order_id)
    face.forges = None
    await pass_days(one, 1.0)
    true = await harness.commission(play.order_id)
    assert forged is not None
    assert true is not None
    return forged["state"], true["state"]


@pytest.mark.parametrize("forgery", FORGERIES)
@pytest.mark.parametrize("name", each_of(STORES))
async def test_a_last_look_at_a_forger_ends_nothing_and_pays_nothing(
    sqlite_harness: Harness, name: str, forgery: str
) -> None:
    """The commission waits until the shop itself says what became of its order."""
    sqlite_harness.clock.now = NOON + DAY
    face = Face(sqlite_harness.clock)
    async with connected(sqlite_harness, STORES[name](), face.before) as one:
        assert await looked_for(one, face, forgery) == ("HOLD", "PAYABLE")


@pytest.mark.parametrize("name", each_of(sorted(STORES.keys() - HAS_ENDING_TOKENS)))
async def test_control_a_hub_that_believes_whoever_answers_ends_the_order(
    sqlite_harness: Harness, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def believe(_: PlatformClient) -> str:
        return ""

    monkeypatch.setattr(PlatformClient, "prove", believe)
    sqlite_harness.clock.now = NOON + DAY
    face = Face(sqlite_harness.clock)
    store = STORES[name]()
    if name == "shopify":  # a token that does not end: whoever has none to give is not believed anyway
        store = evolve(store, credentials={"shop": shopify.SHOP, "token": shopify.TOKEN})
    async with connected(sqlite_harness, store, face.before) as one:
        assert (await looked_for(one, face, "not found"))[0] == "REJECTED"


async def test_control_a_hub_that_believes_a_blank_page_loses_the_night(
    sqlite_harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """WooCommerce's list is the whole answer, so that a blank one is a night without orders."""

    async def believe(_: PlatformClient) -> str:
        return ""

    monkeypatch.setattr(PlatformClient, "prove", believe)
    sqlite_harness.clock.now = NOON + DAY
    click = await sqlite_harness.click(before_ms=3 * DAY)
    face = Face(sqlite_harness.clock)
    async with connected(sqlite_harness, STORES["woocommerce"](), face.before) as one:
        await night(one)
        play = await lost(one, click)
        face.forges = "blank"
        sqlite_harness.clock.now += DAY
        await night(one)
        face.forges = None
        sqlite_harness.clock.now += DAY
        await night(one)
        assert await one.end(play.order_id) is None
