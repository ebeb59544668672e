"""Why an order is whose it is, in sentences with what would mend it; and what a message was."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Protocol

from hub.operations.orders.order_explanations import ExplainedOrder
from hub.pages.markup import span_text


class Reason(NamedTuple):
    """Why the confidence of an order is what it is, and what to do about it; an empty cure is none."""

    words: str
    cure: str


REASONS: Final = {
    "matched": Reason("The order was placed after its click, inside the window.", ""),
    "click_missing": Reason(
        "The order names no click.",
        "Each order must carry the id of its click: connect your store, or add the line from /capture to its pages, "
        "which keeps it.",
    ),
    "click_malformed": Reason(
        "What the order names as its click is not a click's id.",
        "It must come back exactly as the link brought it to your store, neither cut nor changed.",
    ),
    "click_unknown": Reason(
        "This account has no click with that id.",
        "A click of a live link belongs to live orders, one of a test link to test orders: check which key signed it.",
    ),
    "click_after_order": Reason(
        "The click came after the order was placed.",
        "Check your store's clock and the order's time: the two differ by more than five minutes.",
    ),
    "click_outside_window": Reason(
        "The click is older than the campaign allows.", "A campaign's window counts clicks from then on only."
    ),
    "campaign_not_live": Reason(
        "The click's campaign was not live when the order was placed.",
        "A campaign earns between its start and its end while it is active and approved.",
    ),
    "affiliate_inactive": Reason(
        "The click's affiliate was not active when the order came.", "The hub's operator can activate it."
    ),
    **dict.fromkeys(
        ("coupon_owner", "coupon_matched"),
        Reason("The order has the affiliate's coupon, and the campaign lets it decide.", ""),
    ),
    "coupon_excluded": Reason("The campaign excludes orders with this coupon.", "Attribute it by hand if it counts."),
    "sub_affiliate_excluded": Reason(
        "The campaign excludes clicks of this sub-affiliate.", "Attribute it by hand if it counts."
    ),
    "customer_not_new": Reason("The campaign pays for new customers, and this buyer was not new.", ""),
    "customer_unknown": Reason(
        "The campaign pays for new customers, and the order does not say whether its buyer is new.",
        "Your store has to say for each order whether its buyer is new; the guide on attribution says how.",
    ),
    "renewal_matched": Reason(
        "It renews a subscription that the affiliate's order began, which the campaign pays.", ""
    ),
    "renewal_excluded": Reason("It renews a subscription, and the campaign pays for no renewals.", ""),
    "customer_matched": Reason("It names no click, and an earlier order of the same customer was the affiliate's.", ""),
    "renewals_used_up": Reason("All the renewals that the campaign pays for have earned already.", ""),
}
SKIPPED: Final = {
    "already_known": "The order was known already; a second report changes nothing.",
    "unknown_order": "Its order is not reported yet. It is applied as soon as it is.",
    "commission_paid": "It came after the commission was paid.",
}
UNREADABLE: Final = "unmappable: "
"""How the reason of a message begins that cannot be read."""
NAMED: Final = {
    "external_order_id": "the order's number",
    "external_product_id": "the product's number",
    "order_amount": "the order's total",
    "refund_amount": "the refund's amount",
    "refund_id": "the refund's number",
    "click_id": "the click's id",
    "coupon_code": "the coupon",
    "ordered_at": "the time of the order",
    "occurred_at": "the time of the update",
    "updated_at": "the time of the change",
    "stock_status": "whether it is in stock",
}
"""What a reader calls the fields of the hub's own webhooks whose names are no words; each may come in camelCase."""
FIELD: Final = re.compile(r"`(?:[a-z]+\[\d+\]\.)?(\w+)`")
TYPES: Final = {"conversion": "Order reported", "order_status": "Order status", "webhook": "Webhook"}


def reason_of(order: ExplainedOrder) -> Reason:
    """Return why an order is whose it is; how much too late it was is in the words."""
    code = order.details.conversion.reason
    reason = REASONS.get(code, Reason(code.replace("_", " ").capitalize() + ".", ""))
    found = order.attribution or {}
    age, window = found.get("clickAgeSeconds"), found.get("windowSeconds")
    if code == "matched" and age is not None and window is not None:
        late, allowed = span_text(age * 1000), span_text(window * 1000)
        return Reason(f"The order was placed {late} after its click, inside the window of {allowed}.", "")
    if code == "click_outside_window" and age is not None and window is not None:
        late = span_text((age - window) * 1000)
        return Reason(f"The click came {late} too early: its window is {span_text(window * 1000)}.", reason.cure)
    return reason


class Titled(Protocol):
    """A message, in a list or by itself."""

    @property
    def type(self) -> str: ...  # noqa: D102 - as the events table has it
    @property
    def kind(self) -> str | None: ...  # noqa: D102 - as the events table has it
    @property
    def topic(self) -> str | None: ...  # noqa: D102 - as the events table has it


def message_title(message: Titled) -> str:
    """Return what a message was: its kind, and the status that it states."""
    if message.type == "webhook":
        return f"Webhook {message.kind or message.topic or ''}".strip()
    return TYPES[message.type]


def skip_words(reason: str | None) -> str | None:
    """Return why nothing followed from a message; None if something did."""
    if reason is None:
        return None
    state = reason.removeprefix("not_allowed_from_")
    if state != reason:
        return f"It came too late to change the commission, which was {state}."
    if reason.startswith(UNREADABLE):
        return f"The hub cannot read it: {FIELD.sub(_called, reason.removeprefix(UNREADABLE))}."
    return SKIPPED.get(reason, reason)


def _called(field: re.Match[str]) -> str:
    name = re.sub(r"(?<!^)[A-Z]", lambda letter: f"_{letter[0].lower()}", field[1])
    return NAMED.get(name, field[0])


def shown_json(value: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """Return a JSON object as pairs of names and texts."""
    return [] if value is None else [(name, str(each)) for name, each in value.items()]
