"""/affiliate/campaigns: the campaigns that an affiliate takes part in, and those that it may join or apply to."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from hub.operations.affiliates.memberships import Member, apply_to_campaign
from hub.operations.campaigns.offers import every_own_offer, public_offers, show_public
from hub.operations.errors import OperatorFault
from hub.operations.lists import Wanted
from hub.pages.affiliate.access import AffiliateVisit, affiliate_page
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.records.campaigns import Offer

PAGES: Final = RouteTable(affiliate_page)


@PAGES.get("/affiliate/campaigns")
async def show_campaigns(visit: AffiliateVisit) -> web.StreamResponse:
    """Show one's own campaigns, then the public ones that one takes no part in."""
    services = visit.services
    own = await every_own_offer(services.store, services.clock, services.policy, visit.affiliate_id)
    taken = {offer.id for offer in own}
    public = await public_offers(services.store, services.clock, services.policy, Wanted())
    offers = [offer for offer in public.entries if offer.id not in taken]
    return visit.page("affiliate/campaigns.html", own=own, offers=offers, more=public.older is not None)


@PAGES.get("/affiliate/campaigns/{campaign}")
async def show_campaign(visit: AffiliateVisit) -> web.StreamResponse:
    """Show a campaign that is public or one's own."""
    return await _campaign(visit, 200, None)


@PAGES.post("/affiliate/campaigns/{campaign}/join")
async def join_campaign(visit: AffiliateVisit) -> web.StreamResponse:
    """Join a campaign or apply to it; a private one only if the affiliate takes part in it already."""
    if await _own(visit) is None and await _public(visit) is None:
        return visit.not_found()
    member = Member(visit.path["campaign"], visit.affiliate_id)
    try:
        made = await apply_to_campaign(visit.services.store, visit.services.clock, member, visit.form.get("message"))
    except OperatorFault as fault:
        return await _campaign(visit, 422, fault.reason)
    return see_other(f"/affiliate/campaigns/{made.campaign_id}?done={made.status.lower()}")


async def _campaign(visit: AffiliateVisit, status: int, fault: str | None) -> web.StreamResponse:
    own = await _own(visit)
    offer = own or await _public(visit)
    if offer is None:
        return visit.not_found()
    return visit.page(
        "campaign.html", status, offer=offer, may_join=True, takes_part=own is not None, is_public=False, fault=fault
    )


async def _own(visit: AffiliateVisit) -> Offer | None:
    """Return the campaign of the address if one takes part in it, applied to it or has a link of it."""
    services, campaign_id = visit.services, visit.path["campaign"]
    own = await every_own_offer(services.store, services.clock, services.policy, visit.affiliate_id, campaign_id)
    return own[0] if own else None


async def _public(visit: AffiliateVisit) -> Offer | None:
    services = visit.services
    try:
        return await show_public(services.store, services.clock, services.policy, visit.path["campaign"])
    except OperatorFault:
        return None
