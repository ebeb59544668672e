"""The way of a merchant to live orders, as its owner walks it in the pages."""

from __future__ import annotations

import re

from hub.app import Hub
from hub.operations.merchants.merchant_changes import set_merchant_status
from hub.operations.merchants.merchant_profiles import decide_live_access
from hub.operations.users.users import NewUser, create_user
from hub.testing.clock import FakeClock
from tests.pages.visitor import Seen, Visitor, browser, enter
from tests.pages.world import world_of
from tests.served_hub import new_merchant

PROFILE = {
    "legalName": "Fjord & Fern GmbH", "contactName": "Ann", "website": "https://shop.example", "country": "de",
    "address": "Way 1\n10115 Berlin", "description": "Ferns in pots.", "phone": "", "taxId": "", "category": "",
}  # fmt: skip


def ticked(seen: Seen) -> list[str]:
    """Return the names of the steps that are done."""
    return re.findall(r'<li id="(\w+)" class="done-step">', seen.text)


async def owner_of(hub: Hub, clock: FakeClock, visitor: Visitor, merchant_id: str) -> None:
    await create_user(hub.parts.store, clock, NewUser("ann@shop.example", "merchant", merchant_id))
    await enter(visitor, hub, clock, "ann@shop.example")


async def test_a_new_merchant_fills_in_its_profile_and_is_reviewed(either_hub: Hub, clock: FakeClock) -> None:
    """What is missing is named, a fault is shown at its field's form, and the operator's reason is read."""
    hub = either_hub
    merchant_id = await new_merchant(hub, clock)
    async with browser(hub) as ann:
        await owner_of(hub, clock, ann, merchant_id)
        first = await ann.get("/merchant/onboarding")
        assert ticked(first) == []
        assert "Still missing: legal name, contact name, website, country, address, description." in first.words
        part = await ann.send("/merchant/profile", **{**PROFILE, "contactName": "", "address": ""})
        assert part.status == 303
        assert "these are still needed: contact name, address." in (await ann.get("/merchant/profile?done=saved")).words
        wrong = await ann.send("/merchant/profile", **{**PROFILE, "country": "Germany"})
        assert wrong.status == 422
        assert "write its two letters" in wrong.words
        assert 'value="Fjord &amp; Fern GmbH"' in wrong.text
        assert (await ann.send("/merchant/profile", **PROFILE)).location == "/merchant/profile?done=saved"
        assert '<option value="DE" selected>Germany</option>' in (await ann.get("/merchant/profile")).text
        assert "In review" in (await ann.get("/merchant/profile?done=saved")).words
        await set_merchant_status(hub.parts.store, clock, merchant_id, "REJECTED", "The website is empty.")
        assert "The operator rejected it: The website is empty." in (await ann.get("/merchant/profile")).words
        await ann.send("/merchant/profile", **PROFILE)
        await set_merchant_status(hub.parts.store, clock, merchant_id, "APPROVED")
        assert ticked(await ann.get("/merchant/onboarding")) == ["profile", "approval"]


async def test_steps_tick_themselves_off_when_they_happened(either_hub: Hub, clock: FakeClock) -> None:
    """Orders, a click and a status came by the real API; what did not happen stays open."""
    world = await world_of(either_hub, clock, "Aurora")
    async with browser(either_hub) as ann:
        await owner_of(either_hub, clock, ann, world.merchant_id)
        seen = await ann.get("/merchant/onboarding")
        assert ticked(seen) == [
            "approval", "key", "call", "products", "campaign", "click", "conversion", "status",
        ]  # fmt: skip
        assert "Send the same order again" in seen.words
        assert "Cancel, return or refund an order." in seen.words


async def test_live_access_is_asked_for_and_decided(hub: Hub, clock: FakeClock) -> None:
    """The button is there for an approved merchant, and the answer of the operator is read here."""
    merchant_id = await new_merchant(hub, clock)
    async with browser(hub) as ann:
        await owner_of(hub, clock, ann, merchant_id)
        page, ask = "/merchant/onboarding", "/merchant/onboarding/live-access"
        assert "Request live access </button>" not in (await ann.get(page)).text
        refused = await ann.send(page, ask)
        assert (refused.status, "live access is for APPROVED merchants" in refused.words) == (422, True)
        await set_merchant_status(hub.parts.store, clock, merchant_id, "APPROVED")
        assert (await ann.send(page, ask)).location == f"{page}?done=asked"
        assert "The operator decides on your request." in (await ann.get(page)).words
        await decide_live_access(hub.parts.store, clock, merchant_id, granted=False, reason="No refund yet.")
        assert "The operator refused it: No refund yet." in (await ann.get(page)).words
        await decide_live_access(hub.parts.store, clock, merchant_id, granted=True)
        assert "live" in ticked(await ann.get(page))


async def test_a_domain_is_added_and_what_it_shows_is_looked_for(hub: Hub, clock: FakeClock) -> None:
    """Nothing is proved by the wish alone: a private address is not even asked."""
    merchant_id = await new_merchant(hub, clock)
    async with browser(hub) as ann:
        await owner_of(hub, clock, ann, merchant_id)
        assert "is not a domain" in (await ann.send("/merchant/domains", domain="https://x")).words
        added = await ann.send("/merchant/domains", domain="127.0.0.1:1")
        assert added.location == "/merchant/domains/127.0.0.1%3A1"
        assert "/.well-known/affiliate-hub.txt" in (await ann.get(added.location)).words
        looked = await ann.send(added.location, f"{added.location}/prove")
        assert (looked.status, "127.0.0.1 is not a public address" in looked.words) == (422, True)
        again = await ann.send(added.location, f"{added.location}/prove")
        assert (again.status, "was looked at a moment ago" in again.words) == (422, True)
        clock.now += 10_000
        looked = await ann.send(added.location, f"{added.location}/prove")
        assert "127.0.0.1 is not a public address" in looked.words
        removed = await ann.send(added.location, f"{added.location}/remove")
        assert removed.location == "/merchant/domains?done=removed"
        assert (await ann.get(added.location)).status == 303  # looked for in the other mode
        assert (await ann.get(f"{added.location}?mode=live")).status == 404
