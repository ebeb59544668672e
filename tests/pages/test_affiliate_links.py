"""An affiliate's links have names and figures, and a shop's products are a button away from a link."""

from __future__ import annotations

import asyncio
import re

from hub.app import Hub
from hub.clock import system_clock
from hub.processing.figures import FigureCounter
from hub.testing.clock import FakeClock
from tests.pages.visitor import browser
from tests.pages.world import HOSTILE, world_of

LINKS = "/affiliate/links"


def rows_of(text: str) -> list[str]:
    return re.findall(r"<tr>(?:(?!</tr>).)*</tr>", text, re.DOTALL)


async def test_each_link_has_its_clicks_orders_and_earnings(either_hub: Hub, clock: FakeClock) -> None:
    """A new link has none; the figures are those of the report, whatever else is on the page."""
    hub = either_hub
    world = await world_of(hub, clock, "Aurora", subscribed=False)
    await FigureCounter(hub.parts.store, lambda: system_clock() + 60_000, asyncio.sleep).count()
    async with browser(hub) as ada:
        await world.person(ada, "affiliate")
        made = await ada.send(LINKS, campaign=world.ids["campaign"], name="Footer")
        assert str(made.location).endswith("?done=made")
        fresh, old = rows_of((await ada.get(f"{LINKS}?mode=test")).text)[1:3]
        counted = [re.findall(r'data-label="(Clicks|Orders)">.*?value="(\d+)"', row) for row in (fresh, old)]
        assert counted == [[("Clicks", "0"), ("Orders", "0")], [("Clicks", "1"), ("Orders", "1")]]
        assert ("Footer" in fresh, 'value="3.00"' in old) == (True, True)


async def test_a_link_is_called_what_its_affiliate_calls_it(hub: Hub, clock: FakeClock) -> None:
    """A name is a text of its own: shown as text, changed and taken away, and not too long."""
    world, other = await world_of(hub, clock, "Aurora"), await world_of(hub, clock, "Borealis")
    one = f"{LINKS}/{world.ids['link']}"
    async with browser(hub) as ada, browser(hub) as eve:
        await world.person(ada, "affiliate")
        await other.person(eve, "affiliate")
        assert (await ada.send(one, f"{one}/name", name=HOSTILE)).location == f"{one}?done=named"
        seen = await ada.get(f"{LINKS}?mode=test")
        assert (HOSTILE in seen.words, HOSTILE in seen.text) == (True, False)
        long = await ada.send(one, f"{one}/name", name="x" * 81)
        assert (long.status, "must be at most 80 characters" in long.words) == (422, True)
        assert (await eve.send(LINKS, f"{one}/name", name="mine")).status == 404
        assert (await ada.send(one, f"{one}/name", name="")).status == 303
        assert HOSTILE not in (await ada.get(one)).words
        refused = await ada.send(LINKS, campaign=world.ids["campaign"], name="y" * 81)
        assert (refused.status, 'id="name-fault"' in refused.text) == (422, True)


async def test_a_product_is_chosen_and_its_link_made_once(hub: Hub, clock: FakeClock) -> None:
    """Searched by name; the second press leads to the same link; another's shop is not there."""
    world, other = await world_of(hub, clock, "Aurora"), await world_of(hub, clock, "Borealis")
    page = f"/affiliate/campaigns/{world.ids['campaign']}/products"
    async with browser(hub) as ada, browser(hub) as eve:
        await world.person(ada, "affiliate")
        await other.person(eve, "affiliate")
        assert "Aurora product" in (await ada.get(f"{page}?q=AURORA")).words
        assert "No product matches" in (await ada.get(f"{page}?q=nothing")).words
        wanted = {"campaign": world.ids["campaign"], "product": "SKU-1", "name": "Aurora product"}
        codes = {(await ada.send(page, LINKS, **wanted)).location for _ in range(2)}
        (made,) = codes
        assert "https://shop.example/p" in (await ada.get(str(made))).words
        gone = await ada.send(page, LINKS, **{**wanted, "product": "SKU-9"})
        assert (gone.status, "no product of this account" in gone.words) == (422, True)
        assert (await eve.get(page)).status == 404
