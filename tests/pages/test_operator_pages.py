"""The operator's pages: every one works, finds what it is about, and acts as the command does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from yarl import URL

from hub.app import Hub
from hub.clock import Clock
from hub.config.settings import settings_by_path
from hub.operations.affiliates.affiliates import list_affiliates
from hub.operations.audits.audit import audit
from hub.operations.audits.audit_runs import note_audit
from hub.operations.lists import Wanted
from hub.operations.merchants.merchant_profiles import ask_for_live_access, show_profile, update_profile
from hub.operations.merchants.merchants import list_merchants, show_merchant
from hub.operations.orders.conversions import show_conversion
from hub.operations.system.search import find_anything
from hub.operations.trail_lists import list_acts
from hub.pages.operator.routes import operator_pages
from hub.pages.operator.settings import GROUPS
from hub.storage import Row, Tx
from hub.testing.clock import FakeClock
from tests.pages.kept_worlds import Keeper, keeper
from tests.pages.test_overview import count_figures
from tests.pages.visitor import Visitor, browser, enter, user_of
from tests.pages.world import HOSTILE, World, world_of
from tests.polling import until
from tests.served_hub import new_merchant

__all__ = ["keeper"]

BANKS = ("/operator/payouts/{payout}/files/{file}", "/operator/payouts/{payout}/files/{file}/withdraw")
"""A file of a live run, which this world has not: tests/pages/test_payouts.py."""
TAXES = "/operator/affiliates/{affiliate}/tax-details"
"""What DAC7 asks for, which this world's network does not collect: tests/pages/test_tax_details.py."""
SHOWN = [page for page in operator_pages() if page.method == "GET" and page.path not in (*BANKS, TAXES)]


@pytest.fixture
def sqlite_url(keeper: Keeper, tmp_path: Path, clock: FakeClock) -> str:
    """A database with the world of these tests."""
    return keeper.of("Aurora").copied(tmp_path, clock)


@pytest.fixture
async def world(either_hub: Hub, clock: FakeClock, keeper: Keeper) -> World:
    return await keeper.world_in(either_hub, clock, "Aurora")


async def operator(visitor: Visitor, hub: Hub, clock: Clock) -> str:
    """Sign an operator in, and return the user's id."""
    user = await user_of(hub, clock)
    await enter(visitor, hub, clock)
    return user["id"]


def address(world: World, path: str, user_id: str) -> str:
    """The address of a page with the world's ids."""
    ids = {**world.ids, "merchant": world.merchant_id, "affiliate": world.affiliate_id, "user": user_id}
    return re.sub(r"\{(\w+)\}", lambda found: ids.get(found[1], "none"), path)


async def test_every_page_is_shown_and_stored_text_is_text(either_hub: Hub, clock: FakeClock) -> None:
    """With ids of a world whose every text is hostile; unknown ids are pages that do not exist."""
    world = await world_of(either_hub, clock, HOSTILE)
    async with browser(either_hub) as olu:
        user_id = await operator(olu, either_hub, clock)
        for page in SHOWN:
            seen = await olu.get(address(world, page.path, user_id))
            assert seen.status == 200, page.path
            if not seen.headers["Content-Type"].startswith("text/html"):
                continue
            for hostile in ("<script>alert", "<img src=x", "style="):
                assert hostile not in seen.text, page.path
            # Nobody sets a variable of the machine on a page; that of the settings alone says where each comes from.
            assert "HUB_" not in seen.text or page.path == "/operator/settings", page.path
            if "{" in page.path:
                unknown = await olu.get(re.sub(r"\{\w+\}", "none_1", page.path))
                assert unknown.status == 404, page.path


async def test_a_connections_page_leads_to_what_the_machine_needs(world: World) -> None:
    """The hub is on this machine, so no platform reaches it; the page says so, and the guides exist."""
    async with browser(world.hub) as olu:
        await operator(olu, world.hub, world.clock)
        page = await olu.get(f"/operator/connections/{world.ids['connection']}")
        assert "which is not a public address. Give the hub a public address." in page.words
        guides = re.findall(r'href="(/docs/[\w-]+)#([\w-]+)"', page.text)
        assert len(guides) == 2
        for guide, section in guides:
            assert f'id="{section}"' in (await olu.get(guide)).text


