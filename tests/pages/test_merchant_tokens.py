"""A merchant's tokens on its own pages: made by its people, shown once, no further than their level."""

from __future__ import annotations

import re

import aiohttp

from hub.app import Hub
from hub.operations.users.api_tokens import list_tokens
from hub.operations.users.users import NewUser, create_user
from hub.testing.clock import FakeClock
from tests.pages.test_keys import owner
from tests.pages.visitor import browser, enter
from tests.served_hub import new_merchant

HERE = "/merchant/tokens"


async def test_a_token_is_made_shown_once_and_ended(hub: Hub, clock: FakeClock) -> None:
    """After a fresh proof; the token reads v1, and a reload makes no second one."""
    async with browser(hub) as ann:
        merchant = await owner(hub, clock, ann)
        clock.now += 11 * 60_000
        form = {"name": "export", "orders:read": "1", "ends": "30d", "addresses": "127.0.0.0/8"}
        asked = await ann.send(HERE, HERE, **form)
        assert asked.location == "/login/confirm?then=/merchant/tokens"
        assert await list_tokens(hub.parts.store) == []
        clock.now -= 11 * 60_000
        assert (await ann.send(HERE, HERE, name="none")).status == 422
        page = (await ann.send(HERE, HERE, **form)).location or ""
        made = await ann.get(page)
        text = re.search(r"tok_[0-9a-f]{32}_[\w-]+", made.text)
        assert text, made.words
        assert text[0] in (await ann.get(page)).text
        assert (await ann.send(page)).location == f"{HERE}?mode=test&done=stored"
        assert "is not shown again" in (await ann.get(f"{HERE}?mode=test&done=stored")).words
        assert text[0] not in (await ann.get(HERE)).text
        async with aiohttp.ClientSession(hub.url, headers={"Authorization": f"Bearer {text[0]}"}) as session:
            async with session.get("/api/v1/conversions") as reply:
                assert reply.status == 200
            (kept,) = await list_tokens(hub.parts.store)
            assert (kept.merchant_id, kept.mode, kept.scopes) == (merchant, "test", ("orders:read",))
            assert (await ann.send(HERE, f"{HERE}/{kept.id}/revoke")).location == f"{HERE}?done=revoked"
            clock.now += 3_000
            async with session.get("/api/v1/conversions") as reply:
                assert reply.status == 401


async def test_who_may_only_look_makes_tokens_that_only_read(hub: Hub, clock: FakeClock) -> None:
    async with browser(hub) as ann, browser(hub) as vic, browser(hub) as eve:
        merchant = await owner(hub, clock, ann)
        await create_user(hub.parts.store, clock, NewUser("vic@shop.example", "merchant", merchant, level="viewer"))
        await enter(vic, hub, clock, "vic@shop.example")
        assert (await vic.send(HERE, HERE, **{"orders:write": "1"})).status == 422
        assert await list_tokens(hub.parts.store) == []
        assert (await vic.send(HERE, HERE, **{"orders:read": "1", "orders:write": "1"})).status == 303
        (kept,) = await list_tokens(hub.parts.store)
        assert kept.scopes == ("orders:read",)
        assert (await vic.send(HERE, f"{HERE}/{kept.id}/revoke")).status == 403
        assert (await vic.send(HERE, f"{HERE}/signatures", required="1")).status == 403
        await create_user(hub.parts.store, clock, NewUser("eve@shop.example", "merchant", await other(hub, clock)))
        await enter(eve, hub, clock, "eve@shop.example")
        assert (await eve.send(HERE, f"{HERE}/{kept.id}/revoke")).status == 404
        assert (await list_tokens(hub.parts.store))[0].revoked_at is None
        assert (await ann.send(HERE, f"{HERE}/{kept.id}/revoke")).status == 303


async def other(hub: Hub, clock: FakeClock) -> str:
    return await new_merchant(hub, clock, "Other")


async def test_an_owner_requires_signatures(hub: Hub, clock: FakeClock) -> None:
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        assert (await ann.send(HERE, f"{HERE}/signatures", required="1")).location == f"{HERE}?done=signed"
        assert "This account accepts signed requests only, and no tokens." in (await ann.get(HERE)).words
        assert (await ann.send(HERE, f"{HERE}/signatures", required="")).location == f"{HERE}?done=tokens"
        assert "and no tokens" not in (await ann.get(HERE)).words
