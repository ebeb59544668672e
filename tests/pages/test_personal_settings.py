"""A person's own settings: the time zone, the colours and the rows of tables, kept and seen on every page."""

from __future__ import annotations

from hub.app import Hub
from hub.operations.lists import Wanted
from hub.operations.trail_lists import list_acts
from hub.testing.clock import FakeClock
from tests.pages.visitor import Visitor, browser, enter, user_of
from tests.people.users import everybody
from tests.served_hub import served

ACCOUNT = "/account"
SETTINGS = "/account/settings"


async def guess(visitor: Visitor, zone: str) -> None:
    """Name a zone as the script of a page does."""
    assert (await visitor.send(ACCOUNT, "/account/zone", zone=zone)).status == 204


async def test_what_a_person_sets_holds_on_every_page_and_for_them_alone(hub: Hub, clock: FakeClock) -> None:
    await user_of(hub, clock)
    await user_of(hub, clock, "bob@hub.example")
    async with browser(hub) as ann, browser(hub) as bob:
        await enter(ann, hub, clock)
        await enter(bob, hub, clock, "bob@hub.example")
        done = await ann.send(ACCOUNT, SETTINGS, zone="Asia/Tokyo", theme="dark", dense="1")
        assert (done.status, done.location) == (303, "/account?done=settings")
        for path in (ACCOUNT, "/operator/users"):
            own, others = (await ann.get(path)).text, (await bob.get(path)).text
            assert 'data-theme="dark"' in own
            assert 'class="with-side dense"' in own
            assert "data-theme" not in others
            assert "dense" not in others.split("<body", 1)[1].split(">", 1)[0]
        account = await ann.get(ACCOUNT)
        assert '<option value="Asia/Tokyo" selected>' in account.text
        lists = [(await each.get("/operator/users")) for each in (ann, bob)]
        assert ["Times are in Asia/Tokyo (JST)." in each.words for each in lists] == [True, False]
        assert "Times are in UTC." in lists[1].words
        assert ["data-slash" in each.text for each in lists] == [False, True]  # a box that is not ticked is not sent
        await ann.send(ACCOUNT, SETTINGS, zone="Asia/Tokyo", slash="1")
        assert "data-slash" in (await ann.get("/operator/users")).text


async def test_a_person_changes_their_own_name(hub: Hub, clock: FakeClock) -> None:
    """An empty one is refused beside its field; an address in the form changes nothing."""
    ann_id = (await user_of(hub, clock))["id"]
    async with browser(hub) as ann:
        await enter(ann, hub, clock)
        empty = await ann.send(ACCOUNT, "/account/name", name=" ")
        assert (empty.status, 'id="name-fault"' in empty.text) == (422, True)
        done = await ann.send(ACCOUNT, "/account/name", name="Ann <b>Berg</b>", email="ann@new.example")
        assert (done.status, done.location) == (303, "/account?done=name")
        seen = await ann.get("/account?done=name")
        assert "Your name is changed." in seen.words
        assert 'value="Ann &lt;b&gt;Berg&lt;/b&gt;"' in seen.text
    (user,) = await everybody(hub.parts.store)
    assert (user["name"], user["email"]) == ("Ann <b>Berg</b>", "ann@hub.example")
    (act,) = (await list_acts(hub.parts.store, Wanted({"act": "user.updated"}))).entries
    assert (act["actor"], act["subject"], act["source"]) == (ann_id, ann_id, "page")


async def test_times_are_in_the_zone_of_the_reader(hub: Hub, clock: FakeClock) -> None:
    """The control: before it is set they are in UTC, nine hours behind."""
    await user_of(hub, clock)
    async with browser(hub) as ann:
        await enter(ann, hub, clock)
        in_utc = (await ann.get("/operator/trail")).text
        await ann.send(ACCOUNT, SETTINGS, zone="Asia/Tokyo")
        in_tokyo = (await ann.get("/operator/trail")).text
    assert "Asia/Tokyo" not in in_utc
    assert "Asia/Tokyo" in in_tokyo or "JST" in in_tokyo


async def test_the_browsers_zone_counts_until_the_person_sets_one(hub: Hub, clock: FakeClock) -> None:
    await user_of(hub, clock)
    async with browser(hub) as ann:
        await enter(ann, hub, clock)
        assert "data-ask-zone" in (await ann.get(ACCOUNT)).text
        await guess(ann, "Nowhere/Town")
        assert "data-ask-zone" in (await ann.get(ACCOUNT)).text
        await guess(ann, "Europe/Berlin")
        seen = await ann.get(ACCOUNT)
        assert "data-ask-zone" not in seen.text
        assert "Europe/Berlin, as your browser said." in seen.words
        await ann.send(ACCOUNT, SETTINGS, zone="Asia/Tokyo")
        await guess(ann, "Europe/Berlin")
        seen = await ann.get(ACCOUNT)
        assert '<option value="Asia/Tokyo" selected>' in seen.text
        assert "as your browser said" not in seen.words


async def test_what_is_no_zone_or_theme_is_refused_and_changes_nothing(hub: Hub, clock: FakeClock) -> None:
    await user_of(hub, clock)
    async with browser(hub) as ann:
        await enter(ann, hub, clock)
        await ann.send(ACCOUNT, SETTINGS, zone="Asia/Tokyo", theme="light")
        for bad in ({"zone": "Nowhere/Town"}, {"zone": "../../etc/passwd"}, {"theme": "<script>"}):
            assert (await ann.send(ACCOUNT, SETTINGS, **bad)).status == 422
        seen = (await ann.get(ACCOUNT)).text
    assert 'data-theme="light"' in seen
    assert '<option value="Asia/Tokyo" selected>' in seen


async def test_operators_see_that_links_lead_to_this_machine_alone(sqlite_url: str, clock: FakeClock) -> None:
    """If others reach the hub. The controls: a hub with a public address, and a page that is not the operator's."""
    async with served(sqlite_url, clock, HUB_SERVER_HOST="0.0.0.0") as hub:
        await user_of(hub, clock)
        async with browser(hub) as ann:
            assert "only work on this machine" not in (await ann.get("/login")).words
            await enter(ann, hub, clock)
            assert "only work on this machine" in (await ann.get("/operator/users")).words
    public = {"HUB_SERVER_HOST": "0.0.0.0", "HUB_SERVER_PUBLIC_URL": "http://hub.example"}
    async with served(sqlite_url, clock, **public) as hub, browser(hub) as ann:
        await enter(ann, hub, clock)
        assert "only work on this machine" not in (await ann.get("/operator/users")).words
