"""Nobody is both pairs of eyes: the colleague's, the administrator's and the token's stories end in refusals and mails.

Each has its control: with `payouts.second_person_after` at nothing, the same presses pass.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
from attrs import frozen

from hub.app import Hub
from hub.domain.durations import DAY
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.users.api_tokens import NewToken, create_token
from hub.operations.users.introductions import list_introductions
from hub.operations.users.users import NewUser, create_user
from hub.testing.clock import FakeClock
from tests.pages.test_second_factor import set_up
from tests.pages.visitor import PASSWORD, Seen, Visitor, browser, enter, with_password
from tests.served_hub import new_merchant, served
from tests.stored_payloads import mails_to
from tests.token_api.callers import ADMIN, program

ADJUSTMENTS = "/operator/adjustments"
ANOTHER = "seven loud magpies"
MAIL = {"HUB_MAIL_HOST": "localhost", "HUB_MAIL_PORT": "9"}
"""A mail server that is not there: what is written waits, and can be read."""


@frozen
class Office:
    """A hub with two administrators who have passwords, and a correction that Alice proposed."""

    hub: Hub
    clock: FakeClock
    alice: Visitor
    bob: Visitor
    thief: Visitor
    """Another browser of Alice's."""
    ids: dict[str, str]
    proposal: str

    @property
    def approval(self) -> str:
        return f"{self.proposal}/approve"

    async def approves(self, visitor: Visitor) -> Seen:
        return await visitor.send("/account", self.approval, note="It is right.")

    async def link(self, of: str = "bob") -> str:
        """Alice makes a link for a colleague; return its path."""
        made = await self.alice.send(f"/operator/users/{self.ids[of]}", f"/operator/users/{self.ids[of]}/link")
        shown = await self.alice.get(made.location or "")
        found = re.search(r"/login/link/[\w-]+", shown.text)
        assert found, shown.words
        return found[0]

    async def mails(self, to: str) -> list[str]:
        """What was written to an address, oldest first."""
        return await mails_to(self.hub, to)


async def office(stack: AsyncExitStack, url: str, clock: FakeClock, **settings: str) -> Office:
    hub = await stack.enter_async_context(served(url, clock, **MAIL, **settings))
    merchant = await new_merchant(hub, clock, "Fern", approve=True)
    affiliate = (await create_affiliate(hub.parts.store, clock, name="Ada", email="ada@post.example")).id
    alice, bob, thief = [await stack.enter_async_context(browser(hub)) for _ in range(3)]
    ids = {}
    for name, visitor in (("alice", alice), ("bob", bob)):
        person = NewUser(f"{name}@hub.example", "operator-admin", name=name.title())
        ids[name] = (await create_user(hub.parts.store, clock, person))["id"]
        await with_password(visitor, hub, clock, person.email)
    page = await alice.get(ADJUSTMENTS)
    form = re.search(r'name="id" value="(adj_[0-9a-f]{32})"', page.text)
    assert form
    made = await alice.post(ADJUSTMENTS, {
        "csrf": page.csrf, "id": form[1], "affiliate": affiliate, "merchant": merchant, "mode": "live",
        "amount": "9999.00", "currency": "EUR", "reason": "A bonus",
    })  # fmt: skip
    assert made.status == 303, made.words
    proposal = (made.location or "").partition("?")[0]
    return Office(hub, clock, alice, bob, thief, ids, proposal)


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


async def test_a_colleagues_link_proves_nobody(stack: AsyncExitStack, sqlite_url: str, clock: FakeClock) -> None:
    """Alice makes Bob's link and opens it: she is asked who she is, and nothing that she sets up there counts."""
    here = await office(stack, sqlite_url, clock)
    assert "you did the first act yourself" in (await here.approves(here.alice)).words
    assert (await here.thief.send(await here.link())).status == 303
    assert (await here.approves(here.thief)).location == f"/login/confirm?then={here.proposal}"
    assert (await here.thief.send("/account/security", "/account/password", password=ANOTHER)).status == 303
    await here.thief.send("/login/confirm", password=ANOTHER, then=here.proposal)
    asked = await here.approves(here.thief)
    assert asked.location == f"/login/confirm?then={here.proposal}"
    assert "Someone else recently let you in" in (await here.thief.get(asked.location)).words
    token = await here.thief.send("/account/tokens", name="mine", may="admin:write", ends="30d", addresses="")
    assert (token.location or "").startswith("/login/confirm"), "nor does a token get made that would outlive it"
    run = await here.thief.send("/account", "/operator/payouts", mode="live")
    assert (run.location or "").startswith("/login/confirm")
    wrote = " ".join(await here.mails("bob@hub.example"))
    assert "Alice (alice@hub.example) made a link that signs in as you" in wrote
    assert "Your password was changed" in wrote


async def test_control_without_the_window_the_colleague_is_both(
    stack: AsyncExitStack, sqlite_url: str, clock: FakeClock
) -> None:
    """The same presses pass, so it is the window that refuses them."""
    here = await office(stack, sqlite_url, clock, HUB_PAYOUTS_SECOND_PERSON_AFTER="0s")
    await here.thief.send(await here.link())
    await here.thief.send("/account/security", "/account/password", password=ANOTHER)
    await here.thief.send("/login/confirm", password=ANOTHER, then=here.proposal)
    assert (await here.approves(here.thief)).location == f"{here.proposal}?done=approved"


