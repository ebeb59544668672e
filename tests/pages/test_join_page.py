"""A merchant's own page, by which strangers and affiliates become its partners; and the pictures that it shows."""

from __future__ import annotations

import io

import aiohttp
from PIL import Image, PngImagePlugin

from hub.app import Hub
from hub.operations.affiliates.affiliates import create_affiliate, list_affiliates
from hub.operations.affiliates.join_pages import WantedPage, set_join_page
from hub.operations.affiliates.memberships import Member, every_membership, set_membership
from hub.operations.campaigns.campaign_changes import CampaignForm, create_campaign, set_campaign_status
from hub.operations.errors import InvalidFields, OperatorFault
from hub.operations.merchants.merchants import show_merchant
from hub.operations.pictures.pictures import encoded
from hub.operations.users.users import NewUser, create_user
from hub.pages.merchant.join_page import address_like
from hub.records.merchants import MerchantDocument
from hub.testing.clock import FakeClock
from tests.pages.test_onboarding import owner_of
from tests.pages.test_registration import link_in, mailing, sent
from tests.pages.visitor import Seen, Visitor, browser, enter, seen
from tests.pages.world import HOSTILE
from tests.served_hub import new_merchant

EDIT = "/merchant/affiliates/page"
OPEN = {"HUB_PEOPLE_REGISTRATION": "open"}


async def seller(hub: Hub, clock: FakeClock, name: str = "Fjord") -> tuple[MerchantDocument, str]:
    """A merchant with an active campaign in its live account, and that campaign's id."""
    store = hub.parts.store
    merchant = await show_merchant(store, await new_merchant(hub, clock, name, approve=True))
    form = CampaignForm(
        {"title": f"{name} friends", "defaultCommissionType": "PERCENTAGE", "defaultCommissionValue": "12"}
    )
    made = await create_campaign(store, clock, merchant.id, "live", form)
    await set_campaign_status(store, clock, made.id, "ACTIVE")
    return merchant, made.id


async def opened(hub: Hub, clock: FakeClock, merchant: MerchantDocument, **more: str) -> None:
    """Switch a merchant's page on, at /join/fjord."""
    wanted = WantedPage(**{"name": "fjord", "title": "Sell Fjord", "text": "Warm coats.", "is_on": True, **more})  # type: ignore[arg-type] # texts and a flag
    await set_join_page(hub.parts.store, clock, merchant.accounts.live, wanted)


async def states(hub: Hub, campaign: str) -> dict[str, str]:
    """What the affiliates are to a campaign, by name."""
    return {m.affiliate_name: m.status for m in await every_membership(hub.parts.store, {"campaign": campaign})}


async def blogger(hub: Hub, clock: FakeClock, visitor: Visitor, name: str) -> str:
    """Sign an affiliate in and return its id."""
    email = f"{name.lower()}@blog.example"
    made = await create_affiliate(hub.parts.store, clock, name=name, email=email)
    await create_user(hub.parts.store, clock, NewUser(email, "affiliate", None, made.id))
    await enter(visitor, hub, clock, email)
    return made.id


async def test_a_stranger_registers_from_the_page_and_is_a_partner(database_url: str, clock: FakeClock) -> None:
    """The rate is said in words; the mail has no word of the stranger's or the merchant's; the merchant is told."""
    async with mailing(database_url, clock, **OPEN) as (hub, inbox), browser(hub) as eve, browser(hub) as ann:
        merchant, campaign = await seller(hub, clock)
        await owner_of(hub, clock, ann, merchant.id)
        await opened(hub, clock, merchant, acceptance="AT_ONCE")
        page = await eve.get("/join/fjord")
        assert "Sell Fjord Warm coats." in page.words
        assert "Fjord pays 12 % of each order . An order of" in page.words
        asked = await eve.send("/join/fjord", name="Buy pills", email="eve@blog.example")
        assert "we have sent you a link" in asked.words
        path = await link_in(hub, inbox, "eve@blog.example")
        text = str(inbox.mails[-1])
        assert [word for word in ("Fjord", "coats", "pills") if word in text] == []
        assert await states(hub, campaign) == {}
        assert (await eve.send(path)).location == "/affiliate/links"
        assert "https://shop.example/" in (await eve.get("/affiliate/links")).words
        assert await states(hub, campaign) == {"Buy pills": "APPROVED"}
        assert "Buy pills joined you by your page." in (await ann.get("/account/notices")).words
        await sent(hub)


