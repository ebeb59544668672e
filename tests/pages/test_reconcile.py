"""A shop's list of orders compared on a page: what differs is listed, and one press sends what is missing."""

from __future__ import annotations

import re
from html import unescape

import aiohttp

from hub.app import Hub
from hub.operations.orders.conversions import conversions_of_order
from hub.records.orders import ConversionRecord
from hub.testing.clock import FakeClock
from tests.pages.visitor import Seen, Visitor, browser, seen
from tests.pages.world import world_of
from tests.polling import until

HERE = "/merchant/reconcile"
LIST = "externalOrderId,orderAmount,currency\nAurora order,61.00,USD\nAurora order low,9.00,USD\nM-1,30.00,USD\n"


async def compared(visitor: Visitor, account: str, content: str, **more: str) -> Seen:
    """Send a file by the page's form."""
    form = aiohttp.FormData({"csrf": (await visitor.get(f"{HERE}?mode=test")).csrf, "account": account, **more})
    form.add_field("file", content.encode(), filename="orders.csv", content_type="text/csv")
    async with visitor.session.post(HERE, data=form, allow_redirects=False) as response:
        return await seen(response)


async def test_one_press_sends_what_is_missing(hub: Hub, clock: FakeClock) -> None:
    """Comparing stores nothing; pressing twice reports the order once; a file that is no list is refused."""
    world = await world_of(hub, clock, "Aurora")
    async with browser(hub) as owner:
        await world.person(owner, "merchant", "owner")
        page = await compared(owner, world.account_id, LIST)
        assert (page.status, "1 of 3 orders agree" in page.words) == (200, True)
        assert ("61.00 USD 60.00 USD" in page.words, "M-1 30.00 USD nothing" in page.words) == (True, True)
        assert await conversions_of_order(hub.parts.store, clock, "M-1") == []
        rows = re.search(r'name="rows" value="([^"]*)"', page.text)
        assert rows is not None
        for _ in range(2):
            fields = {"csrf": page.csrf, "account": world.account_id, "rows": unescape(rows[1])}
            sent = await owner.post(f"{HERE}/send", fields)
            assert str(sent.location).startswith("/merchant/uploads/")

        async def arrived() -> list[ConversionRecord]:
            return await conversions_of_order(hub.parts.store, clock, "M-1")

        assert len(await until(arrived)) == 1
        again = await compared(owner, world.account_id, LIST)
        assert ("2 of 3 orders agree" in again.words, 'name="rows"' in again.text) == (True, False)
        more = await compared(owner, world.account_id, LIST.replace("M-1", "M-2"), send="1")
        assert str(more.location).startswith("/merchant/uploads/")
        assert (await compared(owner, world.account_id, "nothing\n")).status == 422
        assert (await compared(owner, world.account_id, "")).status == 422
