"""How single values are read: PHP writes empties, numbers and texts as it likes; money and ids are never guessed."""

from __future__ import annotations

import re
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal
from typing import Any

from hub.api import CURRENCIES, Unmappable, parse_instant, storable

ZERO = Decimal(0)
_NUMBER = re.compile(r"[+-]?([0-9]{1,12}(\.[0-9]{0,12})?|\.[0-9]{1,12})")
_DIGITS = re.compile(r"[0-9]{1,19}")
_OFFSET = re.compile(r"(Z|[+-][0-9]{2}:?[0-9]{2})$")
_LARGEST_ID = 2**63
_LARGEST_QUANTITY = 10**7
_MOST_DECIMALS = 20


def record(value: Any) -> dict[str, Any]:
    """Read an object; anything else, such as PHP's empty array, is an empty one."""
    return value if isinstance(value, dict) else {}


def records(value: Any) -> tuple[dict[str, Any], ...]:
    """Read an array of objects; PHP writes an array with gaps in its numbering as an object."""
    if isinstance(value, dict) and all(_DIGITS.fullmatch(str(name)) for name in value):
        value = list(value.values())
    return tuple(each for each in value if isinstance(each, dict)) if isinstance(value, list) else ()


def text(value: Any, longest: int = 255) -> str | None:
    """Read a text; blank, over-long and other values are none. Raises `Unmappable` for what cannot be stored."""
    if not isinstance(value, str) or not value.strip() or len(value) > longest:
        return None
    return storable(value.strip())


def number_or_text(value: Any) -> str | None:
    """Read what is a text but may come as a number, such as an SKU."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LARGEST_ID:
        return str(value)
    return text(value)


def word(value: Any) -> str | None:
    """Read a word of WooCommerce's own, such as a status, in lower case and without "wc-"."""
    found = text(value)
    return None if found is None else found.lower().removeprefix("wc-")


def identity(value: Any) -> str | None:
    """Read an id as text; 0 is none, as in a line whose product was deleted."""
    if isinstance(value, str):
        value = int(value) if _DIGITS.fullmatch(value) and value.isascii() else None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < _LARGEST_ID:
        return None
    return str(value)


def own_id(body: dict[str, Any], what: str) -> str:
    """Read the id of the body itself; raises `Unmappable` where it has none."""
    found = identity(body.get("id"))
    if found is None:
        raise Unmappable(f"the {what} has no `id`")
    return found


def number(value: Any) -> Decimal | None:
    """Read a number or its text with any count of decimals; None for anything else."""
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()) and value.isascii():
        return Decimal(value.strip())
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        amount = Decimal(value)
        exponent = amount.as_tuple().exponent
        # A tiny exponent costs four bytes in a body and a gigabyte written out.
        if isinstance(exponent, int) and -_MOST_DECIMALS <= exponent <= 12 and amount.adjusted() < 12:
            return amount
    return None


def money(value: Any, name: str) -> Decimal | None:
    """Read an amount; empty ones are None. Raises `Unmappable` for what is no amount."""
    if value is None or value == "":
        return None
    amount = number(value)
    if amount is None:
        raise Unmappable(f'`{name}` is no amount of money such as "49.90"')
    return amount


def due_money(value: Any, name: str) -> Decimal:
    """Read an amount that must be there; raises `Unmappable` where it is not."""
    amount = money(value, name)
    if amount is None:
        raise Unmappable(f"`{name}` is missing")
    return amount


def currency(value: Any) -> str | None:
    """Read an ISO 4217 code, None where none is named; raises `Unmappable` for a code that no bank knows."""
    if value is None or value == "":
        return None
    code = value.strip().upper() if isinstance(value, str) else None
    if code not in CURRENCIES:
        raise Unmappable("`currency` is no ISO 4217 currency code such as EUR")
    return code


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
    if not isinstance(value, str) or not value.strip():
        return None
    written = value.strip().upper()
    try:
        moment = parse_instant(written if _OFFSET.search(written) else f"{written}+00:00")
    except (ValueError, OverflowError):
        return None
    return moment if moment > 0 else None
