"""Products and links, managed in the pages by the merchant's owner."""

from __future__ import annotations

import re

import pytest
from yarl import URL

from hub.app import Hub
from hub.testing.clock import FakeClock
from tests.pages.test_keys import owner
from tests.pages.visitor import Visitor, browser
from tests.pages.world import World, world_of

PRODUCTS, LINKS = "/merchant/products", "/merchant/links"
TYPED = {"externalProductId": "F-1", "name": "Fern", "productUrl": "https://shop.example/fern", "price": "20.00",
         "currency": "USD", "commissionType": "PERCENTAGE", "commissionValue": "15"}  # fmt: skip


async def made(ann: Visitor, **typed: str) -> str:
    """Create a product in the page; return the address of its page."""
    answer = await ann.send(f"{PRODUCTS}/new?mode=test", PRODUCTS, **{**TYPED, **typed})
    assert answer.location, answer.words
    return URL(answer.location).path


async def test_a_product_is_created_found_changed_and_archived(either_hub: Hub, clock: FakeClock) -> None:
    async with browser(either_hub) as ann:
        await owner(either_hub, clock, ann)
        assert "No product yet" in (await ann.get(PRODUCTS)).words
        address = await made(ann)
        listed = await ann.get(f"{PRODUCTS}?q=FERN&status=ACTIVE")
        assert "20.00 USD" in listed.words
        assert "15 %" in listed.words
        assert "No product matches" in (await ann.get(f"{PRODUCTS}?q=fern&status=ARCHIVED")).words
        again = await ann.send(f"{PRODUCTS}/new", PRODUCTS, **TYPED)
        assert (again.status, "You have a product with this id already." in again.words) == (422, True)
        changed = {**TYPED, "price": "25.00", "discountPrice": "19.00", "commissionType": "", "commissionValue": ""}
        assert (await ann.send(address, **changed)).location == f"{address}?done=saved"
        assert "25.00 USD 19.00 USD" in (await ann.get(PRODUCTS)).words
        assert (await ann.send(address, f"{address}/status", status="ARCHIVED")).location == f"{address}?done=status"
        assert "Archived" in (await ann.get(address)).words
        assert (await ann.send(address, f"{address}/status", status="LOST")).status == 422


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("price", "1.234", "The price must"),
        ("productUrl", "https://other.example/", "The product URL must be on an approved domain"),
        ("name", "", "The name must"),
        ("commissionValue", "", "commissionValue or not at all"),
        ("campaignId", "cmp_1", "The campaign id"),
    ],
)
async def test_what_cannot_be_used_is_said_at_its_field(
    hub: Hub, clock: FakeClock, name: str, value: str, told: str
) -> None:
    """As the API says it, and nothing is stored."""
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        refused = await ann.send(f"{PRODUCTS}/new", PRODUCTS, **{**TYPED, name: value})
        assert refused.status == 422
        assert told in refused.words
        assert "No product yet" in (await ann.get(PRODUCTS)).words


async def test_a_long_catalogue_is_shown_page_by_page(hub: Hub, clock: FakeClock) -> None:
    """Each product once, the newest first, with the filter kept."""
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        for number in range(52):
            await made(ann, externalProductId=f"F-{number}", name=f"Fern {number}")
        seen, address, names = None, f"{PRODUCTS}?q=fern", list[str]()
        while address:
            seen = await ann.get(address)
            names += re.findall(r">(Fern \d+)</a>", seen.text)
            older = re.search(r'href="([^"]+)" rel="next"', seen.text)
            address = older[1].replace("&amp;", "&") if older else ""
        assert names == [f"Fern {number}" for number in reversed(range(52))]


async def links_of(world: World, ann: Visitor) -> str:
    return (await ann.get(f"{LINKS}?mode=test")).words


async def test_a_link_is_made_disabled_and_enabled(either_hub: Hub, clock: FakeClock) -> None:
    """For an affiliate of one's own; nobody else's can be named, known or not."""
    world = await world_of(either_hub, clock, "Aurora")
    other = await world_of(either_hub, clock, "Borealis")
    async with browser(either_hub) as ann:
        await world.person(ann, "merchant", "owner")
        made = await ann.send(f"{LINKS}?mode=test", LINKS, affiliate=world.affiliate_id, campaign=world.ids["campaign"],
                              destination="https://shop.example/new")  # fmt: skip
        assert made.location == f"{LINKS}?done=created"
        assert "https://shop.example/new" in await links_of(world, ann)
        wrong = await ann.send(
            f"{LINKS}?mode=test", LINKS, affiliate=world.affiliate_id, destination="https://e.example/"
        )
        assert (wrong.status, "The destination must be on an approved domain" in wrong.words) == (422, True)
        for unknown in (other.affiliate_id, "aff_1", "Borealis blog"):
            refused = await ann.send(f"{LINKS}?mode=test", LINKS, affiliate=unknown)
            assert (refused.status, "Choose one of your affiliates." in refused.words) == (422, True)
            assert "Borealis" not in refused.words
        link = f"{LINKS}/{world.ids['link']}/enabled"
        assert (await ann.send(f"{LINKS}?mode=test", link, enabled="0")).location == f"{LINKS}?done=disabled"
        assert "Disabled" in await links_of(world, ann)
        assert (await ann.send(f"{LINKS}?mode=test", link, enabled="1")).location == f"{LINKS}?done=enabled"
