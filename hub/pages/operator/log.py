"""/operator/log: the requests of a merchant, or of strangers, with why each was refused."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from hub.operations.orders.request_log import REQUESTS, read_log, read_strangers_log
from hub.pages.operator import parts
from hub.pages.paging import beside, wanted_of
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit

HERE: Final = "/operator/log"
PAGES: Final = RouteTable(parts.operator_page)


@PAGES.get(HERE)
async def show_log(visit: Visit) -> web.StreamResponse:
    """Show the newest requests of a merchant; without one, of callers that no account is known of."""
    asked, store, wanted = (
        parts.asked_for(visit, "merchant", "errors"),
        visit.services.store,
        wanted_of(visit, REQUESTS),
    )
    found, faults = await parts.read_list(
        read_log(store, asked["merchant"], wanted, refused=asked["errors"] == "1")
        if asked["merchant"]
        else read_strangers_log(store, wanted)
    )
    cells = [
        (
            parts.at(row.at),
            parts.text(f"{row.method} {row.path}"),
            parts.text(row.status, row.error_code or ""),
            parts.text(row.key_id),
            parts.text(row.client),
        )
        for row in found.entries
    ]
    columns = ("When", "Request", "Status", "Key", "From")
    filters = (
        *await parts.party_filters(visit, asked, "merchant"),
        parts.Field("errors", "Show", "choice", asked["errors"], options=(("1", "refused only"),)),
    )
    lead = "The newest requests. Choose a merchant, or see those from unknown senders."
    listing = parts.Listing("Requests", columns, cells, "There are no such requests.", *beside(HERE, found, asked))
    page = parts.ListPage("Request log", HERE, listing, lead, filters)
    return parts.show_list(visit, page, faults)
