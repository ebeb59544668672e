"""What pages say to owners and affiliates without code: no command, variable, file of ours or field of the API."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Final

import attrs
import pytest
from hub_generic import payloads

from hub import pages
from hub.app import Hub
from hub.pages.navigation import navigation_of
from hub.pages.order_words import REASONS, SKIPPED, skip_words
from hub.pages.routes import all_pages
from hub.testing.clock import FakeClock
from tests.pages.files import FILES
from tests.pages.test_looks import OFF, ONCE
from tests.pages.test_messages import failed_message
from tests.pages.test_navigation import Everybody
from tests.pages.visitor import Visitor, browser
from tests.pages.world import world_of

CODE: Final = re.compile(
    r"\bhub [a-z-]+ [a-z-]+ (?=--|con_|evt_)|\bHUB_[A-Z]\w*|\bdocs/\w+|(?<!\S)--[a-z]+"
    r"|(?<![\w=])[a-z]+[A-Z][a-z]\w*|(?<![\w/])[a-z]+_[a-z]\w*\b(?<![0-9])"
)
FOLDED: Final = re.compile(r"<(details|pre|style|script)\b.*?</\1>", re.DOTALL)
"""What is closed until it is opened, and the bodies of messages as they came."""
PROOF: Final = re.compile(r"\b[\w-]{24,}\b")
"""The value that proves a domain, whose letters may look like a name."""
OF_PROGRAMS: Final = ("/merchant/test", "/affiliate/webhooks", "/account/tokens")
"""Beside *Developers*: the pages for whose readers the field's name is what they look for."""
BODIES: Final = (payloads.LinePayload, payloads.OrderPayload, payloads.NewsPayload, payloads.RefundPayload,
                 payloads.ProductPayload, payloads.StockPayload)  # fmt: skip
PEOPLE: Final = ("merchant", "affiliate")


def code_in(text: str) -> list[str]:
    """Return what of a text is for programs."""
    return sorted(set(CODE.findall(text)))


def pages_of(role: str) -> list[str]:
    """Return the addresses of a role's own pages, with names in braces."""
    gets = [page for page in all_pages() if page.method == "GET" and role in page.roles and not FILES.search(page.path)]
    return [page.path for page in gets if page.path not in (*ONCE, *OFF) and not is_of_programs(page.path)]


def is_of_programs(path: str) -> bool:
    """Return that a page is for who writes the store's code."""
    found = navigation_of(Everybody(), re.sub(r"\{\w+\}", "x", path)).current
    return path.startswith(OF_PROGRAMS) or (found is not None and found.name == "Developers")


def test_a_refusal_is_said_without_the_command_that_operators_read() -> None:
    """`str` of an `OperatorFault` ends with a command; its `reason` is for everybody."""
    says = re.compile(r"except OperatorFault as (\w+):\n(?: {8,}.*\n)*?.*\bstr\(\1\)")
    assert says.search("    except OperatorFault as fault:\n        return await show(str(fault))\n"), "the control"
    folders = [Path(pages.__file__).parent / name for name in PEOPLE]
    sources = [each for folder in folders for each in folder.glob("*.py")]
    assert len(sources) > 40
    assert [each.name for each in sources if says.search(each.read_text("utf-8"))] == []


async def opened(visitor: Visitor, address: str) -> str:
    """Read what is seen at an address without unfolding anything, in the account that the page belongs to."""
    seen = await visitor.get(address)
    for _ in range(2):
        if seen.status == 303 and seen.location is not None:
            seen = await visitor.get(seen.location)
    assert seen.status == 200, (address, seen.status, seen.location)
    return PROOF.sub(" ", unescape(re.sub(r"<[^>]*>", " ", FOLDED.sub(" ", seen.text))))


@pytest.mark.parametrize("role", PEOPLE)
async def test_no_page_says_what_only_a_program_needs(hub: Hub, clock: FakeClock, role: str) -> None:
    world = await world_of(hub, clock, "Fern")
    addresses = [world.address(path) for path in pages_of(role)]
    if role == "merchant":
        failed = await failed_message(world, clock)
        addresses += [f"/merchant/messages/{failed}", f"/merchant/orders/{world.ids['review']}"]
    async with browser(hub) as visitor:
        await world.person(visitor, role)
        await visitor.get("/merchant?mode=test")
        said = {
            address: code_in((await opened(visitor, address)).replace(world.ids["link"], " ")) for address in addresses
        }
    assert {address: found for address, found in said.items() if found} == {}


@pytest.mark.parametrize(
    "words", [*(f"{reason.words} {reason.cure}" for reason in REASONS.values()), *SKIPPED.values()]
)
def test_each_reason_and_cure_is_said_without_the_apis_names(words: str) -> None:
    assert code_in(words) == []


@pytest.mark.parametrize("body", BODIES)
def test_a_field_of_a_webhook_is_called_what_its_reader_calls_it(body: type[attrs.AttrsInstance]) -> None:
    for field in attrs.fields(body):
        for name in (field.name, payloads.camel(field.name), f"lines[3].{field.name}"):
            assert code_in(skip_words(f"unmappable: `{name}` is missing") or "") == [], name
    assert skip_words("unmappable: `shop_colour` is missing") == "The hub cannot read it: `shop_colour` is missing."


@pytest.mark.parametrize("text", [
    "hub connection credentials con_1 --from FILE", "HUB_SERVER_PUBLIC_URL", "docs/connect-a-store.md", "clickId",
    "send external_order_id",
])  # fmt: skip
def test_the_control_sees_what_is_for_programs(text: str) -> None:
    assert code_in(text)
