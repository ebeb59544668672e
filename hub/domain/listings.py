"""How a platform lists the orders that changed: declared by its connector as data, so that the hub does the network."""

from __future__ import annotations

from datetime import UTC, datetime

from attrs import frozen


@frozen
class OrderListing:
    """Pages of the orders that changed since a moment, each order as the body of a webhook of `topic`.

    `path` follows the site's address; {since} is filled in as UTC without an offset (2026-03-01T10:00:00), {page} with
    1, 2, ..., {size} with `page_size`. The answer is a JSON array, or an object whose field `items` has it. A page with
    fewer than `page_size` orders is the last one. `order_id` is the field of an order that has its id. The credentials
    are a name and a secret, sent as HTTP Basic.
    """

    path: str
    topic: str
    page_size: int = 50
    items: str = ""
    order_id: str = "id"


def page_of(listing: OrderListing, since: int, page: int) -> str:
    """Return the path of a page, counted from 1, of the orders that changed since a moment (ms UTC)."""
    words = {"since": datetime.fromtimestamp(since // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S"), "page": str(page)}
    path = listing.path.replace("{size}", str(listing.page_size))
    for name, word in words.items():
        path = path.replace(f"{{{name}}}", word)
    return path
