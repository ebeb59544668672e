"""Hostile bodies: a good body with one place missing, null, of another type, huge, deep or unstorable."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

MISSING: Final = object()


def _deep() -> Any:
    value: Any = 1
    for _ in range(200):
        value = {"a": [value]}
    return value


VALUES: Final[tuple[Any, ...]] = (
    MISSING, None, True, 0, -1, 2**63, 10**400, Decimal("1.5"), Decimal("1e400"), Decimal("-1e-400"), "", " ", "x",
    "\0", "\ud800", "1e999999", "9" * 5000, "-1.00", "NaN", "2026-02-30T00:00:00Z", "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-23:59", [], [None], ["x"], [[]], [{}], {}, {"id": None}, {"": {}}, _deep(),
)  # fmt: skip
"""What is put in each place."""

BODIES: Final[tuple[dict[str, Any], ...]] = (
    {}, {"id": None}, {"id": 1}, {"id": "x"}, {"code": "gone", "data": {"status": 401}}, {"order": 1}, {"order": {}},
    {"data": []}, {"": ""}, {"a": _deep()},
)  # fmt: skip
"""Whole bodies that state nothing."""

NO_BODIES: Final = (
    b"", b"[]", b"null", b"1", b'"x"', b"{", b'{"a":NaN}', b'{"a":-Infinity}', b'{"a":"\xff"}', b"webhook_id=1",
    b'{"a":' * 100_000, b'{"a":' + b"9" * 5_000 + b"}", b'{"a":1e99999999999999999999}',
)  # fmt: skip
"""Raw bodies that the hub's parser refuses before a connector sees them."""

Path = tuple[str | int, ...]


def paths(value: Any, at: Path = ()) -> Iterator[Path]:
    """Every place inside a parsed body; of a list only the first and the last element."""
    if at:
        yield at
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from paths(inner, (*at, name))
    elif isinstance(value, list):
        for place in sorted({0, len(value) - 1}) if value else ():
            yield from paths(value[place], (*at, place))


def spoilt(body: dict[str, Any], at: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the body with each hostile value in one place, and what was done to it."""
    for value in VALUES:
        hostile = copy.copy(body)
        inside: Any = hostile
        for step in at[:-1]:
            # Only what leads to the place is copied: a translation changes nothing that it is given.
            inside[step] = copy.copy(inside[step])
            inside = inside[step]
        if value is MISSING:
            del inside[at[-1]]
        else:
            inside[at[-1]] = value
        yield f"{shown(at)} = {'missing' if value is MISSING else repr(value)[:40]}", hostile


def shown(at: Path) -> str:
    """Return a place as one writes it: line_items[0].price."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in at).lstrip(".")


def shape(at: Path) -> Path:
    """Return the place with every index made equal, so that alike places are tried once."""
    return tuple("*" if isinstance(step, int) else step for step in at)
