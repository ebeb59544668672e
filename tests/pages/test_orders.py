"""Orders as a merchant reads them: found by any name, filtered, page by page, explained, and decided with a reason."""

from __future__ import annotations

import csv
import io
import re
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from hub.app import Hub
from hub.domain.durations import DAY
from hub.operations.lists import Wanted
from hub.operations.orders.conversions import conversions_of_order
from hub.operations.trail_lists import list_acts
from hub.processing.identity import Namesake
from hub.testing.clock import FakeClock
from tests.pages.kept_worlds import Keeper, keeper
from tests.pages.visitor import Visitor, browser
from tests.pages.world import World, place_orders_earlier, settled, world_of

__all__ = ["keeper"]


@pytest.fixture
def sqlite_url(keeper: Keeper, tmp_path: Path, clock: FakeClock) -> str:
    """A database with the world of these tests."""
    return keeper.of("Aurora").copied(tmp_path, clock)


def is_in(state: str, found: Any) -> bool:
    return bool(found["commission"]["state"] == state)


async def words(visitor: Visitor, address: str, status: int = 200) -> str:
    seen = await visitor.get(address)
    assert seen.status == status, seen.text
    return seen.words


async def test_an_order_is_found_by_any_of_its_names(either_hub: Hub, clock: FakeClock, keeper: Keeper) -> None:
    """Its number, id, click, commission and event lead to it; a part of its number to a list."""
    world = await keeper.world_in(either_hub, clock, "Aurora")
    async with browser(either_hub) as owner:
        await world.person(owner, "merchant", "owner")
        for name in ("Aurora%20order", *(world.ids[key] for key in ("order", "click", "commission", "event"))):
            seen = await owner.get(f"/merchant/orders?mode=test&q={name}")
            assert seen.location == f"/merchant/orders/{world.ids['order']}?mode=test", name
        found = await words(owner, "/merchant/orders?mode=test&q=aurora+ord")
        assert "Aurora order low" in found
        assert "Number or coupon: aurora ord" in found
        assert "No order matches" in await words(owner, "/merchant/orders?q=nothing&state=HOLD")


async def test_orders_are_sorted_by_date_amount_commission_and_state(
    either_hub: Hub, clock: FakeClock, keeper: Keeper
) -> None:
    """An order that earns nothing is the last by commission, and the first by state; the file has all."""
    world = await keeper.world_in(either_hub, clock, "Aurora")
    async with browser(either_hub) as owner:
        await world.person(owner, "merchant", "owner")
        for sort, first in {"placed": "", "amount": "Aurora order", "commission": "Aurora order",
                            "state": "Aurora order low"}.items():  # fmt: skip
            address = f"/merchant/orders?mode=test&from=2020-01-01&sort={sort}"
            found = re.findall(r'<th scope="row"><a [^>]*>([^<]+)</a>', (await owner.get(address)).text)
            assert set(found) == {"Aurora order", "Aurora order low"}, sort
            assert found[0] == first or not first, sort
            file = (await owner.get(address.replace("/orders?", "/orders.csv?"))).text
            assert len(file.splitlines()) == 3


async def test_the_headers_of_columns_sort_and_keep_the_filters(hub: Hub, clock: FakeClock, keeper: Keeper) -> None:
    """Links, so that they work without JavaScript; the next click turns the order round, and says so."""
    world = await keeper.world_in(hub, clock, "Aurora")
    async with browser(hub) as owner:
        await world.person(owner, "merchant", "owner")
        address = "/merchant/orders?mode=test&from=2020-01-01"
        for direction in ("descending", "ascending", "descending"):
            text = (await owner.get(address)).text
            heads = dict(re.findall(r'<th scope="col"[^>]*><a class="sorts" href="([^"]+)">([^<]+)', text))
            assert {*heads.values()} == {"Order", "Placed", "Order total", "Commission", "State"}
            address = unescape(next(link for link, words in heads.items() if words == "Order total"))
            assert "from=2020-01-01" in address
            text = (await owner.get(address)).text
            shown = re.findall(r'aria-sort="(\w+)"><a class="sorts" href="[^"]+">([^<]+)', text)
            assert shown == [(direction, "Order total")]
        address = "/merchant/affiliates?mode=test&days=90"
        text = (await owner.get(address)).text
        assert re.findall(r'aria-sort="(\w+)"><a class="sorts" href="([^"]+)">(\w+)', text) == [
            ("descending", "/merchant/affiliates?days=90&amp;sort=sales-up", "Sales")
        ]


