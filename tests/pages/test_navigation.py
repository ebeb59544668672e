"""The way around: few names, and every page belongs to one of them."""

from __future__ import annotations

import re

import pytest

from hub.app import Hub
from hub.pages.navigation import AREAS, SET_UP, Area, navigation_of
from hub.pages.routes import all_pages
from hub.testing.clock import FakeClock
from tests.pages.files import FILES
from tests.pages.visitor import browser
from tests.pages.world import world_of

MOST_NAMES = 8


class Everybody:
    """Somebody with all roles."""

    def has_role(self, *_roles: str) -> bool:
        """Return that the person has it."""
        return True


def addresses_of(area: Area) -> list[str]:
    """Return the addresses of an area's pages that people look at."""
    return [
        re.sub(r"\{\w+\}", "x", page.path)
        for page in all_pages()
        if page.method == "GET" and page.path.startswith(area.address + "/") and not FILES.search(page.path)
    ]


@pytest.mark.parametrize("area", AREAS, ids=lambda area: area.name)
def test_eight_names_at_most_and_none_twice(area: Area) -> None:
    """While a merchant sets up, its steps stand first in place of the settings."""
    for sets_up in (False, True):
        shown = navigation_of(Everybody(), area.address, sets_up=sets_up).area
        assert shown is not None
        names = [place.name for place in shown.places]
        assert len(names) == len(set(names)) <= MOST_NAMES


@pytest.mark.parametrize("area", AREAS, ids=lambda area: area.name)
def test_every_page_belongs_to_a_name_of_its_own(area: Area) -> None:
    """No page but the overview's own marks the overview, and of names with parts one is marked."""
    lost = []
    for address in addresses_of(area):
        found = navigation_of(Everybody(), address)
        overview = found.current is not None and found.current.address == area.address and found.part is None
        if found.current is None or overview or (found.current.parts and found.part is None):
            lost.append(address)
    assert lost == []


def test_files_of_orders_are_in_the_menu_and_not_only_beside_products() -> None:
    named = {part.address: part.name for area in AREAS for place in area.places for part in place.parts}
    assert named["/merchant/uploads"] == "Files"


def test_who_sets_up_finds_the_steps_first_with_their_pages() -> None:
    found = navigation_of(Everybody(), "/merchant/domains", sets_up=True)
    assert found.area is not None
    assert found.area.places[0].address == SET_UP
    assert (found.current, found.part and found.part.name) == (found.area.places[0], "Domains")


async def test_a_list_with_filters_marks_its_own_name(hub: Hub, clock: FakeClock) -> None:
    """Whatever a page says to its template of the part that it shows, it is at its own address."""
    world = await world_of(hub, clock, "Aurora")
    async with browser(hub) as owner:
        await world.person(owner, "merchant", "owner")
        lists = {"commissions?state=HOLD": "Money", "messages?status=FAILED": "Store", "orders?state=HOLD": "Orders"}
        for address, name in lists.items():
            text = (await owner.get(f"/merchant/{address}&mode=test")).text
            assert re.findall(r'aria-current="\w+">([^<]+)</a></li>\s', text.partition("<main")[0])[0] == name
