"""Isolation between merchants, and between affiliates: made from the routes, with two worlds that share nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from markupsafe import escape

from hub.app import Hub
from hub.operations.lists import Wanted
from hub.operations.trail_lists import list_acts
from hub.pages.routes import all_pages
from hub.pages.visit import Page
from hub.testing.clock import FakeClock
from tests.pages.test_overview import count_figures
from tests.pages.visitor import Seen, Visitor, browser
from tests.pages.world import HOSTILE, World, world_of
from tests.sampled import Part, in_parts
from tests.served_hub import served

OWN = [page for page in all_pages() if page.roles and set(page.roles) <= {"merchant", "affiliate"}]
SHOWN = [page for page in OWN if page.method == "GET"]
FORMS = [page for page in OWN if page.method == "POST"]

BROKEN_DOWN = {
    "merchant": ("/merchant?mode=test&by=product", "/merchant?mode=test&by=affiliate"),
    "affiliate": ("/affiliate/reports?mode=test&by=sub1",),
}
"""Where stored texts are shown that the addresses of the routes alone do not show."""

FIELDS: dict[str, dict[str, str]] = {
    "POST /merchant/campaigns": {"title": "New", "rate": "PERCENTAGE", "value": "8"},
    "POST /merchant/campaigns/{campaign}/edit": {"title": "Another title"},
    "POST /merchant/campaigns/{campaign}/policy": {"rule": "COUPON"},
    "POST /merchant/campaigns/{campaign}/members/{affiliate}/rate": {"rate": "PERCENTAGE", "value": "50"},
    "POST /merchant/campaigns/{campaign}/members/{affiliate}/status": {"status": "REMOVED"},
    "POST /merchant/campaigns/{campaign}/status": {"status": "PAUSED"},
    "POST /merchant/connections": {"connector": "woocommerce"},
    "POST /merchant/connections/{connection}/close": {},
    "POST /merchant/connections/{connection}/consent": {"consent-site": "https://shop.example"},
    "POST /merchant/connections/{connection}/credentials": {"credential-site": "https://shop.example"},
    "POST /merchant/connections/{connection}/credentials/delete": {},
    "POST /merchant/connections/{connection}/fetch": {},
    "POST /merchant/connections/{connection}/last-look": {"look": "off"},
    "POST /merchant/connections/{connection}/package": {},
    "POST /merchant/connections/{connection}/read": {"kind": "RECONCILIATION"},
    "POST /merchant/connections/{connection}/webhooks": {},
    "POST /merchant/connections/{connection}/replay": {"event": "{event}"},
    "POST /merchant/connections/{connection}/secrets": {},
    "POST /merchant/connections/{connection}/secrets/end": {"secretId": "sec_1"},
    "POST /merchant/domains": {"domain": "new.example"},
    "POST /merchant/domains/{domain}/prove": {},
    "POST /merchant/domains/{domain}/remove": {},
    "POST /merchant/keys": {"addresses": "203.0.113.0/24", "ends": "30d"},
    "POST /merchant/keys/{key}": {"addresses": "203.0.113.0/24", "ends": "30d"},
    "POST /merchant/keys/{key}/revoke": {},
    "POST /merchant/keys/{key}/rotate": {"overlap": "24h"},
    "POST /merchant/keys/{key}/stored": {},
    "POST /merchant/links": {"affiliate": "{affiliate}"},
    "POST /merchant/links/{link}/enabled": {"enabled": "0"},
    "POST /merchant/affiliates/decide": {"verdict": "APPROVED", "tick.{affiliate}": "1"},
    "POST /merchant/materials": {"kind": "TEXT", "title": "New", "text": "New"},
    "POST /merchant/materials/{material}/delete": {},
    "POST /merchant/affiliates/page": {"name": "new-page", "title": "New", "text": "New", "acceptance": "AT_ONCE"},
    "POST /affiliate/join/{name}": {},
    "POST /merchant/affiliates/{affiliate}/bonus": {"id": f"adj_{0:032x}", "amount": "5.00", "reason": "Well done"},
    "POST /merchant/affiliates/{affiliate}/note": {"note": "Calls on Mondays"},
    "POST /merchant/affiliates/invite": {"emails": "new@partner.example"},
    "POST /merchant/affiliates/invite/back": {"email": "new@partner.example"},
    "POST /merchant/people": {"email": "new@colleague.example", "level": "viewer"},
    "POST /merchant/people/{user}/remove": {},
    "POST /merchant/onboarding/live-access": {},
    "POST /merchant/onboarding/platform": {"platform": "code"},
    "POST /merchant/onboarding/campaign": {"value": "10"},
    "POST /merchant/onboarding/follow": {},
    "POST /merchant/onboarding/order": {},
    "POST /merchant/onboarding/deliver": {},
    "POST /merchant/onboarding/take": {},
    "POST /merchant/onboarding/store": {"connection": "{connection}"},
    "POST /merchant/products": {"externalProductId": "SKU-2", "name": "New", "price": "1.00"},
    "POST /merchant/products/{product}": {"name": "Another name", "price": "1.00"},
    "POST /merchant/products/{product}/status": {"status": "ARCHIVED"},
    "POST /merchant/test/clock": {"by": "1d"},
    "POST /merchant/test/empty": {},
    "POST /merchant/test/play": {"scenario": "order"},
    "POST /merchant/rates": {"campaign": "{campaign}", "value": "11"},
    "POST /merchant/rates/{rate}/drop": {},
    "POST /merchant/rates/{rate}/publish": {},
    "POST /merchant/reconcile": {"send": "1"},
    "POST /merchant/reconcile/send": {"rows": "externalOrderId,orderAmount\nX-1,1.00\n"},
    "POST /merchant/tokens": {"name": "ci", "orders:read": "1", "ends": "30d"},
    "POST /merchant/tokens/signatures": {"required": "1"},
    "POST /merchant/tokens/{token}/revoke": {},
    "POST /merchant/uploads": {"kind": "products", "dry": "1"},
    "POST /merchant/questions/{order}": {"text": "Because."},
    "POST /merchant/profile": {"legalName": "Another name"},
    "POST /merchant/commissions": {"verdict": "approve", "tick.{order}": "1"},
    "POST /merchant/messages": {"tick.{parked}": "1"},
    "POST /merchant/messages/replay": {"status": "PARKED"},
    "POST /merchant/messages/{event}/replay": {},
    "POST /merchant/logs/signature": {"key": "{key}", "timestamp": "1795176000", "signature": "0" * 64},
    "POST /merchant/logs/delivery": {"connection": "{connection}", "headers": "X-WC-Webhook-Signature: AAAA"},
    "POST /merchant/reviews": {"verdict": "dismiss", "tick.{review}": "1"},
    "POST /merchant/reviews/all": {"verdict": "dismiss", "upto": "{review}"},
    "POST /merchant/reviews/undo": {"bulk": "blk_0"},
    "POST /merchant/attention/aside": {"matter": "reviews", "mark": "{review}", "reason": "Later"},
    "POST /merchant/attention/back": {"matter": "reviews"},
    "POST /merchant/messages/aside": {"tick.{parked}": "1", "reason": "A test"},
    "POST /merchant/messages/back": {"tick.{parked}": "1"},
    "POST /merchant/orders/{order}/reopen": {},
    "POST /merchant/orders/{order}/separate": {},
    "POST /merchant/orders/{order}/decide": {"verdict": "reject", "reason": "fraud"},
    "POST /merchant/webhooks": {"url": "https://shop.example/hook", "events": "*"},
    "POST /merchant/webhooks/{webhook}/delete": {},
    "POST /merchant/webhooks/{webhook}/pause": {},
    "POST /merchant/webhooks/{webhook}/replay": {"since": "1d"},
    "POST /merchant/webhooks/{webhook}/change": {"events": "*"},
    "POST /merchant/webhooks/{webhook}/test": {"type": "commission.paid"},
    "POST /merchant/webhooks/{webhook}/retry": {},
    "POST /merchant/webhooks/{webhook}/resume": {},
    "POST /merchant/webhooks/{webhook}/rotate": {"overlap": "1h"},
    "POST /affiliate/webhooks": {"url": "https://blog.example/hook", "events": "*"},
    "POST /affiliate/webhooks/{subscription}/delete": {},
    "POST /affiliate/webhooks/{subscription}/change": {"events": "*"},
    "POST /affiliate/webhooks/{subscription}/test": {"type": "commission.paid"},
    "POST /affiliate/webhooks/{subscription}/retry": {},
    "POST /affiliate/webhooks/{subscription}/pause": {},
    "POST /affiliate/webhooks/{subscription}/replay": {"since": "1d"},
    "POST /affiliate/webhooks/{subscription}/resume": {},
    "POST /affiliate/webhooks/{subscription}/rotate": {"overlap": "1h"},
    "POST /affiliate/campaigns/{campaign}/join": {},
    "POST /affiliate/commissions/{commission}/messages": {"text": "Why?"},
    "POST /affiliate/links": {"campaign": "{campaign}"},
    "POST /affiliate/links/{link}/name": {"name": "Mine"},
    "POST /affiliate/links/{link}/short": {"short": "mine"},
    "POST /affiliate/links/{link}/disable": {},
    "POST /affiliate/links/{link}/enable": {},
    "POST /affiliate/payouts/terms": {"minimum": "25", "waits": "1"},
    "POST /affiliate/payee": {"legal_name": "Eve", "account": "eve@blog.example", "method": "paypal"},
    "POST /affiliate/tax-details": {"tin": "12345678911", "tin_country": "DE", "birth_date": "1985-03-28"},
    "POST /affiliate/settings": {"name": "Eve", "email": "eve@blog.example"},
}
"""For each form what its fields are, so that the form would do something if it were let through: ids by {name}."""


@pytest.fixture
async def either_hub(database_url: str, clock: FakeClock) -> AsyncIterator[Hub]:
    """A hub that has every page, those of a network that collects what DAC7 asks for among them."""
    async with served(database_url, clock, HUB_PAYOUTS_DAC7="true") as hub:
        yield hub


def named(page: Page) -> str:
    return f"{page.method} {page.path}"


async def ask(visitor: Visitor, page: Page, world: World, csrf: str, account: str | None = None) -> Seen:
    """Ask for another world's page, or send a form about its objects."""
    if page.method == "GET":
        mode = "?mode=test" if page.path.startswith("/merchant") else ""
        return await visitor.get(world.address(page.path) + mode)
    fields = {world.address(name): world.address(value) for name, value in FIELDS[named(page)].items()}
    about = {} if account is None else {"account": account}
    return await visitor.post(world.address(page.path), {"csrf": csrf, **fields, **about})