async def test_an_address_that_has_an_account_is_answered_alike_and_joins_nothing(
    sqlite_url: str, clock: FakeClock
) -> None:
    """Who owns it gets a way in, three mails a day at most; a page that is off registers nobody."""
    async with mailing(sqlite_url, clock, **OPEN) as (hub, inbox), browser(hub) as eve, browser(hub) as ada:
        merchant, campaign = await seller(hub, clock)
        await opened(hub, clock, merchant, acceptance="AT_ONCE")
        await blogger(hub, clock, ada, "Ada")
        for _ in range(4):
            clock.advance(60_000)
            known = await eve.send("/join/fjord", name="Eve", email="ada@blog.example")
            assert "we have sent you a link" in known.words
        await sent(hub)
        assert [str(mail["To"]) for mail in inbox.mails] == ["ada@blog.example"] * 3
        assert await states(hub, campaign) == {}
        wrong = await eve.send("/join/fjord", name="Eve", email="nothing")
        assert (wrong.status, "is not an e-mail address" in wrong.words) == (422, True)
        await eve.send("/join/fjord", name="Eve", email="eve@blog.example")
        path = await link_in(hub, inbox, "eve@blog.example")
        csrf = (await eve.get("/join/fjord")).csrf
        await opened(hub, clock, merchant, is_on=False)  # type: ignore[arg-type] # a flag
        assert (await eve.get("/join/fjord")).status == 404
        assert (await eve.post("/join/fjord", {"csrf": csrf, "name": "E", "email": "e@e.example"})).status == 404
        await eve.send(path)
        assert "Eve" in [each.name for each in await list_affiliates(hub.parts.store)]
        assert await states(hub, campaign) == {}


async def test_where_registration_is_closed_the_page_takes_affiliates_only(sqlite_url: str, clock: FakeClock) -> None:
    """An affiliate applies with one click, once; the merchant decides, and whom it rejected is told so."""
    async with mailing(sqlite_url, clock) as (hub, _), browser(hub) as eve, browser(hub) as ada:
        merchant, campaign = await seller(hub, clock)
        await opened(hub, clock, merchant)
        closed = await eve.get("/join/fjord")
        assert "by invitation only here. Contact Fjord through its shop" in closed.words
        csrf = (await eve.get("/login")).csrf
        refused = await eve.post("/join/fjord", {"csrf": csrf, "name": "Eve", "email": "eve@blog.example"})
        assert (refused.status, "This hub does not accept registrations." in refused.words) == (422, True)
        ada_id = await blogger(hub, clock, ada, "Ada")
        assert "Apply to be a partner" in (await ada.get("/join/fjord")).words
        for _ in range(2):
            assert (await ada.send("/join/fjord", "/affiliate/join/fjord")).location == "/join/fjord"
        assert await states(hub, campaign) == {"Ada": "APPLIED"}
        assert "You have applied. Fjord decides" in (await ada.get("/join/fjord")).words
        for first in ("/affiliate", "/affiliate/links"):
            assert "is waiting Decided by: Fjord" in (await ada.get(first)).words, first
        member = Member(campaign, ada_id)
        await set_membership(hub.parts.store, clock, member, "REJECTED", "no blog")
        again = await ada.send("/join/fjord", "/affiliate/join/fjord")
        assert (again.status, "Fjord rejected this affiliate (no blog); ask them." in again.words) == (422, True)
        await set_membership(hub.parts.store, clock, member, "APPROVED")
        assert "You are a partner of Fjord." in (await ada.get("/join/fjord")).words
        assert "is waiting" not in (await ada.get("/affiliate")).words


async def test_an_owner_writes_the_page_sees_it_and_switches_it_off(hub: Hub, clock: FakeClock) -> None:
    """A preview stores nothing; faults are named at their fields; a former address leads on."""
    merchant, _ = await seller(hub, clock, "Fjord & Fern")
    fields = {"name": "fjord-fern", "title": HOSTILE, "text": "Warm coats.", "acceptance": "AT_ONCE", "is_on": "1"}
    async with browser(hub) as ann, browser(hub) as eve:
        await owner_of(hub, clock, ann, merchant.id)
        first = await ann.get(f"{EDIT}?mode=live")
        assert 'value="fjord-fern"' in first.text
        previewed = await ann.post(f"{EDIT}?do=preview", {"csrf": first.csrf, **fields})
        assert "nothing is saved yet" in previewed.words
        assert (await eve.get("/join/fjord-fern")).status == 404
        assert (await ann.send(EDIT, **fields)).location == f"{EDIT}?done=saved"
        shown = await eve.get("/join/fjord-fern")
        assert HOSTILE in shown.words
        assert HOSTILE not in shown.text
        wrong = await ann.send(EDIT, **{**fields, "name": "Fjord!", "text": "x" * 1001, "campaign": "cmp_other"})
        assert (wrong.status, "lowercase letters" in wrong.words, "this one has 1,001" in wrong.words) == (
            422,
            True,
            True,
        )
        assert (await ann.send(EDIT, **{**fields, "name": "fjord-friends"})).status == 303
        assert (await eve.get("/join/fjord-fern")).location == "/join/fjord-friends"
        assert "<svg" in (await ann.get(f"{EDIT}/qr.svg")).text
        assert "/join/fjord-friends" in (await ann.get("/merchant/affiliates?mode=live")).words
        test = await ann.send(f"{EDIT}?mode=test", EDIT, **fields)
        assert (test.status, "leads to your live account" in test.words) == (422, True)
        await ann.get(f"{EDIT}?mode=live")
        assert (await ann.send(EDIT, **{**fields, "is_on": ""})).status == 303
        assert (await eve.get("/join/fjord-fern")).status == 404


