"""How single values are read: every field is optional, but money and ids are never guessed."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from hub.api import CURRENCIES, Unmappable, parse_instant, storable

ZERO = Decimal(0)
_MONEY = re.compile(r"-?[0-9]{1,12}(\.[0-9]{1,10})?")
_DIGITS = re.compile(r"[0-9]{1,19}")
_MOST_DECIMALS = 10
_LARGEST_ID = 2**63
_LARGEST_QUANTITY = 10**7
_HIGHEST = 10**15
_FINE = Decimal("0.000001")


def record(value: Any) -> dict[str, Any]:
    """Read an object; anything else is an empty one."""
    return value if isinstance(value, dict) else {}


def records(value: Any) -> tuple[dict[str, Any], ...]:
    """Read an array of objects; anything else is empty."""
    return tuple(each for each in value if isinstance(each, dict)) if isinstance(value, list) else ()


def text(value: Any, longest: int = 255) -> str | None:
    """Read a text; what is blank, over-long, no text, or cannot be stored is none."""
    if not isinstance(value, str) or not value.strip() or len(value) > longest:
        return None
    try:
        return storable(value.strip())
    except Unmappable:
        return None


def word(value: Any) -> str | None:
    """Read a word of Shopify's own, such as a status, in lower case."""
    found = text(value)
    return None if found is None else found.lower()


def number_or_text(value: Any) -> str | None:
    """Read what is a text but may come as a number, such as the value of a cart attribute."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LARGEST_ID:
        return str(value)
    return text(value)


def identity(value: Any) -> str | None:
    """Read an id as text: a whole number, its digits, or the end of a gid; ids beyond 2^53 keep every digit."""
    if isinstance(value, str):
        tail = value.rpartition("/")[2] if value.startswith("gid://shopify/") else value.strip()
        value = int(tail) if _DIGITS.fullmatch(tail) else None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < _LARGEST_ID:
        return None
    return str(value)


def own_id(body: dict[str, Any], what: str) -> str:
    """Read the id of the body itself; raises `Unmappable` where it has none."""
    found = identity(body.get("id")) or identity(body.get("admin_graphql_api_id"))
    if found is None:
        raise Unmappable(f"the {what} has no id")
    return found


def money(value: Any, name: str) -> Decimal | None:
    """Read an amount that Shopify writes as a text or, in refunds, as a number; raises `Unmappable` for neither."""
    if value is None or value == "":
        return None
    if isinstance(value, str) and _MONEY.fullmatch(value.strip()):
        return Decimal(value.strip())
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        amount = Decimal(value)
        if _is_sane(amount):
            return amount
    raise Unmappable(f'`{name}` is no amount of money such as "49.90"')


def shop_money(body: dict[str, Any], name: str) -> Decimal | None:
    """Read an amount in the shop's currency: from `<name>_set`, or from the plain field, which is in it too."""
    inside = record(record(body.get(f"{name}_set")).get("shop_money"))
    amount = money(inside.get("amount"), f"{name}_set.shop_money.amount")
    return money(body.get(name), name) if amount is None else amount


def shop_currency(body: dict[str, Any], name: str) -> str | None:
    """Read the shop's currency from a money set."""
    return currency(record(record(body.get(f"{name}_set")).get("shop_money")).get("currency_code"))


def currency(value: Any) -> str | None:
    """Read an ISO 4217 code."""
    return value if isinstance(value, str) and value in CURRENCIES else None


def quantity(value: Any, unstated: int) -> int:
    """Read a number of pieces; raises `Unmappable` for what cannot be one."""
    if value is None:
        return unstated
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST_QUANTITY:
        return value
    raise Unmappable("a quantity is no whole number of pieces")


def stock(value: Any) -> int | None:
    """Read a stock level, which may be negative where a shop sells more than it has."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _HIGHEST:
        return value
    return None


def instant(value: Any) -> int | None:
    """Read a time with the shop's offset as ms UTC; what is none is not stated."""
    if not isinstance(value, str):
        return None
    try:
        moment = parse_instant(value)
    except (ValueError, OverflowError):
        return None
    return moment if moment >= 0 else None


def fine(amount: Decimal) -> Decimal:
    """An amount that came out of a division, cut to a millionth."""
    return amount if amount == amount.quantize(_FINE) else amount.quantize(_FINE)


def _is_sane(amount: Decimal) -> bool:
    exponent = amount.as_tuple().exponent
    return isinstance(exponent, int) and -_MOST_DECIMALS <= exponent <= 12 and (not amount or amount.adjusted() < 12)