async def test_lists_are_filtered_by_a_merchants_name(either_hub: Hub, clock: FakeClock) -> None:
    """Which a browser offers, as on other lists; where none has it, the page says so."""
    world = await world_of(either_hub, clock, "Corona Borealis")
    await new_merchant(world.hub, world.clock, name="Boreal")
    async with browser(world.hub) as olu:
        await operator(olu, world.hub, world.clock)
        for place, own in (("/operator/campaigns", "campaign"), ("/operator/connections", "connection")):
            address = f"{place}/{world.ids[own]}"
            page = await olu.get(place)
            assert re.search(r'name="merchant"[^>]* list="those-merchant"', page.text)
            assert 'value="Corona Borealis shop"' in page.text
            assert address in page.text
            assert address in (await olu.get(f"{place}?merchant=Corona+Borealis+shop")).text
            assert address in (await olu.get(f"{place}?merchant={world.merchant_id}")).text, "an id counts as before"
            assert address not in (await olu.get(f"{place}?merchant=Boreal")).text
            unknown = await olu.get(f"{place}?merchant=Nobody")
            assert (unknown.status, "no merchant &#39;Nobody&#39;" in unknown.text) == (422, True)
        place, address = "/operator/campaigns", f"/operator/campaigns/{world.ids['campaign']}"
        assert address in (await olu.get(f"{place}?merchant=Corona+Borealis+shop&mode=test")).text
        assert address not in (await olu.get(f"{place}?merchant=Corona+Borealis+shop&mode=live")).text