async def test_an_address_belongs_to_whoever_was_first_and_a_merchant_has_five(
    either_hub: Hub, clock: FakeClock
) -> None:
    hub, store = either_hub, either_hub.parts.store
    ours, theirs = (await seller(hub, clock, "Aurora"))[0], (await seller(hub, clock, "Borealis"))[0]

    async def named(whose: MerchantDocument, name: str) -> str:
        try:
            await set_join_page(store, clock, whose.accounts.live, WantedPage(name, "Title", "Text"))
        except InvalidFields as fault:
            return fault.faults["name"]
        return ""

    assert [await named(ours, f"north-{n}") for n in range(5)] == [""] * 5
    assert "has had 5 addresses" in await named(ours, "north-5")
    assert await named(theirs, "north-0") == "Another merchant has this address; choose a different one."
    assert await named(theirs, "north-5") == ""  # what was refused is not kept from others
    assert await named(ours, "north-2") == ""


async def logo(visitor: Visitor, content: bytes, fields: dict[str, str]) -> Seen:
    """Send the page's form with a picture."""
    form = aiohttp.FormData()
    for name, value in {"csrf": (await visitor.get(EDIT)).csrf, **fields}.items():
        form.add_field(name, value)
    form.add_field("file", content, filename="logo.png", content_type="image/png")
    async with visitor.session.post(EDIT, data=form, allow_redirects=False) as response:
        return await seen(response)


async def test_a_logo_is_written_anew_and_served_as_what_it_is(hub: Hub, clock: FakeClock) -> None:
    """What a file is called says nothing; what hides in it is gone; nothing in it can run."""
    merchant, _ = await seller(hub, clock, "Fjord")
    fields = {"name": "fjord-logo", "title": "Sell", "text": "Coats.", "acceptance": "AT_ONCE", "is_on": "1"}
    hidden = PngImagePlugin.PngInfo()
    hidden.add_text("Comment", "where it was taken")
    file = io.BytesIO()
    Image.new("RGBA", (40, 30), "red").save(file, "PNG", pnginfo=hidden)
    async with browser(hub) as ann, browser(hub) as eve:
        await owner_of(hub, clock, ann, merchant.id)
        await ann.get(f"{EDIT}?mode=live")
        for bad in (b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", b"\x89PNG\r\n\x1a\nrubbish"):
            refused = await logo(ann, bad, fields)
            assert (refused.status, "is not a PNG, JPEG or WebP picture" in refused.words) == (422, True)
        assert (await logo(ann, file.getvalue() + b"<script>", fields)).status == 303
        address = (await eve.get("/join/fjord-logo")).text.split('src="/pictures/')[1].split('"')[0]
        async with eve.session.get(f"/pictures/{address}") as response:
            content, headers = await response.read(), response.headers
        assert headers["Content-Type"] == "image/png"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
        assert Image.open(io.BytesIO(content)).size == (40, 30)
        assert [text for text in (b"script", b"taken") if text in content] == []
        assert [
            text for text in (b"script", b"taken") if text not in file.getvalue() + b"<script>"
        ] == []  # the control
        assert (await eve.get(f"/pictures/{address}", **{"If-None-Match": headers["ETag"]})).status == 304
        assert (await ann.send(EDIT, **fields, without_logo="1")).status == 303
        assert (await eve.get(f"/pictures/{address}")).status == 404


async def test_a_picture_that_is_too_large_moves_or_is_a_bomb_is_refused() -> None:
    """By what it says of itself, before a pixel is unpacked."""
    files = {}
    for what, size in (("pixels", (3000, 3000)), ("side", (5000, 4))):
        file = io.BytesIO()
        Image.new("1", size).save(file, "PNG")
        files[what] = file.getvalue()
    file = io.BytesIO()
    Image.new("RGB", (9, 9)).save(file, "WEBP", save_all=True, append_images=[Image.new("RGB", (9, 9), "red")])
    files["moves"] = file.getvalue()
    said = {}
    for what, content in files.items():
        try:
            await encoded(content)
        except OperatorFault as fault:
            said[what] = str(fault)
    assert said["pixels"].startswith("It has 3000 by 3000 pixels")
    assert said["side"].startswith("It has 5000 by 4 pixels")
    assert said["moves"] == "It is animated; send a still picture."


def test_an_address_begins_with_the_name_of_the_merchant() -> None:
    """Letters lose their marks; of another script nothing is left, and the merchant types it."""
    assert address_like("Müller & Söhne “Straße” Łódź") == "muller-sohne-strasse-lodz"
    assert address_like("مدونة") == ""
    assert address_like("a" * 39 + " bc") == "a" * 39
