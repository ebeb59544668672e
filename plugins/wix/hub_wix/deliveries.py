"""What Wix sends of itself: a token whose claims name an event, in JSON texts within each other, and its order.

Source: dev.wix.com/docs/rest, "Webhook Structure", the events of Orders and of Order Transactions (as of October 2026).
Events come late, twice and in any order, and some show what was rather than what is: so an event only says which order
to ask for. The id of an order's transactions is the order's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hub.api import Body, Context, Fact, FetchOrder, Topic, Unmappable, as_id, as_text, parse_body
from hub_wix.requests import ORDER
from hub_wix.translate import of_order

EVENTS: Final = (
    "wix.ecom.v1.order_approved",
    "wix.ecom.v1.order_canceled",
    "wix.ecom.v1.order_created",
    "wix.ecom.v1.order_fulfilled",
    "wix.ecom.v1.order_payment_status_updated",
    "wix.ecom.v1.order_updated",
    "wix.ecom.v1.order_transactions_refund_completed",
    "wix.ecom.v1.order_transactions_updated",
)


def of_event(claims: Body, _: Context) -> Iterator[Fact]:
    """Yield that an order is to be asked for."""
    yield FetchOrder("fetch", as_id(_within(_within(claims)).get("entityId"), "the event's entity"))


def _within(outer: Body) -> Body:
    text = as_text(outer.get("data"), 1_000_000)
    if text is None:
        raise Unmappable("the event has no `data`")
    return parse_body(text.encode())


TOPICS: Final = (
    *(Topic(event, dict, of_event, required=("data",), is_thin=True) for event in EVENTS),
    Topic(ORDER, dict, of_order),
)
