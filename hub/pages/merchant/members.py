"""The acts on a campaign's members."""

from __future__ import annotations

from collections.abc import Awaitable
from functools import partial
from typing import Final

from aiohttp import web

from hub.domain.words import MEMBERSHIP_STATUSES
from hub.operations.affiliates.memberships import (
    CAMPAIGN_RATE,
    Member,
    set_membership,
    set_own_rate,
    show_membership,
)
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.merchant.acts import done_or_refused
from hub.pages.merchant.campaigns import HERE as CAMPAIGNS
from hub.pages.merchant.campaigns import campaign_page, found_campaign
from hub.pages.rate_forms import rate_value
from hub.pages.route_table import RouteTable
from hub.records.memberships import MembershipDocument

MEMBER: Final = f"{CAMPAIGNS}/{{campaign}}/members/{{affiliate}}"
PAGES: Final = RouteTable(merchant_page)


@PAGES.post(f"{MEMBER}/status")
async def set_status(shown: MerchantVisit) -> web.StreamResponse:
    """Approve, reject or remove a member."""
    member, status = await _member(shown), shown.form.get("status", "")
    if status not in MEMBERSHIP_STATUSES[1:]:
        raise NotInAccount
    services, reason = shown.services, shown.form.get("reason", "").strip() or None
    act = set_membership(services.store, services.clock, _named(shown, member), status, reason)
    return await _done(shown, act, status)


@PAGES.post(f"{MEMBER}/rate")
async def set_rate(shown: MerchantVisit) -> web.StreamResponse:
    """Set what the campaign pays this member."""
    member, services = await _member(shown), shown.services
    kind, value = shown.form.get("rate", ""), shown.form.get("value", "").strip()
    rate = f"{kind}:{rate_value(kind, value)}" if kind else CAMPAIGN_RATE
    act = set_own_rate(services.store, services.clock, _named(shown, member), rate)
    return await _done(shown, act, "rated")


@PAGES.get(f"{MEMBER}/remove", viewers=False)
async def ask_to_remove(shown: MerchantVisit) -> web.StreamResponse:
    """Say what removing does, before it is done."""
    return shown.page("merchant/member_remove.html", member=await _member(shown))


async def _done(shown: MerchantVisit, act: Awaitable[object], done: str) -> web.StreamResponse:
    then = f"{CAMPAIGNS}/{shown.path['campaign']}?done={done}#members"
    return await done_or_refused(act, then, partial(campaign_page, shown, 422))


def _named(shown: MerchantVisit, member: MembershipDocument) -> Member:
    return Member(member.campaign_id, member.affiliate_id, shown.account_id)


async def _member(shown: MerchantVisit) -> MembershipDocument:
    """Return the membership that the address names; raise `NotInAccount` unless the account that is shown has it."""
    campaign = await found_campaign(shown)
    member = await show_membership(shown.services.store, shown.account_id, campaign.id, shown.path["affiliate"])
    if member is None:
        raise NotInAccount
    return member
