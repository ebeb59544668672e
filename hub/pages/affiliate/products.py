"""/affiliate/campaigns/{campaign}/products: a shop's products, each with a button for one's own link to it."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from hub.operations.campaigns.offers import every_own_offer
from hub.operations.campaigns.products import PRODUCTS, products_part
from hub.operations.references import account_id_of
from hub.pages.affiliate.access import AffiliateVisit, affiliate_page
from hub.pages.paging import beside, wanted_of
from hub.pages.route_table import RouteTable

PAGES: Final = RouteTable(affiliate_page)


@PAGES.get("/affiliate/campaigns/{campaign}/products")
async def show_products(visit: AffiliateVisit) -> web.StreamResponse:
    """Show the active products of the shop of a campaign that one takes part in."""
    services, campaign = visit.services, visit.path["campaign"]
    offers = await every_own_offer(services.store, services.clock, services.policy, visit.affiliate_id, campaign)
    if not offers or offers[0].membership not in (None, "APPROVED"):
        return visit.not_found()
    search = visit.query.get("q", "").strip()
    account_id = await account_id_of(services.store, offers[0].merchant_id, offers[0].mode)
    wanted = wanted_of(visit.visit, PRODUCTS, {"search": search, "status": "ACTIVE"})
    found = await products_part(services.store, account_id, wanted)
    older, newer = beside(visit.visit.address, found, {"q": search})
    return visit.page(
        "affiliate/products.html", offer=offers[0], products=found.entries, older=older, newer=newer, search=search
    )
