"""Parts of lists on pages: what an address asks for, and the addresses of the parts beside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from attrs import evolve

from hub.operations.lists import CursorFault, FilterValues, List, Page, Wanted
from hub.pages.visit import Visit

ROWS: Final = 50


def wanted_of(visit: Visit, wanted_list: List, filters: FilterValues | None = None) -> Wanted:
    """Return the part of a list that an address asks for; its first part if the cursor is none of the list.

    A filter that is empty is no condition.
    """
    asked = {name: None if value == "" else value for name, value in (filters or {}).items()}
    return part_of(visit, wanted_list, Wanted(asked))


def part_of(visit: Visit, wanted_list: List, wanted: Wanted) -> Wanted:
    """Return the part that an address asks for of what is wanted of a list."""
    wanted = evolve(wanted, limit=ROWS, cursor=visit.query.get("cursor") or None)
    try:
        wanted_list.start(wanted)
    except CursorFault:
        return evolve(wanted, cursor=None)
    return wanted


def beside(address: str, page: Page[Any], filters: Mapping[str, str | None]) -> tuple[str | None, str | None]:
    """Return the addresses of a list's older and newer part, at its own address with its filters; None at an end."""
    given = {name: value for name, value in filters.items() if value}
    older, newer = (
        None if cursor is None else f"{address}?{urlencode({**given, 'cursor': cursor})}"
        for cursor in (page.older, page.newer)
    )
    return older, newer


def here(visit: Visit, address: str, filters: Mapping[str, str]) -> str:
    """Return the address of the part of a list that is shown."""
    cursor = visit.query.get("cursor")
    given = {**filters, "cursor": cursor} if cursor else filters
    return f"{address}?{urlencode(given)}" if given else address


def nothing_of(noun: str, page: Page[Any], plural: str = "") -> str:
    """Return what a list says that has nothing to show, but maybe older entries to look through."""
    if page.older is None:
        return f"No {noun} matches."
    return f"None of the newest {plural or noun + 's'} here matches; there are older ones."
