"""How single values are read: leniently in form, strictly in meaning.

A refusal is a `TypeError` or `ValueError` whose text completes "`order_amount` ...".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from hub.api import CURRENCIES, parse_instant, plain_json, storable

_MOST_DECIMALS = 20
_MONEY = re.compile(rf"[0-9]{{1,12}}(\.[0-9]{{1,{_MOST_DECIMALS}}})?")
_WHOLE = re.compile(r"[+-]?[0-9]{1,12}")
_LARGEST_AMOUNT = 10**12
_LARGEST_ID = 2**63
_LONGEST_REASON = 1_000
_LARGEST_QUANTITY = 10**9


def required_text(longest: int) -> Callable[[Any], str]:
    """Make the reader of a text that may not be empty; whole numbers count, since many shops number their orders."""

    def read(value: Any) -> str:
        if type(value) is int and abs(value) < _LARGEST_ID:
            value = str(value)
        if not isinstance(value, str):
            raise TypeError("must be a string")
        if not value or value.isspace():
            raise ValueError("must not be empty")
        if len(value) > longest:
            raise ValueError(f"must be at most {longest} characters long")
        return storable(value)

    return read


def optional_text(longest: int) -> Callable[[Any], str | None]:
    """Make the reader of a text that counts as absent where it is empty."""
    read = required_text(longest)
    return lambda value: None if isinstance(value, str) and not value.strip() else read(value)


def reason(value: Any) -> str | None:
    """Read an explanation, cut where it is too long: its end is not worth losing the news for."""
    return optional_text(_LONGEST_REASON)(value[:_LONGEST_REASON] if isinstance(value, str) else value)


def money(value: Any) -> Decimal:
    """Read an amount in major units, a decimal string or a number; the hub rounds it to the currency's minor unit."""
    if isinstance(value, str) and _MONEY.fullmatch(value.strip()):
        return Decimal(value.strip())
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        amount = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
        # A tiny exponent costs four bytes in a body and a gigabyte written out.
        if amount.is_finite() and 0 <= amount < _LARGEST_AMOUNT and _decimals(amount) <= _MOST_DECIMALS:
            return amount
    raise ValueError('must be an amount of money such as "49.90": no sign, at most 12 digits before the point')


def _decimals(amount: Decimal) -> int:
    exponent = amount.as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 0


def currency(value: Any) -> str:
    """Read an ISO 4217 code in either case."""
    if isinstance(value, str) and (code := value.strip().upper()) in CURRENCIES:
        return code
    raise ValueError("must be an ISO 4217 currency code such as USD")


def instant(value: Any) -> int:
    """Read an ISO 8601 date-time with an offset as milliseconds UTC, from 1970 on."""
    if isinstance(value, str):
        try:
            moment = parse_instant(value.strip().upper())
        except (ValueError, OverflowError):
            moment = -1
        if moment >= 0:
            return moment
    raise ValueError("must be an ISO 8601 date-time with an offset, such as 2026-11-20T10:00:00Z")


def whole(value: Any) -> int:
    """Read a whole number, also where it is written 2.0 or "2"."""
    if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
        value = int(value)
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        number = Decimal(value)
        if number.is_finite() and number.copy_abs() <= _LARGEST_QUANTITY and number == int(number):
            return int(number)
    raise ValueError("must be a whole number")


def quantity(value: Any) -> int:
    """Read how many of a product were bought or refunded: at least one."""
    number = whole(value)
    if number < 1:
        raise ValueError("must be a whole number of at least 1")
    return number


def metadata(value: Any) -> dict[str, Any]:
    """Read a free-form object."""
    if not isinstance(value, dict):
        raise TypeError("must be a JSON object")
    plain: dict[str, Any] = plain_json(value)
    return plain
