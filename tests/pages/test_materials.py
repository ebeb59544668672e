"""Materials: what a merchant gives its partners, each with their own link in it; and the products as a feed."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import aiohttp
import pytest
from PIL import Image

from hub.app import Hub
from hub.operations.affiliates.links import NewLink, create_link
from hub.operations.affiliates.materials import MOST, materials_of
from hub.pages.merchant import materials as pages
from hub.testing.clock import FakeClock
from tests.pages.kept_worlds import Keeper, keeper
from tests.pages.visitor import Seen, Visitor, browser, seen
from tests.pages.world import HOSTILE, World, world_of

HERE = pages.HERE
RED = 'A "red" one'


__all__ = ["keeper"]


@pytest.fixture
def sqlite_url(keeper: Keeper, tmp_path: Path, clock: FakeClock) -> str:
    """A database with the world of these tests."""
    return keeper.of("Aurora").copied(tmp_path, clock)


async def send(visitor: Visitor, fields: dict[str, str], file: bytes | None = None) -> Seen:
    form = aiohttp.FormData(default_to_multipart=True)
    for name, value in {"csrf": (await visitor.get(f"{HERE}?mode=test")).csrf, **fields}.items():
        form.add_field(name, value)
    if file is not None:
        form.add_field("file", io.BytesIO(file), filename="banner.png")
    async with visitor.session.post(HERE, data=form, allow_redirects=False) as response:
        return await seen(response)


async def linked(hub: Hub, clock: FakeClock, world: World) -> str:
    """Give the world's affiliate a link to its campaign, and return its address."""
    wanted = NewLink(world.merchant_id, "test", world.affiliate_id, world.ids["campaign"])
    return (await create_link(hub.parts.store, clock, hub.url, wanted)).url


async def test_partners_copy_each_material_with_their_own_link(
    either_hub: Hub, clock: FakeClock, keeper: Keeper
) -> None:
    """A text where it says so, a picture as HTML, a page as an address; what is deleted is gone with its picture."""
    hub = either_hub
    world, other = await keeper.world_in(hub, clock, "Aurora"), await world_of(hub, clock, "Borealis")
    page = f"/affiliate/campaigns/{world.ids['campaign']}/materials"
    banner = io.BytesIO()
    Image.new("RGB", (60, 20), "red").save(banner, "JPEG")
    async with browser(hub) as ann, browser(hub) as ada, browser(hub) as eve:
        await world.person(ann, "merchant", "owner")
        await world.person(ada, "affiliate")
        await other.person(eve, "affiliate")
        assert "Make a link first" in (await ada.get(page)).words
        link = await linked(hub, clock, world)
        account = {"account": world.account_id}
        for fields, file in (
            ({"kind": "TEXT", "title": HOSTILE, "text": "Look: {link}!"}, None),
            ({"kind": "PICTURE", "title": RED, "destination": "https://shop.example/red"}, banner.getvalue()),
            ({"kind": "PAGE", "title": "Sale", "destination": "https://shop.example/sale?a=1"}, None),
        ):
            assert (await send(ann, {**fields, **account}, file)).location == f"{HERE}?mode=test&done=added"
        shown = await ada.get(page)
        assert f"Look: {link}!" in shown.words
        assert (HOSTILE in shown.words, HOSTILE in shown.text) == (True, False)
        assert f"{link}?to=https%3A%2F%2Fshop.example%2Fsale%3Fa%3D1" in shown.words
        picture = r'<a href="(\S+)"><img src="\S+/pictures/(\w+)" width="60" height="20" alt="A &quot;red&quot; one">'
        copied = re.search(picture, shown.words)
        assert copied
        assert copied[1] == f"{link}?to=https%3A%2F%2Fshop.example%2Fred"
        async with eve.session.get(f"/pictures/{copied[2]}") as response:
            assert response.headers["Content-Type"] == "image/jpeg"
        assert (await eve.get(page)).status == 404
        found = {each.title: each.id for each in await materials_of(hub.parts.store, world.account_id)}
        deleted = f"{HERE}/{found[RED]}/delete"
        assert (await ann.send(f"{HERE}?mode=test", deleted, **account)).location == f"{HERE}?mode=test&done=deleted"
        assert (await eve.get(f"/pictures/{copied[2]}")).status == 404
        assert (await ann.send(f"{HERE}?mode=test", deleted, **account)).status == 404