async def test_whom_one_let_in_is_no_second_person_for_a_week(
    stack: AsyncExitStack, sqlite_url: str, clock: FakeClock
) -> None:
    """Bob, by his own password from before, does all but confirm what Alice did; a third person does, or time."""
    here = await office(stack, sqlite_url, clock)
    await here.thief.send(await here.link())
    clock.now += 11 * 60_000
    await here.bob.send("/login/confirm", password=PASSWORD, then="/")
    refused = await here.approves(here.bob)
    assert (refused.status, "does not count you as two people yet" in refused.words) == (422, True)
    clock.now += 7 * DAY
    await here.bob.sign_in("bob@hub.example", PASSWORD)
    assert (await here.approves(here.bob)).location == f"{here.proposal}?done=approved"


async def test_a_third_person_confirms_at_once(stack: AsyncExitStack, sqlite_url: str, clock: FakeClock) -> None:
    here = await office(stack, sqlite_url, clock)
    await here.thief.send(await here.link())
    await create_user(here.hub.parts.store, clock, NewUser("una@hub.example", "operator-admin"))
    async with browser(here.hub) as una:
        await enter(una, here.hub, clock, "una@hub.example")
        assert (await here.approves(una)).location == f"{here.proposal}?done=approved"


async def test_taking_a_colleagues_factors_opens_nothing(
    stack: AsyncExitStack, sqlite_url: str, clock: FakeClock
) -> None:
    """The app is gone, the link signs in without a code, and still proves nobody, nor does a new app."""
    here = await office(stack, sqlite_url, clock)
    await set_up(here.bob, clock)
    bob = f"/operator/users/{here.ids['bob']}"
    assert (await here.alice.send(bob, f"{bob}/factors")).status == 303
    assert (await here.thief.send(await here.link())).location == "/"
    await set_up(here.thief, clock)
    assert (await here.approves(here.thief)).location == f"/login/confirm?then={here.proposal}"
    wrote = " ".join(await here.mails("bob@hub.example"))
    assert "removed your authenticator app" in wrote


async def test_an_invited_administrator_is_no_second_person_and_all_hear_of_them(
    stack: AsyncExitStack, sqlite_url: str, clock: FakeClock
) -> None:
    here = await office(stack, sqlite_url, clock)
    invited = await here.alice.send("/operator/users", email="eve@evil.example", role="operator-admin", name="Eve")
    assert invited.status == 303, invited.words
    assert "made Eve (eve@evil.example) an administrator" in " ".join(await here.mails("bob@hub.example"))
    assert "made Eve (eve@evil.example) an administrator" in " ".join(await here.mails("alice@hub.example"))
    async with browser(here.hub) as eve:
        await enter(eve, here.hub, clock, "eve@evil.example")  # even by the terminal's link, which proves her
        refused = await here.approves(eve)
    assert (refused.status, "does not count you as two people yet" in refused.words) == (422, True)


async def test_a_token_lets_no_administrator_in(stack: AsyncExitStack, sqlite_url: str, clock: FakeClock) -> None:
    """Not by a new account, a role, an invitation, nor by what opens one that is there."""
    here = await office(stack, sqlite_url, clock)
    store, bob = here.hub.parts.store, here.ids["bob"]
    made = await create_token(store, clock, NewToken("ci", ("admin:write", "people:write"), user_id=here.ids["alice"]))
    async with program(here.hub, made.token) as ask:
        eve = {"email": "eve@evil.example", "role": "operator-admin"}
        plain = (await ask("POST", f"{ADMIN}/users", {"email": "pat@hub.example", "role": "operator"})).json["id"]
        for path, body in (
            ("/users/invite", eve), ("/users", eve), (f"/users/{plain}/roles", {"role": "operator-admin"}),
            (f"/users/{bob}/factors/reset", None),
        ):  # fmt: skip
            reply = await ask("POST", ADMIN + path, body)
            assert (reply.status, "A token lets no administrator in" in reply.json["message"]) == (400, True), path
        await ask("POST", f"{ADMIN}/users/{bob}/disable")
        assert (await ask("POST", f"{ADMIN}/users/{bob}/enable")).status == 400
    assert await here.mails("eve@evil.example") == []


async def test_what_a_token_of_a_person_lets_in_is_let_in_by_that_person(
    stack: AsyncExitStack, sqlite_url: str, clock: FakeClock
) -> None:
    here = await office(stack, sqlite_url, clock)
    store = here.hub.parts.store
    made = await create_token(store, clock, NewToken("ci", ("admin:write", "people:write"), user_id=here.ids["alice"]))
    async with program(here.hub, made.token) as ask:
        pat = (await ask("POST", f"{ADMIN}/users", {"email": "pat@hub.example", "role": "operator"})).json["id"]
    (found,) = await list_introductions(store, pat)
    assert (found["by"], found["means"], found["tokenId"]) == (here.ids["alice"], "account", made.id)
    assert "made or enabled the account" in (await here.bob.get(f"/operator/users/{pat}")).words


async def test_a_new_password_asks_about_tokens(stack: AsyncExitStack, sqlite_url: str, clock: FakeClock) -> None:
    """They go on, which is said on the page and by mail, with one button that ends them."""
    here = await office(stack, sqlite_url, clock)
    made = await create_token(here.hub.parts.store, clock, NewToken("ci", ("admin:read",), user_id=here.ids["bob"]))
    done = await here.bob.send("/account/security", "/account/password", password=ANOTHER)
    page = await here.bob.get(done.location or "")
    assert "1 of your tokens still counts." in page.words
    assert "1 of your tokens still count" in (await here.mails("bob@hub.example"))[-1]
    async with program(here.hub, made.token) as ask:
        assert (await ask("GET", f"{ADMIN}/users")).status == 200, "the control: it goes on"
        assert (await here.bob.post("/account/tokens/revoke", {"csrf": page.csrf})).status == 303
        assert (await ask("GET", f"{ADMIN}/users")).status == 401
    assert "still count" not in (await here.bob.get(done.location or "")).words