async def test_an_order_that_came_days_late_says_when_it_was_received(
    hub: Hub, clock: FakeClock, keeper: Keeper
) -> None:
    """Orders are listed as they came in, so that a date before the one above it has its reason beside it."""
    world = await keeper.world_in(hub, clock, "Aurora")
    async with browser(hub) as owner:
        await world.person(owner, "merchant", "owner")
        assert "received" not in await words(owner, "/merchant/orders?mode=test")
        await place_orders_earlier(hub, 3 * DAY)
        assert (await words(owner, "/merchant/orders?mode=test")).count("received") == 2


async def test_orders_are_filtered_and_downloaded_as_seen(either_hub: Hub, clock: FakeClock) -> None:
    world = await world_of(either_hub, clock, "=Aurora")
    async with browser(either_hub) as owner:
        await world.person(owner, "merchant", "owner")
        await words(owner, "/merchant?mode=test")
        for query, numbers in {
            "": ["'=Aurora order low", "'=Aurora order"],
            "state=HOLD": ["'=Aurora order"],
            "state=NONE": ["'=Aurora order low"],
            "confidence=LOW": ["'=Aurora order low"],
            "product=SKU-1": ["'=Aurora order"],
            "product=SKU_1": [],
            f"affiliate={world.affiliate_id}": ["'=Aurora order"],
            "from=2026-11-21": [],
            "to=2026-11-20": ["'=Aurora order low", "'=Aurora order"],
        }.items():
            text = (await owner.get(f"/merchant/orders.csv?{query}")).text
            assert [row["order"] for row in csv.DictReader(io.StringIO(text))] == numbers, query
            listed = await words(owner, f"/merchant/orders?{query}")
            assert ("=Aurora order low" in listed) == ("'=Aurora order low" in numbers), query


async def test_affiliate_and_campaign_are_chosen_from_a_list(hub: Hub, clock: FakeClock, keeper: Keeper) -> None:
    """One that is asked for and has nothing to do with the account any more stays chosen."""
    world = await keeper.world_in(hub, clock, "Aurora")
    async with browser(hub) as owner:
        await world.person(owner, "merchant", "owner")
        shown = (await owner.get("/merchant/orders?mode=test&affiliate=aff_gone&sort=oldest")).text
        for value, words in ((world.affiliate_id, "Aurora blog"), ("aff_gone", "aff_gone")):
            assert re.search(rf'<option value="{value}"( selected)?>{words}</option>', shown), value
        assert f'<option value="{world.ids["campaign"]}">' in shown
        assert "Sorted: Oldest first" in shown


async def test_the_explanation_is_drawn(either_hub: Hub, clock: FakeClock, keeper: Keeper) -> None:
    """The click, each level tried, the arithmetic, the hold, what would change it, and the messages behind it."""
    world = await keeper.world_in(either_hub, clock, "Aurora")
    async with browser(either_hub) as owner:
        await world.person(owner, "merchant", "owner")
        found = await words(owner, f"/merchant/orders/{world.ids['order']}?mode=test")
        for part in (
            "3.00 USD",
            "Aurora blog earns it, on an order of 60.00 USD",
            "inside the window of 30 days",
            world.ids["click"],
            "The hub 5 %: this rule counts",
            "The merchant has no rule of its own",
            "60.00 USD \u00d7 5 % 3.00 USD",
            "The hold ends 4 Dec 2026",
            "in 13 days",  # the clock went on by a millisecond since
            "A cancellation, a return or a full refund takes all of it back",
            "The order was delivered.",
            "Pending \u2192 to On hold",
            "The mark shows the order, placed ",
            "The hold ends, and the commission becomes payable.",
            "Reason given: Aurora reason",
            "Aurora metadata",
            '"clickId"',
        ):
            assert part in found, part
        low = await words(owner, f"/merchant/orders/{world.ids['review']}")
        assert "No commission" in low
        assert "Each order must carry the id of its click" in low
        await words(owner, "/merchant/orders/cnv_none?mode=test", 404)