def role_of(page: Page) -> str:
    (role,) = page.roles
    return role


async def count_acts(hub: Hub) -> int:
    return len((await list_acts(hub.parts.store, Wanted(limit=1000))).entries)


def test_every_form_has_a_sample() -> None:
    assert sorted(map(named, FORMS)) == sorted(FIELDS)


@in_parts(5)
@pytest.mark.parametrize("role", ["merchant", "affiliate"])
async def test_nobody_sees_or_changes_what_is_anothers(
    either_hub: Hub, clock: FakeClock, role: str, part: Part
) -> None:
    """An unknown id and another's id are answered alike; a list has one's own only."""
    ours, theirs = await world_of(either_hub, clock, "Aurora"), await world_of(either_hub, clock, "Borealis")
    async with browser(either_hub) as eve:
        await theirs.person(eve, role)
        csrf = (await eve.get("/account")).csrf
        for page in part.of(page for page in OWN if role_of(page) == role):
            before = await count_acts(either_hub)
            of_account = page.method == "POST" and role == "merchant"
            for account in (ours.account_id, theirs.account_id, None) if of_account else (None,):
                seen = await ask(eve, page, ours, csrf, account)
                if "{" in page.path + str(FIELDS.get(named(page), {}).values()) or account == ours.account_id:
                    assert seen.status in (404, 422), named(page)
                text = seen.text.replace(ours.address(page.path), "")
                for typed in FIELDS.get(named(page), {}).values():  # a refused form comes back as it was filled in
                    text = text.replace(ours.address(typed), "") if typed.startswith("{") else text
                assert [mark for mark in ours.marks if mark in text] == [], named(page)
            if account != theirs.account_id and "{" in page.path:
                assert await count_acts(either_hub) == before, named(page)


