"""The operator's pages: the trail with its filters and pages, and the users."""

from __future__ import annotations

from hub.app import Hub
from hub.operations.lists import Wanted
from hub.operations.trail_lists import list_acts
from hub.testing.clock import FakeClock
from tests.pages.visitor import browser, enter, user_of
from tests.people.users import everybody
from tests.served_hub import new_merchant


async def test_the_trail_is_shown_page_by_page_and_filtered(either_hub: Hub, clock: FakeClock) -> None:
    """Each act is on one page only, and the filters go along."""
    await user_of(either_hub, clock, role="operator")
    merchants = [await new_merchant(either_hub, clock, f"<b>Shop {n}</b>") for n in range(52)]
    async with browser(either_hub) as ann:
        await enter(ann, either_hub, clock)
        first = await ann.get("/operator/trail?act=merchant.created")
        assert "<b>Shop" not in first.text
        assert merchants[51] in first.words
        assert merchants[1] not in first.words
        older = next(part.partition('"')[0] for part in first.text.split('href="')[1:] if "cursor=" in part)
        second = await ann.get(older.replace("&amp;", "&"))
        assert [merchants[n] in second.words for n in (0, 1, 2)] == [True, True, False]
        assert "merchant.created" in (await ann.get(f"/operator/trail?subject={merchants[3]}")).words
        assert "No act matches" in (await ann.get("/operator/trail?actor=nobody")).words


async def test_an_administrator_creates_and_disables_users(either_hub: Hub, clock: FakeClock) -> None:
    """The trail has the administrator and the browser's address; a bad form comes back as it was filled in."""
    ann_id = (await user_of(either_hub, clock))["id"]
    store = either_hub.parts.store
    async with browser(either_hub) as ann:
        await enter(ann, either_hub, clock)
        bad = await ann.send("/operator/users", email="not an address", role="operator")
        assert (bad.status, 'value="not an address"' in bad.text) == (422, True)
        await ann.send("/operator/users", email="bob@hub.example", role="operator", name="Bob")
        bob = (await everybody(store))[1]
        page = f"/operator/users/{bob['id']}"
        assert (await ann.send("/operator/users", f"{page}/disable")).status == 303
        assert [user["status"] for user in await everybody(store)] == ["ACTIVE", "DISABLED"]
        assert (await ann.send("/operator/users", f"{page}/enable")).status == 303
        assert (await ann.send(page, page, name="Bob B", email="bob@new.example")).location == f"{page}?done=changed"
        taken = await ann.send(page, page, name="Bob B", email="ann@hub.example")
        assert (taken.status, "Another user has" in taken.words) == (422, True)
        assert [user["email"] for user in await everybody(store)] == ["ann@hub.example", "bob@new.example"]
        assert (await ann.send("/operator/users", f"/operator/users/{ann_id}/disable")).status == 422
        assert (await ann.send("/operator/users", "/operator/users/usr_x/disable")).status == 404
        acts = (await list_acts(store, Wanted({"subject": bob["id"]}, limit=9))).entries
        assert [act["act"] for act in acts] == [
            "user.updated", "user.enabled", "user.disabled", "user.invited", "user.created",
        ]  # fmt: skip
        assert {(act["actor"], act["source"], act["address"]) for act in acts} == {(ann_id, "page", "127.0.0.1")}
        clock.now += 10 * 60_000
        late = await ann.send("/operator/users", email="eve@hub.example", role="operator")
        assert late.location == "/login/confirm?then=/operator/users"


async def test_an_operator_sees_the_users_and_changes_none(hub: Hub, clock: FakeClock) -> None:
    await user_of(hub, clock, role="operator")
    async with browser(hub) as ann:
        await enter(ann, hub, clock)
        page = await ann.get("/operator/users")
        assert "ann@hub.example" in page.words
        assert "Invite a person" not in page.words
