"""How single values are read: every field is optional, but money and ids are never guessed."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from hub.api import (
    PLATFORM_CURRENCIES,
    Unmappable,
    as_moment,
    as_money,
    as_quantity,
    as_record,
    as_records,
    as_text,
    id_or_none,
)

ZERO = Decimal(0)
GID = "gid://shopify/"
_HIGHEST = 10**15
_FINE = Decimal("0.000001")


record, records, text = as_record, as_records, as_text


def word(value: Any) -> str | None:
    """Read a word of Shopify's own, such as a status, in lower case."""
    found = text(value)
    return None if found is None else found.lower()


def number_or_text(value: Any) -> str | None:
    """Read what is a text but may come as a number, such as the value of a cart attribute."""
    return id_or_none(value) if isinstance(value, int) else text(value)


def identity(value: Any) -> str | None:
    """Read an id as text: a whole number, its digits, or the end of a gid; ids beyond 2^53 keep every digit."""
    found = id_or_none(value.rpartition("/")[2] if isinstance(value, str) and value.startswith(GID) else value)
    return found if found is not None and found.isascii() and found.isdigit() else None


def own_id(body: dict[str, Any], what: str) -> str:
    """Read the id of the body itself; raises `Unmappable` where it has none."""
    found = identity(body.get("id")) or identity(body.get("admin_graphql_api_id"))
    if found is None:
        raise Unmappable(f"the {what} has no id")
    return found


def money(value: Any, name: str) -> Decimal | None:
    """Read an amount that Shopify writes as a text or, in refunds, as a number; corrections may be negative."""
    return as_money(value, name, signed=True)


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
    return value if isinstance(value, str) and value in PLATFORM_CURRENCIES else None


quantity = as_quantity


def stock(value: Any) -> int | None:
    """Read a stock level, which may be negative where a shop sells more than it has."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _HIGHEST:
        return value
    return None


def instant(value: Any) -> int | None:
    """Read a time with the shop's offset as ms UTC; what is none is not stated."""
    return as_moment(value, "", lenient=True)


def fine(amount: Decimal) -> Decimal:
    """Return an amount that came out of a division, cut to a millionth."""
    return amount if amount == amount.quantize(_FINE) else amount.quantize(_FINE)
