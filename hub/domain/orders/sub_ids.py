"""Sub-ids: what an affiliate notes on a link, such as the newsletter it is in, and gets back with clicks and orders."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Final

SUB_NAMES: Final = ("sub1", "sub2", "sub3", "sub4", "sub5")
LONGEST_SUB: Final = 64


def is_sub_id(value: str) -> bool:
    """Return whether a value may be a sub-id: 1 to 64 printable characters, without blanks at either end."""
    return 0 < len(value) <= LONGEST_SUB and value.isprintable() and value.strip() == value


def sub_ids_in(values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the usable sub-ids among named values, in the order of their names; what cannot be used is left out.

    A buyer must never be turned away for what somebody appended to a link, and a shortened id would be another one.
    """
    for name in SUB_NAMES:
        value = values.get(name, "").strip()
        if is_sub_id(value):
            yield name, value


def merged_sub_ids(own: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """Return a link's own sub-ids overridden by those that a visit gives, in the order of their names."""
    both = {**own, **dict(sub_ids_in(given))}
    return {name: both[name] for name in SUB_NAMES if name in both}


def stored_sub_ids(sub_ids: Mapping[str, str]) -> str | None:
    """Return sub-ids as they are stored, in the order of their names: equal ones as equal JSON, none as None."""
    return json.dumps(sub_ids, ensure_ascii=False, separators=(",", ":")) if sub_ids else None
