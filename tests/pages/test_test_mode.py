"""The page in which a store is played, and the clock of the test account is moved."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hub.app import Hub
from hub.operations.orders.conversions import conversions_of_order
from hub.operations.orders.played_orders import SCENARIOS
from hub.outbound.own_server import OwnAnswer, OwnServer
from hub.records.wire import write
from hub.testing.clock import FakeClock
from tests.pages.kept_worlds import Keeper, keeper
from tests.pages.test_keys import owner
from tests.pages.visitor import Seen, Visitor, browser
from tests.pages.world import world_of
from tests.polling import until
from tests.served_hub import log_of, new_key

HERE = "/merchant/test"
PAGE = f"{HERE}?mode=test"


__all__ = ["keeper"]


@pytest.fixture
def sqlite_url(keeper: Keeper, tmp_path: Path, clock: FakeClock) -> str:
    """A database with the world of these tests."""
    return keeper.of("Aurora").copied(tmp_path, clock)


async def commission_of(hub: Hub, order: str, state: str, amount: str = "3.20") -> Any:
    """Wait until the commission of an order has a state and an amount."""

    async def found() -> Any:
        every = write(await conversions_of_order(hub.parts.store, hub.parts.clock, order))
        wanted = {"state": state, "amount": amount}
        return next(
            (each for each in every if each["commission"] and wanted.items() <= each["commission"].items()), None
        )

    return await until(found)


def outcome(seen: Seen) -> list[tuple[str, str, str]]:
    """What was sent, how it was answered and what became of it, in the order of the table."""
    table = seen.text.partition(">What was sent</caption>")[2].partition("</table>")[0]
    rows = [re.findall(r"<t[hd][ >].*?</t[hd]>", row, re.DOTALL) for row in table.split("<tr>")[2:]]
    cells = [[" ".join(re.sub(r"<[^>]*>", " ", cell).split()) for cell in row] for row in rows]
    return [(step, answer, became) for step, answer, became, _ in cells]


async def play(ann: Visitor, scenario: str, sender: str) -> Seen:
    played = await ann.send(PAGE, f"{HERE}/play", scenario=scenario, sender=sender)
    assert played.status == 303, played.words
    return await ann.get(played.location or "")


def order_in(seen: Seen) -> str:
    found = re.search(r"as order\s+(\S+)", seen.words)
    assert found, seen.words
    return found[1]


async def test_each_scenario_ends_as_its_words_say(either_hub: Hub, clock: FakeClock, keeper: Keeper) -> None:
    """By the signed API: a repeat is a duplicate, a part that goes back lowers the commission."""
    world = await keeper.world_in(either_hub, clock, "Aurora")
    ends = {"order": "PENDING", "delivered": "HOLD", "partial-refund": "HOLD", "cancel": "REJECTED",
            "duplicate": "PENDING", "storm": "HOLD", "out-of-order": "HOLD"}  # fmt: skip
    assert ends.keys() == SCENARIOS.keys()
    async with browser(either_hub) as ann:
        await world.person(ann, "merchant", "owner")
        for scenario, state in ends.items():
            seen = await play(ann, scenario, "api")
            amount = "2.40" if scenario == "partial-refund" else "3.20"
            found = await commission_of(either_hub, order_in(seen), state, amount)
            assert found["confidence"] == "HIGH"
            answers = [answer for _, answer, _ in outcome(seen)]
            assert answers.count("202 DUPLICATE") == {"duplicate": 1, "storm": 9}.get(scenario, 0), answers
    requests = await log_of(either_hub, world.key)
    assert {"/api/v1/conversions", "/api/v1/order-status"} <= {each["path"] for each in requests}


async def test_a_platforms_own_deliveries_are_played(hub: Hub, clock: FakeClock, keeper: Keeper) -> None:
    """Signed with the connection's secret, they go in as real ones do, repeats and all."""
    world = await keeper.world_in(hub, clock, "Aurora")
    store, connection = hub.parts.store, world.ids["connection"]
    async with browser(hub) as ann:
        await world.person(ann, "merchant", "owner")
        assert "WooCommerce: Aurora store" in (await ann.get(PAGE)).words
        for scenario, steps in (("order", 1), ("partial-refund", 4), ("duplicate", 6), ("storm", 11)):
            seen = await play(ann, scenario, connection)
            rows = outcome(seen)
            assert len(rows) == steps
            assert all(answer.startswith("200") and became in ("Processed", "Skipped") for _, answer, became in rows)
            assert [answer for _, answer, _ in rows].count("200 DUPLICATE") == {"duplicate": 4, "storm": 9}.get(
                scenario, 0
            )
            (found,) = await conversions_of_order(store, clock, order_in(seen))
            assert (found.confidence, found.merchant_id) == ("HIGH", world.merchant_id)


