"""The partners of a merchant: listed with figures, invited, decided on together; and the merchant's own people."""

from __future__ import annotations

import asyncio
import re

from hub.app import Hub
from hub.clock import system_clock
from hub.config.payout_section import PayoutSettings
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.affiliates.memberships import Member, apply_to_campaign, every_membership
from hub.operations.campaigns.campaigns import set_campaign_listing
from hub.operations.lists import Wanted
from hub.operations.merchants.merchant_profiles import decide_live_access
from hub.operations.money.books.adjustments import approve_adjustment, first_adjustments
from hub.operations.trail import Actor, acting_as
from hub.operations.users.users import NewUser, create_user
from hub.pages.merchant.partner import HERE
from hub.processing.figures import FigureCounter
from hub.testing.clock import FakeClock
from tests.pages.test_onboarding import PAGE, chosen
from tests.pages.test_registration import link_in, mailing, sent
from tests.pages.visitor import browser
from tests.pages.world import world_of
from tests.people.users import everybody
from tests.served_hub import new_merchant

LIVE = f"{HERE}?mode=live"


async def test_who_sells_stands_with_clicks_orders_and_sums(either_hub: Hub, clock: FakeClock) -> None:
    """The page, its search, each partner's page and the file tell the same."""
    hub = either_hub
    world = await world_of(hub, clock, "Aurora", subscribed=False)
    await FigureCounter(hub.parts.store, lambda: system_clock() + 60_000, asyncio.sleep).count()
    async with browser(hub) as ann:
        await world.person(ann, "merchant", "owner")
        seen = await ann.get(f"{HERE}?mode=test&days=365")
        row = next(each for each in re.findall(r"<tr>.*?</tr>", seen.text, re.DOTALL) if "Aurora blog" in each)
        assert re.findall(r'data-label="(Clicks|Orders)">.*?value="(\d+)"', row) == [("Clicks", "1"), ("Orders", "1")]
        assert 'value="60.00"' in row
        assert "No partner matches" in (await ann.get(f"{HERE}?mode=test&q=nobody")).words
        one = await ann.get(f"{HERE}/{world.affiliate_id}?mode=test&days=365")
        assert "Aurora campaign" in one.words
        assert 'value="60.00"' in one.text
        drawn = await ann.get(f"{HERE}/{world.affiliate_id}?mode=test&days=90&show=orders")
        assert "Orders: 1" in drawn.words, drawn.words
        file = await ann.get(f"{HERE}.csv?mode=test&days=365")
        assert "Aurora blog," in file.text
        assert ",1,1,USD,60.00," in file.text


async def test_applications_are_decided_together(hub: Hub, clock: FakeClock) -> None:
    """Each is decided by itself; what was decided meanwhile is counted, not done again."""
    store = hub.parts.store
    world = await world_of(hub, clock, "Aurora", subscribed=False)
    await set_campaign_listing(store, clock, world.ids["campaign"], joining="BY_APPROVAL")
    waiting = [await create_affiliate(store, clock, name=f"Blog {n}", email=f"b{n}@blog.example") for n in range(3)]
    for each in waiting:
        await apply_to_campaign(store, clock, Member(world.ids["campaign"], each.id), "Let me in")
    async with browser(hub) as ann:
        await world.person(ann, "merchant", "owner")
        assert "Applied (3)" in (await ann.get(f"{HERE}?mode=test")).words
        none = await ann.send(f"{HERE}?mode=test", f"{HERE}/decide", verdict="APPROVED", account=world.account_id)
        assert (none.status, "Select the partners" in none.words) == (422, True)
        ticks = {f"tick.{each.id}": "1" for each in waiting[:2]}
        form = {"verdict": "APPROVED", "account": world.account_id, **ticks}
        done = await ann.send(f"{HERE}?mode=test", f"{HERE}/decide", **form)
        assert done.location == f"{HERE}?mode=test&done=APPROVED&n=2&refused=0"
        assert "2 approved." in (await ann.get(done.location)).words
        again = await ann.send(f"{HERE}?mode=test", f"{HERE}/decide", **form)
        assert again.location == f"{HERE}?mode=test&done=APPROVED&n=0&refused=2"
    members = await every_membership(store, {"campaign": world.ids["campaign"], "status": "APPLIED"})
    assert [member.affiliate_name for member in members] == ["Blog 2"]