async def test_a_commission_is_decided_with_a_reason(either_hub: Hub, clock: FakeClock, keeper: Keeper) -> None:
    """It goes the way of the API's order status, so that the same order gets the same fact; the trail says who."""
    world = await keeper.world_in(either_hub, clock, "Aurora")
    address = f"/merchant/orders/{world.ids['order']}"
    async with browser(either_hub) as owner:
        await world.person(owner, "merchant", "owner")
        await words(owner, f"{address}?mode=test")
        missing = await owner.send(address, f"{address}/decide", account=world.account_id, verdict="reject", reason=" ")
        assert (missing.status, "Give a reason" in missing.words) == (422, True)
        for verdict, reason, state in (("reject", "a friend's order", "REJECTED"), ("approve", "", "APPROVED")):
            clock.now += 1000
            done = await owner.send(
                address, f"{address}/decide", account=world.account_id, verdict=verdict, reason=reason
            )
            assert done.status == 303
            await settled(either_hub, "Aurora order", partial(is_in, state))
        found = await words(owner, address)
        assert "The merchant rejected the commission. “a friend's order”" in found
        acts = (await list_acts(either_hub.parts.store, Wanted({"subject": world.ids["order"]}, limit=9))).entries
        decided = [act for act in acts if act["act"].startswith("commission.")]
        assert [act["act"] for act in decided] == ["commission.approved", "commission.rejected"]
        assert {act["source"] for act in decided} == {"page"}


async def test_an_address_of_the_other_mode_leads_to_its_order(hub: Hub, clock: FakeClock, keeper: Keeper) -> None:
    """Live is shown at first; an address that was given out without a mode finds its order all the same."""
    world = await keeper.world_in(hub, clock, "Aurora")
    async with browser(hub) as owner:
        await world.person(owner, "merchant", "owner")
        address = f"/merchant/orders/{world.ids['order']}"
        assert "No orders yet" in await words(owner, "/merchant/orders")
        assert (await owner.get(address)).location == f"{address}?mode=test"
        await words(owner, f"{address}?mode=live", 404)
        shown = (await owner.get(f"{address}?mode=test")).text
        assert "TEST" in shown
        assert 'href="/merchant/orders?mode=live"' in shown  # the list: there is no such order in live mode
        assert "Aurora order" in await words(owner, "/merchant/orders")


async def test_the_orders_are_those_of_the_store(hub: Hub, clock: FakeClock, keeper: Keeper) -> None:
    """A control of the matching above: what a page lists is what the operator's command finds."""
    world: World = await keeper.world_in(hub, clock, "Aurora")
    async with browser(hub) as owner:
        await world.person(owner, "merchant", "owner")
        seen = await owner.get("/merchant/orders?mode=test")
        listed = set(re.findall(r"/merchant/orders/(cnv_\w+)", seen.text))
    orders = [await conversions_of_order(hub.parts.store, clock, f"Aurora order{end}") for end in ("", " low")]
    assert listed == {order.id for found in orders for order in found}


async def test_an_owner_says_that_another_order_of_the_number_is_its_own(
    either_hub: Hub, clock: FakeClock, keeper: Keeper
) -> None:
    """A viewer reads of it and cannot; once it is said, there is nothing more to say."""
    world = await keeper.world_in(either_hub, clock, "Aurora")
    order, account, now = world.ids["order"], world.account_id, clock()
    async with either_hub.parts.store.write() as tx:
        row = await tx.one("conversion_of_account", account_id=account, conversion_id=order, external_order_id=None)
        assert row is not None
        number = row["external_order_id"]
        await tx.run("insert_namesakes", namesakes=[Namesake(account, number, "b2", 2, f"{number}~2", None, None, now)])
        await tx.run("count_namesakes", orders=[(account, number, 1)])
    address = f"/merchant/orders/{order}"
    async with browser(either_hub) as viewer:
        await world.person(viewer, "merchant", "viewer")
        seen = await words(viewer, f"{address}?mode=test")
        assert "Another order has this number" in seen
        assert "Count it separately" not in seen
    async with browser(either_hub) as owner:
        await world.person(owner, "merchant", "owner")
        seen = await words(owner, f"{address}?mode=test")
        assert f"{number}~2 arrived" in seen
        done = await owner.send(f"{address}?mode=test", f"{address}/separate", account=account)
        assert done.location == f"{address}?mode=test&done=separated"
        assert "Another order has this number" not in await words(owner, f"{address}?mode=test")
        again = await owner.send(f"{address}?mode=test", f"{address}/separate", account=account)
        assert (again.status, "No other order waits" in again.words) == (422, True)
