"""How an order shows the affiliate: a click's id in a form field or a comment, or a coupon that the buyer entered."""

from __future__ import annotations

import re
from typing import Any

from hub.api import Body, as_record, as_records, as_text

CLICK = "affiliate_click_id"
_IN_COMMENT = re.compile(rf"{CLICK}\s*[=:]\s*([A-Za-z0-9_-]{{1,128}})(?![A-Za-z0-9_-])", re.IGNORECASE)
_PROMOTION = 5
"""The type of a coupon that stands for a promotion, which nobody typed."""


def click_of(order: Body) -> tuple[str | None, str | None]:
    """Return the click's id and where it stood: a form field of the billing address, or a comment on the order."""
    for field in as_records(as_record(order.get("billing_address")).get("form_fields")):
        name = as_text(field.get("name"))
        if name is not None and _plain(name) == CLICK and (value := as_text(field.get("value"))) is not None:
            return value, "form_fields"
    for place in ("customer_message", "staff_notes"):
        found = _IN_COMMENT.search(_text(order.get(place)))
        if found is not None:
            return found[1], place
    return None, None


def coupon_of(order: Body) -> str | None:
    """Return the first code that the buyer entered."""
    entered = (each for each in as_records(order.get("coupons")) if each.get("type") != _PROMOTION)
    return next((code for each in entered if (code := as_text(each.get("code"), 120)) is not None), None)


def customer_of(order: Body) -> str | None:
    """Return the buyer's e-mail address."""
    return as_text(as_record(order.get("billing_address")).get("email"), 320)


def _plain(name: str) -> str:
    return name.strip().lower().replace("-", "_").replace(" ", "_").strip("_")


def _text(value: Any) -> str:
    return value[:10_000] if isinstance(value, str) else ""
