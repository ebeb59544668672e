"""Tokens on the page: one's own, shown once, after proving who one is, and no further than one's role."""

from __future__ import annotations

from hub.app import Hub
from hub.operations.users.api_tokens import TokenHolder, list_tokens, open_token
from hub.operations.users.user_roles import revoke_role
from hub.operations.users.users import NewUser, create_user
from hub.testing.clock import FakeClock
from tests.pages.test_isolation import person
from tests.pages.visitor import browser, enter

HERE = "/account/tokens"
MINUTES = 60_000


async def test_a_token_is_shown_once_and_ends_with_its_person(hub: Hub, clock: FakeClock) -> None:
    store, email = hub.parts.store, await person(hub, clock, "operator-admin")
    async with browser(hub) as ann:
        await enter(ann, hub, clock, email)
        clock.now += 11 * MINUTES
        form = {"name": "export", "may": "admin:write", "ends": "30d", "addresses": "203.0.113.0/24"}
        asked = await ann.send(HERE, HERE, **form)
        assert (asked.status, asked.location or "") == (303, asked.location)
        assert (asked.location or "").startswith("/login/confirm?then=")
        assert await list_tokens(store) == []
        clock.now -= 11 * MINUTES
        made = await ann.send(HERE, HERE, **form)
        assert made.status == 303
        shown = await ann.get(made.location or "")
        (kept,) = await list_tokens(store)
        text = next(word for word in shown.words.split() if word.startswith(kept.id + "_"))
        assert text.strip("'") not in (await ann.get(HERE)).words
        assert (kept.scopes, kept.allowed_ips) == (("admin:write",), ("203.0.113.0/24",))
        holder = await open_token(store, clock(), text.strip("'"))
        assert isinstance(holder, TokenHolder)
        assert holder.user_id == kept.user_id
        await create_user(store, clock, NewUser("zoe@hub.example", "operator-admin"))
        await revoke_role(store, clock, hub.parts.pages.outbox, NewUser(email, "operator-admin"))
        assert await open_token(store, clock(), text.strip("'")) == "owner_gone"


async def test_a_person_makes_what_their_role_allows_and_ends_only_their_own(hub: Hub, clock: FakeClock) -> None:
    store, email = hub.parts.store, await person(hub, clock, "affiliate")
    admin = await person(hub, clock, "operator-admin")
    async with browser(hub) as bea, browser(hub) as ann:
        await enter(bea, hub, clock, email)
        refused = await bea.send(HERE, HERE, name="x", may="admin:read", ends="30d")
        assert refused.status == 422
        page = await bea.get(HERE)
        may = next(word for word in page.text.split('"') if word.startswith("affiliate:read "))
        assert (await bea.send(HERE, HERE, name="x", may=may, ends="30d")).status == 303
        (kept,) = await list_tokens(store)
        assert kept.affiliate_id == may.split()[1]
        await enter(ann, hub, clock, admin)
        assert (await ann.send(HERE, f"{HERE}/{kept.id}/revoke")).status == 404
        assert (await bea.send(HERE, f"{HERE}/{kept.id}/revoke")).status == 303
        assert (await list_tokens(store))[0].revoked_at is not None
