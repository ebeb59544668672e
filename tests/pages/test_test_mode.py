"""The page in which a store is played, and the clock of the test account is moved."""

from __future__ import annotations

from typing import Any

from yarl import URL

from hub.app import Hub
from hub.operations.orders.conversions import conversions_of_order
from hub.operations.orders.played_orders import SCENARIOS
from hub.testing.clock import FakeClock
from tests.pages.test_keys import owner
from tests.pages.visitor import browser
from tests.pages.world import until, world_of

HERE = "/merchant/test"


async def commission_of(hub: Hub, order: str, state: str, amount: str = "3.20") -> Any:
    """Wait until the commission of an order has a state and an amount."""

    async def found() -> Any:
        every = await conversions_of_order(hub.parts.store, hub.parts.clock, order)
        wanted = {"state": state, "amount": amount}
        return next(
            (each for each in every if each["commission"] and wanted.items() <= each["commission"].items()), None
        )

    return await until(found)


async def test_each_scenario_ends_as_its_words_say(either_hub: Hub, clock: FakeClock) -> None:
    """By the rules of the API: a repeat is a duplicate, a part that goes back lowers the commission."""
    world = await world_of(either_hub, clock, "Aurora")
    ends = {"order": "PENDING", "delivered": "HOLD", "partial-refund": "HOLD", "cancel": "REJECTED",
            "duplicate": "PENDING", "storm": "HOLD", "out-of-order": "HOLD"}  # fmt: skip
    assert ends.keys() == SCENARIOS.keys()
    async with browser(either_hub) as ann:
        await world.person(ann, "merchant", "owner")
        for scenario, state in ends.items():
            played = await ann.send(HERE, f"{HERE}/play", scenario=scenario)
            answers = URL(played.location or "").query
            amount = "2.40" if scenario == "partial-refund" else "3.20"
            found = await commission_of(either_hub, answers["order"], state, amount)
            assert found["confidence"] == "HIGH"
            assert answers["answers"].count("DUPLICATE") == {"duplicate": 1, "storm": 9}.get(scenario, 0)
            assert answers["order"] in (await ann.get(played.location or "")).words


async def test_the_clock_ends_a_hold_and_the_account_is_emptied(either_hub: Hub, clock: FakeClock) -> None:
    world = await world_of(either_hub, clock, "Aurora")
    async with browser(either_hub) as ann:
        await world.person(ann, "merchant", "owner")
        played = await ann.send(HERE, f"{HERE}/play", scenario="delivered")
        order = URL(played.location or "").query["order"]
        await commission_of(either_hub, order, "HOLD")
        assert (await ann.send(HERE, f"{HERE}/clock", by="15d")).location == f"{HERE}?done=advanced"
        await commission_of(either_hub, order, "PAYABLE")
        assert "It was moved forward by 15 days." in (await ann.get(HERE)).words
        assert (await ann.send(HERE, f"{HERE}/clock", by="soon")).status == 422
        assert (await ann.send(f"{HERE}/empty")).location == f"{HERE}?done=emptied"
        assert await conversions_of_order(either_hub.parts.store, clock, order) == []


async def test_without_a_click_the_page_says_so(hub: Hub, clock: FakeClock) -> None:
    """The order is played all the same, and nobody earns."""
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        assert "There is no click yet" in (await ann.get(HERE)).words
        played = await ann.send(HERE, f"{HERE}/play", scenario="order")
        assert (await ann.get(played.location or "")).status == 200
        assert (await ann.send(HERE, f"{HERE}/play", scenario="other")).status == 422
        told = await ann.get(f"{HERE}?order=call+0900+1&answers=order:call+0900+1")
        assert "0900" not in told.words
