"""What a review of real stores found broken and told to nobody: `hub connection check` names each, by its number there.

F5 (versions of an API that end), F10a (clocks), F10c (a mended secret) and F14 (what is active) are in
`test_connection_check.py`, F1 with several orders in a row in `tests/processing/test_which_order.py`, F10e, F10f and
the page's order in `tests/pages`. F9, F11 and F12 are no faults of a connection: they are in the capture script's, the
refunds' and the renewals' own tests.
"""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from hub_prestashop import hub_connectors as prestashop_connectors
from hub_prestashop.scenarios import created
from hub_woocommerce import hub_connectors as woocommerce_connectors

from hub.api import Play
from hub.domain.durations import HOUR, MINUTE
from hub.operations.connections.connection_check import check_connection
from hub.operations.connections.connections import ConnectionAdmin, NewConnection, create_connection
from hub.operations.connections.consents import begin_consent, take_keys
from hub.operations.errors import OperatorFault
from hub.plugin_host.registry import Registry
from hub.testing.in_process_plugins import InProcessPlugins
from tests.platform_sync.acme_shop import ROOT, SEALER, Asked, admin_of, asked
from tests.platform_sync.test_connection_check import found_of, healthy, log_answer, problems
from tests.platform_sync.test_last_look import later, one
from tests.processing.harness import DAY, NOON, Harness
from tests.processing.test_deliveries import Shop, connect, hire

__all__ = ["one"]
STOPPED = "The shop has not asked for this hub since"
QUESTIONS = "questions about its orders wait for a person"


async def notes(shop: Shop) -> list[str]:
    return list((await check_connection(admin_of(shop.harness), shop.connection_id)).notes)


async def test_f1_another_order_under_a_known_number(sqlite_harness: Harness) -> None:
    shop = await connect(sqlite_harness)
    for born, total in (("a", "50.00"), ("b", "19.99")):
        await shop.tell("order", {"number": "5", "total": total, "paid": True, "key": born}, born)
    assert any("Another order came under a number that is known" in each for each in await found_of(shop))


@pytest.fixture(params=["woocommerce", "prestashop"])
async def asking(request: pytest.FixtureRequest, sqlite_harness: Harness) -> tuple[ConnectionAdmin, Shop]:
    """A shop whose plugin asks every day."""
    name = str(request.param)
    plugins = InProcessPlugins(Registry((*woocommerce_connectors(), *prestashop_connectors()), {}))
    admin = ConnectionAdmin(sqlite_harness.store, SEALER, plugins, sqlite_harness.clock, ROOT)
    made = await create_connection(admin, NewConnection(sqlite_harness.merchant_id, "test", name))
    return admin, Shop(sqlite_harness, sqlite_harness.account_id, made["id"])


class TestF2:
    """Something else answers at the hub's address: the hub hears nothing, and says since when."""

    async def test_a_shop_that_no_longer_asks_is_named(self, asking: tuple[ConnectionAdmin, Shop]) -> None:
        admin, shop = asking
        clock = shop.harness.clock

        async def named() -> bool:
            found = (await check_connection(admin, shop.connection_id)).problems
            return any(STOPPED in each for each in found)

        assert not await named()
        await log_answer(shop, "GET", 200)
        clock.now += 2 * DAY - MINUTE
        assert not await named()
        clock.now += MINUTE
        assert await named()
        await log_answer(shop, "GET", 401, "bad_signature")
        assert await named()
        await log_answer(shop, "GET", 200)
        assert not await named()

    async def test_control_a_platform_that_asks_once_may_be_silent(self, sqlite_harness: Harness) -> None:
        shop = await connect(sqlite_harness)
        await log_answer(shop, "GET", 200)
        shop.harness.clock.now += 3 * DAY
        assert not any(STOPPED in each for each in await found_of(shop))


async def test_f3_a_refund_that_was_deleted_once_the_commission_was_payable(sqlite_harness: Harness) -> None:
    """Before, it is undone, and there is nothing to name."""
    shop, click = await connect(sqlite_harness), await sqlite_harness.click(before_ms=HOUR)
    refund = {"id": "r-1", "amount": "40.00", "at": NOON}
    for number, refunds in enumerate(((), (refund,), ())):
        if number == 2:
            sqlite_harness.clock.now += 15 * DAY
        extra = {"click": click}
        told = {"number": "R", "total": "100.00", "paid": True, "placed": NOON, "version": NOON + number}
        await shop.tell("order", {**told, "extra": extra, "refunds": refunds}, str(number))
        assert any(QUESTIONS in each for each in await notes(shop)) == (number == 2)