async def test_what_is_no_material_is_refused_at_its_field(hub: Hub, clock: FakeClock, keeper: Keeper) -> None:
    """A page of another shop, a picture that is none, a campaign of another's; nothing is kept of them."""
    world, other = await keeper.world_in(hub, clock, "Aurora"), await world_of(hub, clock, "Borealis")
    async with browser(hub) as ann:
        await world.person(ann, "merchant", "owner")
        before = await materials_of(hub.parts.store, world.account_id)
        good = {"kind": "TEXT", "title": "T", "text": "x", "account": world.account_id}
        for wrong, said, file in (
            ({"title": ""}, "A title is needed here.", None),
            ({"text": ""}, "A text is needed here.", None),
            ({"kind": "PAGE"}, "address of a page of your shop", None),
            ({"kind": "PAGE", "destination": "https://evil.example/"}, "The page ", None),
            ({"campaign": other.ids["campaign"]}, "Choose one of your campaigns", None),
            ({"kind": "PICTURE"}, "Choose a picture.", None),
            ({"kind": "PICTURE"}, "not a PNG, JPEG or WebP", b"<svg onload='alert(1)'/>"),
            ({"kind": "PICTURE"}, "more than 2 MiB", b"\x00" * (2 * 1024 * 1024 + 1)),
            ({"kind": "VIDEO"}, "Choose a text, a picture or a page", None),
        ):
            refused = await send(ann, {**good, **wrong}, file)
            assert (refused.status, said in refused.words) == (422, True), (wrong, refused.words[-900:])
        assert await materials_of(hub.parts.store, world.account_id) == before


async def test_an_account_keeps_so_many(hub: Hub, clock: FakeClock, monkeypatch: object, keeper: Keeper) -> None:
    assert MOST == 200
    world = await keeper.world_in(hub, clock, "Aurora")
    from hub.operations.affiliates import materials

    monkeypatch.setattr(materials, "MOST", 1)  # type: ignore[attr-defined] # pytest's
    async with browser(hub) as ann:
        await world.person(ann, "merchant", "owner")
        full = await send(ann, {"kind": "TEXT", "title": "T", "text": "x", "account": world.account_id})
        assert (full.status, "You have 1 materials." in full.words) == (422, True)


async def test_a_feed_has_every_active_product_with_the_affiliates_link(
    either_hub: Hub, clock: FakeClock, keeper: Keeper
) -> None:
    """CSV and JSON say the same; without a link, and to others, there is no feed."""
    hub = either_hub
    world, other = await keeper.world_in(hub, clock, "Aurora"), await world_of(hub, clock, "Borealis")
    feed = f"/affiliate/campaigns/{world.ids['campaign']}/products"
    async with browser(hub) as ada, browser(hub) as eve:
        await world.person(ada, "affiliate")
        await other.person(eve, "affiliate")
        assert "Make a link first" in (await ada.get(f"{feed}.csv")).words
        link = await linked(hub, clock, world)
        table = list(csv.DictReader(io.StringIO((await ada.get(f"{feed}.csv")).text)))
        assert [(row["externalProductId"], row["name"], row["price"], row["link"]) for row in table] == [
            ("SKU-1", "Aurora product", "20.00", f"{link}?to=https%3A%2F%2Fshop.example%2Fp")
        ]
        data = json.loads((await ada.get(f"{feed}.json")).text)["products"]
        assert [{name: value or "" for name, value in each.items()} for each in data] == table
        assert (await eve.get(f"{feed}.json")).status == 404
