"""Every text of a link on every surface: whoever adds one is told where it is missing."""

from __future__ import annotations

import json
from pathlib import Path

import aiohttp

from hub.app import Hub
from hub.testing.clock import FakeClock
from hub.validation.input_reader import texts_of
from hub.validation.inputs import LinkTexts
from tests.pages.visitor import browser, enter, user_of
from tests.pages.world import world_of
from tests.records.terminal import terminal
from tests.served_hub import Api
from tests.token_api.callers import ADMIN, AFFILIATE, program, token

TEXTS = texts_of(LinkTexts)
GUIDE = Path(__file__).parents[2] / "docs" / "api.md"


def written(surface: str) -> dict[str, str]:
    """What a link says that is made on a surface."""
    return {each.wire: f"{each.name} by {surface}" for each in TEXTS}


async def test_every_surface_takes_and_shows_every_text(hub: Hub, clock: FakeClock) -> None:
    """A link is made on each, and each shows what was said on all of them."""
    world = await world_of(hub, clock, "Aurora", subscribed=False)
    affiliate, campaign = world.affiliate_id, world.ids["campaign"]
    whose = {"merchantId": world.merchant_id, "mode": "test", "affiliateId": affiliate}
    form = {"affiliate": affiliate, "campaign": campaign}
    answers = dict[str, str]()
    async with program(hub, await token(hub, clock, "admin:write")) as admin, browser(hub) as ann, browser(hub) as olu:
        own = admin.using(await token(hub, clock, "affiliate:write", affiliate=affiliate))
        await user_of(hub, clock)
        await enter(olu, hub, clock)
        await world.person(ann, "merchant", "owner")
        async with aiohttp.ClientSession(hub.url) as session:
            api = Api(session, world.key, clock)
            made = await api("POST", "/v1/links", {"affiliateId": affiliate, **written("key")})
            statuses = [
                made.status,
                (await admin("POST", f"{ADMIN}/links", {**whose, **written("operator")})).status,
                (await own("POST", f"{AFFILIATE}/links", {"campaignId": campaign, **written("partner")})).status,
                (await ann.send("/merchant/links?mode=test", "/merchant/links", **form, **written("page"))).status,
                (await olu.send("/operator/links", merchant=world.merchant_id, mode="test", affiliate=affiliate,
                                **written("desk"))).status,
            ]  # fmt: skip
            assert statuses == [201, 201, 201, 303, 303]
            answers["merchant API"] = (await api("GET", "/v1/links")).raw.decode()
        answers["operators' API"] = (await admin("GET", f"{ADMIN}/links")).raw.decode()
        answers["affiliates' API"] = (await own("GET", f"{AFFILIATE}/links?mode=test")).raw.decode()
        answers["merchant's page"] = (await ann.get("/merchant/links?mode=test")).text
        answers["operator's page"] = (await olu.get(f"/operator/links/{made.json['code']}")).text
        async with browser(hub) as partner:
            await world.person(partner, "affiliate")
            here = "/affiliate/links"
            assert (await partner.send(here, here, campaign=campaign, **written("form"))).status == 303
            answers["affiliate's page"] = (await partner.get(f"{here}/{made.json['code']}")).text
    surfaces = ("key", "operator", "partner", "page", "desk", "form")
    missing = [
        f"`{name}` of a link is not in the {surface}"
        for surface, answer in answers.items()
        for maker in (("key",) if surface in ("operator's page", "affiliate's page") else surfaces[:5])
        for name, words in written(maker).items() if words not in answer
    ]  # fmt: skip
    assert missing == []


async def test_a_form_says_which_text_is_too_long(hub: Hub, clock: FakeClock) -> None:
    world = await world_of(hub, clock, "Aurora", subscribed=False)
    campaign, whose = world.ids["campaign"], {"affiliate": world.affiliate_id}
    await user_of(hub, clock)
    async with browser(hub) as ann, browser(hub) as olu, browser(hub) as partner:
        await world.person(ann, "merchant", "owner")
        await world.person(partner, "affiliate")
        await enter(olu, hub, clock)
        for each in TEXTS:
            for visitor, form in (
                (ann, {**whose, "campaign": campaign}),
                (olu, {**whose, "merchant": world.merchant_id, "mode": "test"}),
                (partner, {"campaign": campaign}),
            ):
                here = {ann: "/merchant/links?mode=test", olu: "/operator/links"}.get(visitor, "/affiliate/links")
                refused = await visitor.send(here, here.partition("?")[0], **form, **{each.wire: "x" * 5_000})
                assert (refused.status, f'id="{each.wire}-fault"' in refused.text) == (422, True), here


def test_every_text_can_be_typed_and_read_at_the_terminal(sqlite_url: str) -> None:
    run = terminal(sqlite_url)
    run("merchant", "create", "--name", "Fern", "--email", "ann@shop.example", "--domain", "shop.example")
    (merchant,) = json.loads(run("merchant", "list", "--json"))
    partner = json.loads(run("affiliate", "create", "--name", "Bea", "--email", "bea@blog.example", "--json"))["id"]
    said = written("hand")
    typed = [part for each in TEXTS for part in (f"--{each.name.replace('_', '-')}", said[each.wire])]
    made = run("link", "create", "--merchant", merchant["id"], "--mode", "test", "--affiliate", partner, *typed)
    assert [words for words in said.values() if words not in made] == []
    (listed,) = json.loads(run("link", "list", "--json"))
    assert {wire: listed[wire] for wire in said} == said


def test_every_text_is_in_the_guide() -> None:
    (row,) = [line for line in GUIDE.read_text("utf-8").splitlines() if "`POST /v1/links`" in line]
    assert [each.wire for each in TEXTS if f"`{each.wire}`" not in row] == [], "name it in docs/api.md"