async def test_control_what_is_altered_on_the_way_is_refused(
    hub: Hub, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, keeper: Keeper
) -> None:
    """So what is played is verified as what is real, over a connection and by the API."""
    world = await keeper.world_in(hub, clock, "Aurora")
    genuine = OwnServer.post

    async def altered(self: OwnServer, path: str, headers: Mapping[str, str], body: bytes) -> OwnAnswer:
        return await genuine(self, path, headers, body + b" ")

    monkeypatch.setattr(OwnServer, "post", altered)
    async with browser(hub) as ann:
        await world.person(ann, "merchant", "owner")
        for sender in (world.ids["connection"], "api"):
            seen = await play(ann, "order", sender)
            ((_, answer, became),) = outcome(seen)
            assert (answer, became) == ("401", "nothing")
            assert "There is no such order yet" in seen.words


async def test_the_clock_ends_a_hold_and_the_account_is_emptied(
    either_hub: Hub, clock: FakeClock, keeper: Keeper
) -> None:
    world = await keeper.world_in(either_hub, clock, "Aurora")
    async with browser(either_hub) as ann:
        await world.person(ann, "merchant", "owner")
        order = order_in(await play(ann, "delivered", "api"))
        await commission_of(either_hub, order, "HOLD")
        assert (await ann.send(PAGE, f"{HERE}/clock", by="15d")).location == f"{HERE}?done=advanced"
        await commission_of(either_hub, order, "PAYABLE")
        assert "The clock was moved forward by 15 days." in (await ann.get(PAGE)).words
        assert (await ann.send(PAGE, f"{HERE}/clock", by="soon")).status == 422
        assert (await ann.send(f"{HERE}/empty")).location == f"{HERE}?done=emptied"
        assert await conversions_of_order(either_hub.parts.store, clock, order) == []


async def test_without_a_key_or_a_click_the_page_says_so(hub: Hub, clock: FakeClock) -> None:
    """Without a click the order is played all the same, and nobody earns."""
    async with browser(hub) as ann:
        merchant_id = await owner(hub, clock, ann)
        assert "There is no click yet" in (await ann.get(PAGE)).words
        refused = await ann.send(PAGE, f"{HERE}/play", scenario="order")
        assert (refused.status, "Make a test key first" in refused.words) == (422, True)
        assert "There is no test key that" in refused.words
        await new_key(hub, clock, merchant_id)
        assert "Nobody earns from it" in (await play(ann, "order", "api")).words
        for fields in ({"scenario": "other"}, {"scenario": "order", "sender": "con_1"}):
            assert (await ann.send(PAGE, f"{HERE}/play", **fields)).status == 422
        assert "What became of it" not in (await ann.get(f"{HERE}?mode=test&played=play_1")).words


async def test_another_merchants_connection_is_not_played(hub: Hub, clock: FakeClock, keeper: Keeper) -> None:
    ours, theirs = await keeper.world_in(hub, clock, "Aurora"), await world_of(hub, clock, "Borealis")
    async with browser(hub) as eve:
        await theirs.person(eve, "merchant", "owner")
        refused = await eve.send(PAGE, f"{HERE}/play", scenario="order", sender=ours.ids["connection"])
        assert refused.status == 422
        assert "There is no connection" in refused.words
