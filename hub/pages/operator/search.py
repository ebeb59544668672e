"""/operator/search: any id, order number, coupon or e-mail address leads to what it is."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from aiohttp import web

from hub.operations.system.search import Found, find_anything
from hub.pages.operator import parts
from hub.pages.rendering import see_other
from hub.pages.visit import Page, Visit

HERE: Final = "/operator/search"
PLACES: Final = {
    "merchant": "/operator/merchants/",
    "affiliate": "/operator/affiliates/",
    "campaign": "/operator/campaigns/",
    "link": "/operator/links/",
    "connection": "/operator/connections/",
    "conversion": "/operator/orders/",
    "event": "/operator/messages/",
    "user": "/operator/users/",
    "key": "/operator/merchants/",
    "payout": "/operator/payouts/",
    "act": "/operator/trail?subject=",
}


def search_pages() -> list[Page]:
    """Return the pages."""
    return [parts.operator_page("GET", HERE, search)]


async def search(visit: Visit) -> web.StreamResponse:
    """Lead on to what the text names if it is one thing, else show what it may be."""
    asked = parts.asked_for(visit, "q")
    found = await find_anything(visit.services.store, asked["q"]) if asked["q"] else []
    if len(found) == 1:
        return see_other(_address(found[0]))
    rows = [(parts.link(each.name, _address(each), each.id), parts.text(each.kind)) for each in found]
    empty = (
        f"Nothing has the id, order number, coupon or e-mail address {asked['q']}."
        if asked["q"]
        else "Type what you have."
    )
    listing = parts.Listing("Found", ("What", "Kind"), rows, empty)
    filters = (parts.Field("q", "Any id, order number, coupon or e-mail address", value=asked["q"]),)
    return parts.show_list(visit, parts.ListPage("Search", HERE, listing, filters=filters))


def _address(found: Found) -> str:
    return f"{PLACES[found.kind]}{quote(found.id, safe='')}"
