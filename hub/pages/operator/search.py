"""/operator/search: any id, order number or its beginning, coupon, e-mail address or name leads to what it is."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote, urlencode

from aiohttp import web

from hub.operations.system.search import Found, find_anything
from hub.pages.operator import parts
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit

HERE: Final = "/operator/search"
ORDERS: Final = "/operator/orders"
OLDER: Final = "Look through older orders for it"
PLACES: Final = {
    "merchant": ("Merchant", "/operator/merchants/"),
    "affiliate": ("Affiliate", "/operator/affiliates/"),
    "campaign": ("Campaign", "/operator/campaigns/"),
    "link": ("Link", "/operator/links/"),
    "connection": ("Connection", "/operator/connections/"),
    "conversion": ("Order", "/operator/orders/"),
    "event": ("Message", "/operator/messages/"),
    "user": ("Person", "/operator/users/"),
    "key": ("Key", "/operator/merchants/"),
    "payout": ("Payout", "/operator/payouts/"),
    "act": ("Activity", "/operator/trail?subject="),
}
"""By kind, what the page calls it and where it is shown."""
PAGES: Final = RouteTable(parts.operator_page)


@PAGES.get(HERE)
async def search(visit: Visit) -> web.StreamResponse:
    """Lead on to what the text names if it is one thing, else show what it may be."""
    asked = parts.asked_for(visit, "q")
    found = await find_anything(visit.services.store, asked["q"]) if asked["q"] else []
    if len(found) == 1:
        return see_other(_address(found[0]))
    rows = [(parts.link(each.name, _address(each), each.id), parts.text(PLACES[each.kind][0])) for each in found]
    listing = parts.Listing("Found", ("What", "Kind"), rows, _nothing(asked["q"]))
    filters = (parts.Field("q", "Any id, order number, coupon, e-mail address or name", value=asked["q"]),)
    more = ((OLDER, f"{ORDERS}?{urlencode(asked)}"),) if asked["q"] and not found else ()
    return parts.show_list(visit, parts.ListPage("Search", HERE, listing, filters=filters, more=more))


def _nothing(text: str) -> str:
    if not text:
        return "Type what you have; the beginning of an order's number or a part of a name is enough."
    return f"Nothing has the id, coupon, e-mail address or name {text}, and no recent order has it in its number."


def _address(found: Found) -> str:
    return f"{PLACES[found.kind][1]}{quote(found.id, safe='')}"
