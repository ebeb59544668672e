"""Readers of single values in a platform's parsed body, which may hold anything: ids, texts, money, moments, pieces.

What is not stated is None, or the value that the caller names; what is stated but cannot be meant raises `Unmappable`
with a sentence that names the field. Money and ids are never guessed.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, Final

from hub.domain.connectors.connector import Unmappable
from hub.domain.instants import parse_instant
from hub.domain.money import PLATFORM_CURRENCIES

LONGEST_TEXT: Final = 255
LARGEST_ID: Final = 2**63
LARGEST_QUANTITY: Final = 10**9
MOST_DECIMALS: Final = 20
_SURROGATE = re.compile("[\ud800-\udfff]").search
_MONEY = re.compile(rf"[+-]?([0-9]{{1,12}}(\.[0-9]{{0,{MOST_DECIMALS}}})?|\.[0-9]{{1,{MOST_DECIMALS}}})")
_OFFSET = re.compile(r"(Z|[+-][0-9]{2}:?[0-9]{2})$")


def storable(text: str) -> str:
    """Return the text itself; raise `Unmappable` for U+0000 and halves of surrogate pairs, which cannot be stored."""
    if "\0" in text or _SURROGATE(text):
        raise Unmappable("the body holds U+0000 or half a surrogate pair")
    return text


def as_record(value: Any) -> dict[str, Any]:
    """Return an object; anything else is an empty one."""
    return value if isinstance(value, dict) else {}


def as_records(value: Any) -> tuple[dict[str, Any], ...]:
    """Return the objects of an array; anything else is empty."""
    return tuple(each for each in value if isinstance(each, dict)) if isinstance(value, list) else ()


def as_lines(value: Any, name: str) -> tuple[dict[str, Any], ...]:
    """Return the objects of an order's list of lines; raise `Unmappable` that names it for anything but a list.

    An order without the list would be worth nothing, or be restated as nothing.
    """
    if not isinstance(value, list):
        raise Unmappable(f"the order has no list of `{name}`, so nothing says what it is worth")
    return as_records(value)


def as_text(value: Any, longest: int = LONGEST_TEXT) -> str | None:
    """Return a text without blanks around it; None if blank, longer than `longest`, not storable or not a text."""
    if not isinstance(value, str) or not value.strip() or len(value) > longest:
        return None
    try:
        return storable(value.strip())
    except Unmappable:
        return None


def as_id(value: Any, what: str) -> str:
    """Return an id as text: a text of 1 to 255 characters or a whole number, but neither empty nor 0.

    Raise `Unmappable` for anything else: "the order has no id" if `what` is "the order".
    """
    found = id_or_none(value)
    if found is None:
        raise Unmappable(f"{what} has no id")
    return found


def id_or_none(value: Any) -> str | None:
    """Return an id as `as_id` does; None for anything else, such as the 0 of a product that was deleted."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if 0 < value < LARGEST_ID else None
    found = as_text(value)
    return None if found == "0" else found


def as_money(value: Any, name: str, *, signed: bool = False) -> Decimal | None:
    """Return an amount in major units, exactly as written: a decimal text or a number; None if there is none.

    Raise `Unmappable` that names the field for anything else, for 10**12 and more, and for a negative amount unless
    `signed`.
    """
    if value is None or value == "":
        return None
    amount = as_number(value)
    if amount is None or (amount < 0 and not signed):
        raise Unmappable(f'`{name}` is no amount of money such as "49.90"')
    return amount


def as_quantity(value: Any, unstated: int, name: str = "quantity") -> int:
    """Return a number of pieces, 0 to 10**9, `unstated` for None; raise `Unmappable` for what cannot be one."""
    if value is None:
        return unstated
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST_QUANTITY:
        return value
    raise Unmappable(f"`{name}` is no whole number of pieces")


def as_moment(value: Any, name: str, *, utc: bool = False, lenient: bool = False) -> int | None:
    """Return an ISO 8601 date-time as ms UTC; None if there is none, as for MySQL's "0000-00-00 00:00:00".

    A date-time without an offset is read as UTC if `utc`, otherwise it cannot be read. Raise `Unmappable` that names
    the field for what cannot be read; if `lenient` it is None, and the time of receipt counts.
    """
    if value is None or value == "" or (isinstance(value, str) and value.startswith("0000-00-00")):
        return None
    if isinstance(value, str):
        written = value.strip().upper()
        try:
            moment = parse_instant(f"{written}+00:00" if utc and not _OFFSET.search(written) else written)
        except (ValueError, OverflowError):
            moment = -1
        if moment >= 0:
            return moment
    if lenient:
        return None
    raise Unmappable(f"`{name}` is no date-time with an offset such as 2026-11-20T10:00:00Z")


def as_currency(value: Any) -> str | None:
    """Return a code of `PLATFORM_CURRENCIES` in capitals, None if none is named; raise `Unmappable` for any other."""
    if value is None or value == "":
        return None
    code = value.strip().upper() if isinstance(value, str) else None
    if code not in PLATFORM_CURRENCIES:
        raise Unmappable("`currency` is no ISO 4217 currency code such as EUR")
    return code


def as_number(value: Any) -> Decimal | None:
    """Return a number, or its text, exactly as written; None for anything else, and for 10**12 and more."""
    if isinstance(value, str) and value.isascii() and _MONEY.fullmatch(value.strip()):
        return Decimal(value.strip())
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        amount = Decimal(value)
        exponent = amount.as_tuple().exponent
        # A tiny exponent costs four bytes in a body and a gigabyte written out.
        sane = isinstance(exponent, int) and -MOST_DECIMALS <= exponent <= 12 and (not amount or amount.adjusted() < 12)
        return amount if sane else None
    return None
