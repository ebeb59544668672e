"""Every text that an affiliate says of itself, on every surface: whoever adds one is told where it is missing."""

from __future__ import annotations

import json
from typing import Any

import aiohttp
import pytest

from hub.app import Hub
from hub.mail.outbox import Outbox
from hub.operations.affiliates.affiliates import AffiliateChange, create_affiliate, show_affiliate, update_affiliate
from hub.operations.affiliates.memberships import Member, apply_to_campaign
from hub.operations.campaigns.campaigns import set_campaign_listing
from hub.operations.errors import OperatorFault
from hub.operations.users.users import NewUser, create_user
from hub.testing.clock import FakeClock
from hub.validation.input_reader import texts_of
from hub.validation.inputs import AffiliateTexts
from tests.pages.visitor import browser, enter, user_of
from tests.pages.world import world_of
from tests.records.terminal import terminal
from tests.served_hub import Api, new_key
from tests.token_api.callers import ADMIN, AFFILIATE, program, token

TEXTS = texts_of(AffiliateTexts)
WRITTEN: dict[str, Any] = {each.name: f"what {each.name} says, with <b>marks</b>" for each in TEXTS}
PAGE = "/affiliate/settings"


async def test_every_surface_shows_every_text(hub: Hub, clock: FakeClock) -> None:
    store, world = hub.parts.store, await world_of(hub, clock, "Aurora", subscribed=False)
    await set_campaign_listing(store, clock, world.ids["campaign"], joining="BY_APPROVAL")
    bea = (await create_affiliate(store, clock, name="Bea", email="bea@blog.example", **WRITTEN)).id
    await apply_to_campaign(store, clock, Member(world.ids["campaign"], bea), "Let me in")
    answers = dict[str, str]()
    async with program(hub) as anybody:
        admin = anybody.using(await token(hub, clock, "admin:read"))
        for place in ("affiliates", f"affiliates/{bea}", "memberships"):
            answers[f"operators' API, {place}"] = (await admin("GET", f"{ADMIN}/{place}")).raw.decode()
        own = anybody.using(await token(hub, clock, "affiliate:read", affiliate=bea))
        answers["affiliates' API"] = (await own("GET", f"{AFFILIATE}/affiliate")).raw.decode()
    await user_of(hub, clock)
    await create_user(store, clock, NewUser("bea@blog.example", "affiliate", affiliate_id=bea))
    async with browser(hub) as ann:
        await world.person(ann, "merchant", "owner")
        answers["merchant's campaign"] = (await ann.get(f"/merchant/campaigns/{world.ids['campaign']}?mode=test")).text
        answers["merchant's partner"] = (await ann.get(f"/merchant/affiliates/{bea}?mode=test")).text
    async with browser(hub) as operator:
        await enter(operator, hub, clock)
        answers["operator's page"] = (await operator.get(f"/operator/affiliates/{bea}")).text
    async with browser(hub) as affiliate:
        await enter(affiliate, hub, clock, "bea@blog.example")
        answers["own settings"] = (await affiliate.get(PAGE)).text
    missing = [f"`{name}` of an affiliate is not in the {surface}" for surface, answer in answers.items()
               for name, words in WRITTEN.items() if words.partition("<")[0] not in answer]  # fmt: skip
    assert missing == []
    assert [surface for surface, answer in answers.items() if "<b>marks" in answer and "API" not in surface] == []


async def test_a_merchants_program_reads_them_of_its_partners(hub: Hub, clock: FakeClock) -> None:
    world = await world_of(hub, clock, "Aurora", subscribed=False)
    await update_affiliate(
        hub.parts.store, clock, Outbox(hub.parts.sealer, is_on=False), world.affiliate_id, AffiliateChange(**WRITTEN)
    )
    async with aiohttp.ClientSession(hub.url) as session:
        api = Api(session, await new_key(hub, clock, world.merchant_id, "test"), clock)
        (partner,) = (await api("GET", "/v1/affiliates")).json["data"]
    assert {each.name: partner[each.wire] for each in TEXTS} == WRITTEN


async def test_an_affiliate_says_changes_and_ends_each(hub: Hub, clock: FakeClock) -> None:
    """What is too long, or hides what no one sees, is said at its field, and nothing is lost of what was typed."""
    store = hub.parts.store
    bea = await create_affiliate(store, clock, name="Bea", email="bea@blog.example")
    await create_user(store, clock, NewUser("bea@blog.example", "affiliate", affiliate_id=bea.id))
    async with browser(hub) as visitor:
        await enter(visitor, hub, clock, "bea@blog.example")
        for each in TEXTS:
            form = {"name": "Bea", "email": "bea@blog.example"}
            for typed, kept in ((" A blog ", "A blog"), ("", None)):
                assert (await visitor.send(PAGE, PAGE, **form, **{each.wire: typed})).status == 303
                assert getattr(await show_affiliate(store, bea.id), each.name) == kept
            for wrong in ("x" * 5_000, "a blog\u202egolb"):
                refused = await visitor.send(PAGE, PAGE, **form, **{each.wire: wrong})
                assert (refused.status, f'id="{each.wire}-fault"' in refused.text) == (422, True)
                assert wrong in refused.text


async def test_a_change_of_the_name_leaves_the_texts(hub: Hub, clock: FakeClock) -> None:
    store = hub.parts.store
    made = await create_affiliate(store, clock, name="Bea", email="bea@blog.example", **WRITTEN)
    changed = await update_affiliate(
        store, clock, Outbox(hub.parts.sealer, is_on=False), made.id, AffiliateChange(name="Bea's")
    )
    assert {name: getattr(changed, name) for name in WRITTEN} == WRITTEN
    too_long: dict[str, Any] = dict.fromkeys(WRITTEN, "x" * 5_000)
    with pytest.raises(OperatorFault, match="must be at most"):
        await create_affiliate(store, clock, name="Cy", email="cy@blog.example", **too_long)


def test_every_text_can_be_typed_and_read_at_the_terminal(sqlite_url: str) -> None:
    run = terminal(sqlite_url)
    typed = [part for each in TEXTS for part in (f"--{each.name.replace('_', '-')}", WRITTEN[each.name])]
    made = json.loads(run("affiliate", "create", "--name", "Bea", "--email", "bea@blog.example", *typed, "--json"))
    assert {each.name: made[each.wire] for each in TEXTS} == WRITTEN
    assert [words for words in WRITTEN.values() if words not in run("affiliate", "show", made["id"])] == []
    ended = [part for each in TEXTS for part in (f"--{each.name.replace('_', '-')}", "")]
    changed = json.loads(run("affiliate", "update", made["id"], *ended, "--json"))
    assert {changed[each.wire] for each in TEXTS} == {None}
