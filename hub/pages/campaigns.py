"""/campaigns: the public listing, which needs no session; an affiliate joins or applies from it."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from hub.operations.campaigns.offers import PUBLIC, every_own_offer, public_offers, show_public
from hub.pages.paging import beside, wanted_of
from hub.pages.route_table import RouteTable
from hub.pages.visit import Page, Visit
from hub.records.campaigns import Offer

PAGES: Final = RouteTable(Page)


@PAGES.get("/campaigns", public=True)
async def show_campaigns(visit: Visit) -> web.StreamResponse:
    """Show the campaigns that anybody may see, newest first."""
    services = visit.services
    offers = await public_offers(services.store, services.clock, services.policy, wanted_of(visit, PUBLIC))
    older, newer = beside("/campaigns", offers, {})
    return visit.page("campaigns.html", offers=offers.entries, older=older, newer=newer)


@PAGES.get("/campaigns/{campaign}", public=True)
async def show_campaign(visit: Visit) -> web.StreamResponse:
    """Show one public campaign, with what an affiliate who has signed in is to it."""
    services, campaign_id = visit.services, visit.path["campaign"]
    offer = await show_public(services.store, services.clock, services.policy, campaign_id)
    affiliate_id = _affiliate_of(visit)
    own: list[Offer] = []
    if affiliate_id is not None:
        own = await every_own_offer(services.store, services.clock, services.policy, affiliate_id, campaign_id)
    shown = own[0] if own else offer
    return visit.page(
        "campaign.html",
        offer=shown,
        may_join=affiliate_id is not None,
        is_public=True,
        fault=None,
        takes_part=bool(own),
    )


def _affiliate_of(visit: Visit) -> str | None:
    """Return the first affiliate that the person is, None without one."""
    if visit.session is None:
        return None
    return next((role["affiliateId"] for role in visit.person.roles if role["affiliateId"] is not None), None)
