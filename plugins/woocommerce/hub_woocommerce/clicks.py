"""How an order shows the affiliate: by the click's id, wherever it was carried, or by a code that the buyer entered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from hub.api import Body, Unmappable
from hub_woocommerce.values import number_or_text, record, records, text

CLICK = "affiliate_click_id"
OWN = "affiliate_hub"
"""The one key that our WordPress plugin adds to a body."""
UTM_ID = "wc_order_attribution_utm_id"
ENTRY = "wc_order_attribution_session_entry"
CLICK_PREFIX = "clk_"
_LONGEST_ADDRESS = 8_000
_LONGEST_CODE = 120
_LONGEST_EMAIL = 320
_ERASED = "@site.invalid"
"""What WordPress writes instead of every erased address."""


def click_of(order: Body) -> tuple[str | None, str | None]:
    """Give the click's id and where it stood: the order's meta, our plugin's key, or the order attribution."""
    for place, value in _places(order):
        found = _readable(value)
        if found is not None:
            return found, place
    return None, None


def coupon_of(order: Body) -> str | None:
    """Give the first coupon's code; WooCommerce knows only coupons that were entered."""
    codes = (_readable(line.get("code"), _LONGEST_CODE) for line in records(order.get("coupon_lines")))
    return next((code for code in codes if code is not None), None)


def customer_of(order: Body) -> str | None:
    """Give the buyer's e-mail address; None where the shop has none, or has erased it."""
    address = _readable(record(order.get("billing")).get("email"), _LONGEST_EMAIL)
    return None if address is None or address.endswith(_ERASED) else address


def _places(order: Body) -> Iterator[tuple[str, Any]]:
    meta = [
        (key, plain(key), entry.get("value"))
        for entry in records(order.get("meta_data"))
        if isinstance(key := entry.get("key"), str)
    ]
    for hidden in (False, True):
        for key, name, value in meta:
            if name == CLICK and key.startswith("_") == hidden:
                yield "meta_data", value
    yield OWN, record(order.get(OWN)).get("click_id")
    for _, name, value in meta:
        # Other campaigns have numbers of their own in utm_id.
        if name == UTM_ID and isinstance(value, str) and value.strip().lower().startswith(CLICK_PREFIX):
            yield "utm_id", value
    for _, name, value in meta:
        if name == ENTRY:
            yield "session_entry", _in_query(value)


def plain(name: str) -> str:
    """Give a name without what hides it: `_Affiliate-Click-Id` is affiliate_click_id."""
    return name.strip().lower().replace("-", "_").replace(" ", "_").strip("_")


def _in_query(address: Any) -> str | None:
    if not isinstance(address, str) or len(address) > _LONGEST_ADDRESS:
        return None
    try:
        found = parse_qsl(urlsplit(address).query)
    except ValueError:
        return None
    return next((value for name, value in reversed(found) if plain(name) == CLICK), None)


def _readable(value: Any, longest: int = 255) -> str | None:
    """Return a value of any JSON type as a text, None if it is none that can be kept."""
    try:
        return text(number_or_text(value), longest)
    except Unmappable:
        return None
