"""Parts of lists that are read for several of their entries' homes, merged as if they were one part."""

from __future__ import annotations

from collections.abc import Sequence

from hub.operations.lists import List, Page, Wanted, Way, place_of
from hub.storage import Row


def merged(of: List, wanted: Wanted, pages: Sequence[Page[Row]]) -> Page[Row]:
    """Return the part that is wanted of a list from the same parts of what it consists of, each in the list's order."""
    key = of.query.key(wanted.sort)
    rows = [row for page in pages for row in page.entries]
    rows.sort(key=lambda row: place_of(key, row), reverse=not wanted.oldest_first)
    way, place = of.start(wanted)
    onwards = (way == "newer") is wanted.oldest_first
    shown = rows[: wanted.limit] if onwards else rows[-wanted.limit :]
    back: Way = "newer" if way == "older" else "older"
    ends: dict[Way, str | None] = {way: None, back: None}
    if shown and (len(rows) > len(shown) or any(getattr(page, way) for page in pages)):
        ends[way] = of.cursor(wanted, way, place_of(key, shown[-1 if onwards else 0]))
    if place is not None:
        ends[back] = of.cursor(wanted, back, place_of(key, shown[0 if onwards else -1]) if shown else place)
    looked_at = max((page.looked_at for page in pages), default=0)
    return Page(shown, ends["older"], ends["newer"], looked_at, wanted.oldest_first)
