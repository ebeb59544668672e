"""What is shown once, such as a link to pass on: to the session that made it, and kept nowhere in clear."""

from __future__ import annotations

from yarl import URL

from hub.app import Hub
from hub.operations.users.users import NewUser, create_user
from hub.testing.clock import FakeClock
from tests.pages.visitor import Seen, browser, enter, user_of
from tests.people.users import everybody
from tests.served_hub import new_merchant

USERS = "/operator/users"


def link_in(seen: Seen, kind: str = "login/link") -> str:
    """The path of the link on a page."""
    address = seen.text.partition('<code id="link">')[2].partition("<")[0]
    assert f"/{kind}/" in address, seen.words
    return URL(address).path


async def test_an_invitation_is_shown_to_the_session_that_made_it(either_hub: Hub, clock: FakeClock) -> None:
    """A reload shows the same, another session of the same person does not, and it lets the guest in once."""
    await user_of(either_hub, clock)
    async with browser(either_hub) as ann, browser(either_hub) as elsewhere, browser(either_hub) as bob:
        await enter(ann, either_hub, clock)
        await enter(elsewhere, either_hub, clock)
        made = await ann.send(USERS, email="bob@hub.example", role="operator", name="Bob")
        page = made.location or ""
        assert (made.status, page.startswith("/account/once/once_")) == (303, True)
        link = link_in(await ann.get(page))
        assert link.rpartition("/")[2] not in page
        assert link == link_in(await ann.get(page))
        assert (await elsewhere.get(page)).status == 404
        async with either_hub.parts.store.read() as tx:
            kept = await tx.one("kept_shown", session_id=await session_of(either_hub), subject_id=page[14:], now=0)
        assert kept is not None
        assert link.rpartition("/")[2] not in kept["sealed"]
        assert (await bob.send(link)).status == 303
        assert (await ann.send(page)).location == f"{USERS}?done=handed"
        gone = await ann.get(page)
        assert (gone.status, "This is no longer shown" in gone.words) == (404, True)


async def session_of(hub: Hub) -> str:
    """The session that was opened first."""
    first, *_ = await everybody(hub.parts.store)
    async with hub.parts.store.read() as tx:
        rows = await tx.all("sessions_of_user", user_id=first["id"], now=0, idle_since=0)
    return str(min(row["session_id"] for row in rows))


async def test_a_sign_in_link_is_shown_for_ten_minutes(hub: Hub, clock: FakeClock) -> None:
    ann_id = (await user_of(hub, clock))["id"]
    async with browser(hub) as ann:
        await enter(ann, hub, clock)
        made = await ann.send(f"{USERS}/{ann_id}", f"{USERS}/{ann_id}/link")
        page = made.location or ""
        shown = await ann.get(page)
        assert "signed in as that person" in shown.words
        assert shown.headers["Cache-Control"] == "no-store"
        clock.now += 10 * 60_000 - 1
        assert (await ann.get(page)).status == 200
        clock.now += 1
        gone = await ann.get(page)
        assert (gone.status, "This is no longer shown" in gone.words) == (404, True)


async def test_whoever_has_an_account_is_given_the_role_and_needs_no_link(hub: Hub, clock: FakeClock) -> None:
    await user_of(hub, clock)
    bob = await create_user(hub.parts.store, clock, NewUser("bob@hub.example", "operator", name="Bob"))
    await new_merchant(hub, clock, "Fjord & Fern")
    async with browser(hub) as ann:
        await enter(ann, hub, clock)
        given = await ann.send(USERS, email="bob@hub.example", role="merchant", merchant="Fjord & Fern")
        assert given.location == f"{USERS}/{bob['id']}?done=granted"
        assert "now has the role" in (await ann.get(given.location)).words
        assert "Owner of Fjord & Fern" in (await ann.get(USERS)).words