async def test_f4_an_order_that_the_platform_has_no_longer(one: Asked) -> None:
    assert not any(QUESTIONS in each for each in await notes(one.shop))
    one.acme.orders.clear()
    await later(one, 13.5)
    assert any(QUESTIONS in each for each in await notes(one.shop))


@pytest.fixture
async def prestashop(sqlite_harness: Harness) -> tuple[ConnectionAdmin, Shop]:
    """A shop whose module delivers."""
    registry = Registry(tuple(prestashop_connectors()), {})
    admin = ConnectionAdmin(
        sqlite_harness.store, SEALER, InProcessPlugins(registry), sqlite_harness.clock, ROOT
    )  # fmt: skip
    made = await create_connection(admin, NewConnection(sqlite_harness.merchant_id, "test", "prestashop"))
    hire(sqlite_harness, registry)
    return admin, Shop(sqlite_harness, sqlite_harness.account_id, made["id"])


async def test_f6_a_prestashop_that_is_not_asked(prestashop: tuple[ConnectionAdmin, Shop]) -> None:
    """What its hooks do not tell is lost."""
    admin, shop = prestashop
    found = await check_connection(admin, shop.connection_id)
    assert any("because the hub has no credentials to query the platform" in each for each in found.notes)


@pytest.mark.parametrize(("off", "said"), [(0, []), (-3 * HOUR, ["The shop's clock is 3 h behind"])])
async def test_f10a_a_prestashop_whose_clock_is_wrong(
    prestashop: tuple[ConnectionAdmin, Shop], off: int, said: list[str]
) -> None:
    """Its module says what the clock showed."""
    admin, shop = prestashop
    await shop.tell("order", json.loads(created(Play("7", None, "EUR", shop.harness.clock() + off)).body))
    found = (await check_connection(admin, shop.connection_id)).problems
    assert [each.partition(",")[0] for each in found if "clock" in each] == said


@pytest.mark.parametrize("with_click", [False, True])
async def test_f7_a_store_whose_orders_bring_no_click(sqlite_harness: Harness, *, with_click: bool) -> None:
    shop = await connect(sqlite_harness)
    for number in range(3):
        extra = {"click": await sqlite_harness.click(before_ms=MINUTE)} if with_click else {}
        await shop.tell("order", {"number": str(number), "total": "10.00", "paid": True, "extra": extra}, str(number))
    assert any("None of the last 3 orders has a click" in each for each in await found_of(shop)) == (not with_click)


async def test_f8_a_consent_whose_keys_were_refused(sqlite_harness: Harness) -> None:
    """With its mend; keys that work end it."""
    async with asked(sqlite_harness) as one:
        await healthy(one)
        for secret, is_named in (("another", True), ("s3cret", False)):
            url = await begin_consent(one.platforms, one.shop.connection_id, "usr_1", {"site": one.address})
            state = parse_qs(urlsplit(url).query)["state"][0]
            keys = {"key_id": 1, "user_id": state, "consumer_key": "key", "consumer_secret": secret}
            try:
                await take_keys(one.platforms, keys)
            except OperatorFault:
                assert is_named
            found = [each for each in await problems(one) if "The platform's consent of " in each]
            assert ["refuses the credentials (401)" in each for each in found] == ([True] if is_named else [])


async def test_f13_an_order_that_never_named_its_click_until_later(sqlite_harness: Harness) -> None:
    """It waits in the review queue; the check counts it among those without a click until another plugin names one."""
    shop = await connect(sqlite_harness)
    click = await sqlite_harness.click(before_ms=MINUTE)
    for number in range(3):
        await shop.tell("order", {"number": str(number), "total": "10.00", "paid": True}, f"{number}")
    assert any("has a click" in each for each in await found_of(shop))
    body = {"number": "0", "total": "10.00", "paid": True, "version": NOON + 1, "extra": {"click": click}}
    await shop.tell("order", body, "later")
    assert not any("has a click" in each for each in await found_of(shop))
