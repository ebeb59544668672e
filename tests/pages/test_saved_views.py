"""Views: the filter of a list saved under a name, found above the list, renamed and deleted; one's own alone."""

from __future__ import annotations

import re
from html import unescape

from hub.app import Hub
from hub.people.saved_views import LISTS, views_of
from hub.testing.clock import FakeClock
from tests.pages.visitor import Seen, browser, enter, user_of
from tests.pages.world import world_of

VIEWS = "/account/views"
FILTERED = "/operator/commissions?state=HOLD&mode=live"


def chips(seen: Seen) -> dict[str, str]:
    """The views above a list: their addresses by name."""
    part = seen.text.partition('aria-label="Your views"')[2].partition("</ul>")[0]
    found = re.findall(r'<a href="([^"]*)"[^>]*>([^<]*)</a>', part)
    return {unescape(name): unescape(address) for address, name in found}


async def test_a_filter_is_saved_opened_renamed_and_deleted(either_hub: Hub, clock: FakeClock) -> None:
    """The same name replaces; another person sees nothing of it and changes nothing."""
    ann_id = (await user_of(either_hub, clock))["id"]
    await user_of(either_hub, clock, "bob@hub.example", "operator")
    store = either_hub.parts.store
    async with browser(either_hub) as ann, browser(either_hub) as bob:
        await enter(ann, either_hub, clock)
        await enter(bob, either_hub, clock, "bob@hub.example")
        shown = await ann.get(f"{FILTERED}&before=com_1")
        fields = dict(re.findall(r'name="(list|filters)" value="([^"]*)"', unescape(shown.text)))
        assert fields == {"list": "/operator/commissions", "filters": "state=HOLD&mode=live"}
        saved = await ann.send(FILTERED, VIEWS, **fields, name="<b>Held</b>")
        assert (saved.status, saved.location) == (303, FILTERED)
        page = await ann.get("/operator/commissions")
        assert chips(page) == {"<b>Held</b>": FILTERED}
        assert "Save this filter" not in (await ann.get(FILTERED)).words
        assert chips(await ann.get("/operator/messages")) == chips(await bob.get("/operator/commissions")) == {}
        (view,) = await views_of(store, ann_id)
        one = f"{VIEWS}/{view.view_id}"
        assert (await bob.send(VIEWS, f"{one}/rename", name="Mine")).status == 422
        assert (await bob.send(VIEWS, f"{one}/delete")).status == 303
        assert (await ann.send(VIEWS, f"{one}/rename", name="Held, live")).location == f"{VIEWS}?done=renamed"
        await ann.send(FILTERED, VIEWS, list=view.list, filters="state=PAID", name="Paid")
        await ann.send(FILTERED, VIEWS, list=view.list, filters="state=PAYABLE", name="Paid")
        assert chips(await ann.get(view.list))["Paid"] == "/operator/commissions?state=PAYABLE"
        assert (await ann.send(VIEWS, f"{one}/rename", name="Paid")).status == 422
        assert (await ann.send(VIEWS, f"{one}/delete")).location == f"{VIEWS}?done=deleted"
        assert [each.name for each in await views_of(store, ann_id)] == ["Paid"]


async def test_what_is_no_filter_of_a_list_is_not_saved(hub: Hub, clock: FakeClock) -> None:
    """An address elsewhere, an empty filter, a place in the list, and a name that is empty or too long."""
    ann_id = (await user_of(hub, clock))["id"]
    async with browser(hub) as ann:
        await enter(ann, hub, clock)
        good = {"list": "/operator/mails", "filters": "status=SENT", "name": "Sent"}
        for wrong in (
            {"list": "https://evil.example"}, {"filters": ""}, {"filters": "before=mail_1&done=due"}, {"name": " "},
            {"name": "x" * 61}, {"filters": f"to={'x' * 2_000}"},
        ):  # fmt: skip
            assert (await ann.send(VIEWS, VIEWS, **{**good, **wrong})).status == 422, wrong
        assert await views_of(hub.parts.store, ann_id) == []


async def test_every_list_of_views_can_be_filtered_and_saved(hub: Hub, clock: FakeClock) -> None:
    """Each address is a page, and the page offers to save what it was filtered by."""
    world = await world_of(hub, clock, "Aurora")
    async with browser(hub) as owner, browser(hub) as olu, browser(hub) as blog:
        await world.person(owner, "merchant", "owner")
        await world.person(blog, "affiliate")
        await user_of(hub, clock)
        await enter(olu, hub, clock)
        people = {"merchant": owner, "operator": olu, "affiliate": blog}
        for address in LISTS:
            shown = await people[address.split("/")[1]].get(f"{address}?status=x&q=x&state=PAID&mode=test")
            assert shown.status in (200, 422), address
            assert "Save this filter" in shown.words, address
