"""The envelope of Stripe's events, and how single values of their objects are read.

Source: docs.stripe.com/api/events, /api/checkout/sessions/object, /api/invoices/object, /api/charges/object,
/api/disputes/object, /currencies, all as of the API version 2025-02-24.acacia.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from attrs import frozen

from hub.api import Body, Unmappable, as_currency, as_id, as_record, as_text

NO_MINOR = frozenset(
    ["BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "VND", "VUV", "XAF", "XOF", "XPF"]
)
"""Currencies whose amounts Stripe writes in whole units."""
THOUSANDTHS = frozenset({"BHD", "JOD", "KWD", "OMR", "TND"})
MOST = 10**15
LATEST = 2**42
"""More seconds than any payment's time has."""


@frozen
class DataBody:
    """The object of an event as it was then."""

    object: dict[str, Any]


@frozen
class EventBody:
    """An event: what happened at `created`, in seconds, to `data.object`, in the shape of `api_version`."""

    type: str
    created: int
    data: DataBody
    api_version: str | None = None


def money(value: Any, currency: str, name: str) -> Decimal:
    """Return an amount in minor units, as Stripe counts those of the currency, in major units; none is 0."""
    if value is None:
        return Decimal(0)
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > MOST:
        raise Unmappable(f"`{name}` is no amount")
    digits = 0 if currency in NO_MINOR else 3 if currency in THOUSANDTHS else 2
    return Decimal(value).scaleb(-digits)


def moment(value: Any, name: str) -> int | None:
    """Return a time in seconds as ms UTC, None if there is none."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < LATEST:
        raise Unmappable(f"`{name}` is no time")
    return value * 1000


def currency_of(thing: Body) -> str:
    """Return the currency, which Stripe writes in lower case."""
    written = as_text(thing.get("currency"))
    found = as_currency(None if written is None else written.upper())
    if found is None:
        raise Unmappable("`currency` is missing")
    return found


def reference(value: Any) -> str | None:
    """Return the id of another object, which may stand there whole."""
    named = as_record(value).get("id") if isinstance(value, dict) else value
    return None if named is None or named == "" else as_id(named, "the object")


def own_id(thing: Body, what: str) -> str:
    """Return an object's id; raise `Unmappable` if it has none."""
    return as_id(thing.get("id"), what)
