"""What Squarespace sends to an app: which order was placed or changed, and no more.

Source: developers.squarespace.com, "Webhooks overview", "Order create", "Order update", "Verifying notifications" (as
of October 2026).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hub.api import Body, Context, Fact, FetchOrder, Topic, as_id, as_record
from hub_squarespace.requests import CREATE, ORDER, UPDATE
from hub_squarespace.translate import of_order

NOTICE: Final = ("topic", "websiteId", "subscriptionId", "data")


def of_notice(notice: Body, _: Context) -> Iterator[Fact]:
    """Yield that an order is to be asked for."""
    yield FetchOrder("fetch", as_id(as_record(notice.get("data")).get("orderId"), "the order"))


TOPICS: Final = (
    *(Topic(name, dict, of_notice, NOTICE, is_thin=True) for name in (CREATE, UPDATE)),
    Topic(ORDER, dict, of_order),
)