@pytest.mark.parametrize("place", ["commissions", "links", "orders", "adjustments", "messages"])
async def test_the_names_to_choose_from_are_read_once_a_visit(
    world: World, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Merchants' and affiliates' by one statement, though a page may offer both, in its filters and in its form."""
    asked: list[str] = []

    async def counting(tx: Tx, name: str, /, **values: object) -> list[Row]:
        asked.append(name)
        return await read_all(tx, name, **values)

    read_all = Tx.all
    monkeypatch.setattr(Tx, "all", counting)
    async with browser(world.hub) as olu:
        await operator(olu, world.hub, world.clock)
        asked.clear()
        page = await olu.get(f"/operator/{place}")
        assert 'list="those-merchant"' in page.text
        assert asked.count("parties_to_choose") == 1
        assert "parties_like" not in asked


async def test_the_overview_has_troubles_and_the_last_audit(world: World) -> None:
    """A failed message is a trouble; without one the page says that all is well."""
    store, clock = world.hub.parts.store, world.clock
    async with browser(world.hub) as olu:
        await operator(olu, world.hub, clock)
        page = await olu.get("/operator")
        assert "nothing failed" in page.words
        assert "Last audit never" in page.words
        await note_audit(store, clock, clock(), await audit(store, clock))
        assert "orders checked: everything held" in (await olu.get("/operator")).words


async def test_settings_stand_in_groups_with_where_they_were_given(world: World) -> None:
    """No secret is shown; a search finds words of the meaning, and each section of the settings has its group."""
    async with browser(world.hub) as olu:
        await operator(olu, world.hub, world.clock)
        settings = await olu.get("/operator/settings")
        assert "5e5e5e" not in settings.text
        assert "set, and not shown" in settings.words
        assert "TCP port to listen on; 0 picks a free one. server.port 0 Set by HUB_SERVER_PORT" in (settings.words)
        assert "How long a commission is held before it is payable. commission.hold 14 days default" in settings.words
        searched = await olu.get("/operator/settings?q=mailed")
        assert "troubles.quiet_hours" in searched.words
        assert "server.port" not in searched.text.split('<form class="filters"')[1]
        assert "No setting matches" in (await olu.get("/operator/settings?q=zzz")).words
    assert [*GROUPS] == [*dict.fromkeys(path.partition(".")[0] for path in settings_by_path())]


async def test_a_connection_is_closed_after_a_page_that_says_what_that_does(world: World) -> None:
    one = f"/operator/connections/{world.ids['connection']}"
    async with browser(world.hub) as olu:
        await operator(olu, world.hub, world.clock)
        page = await olu.get(one)
        assert f'href="{one}/close"' in page.text
        assert f'action="{one}/close"' not in page.text
        assert "the merchant creates a new connection" in (await olu.get(f"{one}/close")).words
        closed = await olu.send(f"{one}/close")
        assert (closed.status, closed.location) == (303, f"{one}?done=closed")
        assert f"{one}/close" not in (await olu.get(one)).text


async def test_a_merchant_is_created_changed_suspended_and_closed(world: World) -> None:
    """As `hub merchant` does, with the same trail; a refusal is a sentence and changes nothing."""
    store, clock = world.hub.parts.store, world.clock
    async with browser(world.hub) as olu:
        await operator(olu, world.hub, clock)
        fields = {
            "name": "Fern",
            "email": "a@fern.example",
            "domain": "fern.example",
            "currency": "EUR",
            "approve": "1",
        }
        made = await olu.send("/operator/merchants", **fields)
        merchant = next(each for each in await list_merchants(store) if each.name == "Fern")
        one = f"/operator/merchants/{merchant.id}"
        assert (made.status, made.location, merchant.status) == (303, f"{one}?done=created", "APPROVED")
        again = await olu.send("/operator/merchants", **fields)
        assert (again.status, "tick the last box" in again.words) == (422, True)
        changed = {"name": "Fern & Co", "email": "b@fern.example", "domains": "fern.example\nfern.shop"}
        assert (await olu.send(one, **changed)).location == f"{one}?done=saved"
        assert (await olu.send(one, f"{one}/terms", hold="7d")).location == f"{one}?done=saved"
        found = await show_merchant(store, merchant.id)
        assert (found.domains, found.hold_ms) == (("fern.example", "fern.shop"), 604_800_000)
        assert (await olu.send(one, f"{one}/terms", hold="soon")).status == 422
        assert (await olu.send(one, f"{one}/suspend", reason="Unpaid")).status == 303
        assert "Unpaid" in (await olu.get(one)).words
        assert (await olu.send(one, f"{one}/reject")).status == 422
        assert (await olu.send(f"{one}/close", reason="Gone")).location == f"{one}?done=closed"
        assert (await show_merchant(store, merchant.id)).status == "CLOSED"
        acts = [act["act"] for act in (await list_acts(store, Wanted({"subject": merchant.id}, limit=9))).entries]
        updated = ["merchant.updated"] * 2
        assert acts == ["merchant.closed", "merchant.suspended", *updated, "merchant.created"]


async def test_live_access_is_decided_from_the_approvals(world: World) -> None:
    """The merchant stands there until it is decided, with a reason."""
    store, clock = world.hub.parts.store, world.clock
    merchant_id = await new_merchant(world.hub, clock, "Mole", domains=["mole.example"])
    missing = (await show_profile(store, merchant_id))["missing"]
    filled = {**dict.fromkeys(missing, "Mole Ltd"), "website": "https://mole.example", "country": "DE"}
    await update_profile(store, clock, merchant_id, filled)
    async with browser(world.hub) as olu:
        await operator(olu, world.hub, clock)
        assert "Mole" in (await olu.get("/operator/approvals")).words
        one = f"/operator/merchants/{merchant_id}"
        assert (await olu.send(one, f"{one}/approve")).status == 303
        await ask_for_live_access(store, clock, merchant_id)
        refused = await olu.send(one, f"{one}/live-access", decision="refuse", reason="No imprint")
        assert refused.location == f"{one}?done=refused"
        assert "No imprint" in (await olu.get(one)).words


async def test_an_affiliate_a_link_and_a_campaign_are_managed(world: World) -> None:
    """Each act is the command's own."""
    store, clock = world.hub.parts.store, world.clock
    async with browser(world.hub) as olu:
        await operator(olu, world.hub, clock)
        made = await olu.send("/operator/affiliates", name="Cy", email="cy@blog.example", coupons="cy10 CY20")
        affiliate = next(each for each in await list_affiliates(store) if each.name == "Cy")
        one = f"/operator/affiliates/{affiliate.id}"
        assert (made.location, affiliate.coupons) == (f"{one}?done=created", ("CY10", "CY20"))
        assert (await olu.send(one, name="Cy", email="cy@blog.example", coupons="CY20 cy30")).status == 303
        assert (await olu.send(one, f"{one}/deactivate")).status == 303
        changed = next(each for each in await list_affiliates(store) if each.name == "Cy")
        assert (changed.coupons, changed.status) == (("CY20", "CY30"), "INACTIVE")
        wanted = {"merchant": world.merchant_id, "mode": "test", "affiliate": world.affiliate_id, "subs": "sub1=poster"}
        link = await olu.send("/operator/links", **wanted)
        address = str(link.location).partition("?")[0]
        assert "sub1=poster" in (await olu.get(address)).words
        assert (await olu.send(address, f"{address}/disable")).status == 303
        assert (await olu.send("/operator/links", **{**wanted, "subs": "sub9=x"})).status == 422
        campaign = f"/operator/campaigns/{world.ids['campaign']}"
        assert (await olu.send(campaign, hold="3d", listed="1", joining="BY_APPROVAL")).status == 303
        assert "public" in (await olu.get(campaign)).words
        rated = await olu.send(campaign, f"{campaign}/rates", affiliate=world.affiliate_id, rate="PERCENTAGE:15")
        assert (rated.status, "PERCENTAGE:15" in (await olu.get(campaign)).words) == (303, True)
        gone = await olu.send(campaign, f"{campaign}/members", affiliate=world.affiliate_id, status="REMOVED")
        assert (gone.status, "Ended" in (await olu.get(campaign)).words) == (303, True)


async def test_reviews_are_decided_and_threads_answered(world: World) -> None:
    """The order's page has its reason, its sum and its thread; a second decision is refused."""
    store, clock = world.hub.parts.store, world.clock
    async with browser(world.hub) as olu:
        await operator(olu, world.hub, clock)
        assert "Aurora order low" in (await olu.get("/operator/reviews")).words
        low = f"/operator/orders/{world.ids['review']}"
        assert (await olu.send(low, f"{low}/attribute", affiliate="nobody")).status == 422
        assert (
            await olu.send(low, f"{low}/attribute", affiliate=world.affiliate_id)
        ).location == f"{low}?done=attributed"
        decided = await show_conversion(store, clock, world.ids["review"])
        assert decided.affiliate_id == world.affiliate_id
        assert (await olu.send(low, f"{low}/dismiss")).status == 422
        one = f"/operator/orders/{world.ids['order']}"
        page = await olu.get(one)
        for words in ("this rule counts", "What would change it", "delivered"):
            assert words in page.words
        assert (await olu.send(one, f"{one}/messages", text="It is right.")).status == 303
        assert "Operator: It is right." in (await olu.get(one)).words
        assert (await olu.send(one, f"{one}/pay", reference="T-1")).status == 422


async def test_messages_are_replayed_one_by_one_and_together(world: World) -> None:
    """After the count on a page of its own."""
    async with browser(world.hub) as olu:
        await operator(olu, world.hub, world.clock)
        parked = f"/operator/messages/{world.ids['parked']}"
        assert "Aurora order none" in (await olu.get("/operator/messages?status=PARKED")).words
        counted = await olu.get("/operator/messages/replay?status=PARKED")
        assert "Replay 1 message?" in counted.words
        done = await olu.send("/operator/messages/replay?status=PARKED", "/operator/messages/replay", status="PARKED")
        assert done.location == "/operator/messages?status=PARKED&done=1-replayed"
        assert "1 message is queued again" in (await olu.get(str(done.location))).words
        assert (await olu.get(parked)).status == 200


FOUND = {
    "merchant": "/operator/merchants/{merchant}",
    "affiliate": "/operator/affiliates/{affiliate}",
    "order": "/operator/orders/{order}",
    "commission": "/operator/orders/{order}",
    "click": "/operator/orders/{order}",
    "unused": "/operator/links/{link}",
    "event": "/operator/messages/{event}",
    "link": "/operator/links/{link}",
    "campaign": "/operator/campaigns/{campaign}",
    "key": "/operator/merchants/{merchant}",
    "user": "/operator/users/{user}",
    "payout": "/operator/payouts/{payout}",
    "adjustment": "/operator/trail?subject={adjustment}",
}


async def test_one_box_finds_anything(world: World) -> None:
    """A click that led to no order leads to its link, and what has no page of its own to what was done to it."""
    ids = {**world.ids, "merchant": world.merchant_id, "affiliate": world.affiliate_id}
    async with browser(world.hub) as olu:
        ids["user"] = await operator(olu, world.hub, world.clock)
        visit = await olu.get(f"/t/{world.ids['link']}", **{"User-Agent": "a buyer"})
        ids["unused"] = URL(str(visit.location)).query["affiliate_click_id"]

        async def leads_on() -> bool:
            return (await olu.get(f"/operator/search?q={ids['unused']}")).location is not None

        await until(leads_on)
        for name, place in FOUND.items():
            found = await olu.get(f"/operator/search?q={ids[name]}")
            assert found.location == place.format(**ids), name


async def test_what_is_not_one_thing_is_listed(world: World) -> None:
    """An order number, an e-mail address, a part of a name; and nothing for what is nowhere."""
    store = world.hub.parts.store
    assert [each.id for each in await find_anything(store, "Aurora order")] == [world.ids["order"]]
    assert {each.kind for each in await find_anything(store, "aurora")} == {"merchant", "affiliate"}
    assert {each.kind for each in await find_anything(store, "ANN@shop.example")} == {"merchant"}
    assert await find_anything(store, "nothing%_!") == []
    async with browser(world.hub) as olu:
        own = await operator(olu, world.hub, world.clock)
        assert "Aurora blog" in (await olu.get("/operator/search?q=aurora")).words
        assert (await olu.get("/operator/search?q=ANN@hub.example")).location == f"/operator/users/{own}"
        assert " Person signed in user.signed-in " in (await olu.get(f"/operator/trail?actor={own}")).words
        assert " Ann , in a browser from 127.0.0.1" in (await olu.get(f"/operator/trail?actor={own}")).words
        assert "Nothing has the id" in (await olu.get("/operator/search?q=nowhere")).words


async def test_a_part_of_an_orders_number_finds_it(world: World) -> None:
    """Its beginning finds any order; another part a recent one, and the list of orders goes on with older ones."""
    store, order, number = world.hub.parts.store, world.ids["order"], "Aurora order"
    assert [each.name for each in await find_anything(store, "Aurora order l")] == [f"{number} low"]
    assert order in [each.id for each in await find_anything(store, "ORA ORDER")]
    assert await find_anything(store, f"{number}, too") == []
    async with browser(world.hub) as olu:
        await operator(olu, world.hub, world.clock)
        assert "/operator/orders/cnv_" in str((await olu.get("/operator/search?q=Aurora+order+l")).location)
        nowhere = await olu.get("/operator/search?q=no-such-number")
        assert "no recent order has it in its number" in nowhere.words
        assert 'href="/operator/orders?q=no-such-number"' in nowhere.text
        assert "No order matches" in (await olu.get("/operator/orders?q=no-such-number")).words
        assert number in (await olu.get("/operator/orders?q=a+Order")).words


async def test_reports_sum_up_all_merchants(world: World) -> None:
    """By merchant, campaign, affiliate and product, beside the period before; as CSV too; live and test apart."""
    await count_figures(world.hub)
    async with browser(world.hub) as olu:
        await operator(olu, world.hub, world.clock)
        by_merchant = await olu.get("/operator/reports?mode=test")
        assert "Revenue 69.00 USD Before" in by_merchant.words
        assert "Aurora shop 1 2 0 50 % 69.00 USD" in by_merchant.words
        assert "Aurora blog" in (await olu.get("/operator/reports?mode=test&by=affiliate&show=epc")).words
        assert "Aurora product, Aurora shop" in (await olu.get("/operator/reports?mode=test&by=product")).words
        assert "No campaign" in (await olu.get("/operator/reports?mode=test&by=campaign&days=365")).words
        file = await olu.get("/operator/reports.csv?mode=test&by=merchant")
        assert file.text.splitlines()[1].startswith(f"{world.merchant_id},Aurora shop,USD,0,2,1,0,69.00,")
        assert "Nothing in this period" in (await olu.get("/operator/reports")).words
