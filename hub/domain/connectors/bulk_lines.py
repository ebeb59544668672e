"""Items put together from the lines of a file in which a platform wrote a whole list: an item, then what belongs to it.

One item is held at a time, so a file of any length is read in the memory of its longest item.
"""

from __future__ import annotations

import json
from typing import Any, Final

from attrs import define, field

from hub.domain.connectors.request_pages import AnswerFault, text_in
from hub.domain.connectors.requests import Bulk

MOST_CHILDREN: Final = 20_000
"""Of one item: more than any order or product has."""


@define
class BulkItems:
    """Takes lines in their order and returns each item once it is whole."""

    bulk: Bulk
    _item: dict[str, Any] | None = field(init=False, default=None)
    _children: int = field(init=False, default=0)

    def take(self, line: bytes) -> dict[str, Any] | None:
        """Take a line; return the item before it if this line begins another. Raise `AnswerFault`."""
        try:
            read = json.loads(line)
        except ValueError:
            raise AnswerFault("has a line that is not JSON") from None
        if not isinstance(read, dict):
            raise AnswerFault("has a line that is no object")
        if self.bulk.parent in read:
            self._append(read)
            return None
        before = self._item
        self._item, self._children = read, 0
        for path in dict.fromkeys(path for _, path in self.bulk.children):
            _array_at(read, path)
        return before

    def last(self) -> dict[str, Any] | None:
        """Return the item that the end of the file makes whole."""
        return self._item

    def _append(self, child: dict[str, Any]) -> None:
        parent = text_in(child, self.bulk.parent)
        if self._item is None or text_in(self._item, self.bulk.id) != parent:
            raise AnswerFault(f"names a part of {parent[:200]} that does not stand beside it")
        self._children += 1
        if self._children > MOST_CHILDREN:
            raise AnswerFault(f"has more than {MOST_CHILDREN:,} parts of {parent[:200]}")
        path = dict(self.bulk.children).get(text_in(child, self.bulk.kind))
        if path is not None:
            _array_at(self._item, path).append(child)


def _array_at(item: dict[str, Any], path: str) -> list[Any]:
    """Return the array at a path of an item, made if it is missing; raise `AnswerFault` if something else is there."""
    *outer, last = path.split(".")
    place: Any = item
    for name in outer:
        place = place.setdefault(name, {}) if isinstance(place, dict) else None
    found = place.setdefault(last, []) if isinstance(place, dict) else None
    if not isinstance(found, list):
        raise AnswerFault(f"has something else than an array at {path}")
    return found