@in_parts(5)
@pytest.mark.parametrize("role", ["merchant", "affiliate"])
async def test_control_everybody_sees_what_is_theirs(either_hub: Hub, clock: FakeClock, role: str, part: Part) -> None:
    """Else the test above would pass with pages that show nothing at all; every stored text is shown as text."""
    world = await world_of(either_hub, clock, HOSTILE)
    await count_figures(either_hub)
    async with browser(either_hub) as owner:
        await world.person(owner, role, "owner" if role == "merchant" else None)
        for page in part.of(SHOWN):
            if role_of(page) == role:
                seen = await ask(owner, page, world, "")
                assert seen.status == 200, named(page)
                assert seen.headers["Content-Type"].startswith(("text/html", "text/csv", "image/", "application/"))
                if not seen.headers["Content-Type"].startswith("text/html"):
                    continue
                assert "<script>" not in seen.text, named(page)
                assert "<img src=x" not in seen.text, named(page)
                assert "style=" not in seen.text, named(page)
                if page.path == "/merchant/orders/{order}":
                    assert str(escape(HOSTILE)) in seen.text
        for place in BROKEN_DOWN[role]:
            seen = await owner.get(place)
            assert str(escape(HOSTILE)) in seen.text, place
            assert "<script>" not in seen.text, place
            assert "<img src=x" not in seen.text, place