async def test_a_partners_page_gives_a_bonus_that_a_second_person_approves(hub: Hub, clock: FakeClock) -> None:
    """The same form twice is one bonus; only money is given; and the note is for the merchant's own people."""
    store = hub.parts.store
    world = await world_of(hub, clock, "Aurora", subscribed=False)
    page = f"{HERE}/{world.affiliate_id}?mode=test"
    async with browser(hub) as ann, browser(hub) as bea, browser(hub) as ada:
        await world.person(ann, "merchant", "owner")
        await world.person(bea, "merchant", "viewer")
        await world.person(ada, "affiliate")
        seen = await ann.get(page)
        found = re.search(r'name="id" value="(adj_[0-9a-f]{32})"', seen.text)
        assert found
        form = {"id": found[1], "amount": "25.00", "reason": "A fine review", "account": world.account_id}
        to = f"{HERE}/{world.affiliate_id}/bonus"
        for amount in ("-3.00", "much", "0"):
            wrong = await ann.send(page, to, **{**form, "amount": amount})
            assert (wrong.status, f'value="{amount}"' in wrong.text) == (422, True)
        for _ in range(2):
            assert (await ann.send(page, to, **form)).location == f"{HERE}/{world.affiliate_id}?done=bonus#bonuses"
        made = [each for each in await first_adjustments(store, Wanted({"affiliate": world.affiliate_id}))
                if each["reason"] == "A fine review"]  # fmt: skip
        assert [(each["amount"], each["status"], each["accountId"]) for each in made] == [
            ("25.00", "PROPOSED", world.account_id)
        ]
        assert "A fine review" in (await ann.get(page)).words
        noted = await ann.send(page, f"{HERE}/{world.affiliate_id}/note", note="Calls on Mondays",
                               account=world.account_id)  # fmt: skip
        assert noted.location == f"{HERE}/{world.affiliate_id}?done=noted#notes"
        assert "Calls on Mondays" in (await bea.get(page)).words
        assert (await bea.send(page, to, **form)).status == 403
        assert "Mondays" not in (await ada.get("/affiliate")).words
        with acting_as(Actor("user", "usr_operator", "page")):
            approved = await approve_adjustment(store, clock, PayoutSettings(), found[1])
        assert approved["status"] == "APPROVED"


async def test_a_pasted_list_is_invited_and_a_guest_has_a_link_at_once(sqlite_url: str, clock: FakeClock) -> None:
    """Whoever is an affiliate already is a partner at once; one taken back gets in nowhere."""
    environ = {"HUB_PEOPLE_REGISTRATION": "invited"}
    async with mailing(sqlite_url, clock, **environ) as (hub, inbox), browser(hub) as ann, browser(hub) as bea:
        store, merchant_id = hub.parts.store, await new_merchant(hub, clock, "Fjord", approve=True)
        await chosen(hub, clock, ann, merchant_id)
        known = await create_affiliate(store, clock, name="Known", email="known@blog.example")
        await create_user(store, clock, NewUser("known@blog.example", "affiliate", None, known.id))
        early = await ann.send(f"{HERE}?mode=test", f"{HERE}/invite", emails="bea@blog.example")
        assert (early.status, "invited to the live account" in early.words) == (422, True)
        await ann.send(PAGE, f"{PAGE}/campaign", value="10")
        await decide_live_access(store, clock, merchant_id, granted=True)
        await ann.send(PAGE, f"{PAGE}/take")
        wrong = await ann.send(f"{HERE}/invite?mode=live", f"{HERE}/invite", emails="bea@blog.example, oh@@no")
        assert (wrong.status, "oh@@no. Nobody was invited." in wrong.words) == (422, True)
        pasted = "Bea <bea@blog.example>; gone@blog.example\nknown@blog.example BEA@blog.example"
        done = await ann.send(f"{HERE}/invite?mode=live", f"{HERE}/invite", emails=pasted)
        assert done.location == f"{HERE}?mode=live&done=invited&mailed=2&joined=1&skipped=0"
        assert "Invited (2)" in (await ann.get(LIVE)).words
        assert (await ann.send(LIVE, f"{HERE}/invite/back", email="gone@blog.example")).status == 303
        path = await link_in(hub, inbox, "gone@blog.example")
        assert (await bea.get(path)).status == 404
        path = await link_in(hub, inbox, "bea@blog.example")
        assert "Fjord invites bea@blog.example to register as an affiliate" in (await bea.get(path)).words
        assert (await bea.send(path, name="Bea's blog")).location == "/affiliate/links"
        assert "https://shop.example/" in (await bea.get("/affiliate/links")).words
        names = re.findall(r">([^<]+)</a>", (await ann.get(LIVE)).text.replace("&#39;", "'"))
        assert {"Bea's blog", "Known"} <= set(names)
        await sent(hub)
    assert {mail["Subject"] for mail in inbox.mails} == {
        "Fjord invites you as a partner", "Fjord made you a partner", "Fjord: You have live access",
    }  # fmt: skip


async def test_an_owner_invites_and_removes_colleagues(sqlite_url: str, clock: FakeClock) -> None:
    """A viewer looks and cannot invite; the last owner stays."""
    async with mailing(sqlite_url, clock) as (hub, inbox), browser(hub) as ann, browser(hub) as bob:
        merchant_id = await new_merchant(hub, clock, "Fjord", approve=True)
        await chosen(hub, clock, ann, merchant_id)
        assert (await ann.send("/merchant/people", email="bob@shop.example", level="viewer")).status == 303
        path = await link_in(hub, inbox, "bob@shop.example")
        await bob.send(path)
        assert "ann@shop.example" in (await bob.get("/merchant/people")).words
        refused = await bob.send("/merchant/people", email="eve@shop.example")
        assert (refused.status, "You can only view" in refused.words) == (403, True)
        people = {user["email"]: user["id"] for user in await everybody(hub.parts.store)}
        last = await ann.send("/merchant/people", f"/merchant/people/{people['ann@shop.example']}/remove")
        assert (last.status, "this is the last one" in last.words) == (422, True)
        gone = await ann.send("/merchant/people", f"/merchant/people/{people['bob@shop.example']}/remove")
        assert gone.location == "/merchant/people?done=removed"
        assert (await bob.get("/merchant/people")).status == 404
        await sent(hub)
    assert [mail["Subject"] for mail in inbox.mails] == [
        "You are invited to a merchant's pages",
        "One of your roles was removed",
    ]
