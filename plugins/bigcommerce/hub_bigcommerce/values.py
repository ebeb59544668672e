"""How single values are read: V2 writes numbers as text with four decimals and moments as RFC 2822, V3 as numbers."""

from __future__ import annotations

from decimal import Decimal
from email.utils import parsedate_to_datetime
from typing import Any

from hub.api import Unmappable, as_moment, as_money, as_text, id_or_none

ZERO = Decimal(0)
_EARLIEST_YEAR = 2000


def money(value: Any, name: str) -> Decimal:
    """Return an amount, 0 if there is none; raise `Unmappable` for what is not one."""
    return as_money(value, name, signed=True) or ZERO


def identity(value: Any) -> str | None:
    """Return an id as text; 0 is none, as in a line of a custom product."""
    found = id_or_none(value)
    return None if found == "0" else found


def own_id(body: dict[str, Any], what: str) -> str:
    """Return the id of the body itself; raise `Unmappable` if it has none."""
    found = identity(body.get("id"))
    if found is None:
        raise Unmappable(f"the {what} has no `id`")
    return found


def moment(value: Any) -> int | None:
    """Return a moment of V2 (RFC 2822) or V3 (RFC 3339) in ms UTC; None if there is none."""
    written = as_text(value)
    if written is None:
        return None
    try:
        read = parsedate_to_datetime(written)
    except (ValueError, OverflowError):
        return as_moment(written, "", utc=True, lenient=True)
    if read.tzinfo is None or read.year < _EARLIEST_YEAR:
        return None
    return int(read.timestamp()) * 1_000