@in_parts(5)
async def test_a_viewer_may_look_and_not_act(hub: Hub, clock: FakeClock, part: Part) -> None:
    """Nothing is done by a viewer's form but what the table of acts leaves to viewers: a token that reads."""
    world = await world_of(hub, clock, "Aurora")
    async with browser(hub) as viewer:
        await world.person(viewer, "merchant", "viewer")
        csrf = (await viewer.get("/account")).csrf
        before = await count_acts(hub)
        for page in part.of(FORMS):
            if role_of(page) == "merchant" and not (page.grant is not None and page.grant.viewers):
                seen = await ask(viewer, page, world, csrf, world.account_id)
                assert seen.status in (403, 200, 303), named(page)
        assert await count_acts(hub) == before


@in_parts(5)
async def test_a_person_of_no_merchant_gets_nowhere_by_naming_one(hub: Hub, clock: FakeClock, part: Part) -> None:
    """`?merchant=` chooses among one's own only, and a planted choice is ignored."""
    ours, theirs = await world_of(hub, clock, "Aurora"), await world_of(hub, clock, "Borealis")
    async with browser(hub) as eve:
        await theirs.person(eve, "merchant", "owner")
        for page in part.of(SHOWN):
            if role_of(page) == "merchant" and "{" not in page.path:
                assert (await eve.get(f"{page.path}?merchant={ours.merchant_id}")).status == 404, page.path
                planted = await eve.get(page.path, Cookie=f"hub={eve.cookie}; hub-shown={ours.merchant_id}.test")
                assert ours.merchant_id not in planted.text
                assert ours.name not in planted.text
