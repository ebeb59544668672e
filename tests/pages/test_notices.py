"""Everybody is told: a notice for each person of a party, counted beside names, listed, and mailed as they chose."""

from __future__ import annotations

import re
from pathlib import Path

from hub.app import Hub
from hub.domain.durations import HOUR
from hub.domain.messages.notices import DIGEST_AT, KINDS, STALE_MS, next_digest
from hub.operations.affiliates.memberships import Member, apply_to_campaign, set_membership
from hub.operations.campaigns.campaigns import approve_campaign
from hub.operations.merchants.merchant_profiles import ask_for_live_access, decide_live_access
from hub.operations.merchants.merchants import set_merchant_status
from hub.testing.clock import FakeClock
from tests.pages.test_onboarding import PROFILE, owner_of
from tests.pages.test_registration import mailing, sent
from tests.pages.visitor import browser, enter, user_of
from tests.pages.world import world_of
from tests.served_hub import api_of, new_merchant

HERE = "/account/notices"
ROOT = Path(__file__).parents[2] / "hub"


def test_every_kind_is_told_somewhere() -> None:
    """A kind that nothing tells would be a setting without an effect."""
    told = [file.read_text() for file in ROOT.rglob("*.py") if "tell(" in file.read_text()]
    assert [kind for kind in KINDS if not any(f'"{kind}"' in text for text in told)] == []


def test_the_digest_goes_out_once_a_day() -> None:
    day = 20_000 * 24 * HOUR
    assert next_digest(day) == day + DIGEST_AT
    assert next_digest(day + DIGEST_AT) == day + 24 * HOUR + DIGEST_AT


async def test_who_waits_and_what_was_decided_is_told_to_the_other_side(either_hub: Hub, clock: FakeClock) -> None:
    """Not to who did it; a count stands beside the name that leads there until it is read."""
    hub, store = either_hub, either_hub.parts.store
    merchant_id = await new_merchant(hub, clock, "Fjord")
    async with browser(hub) as ann, browser(hub) as olu:
        await owner_of(hub, clock, ann, merchant_id)
        await user_of(hub, clock)
        await enter(olu, hub, clock)
        await ann.send("/merchant/profile", **PROFILE)
        assert "Nothing yet" in (await ann.get(HERE)).words
        seen = await olu.get(HERE)
        assert "Fjord waits for its approval. new" in seen.words
        assert re.search(r"Merchants <span class=\"count\">1", (await olu.get("/operator")).text)
        await set_merchant_status(store, clock, merchant_id, "APPROVED")
        await ask_for_live_access(store, clock, merchant_id)
        await decide_live_access(store, clock, merchant_id, granted=False, reason="No refund yet.")
        told = (await ann.get(HERE)).words
        assert "The operator of the hub approved Fjord." in told
        assert "Live access is refused: No refund yet." in told
        assert re.search(r"Set up <span class=\"count\">2", (await ann.get("/merchant/orders")).text)
        assert (await ann.send(HERE, f"{HERE}/read")).location == f"{HERE}?done=read"
        assert 'class="count"' not in (await ann.get("/merchant/orders")).text
        assert "Fjord asks for live access." in (await olu.get(HERE)).words, "the control: the other's are as they were"


async def test_a_partner_and_its_merchant_hear_of_each_other(hub: Hub, clock: FakeClock) -> None:
    world, store = await world_of(hub, clock, "Aurora", subscribed=False), hub.parts.store
    async with browser(hub) as ann, browser(hub) as bea:
        await world.person(ann, "merchant", "owner")
        await world.person(bea, "affiliate")
        member = Member(world.ids["campaign"], world.affiliate_id)
        await set_membership(store, clock, member, "REMOVED", "Too few readers.")
        assert "no longer a partner: Too few readers." in (await bea.get(HERE)).words
        await set_membership(store, clock, member, "APPROVED")
        assert (await apply_to_campaign(store, clock, member)).status == "APPROVED"
        assert "you are a partner now." in (await bea.get(HERE)).words
        assert "Nothing yet" in (await ann.get(HERE)).words, "what it decided itself"


async def test_a_decided_campaign_is_told_to_its_merchant_once(hub: Hub, clock: FakeClock) -> None:
    world, store = await world_of(hub, clock, "Aurora", subscribed=False), hub.parts.store
    async with browser(hub) as ann, api_of(hub, clock) as api:
        wanted = {"title": "Spring", "approvalRequired": True}
        campaign = (await api.with_key(world.key)("POST", "/v1/campaigns", wanted)).json["id"]
        await world.person(ann, "merchant", "owner")
        for _ in range(2):
            await approve_campaign(store, clock, campaign)
        assert (await ann.get(HERE)).words.count("The operator of the hub approved the campaign Spring.") == 1


async def test_notices_are_mailed_at_once_daily_or_not_at_all(sqlite_url: str, clock: FakeClock) -> None:
    """What was read is not mailed, nor what waited for days because the hub sent no mail."""
    async with mailing(sqlite_url, clock) as (hub, inbox), browser(hub) as olu:
        store, merchant_id = hub.parts.store, await new_merchant(hub, clock, "Fjord", approve=True)
        await user_of(hub, clock)
        await enter(olu, hub, clock)

        async def asks(name: str) -> None:
            other = await new_merchant(hub, clock, name, approve=True)
            await ask_for_live_access(store, clock, other)

        async def mails() -> list[str]:
            assert hub.parts.mail is not None
            await hub.parts.mail.run_once()
            await sent(hub)
            return [str(each.get_body(("plain",)).get_content()) for each in inbox.mails]  # type: ignore[union-attr] # all have one

        await ask_for_live_access(store, clock, merchant_id)
        (first,) = await mails()
        assert "Fjord asks for live access." in first
        assert f"{hub.url}/operator/merchants/{merchant_id}" in first
        saved = await olu.send(HERE, f"{HERE}/mails", **{"live-asked": "DAILY", "merchant-waits": "OFF"})
        assert saved.location == f"{HERE}?done=saved#mails"
        wrong = await olu.send(HERE, f"{HERE}/mails", **{"live-asked": "WEEKLY"})
        assert (wrong.status, "at once, in the daily mail" in wrong.words) == (422, True)
        for name in ("Aurora", "Borealis"):
            await asks(name)
        assert len(await mails()) == 1
        clock.now = next_digest(clock.now)
        _, digest = await mails()
        assert digest.splitlines()[:2] == ["- Aurora asks for live access.", "- Borealis asks for live access."]
        assert [each["Subject"] for each in inbox.mails] == ["Fjord asks for live access", "You have 2 notices"]
        await asks("Read before")
        await enter(olu, hub, clock)  # the session of yesterday has ended
        await olu.send(HERE, f"{HERE}/read")
        clock.now = next_digest(clock.now)
        assert len(await mails()) == 2
        await asks("Too old")
        clock.now += STALE_MS + 24 * HOUR
        assert len(await mails()) == 2
