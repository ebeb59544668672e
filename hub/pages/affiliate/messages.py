"""/affiliate/messages: the orders that one wrote to merchants about."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from hub.operations.orders.order_messages import THREADS, threads_of_affiliate
from hub.pages.affiliate.access import AffiliateVisit, affiliate_page
from hub.pages.paging import beside, wanted_of
from hub.pages.route_table import RouteTable

PAGES: Final = RouteTable(affiliate_page)


@PAGES.get("/affiliate/messages")
async def show_messages(visit: AffiliateVisit) -> web.StreamResponse:
    """Show the orders, those with the newest message first."""
    wanted = wanted_of(visit.visit, THREADS)
    found = await threads_of_affiliate(visit.services.store, visit.affiliate_id, wanted)
    older, newer = beside("/affiliate/messages", found, {})
    return visit.page("affiliate/messages.html", threads=found.entries, older=older, newer=newer)
