"""Headers of columns by which a list can be sorted: each a link, which works without JavaScript."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal

from attrs import frozen

Direction = Literal["ascending", "descending"]
Sorts = Mapping[str, tuple[str | None, bool]]
"""The orders of a list by their names in its address: the key that it is sorted by, and whether the lowest is first."""
DIRECTIONS: Final[Mapping[bool, Direction]] = {True: "ascending", False: "descending"}


@frozen
class SortHead:
    """The header of a column: where its link leads, and in which direction the list is sorted by it, if it is."""

    address: str
    direction: Direction | None


def sort_heads(sorts: Sorts, shown: str, address: Callable[[str], str]) -> dict[str, SortHead]:
    """Return the headers of a list that is `shown` in one of its orders, by key; `address` is that of another order.

    A header leads to the next order by its key, and behind the last one to the first: the list's usual order if there
    is no other.
    """
    names: dict[str, list[str]] = {}
    for name, (key, _) in sorts.items():
        if key is not None:
            names.setdefault(key, []).append(name)
    heads = {}
    for key, own in names.items():
        is_shown = shown in own
        following = own[(own.index(shown) + 1) % len(own)] if is_shown else own[0]
        direction = DIRECTIONS[sorts[shown][1]] if is_shown else None
        heads[key] = SortHead(address("" if following == shown else following), direction)
    return heads
