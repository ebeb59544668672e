"""How an order shows the affiliate: by the click's id, wherever it was carried, or by a code that the buyer typed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from hub.api import Body, Unmappable, storable
from hub_shopify.payloads import named_values
from hub_shopify.values import identity, record, records, text, word

CLICK = "affiliate_click_id"
_LONGEST_ADDRESS = 8_000
_LONGEST_CLICK = 255
_LONGEST_CODE = 120


def click_of(order: Body) -> tuple[str | None, str | None]:
    """Give the click's id and the field that held it: cart attributes, lines' properties, then the landing page."""
    for place, pairs in _places(order):
        for name, value in pairs:
            if _plain(name) == CLICK and value.strip() and len(value) <= _LONGEST_CLICK:
                return value.strip(), place
    return None, None


def coupon_of(order: Body) -> str | None:
    """Give the code that the buyer entered; of several the first that is for goods rather than for shipping.

    A discount that the shop gives by hand on a draft order stands in `discount_codes` too, under its title, so only
    `discount_applications` tell. Bodies from before those have the codes alone.
    """
    if not isinstance(order.get("discount_applications"), list):
        if word(order.get("source_name")) == "shopify_draft_order":
            return None
        codes = (text(each.get("code"), _LONGEST_CODE) for each in records(order.get("discount_codes")))
        return next((code for code in codes if code is not None), None)
    entered = [a for a in records(order["discount_applications"]) if word(a.get("type")) == "discount_code"]
    entered.sort(key=lambda application: word(application.get("target_type")) == "shipping_line")
    codes = (text(application.get("code"), _LONGEST_CODE) for application in entered)
    return next((code for code in codes if code is not None), None)


def customer_of(order: Body) -> str | None:
    """Give Shopify's id of the buyer, which guests have, too: an app may know it without knowing any address."""
    known = record(order.get("customer")).get("id")
    return None if known is None else identity(known)


def _places(order: Body) -> Iterator[tuple[str, Iterator[tuple[str, str]]]]:
    yield "note_attributes", named_values(order.get("note_attributes"))
    for line in records(order.get("line_items")):
        yield "line_items.properties", named_values(line.get("properties"))
    yield "landing_site", _query(order.get("landing_site"))


def _query(address: Any) -> Iterator[tuple[str, str]]:
    """Return the parameters of an address, relative or absolute; of a repeated name the last counts."""
    if not isinstance(address, str) or len(address) > _LONGEST_ADDRESS:
        return
    try:
        found = parse_qsl(urlsplit(address).query)
    except ValueError:
        return
    for name, value in reversed(found):
        try:
            yield name, storable(value)
        except Unmappable:
            continue


def _plain(name: str) -> str:
    """Return a name without the underscores that hide it at the checkout: `__Click-Id` is click_id."""
    return name.strip().lower().replace("-", "_").replace(" ", "_").strip("_")
