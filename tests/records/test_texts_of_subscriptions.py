"""Every text of a subscription on every surface: whoever adds one is told where it is missing."""

from __future__ import annotations

import json
from pathlib import Path

import aiohttp

from hub.app import Hub
from hub.operations.users.users import NewUser, create_user
from hub.testing.clock import FakeClock
from hub.validation.input_reader import texts_of
from hub.validation.inputs import SubscriptionTexts
from tests.pages.visitor import browser, enter, user_of
from tests.records.terminal import terminal
from tests.served_hub import Api, new_key, new_merchant
from tests.token_api.callers import ADMIN, program, token

TEXTS = texts_of(SubscriptionTexts)
WRITTEN = {each.wire: f"what {each.name} says" for each in TEXTS}
HOOK = {"url": "https://shop.example/hook", "events": ["commission.*"]}
GUIDE = Path(__file__).parents[2] / "docs" / "webhooks.md"


async def test_every_surface_takes_and_shows_every_text(hub: Hub, clock: FakeClock) -> None:
    merchant_id = await new_merchant(hub, clock, approve=True)
    async with aiohttp.ClientSession(hub.url) as session:
        api = Api(session, await new_key(hub, clock, merchant_id, "live"), clock)
        made = (await api("POST", "/v1/subscriptions", {**HOOK, **WRITTEN})).json["id"]
        answers = {"merchant API": (await api("GET", "/v1/subscriptions")).raw.decode()}
    async with program(hub) as anybody:
        admin = anybody.using(await token(hub, clock, "admin:read"))
        answers["operators' API"] = (await admin("GET", f"{ADMIN}/subscriptions")).raw.decode()
    await create_user(hub.parts.store, clock, NewUser("ann@shop.example", "merchant", merchant_id))
    await user_of(hub, clock)
    async with browser(hub) as ann:
        await enter(ann, hub, clock, "ann@shop.example")
        answers["merchant's list"] = (await ann.get("/merchant/webhooks?mode=live")).text
        answers["merchant's page"] = (await ann.get(f"/merchant/webhooks/{made}?mode=live")).text
    missing = [f"`{wire}` of a subscription is not in the {surface}" for surface, answer in answers.items()
               for wire, words in WRITTEN.items() if words not in answer]  # fmt: skip
    assert missing == []


async def test_a_text_is_changed_by_another_and_ended_by_an_empty_one(hub: Hub, clock: FakeClock) -> None:
    async with aiohttp.ClientSession(hub.url) as session:
        api = Api(session, await new_key(hub, clock, await new_merchant(hub, clock, approve=True), "live"), clock)
        made = (await api("POST", "/v1/subscriptions", {**HOOK, **WRITTEN})).json["id"]
        one = f"/v1/subscriptions/{made}"
        for each in TEXTS:
            assert (await api("PATCH", one, {"events": ["*"]})).json[each.wire] == WRITTEN[each.wire]
            assert (await api("PATCH", one, {each.wire: " Another "})).json[each.wire] == "Another"
            assert (await api("PATCH", one, {each.wire: ""})).json[each.wire] is None
            assert (await api("PATCH", one, {each.wire: "x" * 5_000})).status == 400


async def test_a_form_says_which_text_is_too_long(hub: Hub, clock: FakeClock) -> None:
    merchant_id = await new_merchant(hub, clock, approve=True)
    await create_user(hub.parts.store, clock, NewUser("ann@shop.example", "merchant", merchant_id))
    async with browser(hub) as ann:
        await enter(ann, hub, clock, "ann@shop.example")
        for each in TEXTS:
            form = {"url": "https://shop.example/hook", "events": "*", each.wire: "x" * 5_000}
            answer = await ann.send("/merchant/webhooks?mode=test", "/merchant/webhooks", **form)
            assert (answer.status, f'id="{each.wire}-fault"' in answer.text) == (422, True)


def test_every_text_can_be_typed_and_read_at_the_terminal(sqlite_url: str) -> None:
    run = terminal(sqlite_url)
    run("merchant", "create", "--name", "Fern", "--email", "ann@shop.example", "--domain", "shop.example")
    (merchant,) = json.loads(run("merchant", "list", "--json"))
    typed = [part for each in TEXTS for part in (f"--{each.name.replace('_', '-')}", WRITTEN[each.wire])]
    own = ("--merchant", merchant["id"], "--mode", "test")
    made = json.loads(run("subscription", "create", *own, "--url", "https://shop.example/hook", "--events", "*", *typed,
                          "--json"))["id"]  # fmt: skip
    assert [words for words in WRITTEN.values() if words not in run("subscription", "list")] == []
    changed = json.loads(run("subscription", "update", made, *typed, "--json"))
    assert {wire: changed[wire] for wire in WRITTEN} == WRITTEN


def test_every_text_is_in_the_guide() -> None:
    guide = GUIDE.read_text("utf-8")
    assert [each.wire for each in TEXTS if f"`{each.wire}`" not in guide] == [], "name it in docs/webhooks.md"
