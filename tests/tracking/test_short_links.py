"""GET /s/{short}: a short address of a link is followed as the link is, and never leads to another's."""

from __future__ import annotations

import aiohttp
import pytest

from hub.app import Hub
from hub.operations.affiliates.links import enable_link
from hub.operations.affiliates.short_links import MOST, shorten_link
from hub.operations.errors import OperatorFault
from hub.testing.clock import FakeClock
from hub.ttl_cache import STALE_MS
from tests.pages.visitor import browser
from tests.pages.world import world_of
from tests.tracking.test_redirect import BROWSER

LINKS = "/affiliate/links"


async def followed(hub: Hub, path: str) -> tuple[int, str]:
    """The status and the address to which a buyer is led."""
    async with (
        aiohttp.ClientSession(hub.url, headers={"User-Agent": BROWSER}) as session,
        session.get(path, allow_redirects=False) as answer,
    ):
        return answer.status, answer.headers.get("Location", "")


async def test_a_short_address_leads_where_its_link_does_with_a_click(either_hub: Hub, clock: FakeClock) -> None:
    """In any case, with the link's sub-ids and pages; a page of elsewhere is not followed; the click is the link's."""
    hub = either_hub
    world = await world_of(hub, clock, "Aurora", subscribed=False)
    await shorten_link(hub.parts.store, clock, hub.url, world.ids["link"], " Oak-Lamp ")
    status, whole = await followed(hub, f"/t/{world.ids['link']}")
    page = whole.partition("?")[0]
    for path in ("/s/oak-lamp", "/s/OAK-lamp", "/s/oak-lamp?to=https%3A%2F%2Fevil.example%2F"):
        status, address = await followed(hub, path)
        assert (status, address.partition("?")[0]) == (302, page)
        click_id = address.partition("affiliate_click_id=")[2].partition("&")[0]
        async with hub.parts.store.read() as tx:
            (click,) = await tx.all("load_clicks", clicks=[(world.account_id, click_id)])
        assert click["code"] == world.ids["link"]
    for path in ("/s/oak", "/s/%2F%2Fevil.example", "/s/" + "a" * 200, f"/s/{world.ids['link']}"):
        assert (await followed(hub, path))[0] == 404


async def test_a_short_address_earns_nothing_while_its_link_is_off(hub: Hub, clock: FakeClock) -> None:
    world = await world_of(hub, clock, "Aurora", subscribed=False)
    await shorten_link(hub.parts.store, clock, hub.url, world.ids["link"], "lamp")
    await enable_link(hub.parts.store, clock, hub.url, world.ids["link"], enabled=False)
    clock.now += STALE_MS
    status, address = await followed(hub, "/s/lamp")
    assert (status, "affiliate_click_id" in address) == (302, False)


@pytest.mark.parametrize("short", ["", "ab", "a" * 33, "two--hyphens", "-lamp", "lamp-", "läufer", "a/b", "a.b", "//x"])
async def test_what_is_no_short_address_is_refused(hub: Hub, clock: FakeClock, short: str) -> None:
    world = await world_of(hub, clock, f"Aurora{len(short)}{sum(map(ord, short))}", subscribed=False)
    with pytest.raises(OperatorFault, match="3 to 32 letters"):
        await shorten_link(hub.parts.store, clock, hub.url, world.ids["link"], short)


async def test_one_that_is_taken_stays_with_its_link_and_a_link_has_few(either_hub: Hub, clock: FakeClock) -> None:
    """Asked for again it is the same; neither another affiliate nor another link gets it; a sixth is refused."""
    hub = either_hub
    world, other = await world_of(hub, clock, "Aurora"), await world_of(hub, clock, "Borealis")
    one, two = f"{LINKS}/{world.ids['link']}", f"{LINKS}/{other.ids['link']}"
    async with browser(hub) as ada, browser(hub) as eve:
        await world.person(ada, "affiliate")
        await other.person(eve, "affiliate")
        for _ in range(2):
            assert (await ada.send(one, f"{one}/short", short="my-lamp")).location == f"{one}?done=shortened"
        assert "/s/my-lamp" in (await ada.get(one)).text
        refused = await eve.send(two, f"{two}/short", short="MY-LAMP")
        assert (refused.status, "my-lamp is already taken" in refused.words) == (422, True)
        assert (await eve.send(two, f"{one}/short", short="hers")).status == 404
        for number in range(MOST - 1):
            assert (await ada.send(one, f"{one}/short", short=f"lamp-{number}")).status == 303
        assert (await ada.send(LINKS, f"{one}/short", short="one-more")).status == 422
    assert (await followed(hub, "/s/one-more"))[0] == 404
