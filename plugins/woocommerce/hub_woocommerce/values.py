"""How single values are read: PHP writes empties, numbers and texts as it likes; money and ids are never guessed."""

from __future__ import annotations

import re
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal
from typing import Any

from hub.api import (
    Unmappable,
    as_currency,
    as_moment,
    as_money,
    as_number,
    as_record,
    as_records,
    as_text,
    id_or_none,
    storable,
)

ZERO = Decimal(0)
_DIGITS = re.compile(r"[0-9]{1,19}")
_LARGEST_QUANTITY = 10**7

record, number, currency = as_record, as_number, as_currency


def records(value: Any) -> tuple[dict[str, Any], ...]:
    """Read an array of objects; PHP writes an array with gaps in its numbering as an object."""
    if isinstance(value, dict) and all(_DIGITS.fullmatch(str(name)) for name in value):
        value = list(value.values())
    return as_records(value)


def text(value: Any, longest: int = 255) -> str | None:
    """Read a text; blank, over-long and other values are none. Raises `Unmappable` for what cannot be stored."""
    return as_text(value if not isinstance(value, str) or len(value) > longest else storable(value), longest)


def number_or_text(value: Any) -> str | None:
    """Read what is a text but may come as a number, such as an SKU."""
    return id_or_none(value) if isinstance(value, int) else text(value)


def word(value: Any) -> str | None:
    """Read a word of WooCommerce's own, such as a status, in lower case and without "wc-"."""
    found = text(value)
    return None if found is None else found.lower().removeprefix("wc-")


def identity(value: Any) -> str | None:
    """Read an id as text; 0 is none, as in a line whose product was deleted."""
    found = id_or_none(value)
    return found if found is not None and _DIGITS.fullmatch(found) else None


def own_id(body: dict[str, Any], what: str) -> str:
    """Read the id of the body itself; raises `Unmappable` where it has none."""
    found = identity(body.get("id"))
    if found is None:
        raise Unmappable(f"the {what} has no `id`")
    return found


def money(value: Any, name: str) -> Decimal | None:
    """Read an amount; refunds are negative, empty ones are None. Raises `Unmappable` for what is no amount."""
    return as_money(value, name, signed=True)


def due_money(value: Any, name: str) -> Decimal:
    """Read an amount that must be there; raises `Unmappable` where it is not."""
    amount = money(value, name)
    if amount is None:
        raise Unmappable(f"`{name}` is missing")
    return amount


def pieces(value: Any) -> int:
    """Read a quantity, by weight or negative in refunds, as whole pieces: a part of a piece is one; 0 is unstated."""
    amount = number(value)
    if amount is None or abs(amount) > _LARGEST_QUANTITY or not amount:
        return 0
    return max(int(abs(amount).quantize(Decimal(1), ROUND_HALF_UP)), 1)


def stock(value: Any) -> int | None:
    """Read a stock level, which may be negative on backorder, a text, or have decimals; a part of a piece is none."""
    amount = number(value)
    return None if amount is None else int(amount.to_integral_value(ROUND_FLOOR))


def instant(value: Any) -> int | None:
    """Read one of the `*_gmt` times, which are UTC without saying so, as ms UTC; what is none is not stated."""
    return as_moment(value, "", utc=True, lenient=True)
