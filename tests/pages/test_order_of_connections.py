"""What an owner reads first on a connection's page: what to press, before what is done by hand, and no command at all.

These are the findings F10e, F10f and F14 of owners who connected real stores.
"""

from __future__ import annotations

import re

import pytest

from hub.app import Hub
from hub.operations.connections.platform_apps import delete_app, set_app
from hub.testing.clock import FakeClock
from tests.pages.test_connections import HERE
from tests.pages.test_keys import owner
from tests.pages.visitor import Seen, Visitor, browser

SET_UP = "/merchant/onboarding"
COMMAND = re.compile(r"\bhub (?:connection|plugin|event|conversion|link|merchant) \w+|--from FILE")
FOR_DEVELOPERS = ("key", "sign", "request", "idempot")


async def page_of(ann: Visitor, connector: str) -> Seen:
    """Connect a store of a platform, and open its page."""
    made = await ann.send(f"{HERE}?connector={connector}", HERE, connector=connector)
    return await ann.get(str(made.location).partition("?")[0])


async def connectors(hub: Hub) -> list[str]:
    return [each.name for each in (await hub.parts.plugins.catalog()).connectors if each.connects]


def places(seen: Seen, *texts: str) -> list[int]:
    """Return where each text begins in the page; raise ValueError if one is not there."""
    return [seen.text.index(text) for text in texts]


async def test_f14_what_is_pressed_comes_before_what_is_done_by_hand(hub: Hub, clock: FakeClock) -> None:
    """WooCommerce has both, a file and a consent; the steps are folded, and below them is how it goes."""
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        seen = await page_of(ann, "woocommerce")
    in_turn = places(
        seen, ">Download the file<", ">Connect in WooCommerce<", "All steps, and how to set it up by hand",
        "<h2>Health</h2>", "<h2>What the hub reads from the store</h2>", "<h2>Last deliveries</h2>",
    )  # fmt: skip
    assert in_turn == sorted(in_turn)
    folded = re.search(r"<details([^>]*)>\s*<summary>All steps, and how", seen.text)
    assert folded is not None
    assert "open" not in folded[1]


async def test_f14_control_steps_that_are_all_there_is_are_not_folded(hub: Hub, clock: FakeClock) -> None:
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        seen = await page_of(ann, "magento")
    assert re.search(r"<details open>\s*<summary>All steps<", seen.text)


async def test_f14_keys_are_asked_for_beside_the_steps_that_lead_to_them(hub: Hub, clock: FakeClock) -> None:
    """Where nothing else connects the store; the control is WooCommerce, which has a file and a page."""
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        for name, is_first in (("stripe", True), ("magento", True), ("woocommerce", False)):
            seen = await page_of(ann, name)
            form, health = places(seen, "/credentials", "<h2>Health</h2>")
            assert (form < health) == is_first, name
            assert len(re.findall(r'action="[^"]*/credentials"', seen.text)) == 1, name


async def test_f14_a_page_to_agree_on_is_offered_once_the_operator_has_the_app(hub: Hub, clock: FakeClock) -> None:
    """Else the button leads to a refusal."""
    platforms = hub.parts.pages.platforms
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        for name in ("squarespace", "shopify"):
            assert "/consent" not in (await page_of(ann, name)).text
            await set_app(platforms, name, "client-1", "client-s3cret")
            assert "/consent" in (await page_of(ann, name)).text
            await delete_app(platforms, name)


async def test_f14_a_secret_that_is_in_the_file_is_for_those_who_do_it_by_hand(hub: Hub, clock: FakeClock) -> None:
    """BigCommerce has no file, so there it is not folded away."""
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        for name, is_folded in (("woocommerce", True), ("bigcommerce", False)):
            shown, folded = places(await page_of(ann, name), "Copy this secret now", "<summary>All steps")
            assert (shown > folded) == is_folded, name


async def test_f10e_no_platforms_page_tells_an_owner_to_type_a_command(hub: Hub, clock: FakeClock) -> None:
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        said = {name: COMMAND.findall((await page_of(ann, name)).words) for name in await connectors(hub)}
    assert len(said) > 5
    assert not any(said.values()), said


@pytest.mark.parametrize("sentence", ["New credentials: hub connection credentials con_1 --from FILE", "--from FILE"])
def test_f10e_control_a_command_would_be_found(sentence: str) -> None:
    assert COMMAND.search(sentence)


async def test_f10f_set_up_connects_the_store_in_at_most_eight_steps(hub: Hub, clock: FakeClock) -> None:
    """Each platform has the step that connects it, which leads to its own form, and none of a developer's."""
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        for name in await connectors(hub):
            await ann.send(SET_UP, f"{SET_UP}/platform", platform=name)
            seen = await ann.get(SET_UP)
            steps = re.findall(r'<li id="(\w+)" class', seen.text)
            titles = " ".join(re.findall(r"<h2>([^<]+)<span", seen.text)).lower()
            assert len(steps) <= 8, (name, steps)
            assert "store" in steps, (name, steps)
            assert [word for word in FOR_DEVELOPERS if word in titles] == [], (name, titles)
            there = re.search(rf'href="({HERE}\?mode=test&amp;connector={name})#new"', seen.text)
            assert there is not None, name
            form = await ann.get(there[1].replace("&amp;", "&"))
            assert f'name="connector" value="{name}"' in form.text, name


async def test_f10f_control_whoever_writes_code_makes_a_key(hub: Hub, clock: FakeClock) -> None:
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        await ann.send(SET_UP, f"{SET_UP}/platform", platform="code")
        seen = await ann.get(SET_UP)
    assert re.findall(r'<li id="(\w+)" class', seen.text)[2] == "key"
    assert "Make a test key" in seen.words
