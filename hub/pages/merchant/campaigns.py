"""/merchant/campaigns: created, edited, run, and shown with their affiliates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Final

from aiohttp import web
from attrs import frozen

from hub.domain.orders.volume_texts import VOLUMES
from hub.operations.affiliates.memberships import MEMBERSHIPS, memberships_part, waiting_by_campaign
from hub.operations.campaigns.attribution_policies import show_attribution_policy
from hub.operations.campaigns.campaign_changes import (
    create_campaign,
    edit_campaign,
    set_campaign_status,
    show_campaign_details,
)
from hub.operations.campaigns.campaigns import list_campaigns
from hub.operations.errors import InvalidFields, OperatorFault
from hub.operations.figures.figures import ALL_LINES, Sums, breakdown, chosen_period
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.merchant.acts import done_or_refused
from hub.pages.merchant.campaign_form import BY_HAND, EMPTY, form_of, values_of
from hub.pages.paging import beside, wanted_of
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.records.campaigns import CampaignDetails
from hub.records.words import texts_asked, texts_said
from hub.validation.inputs import CampaignInput

HERE: Final = "/merchant/campaigns"
FIGURE_DAYS: Final = 30
"""Of how many days the list has clicks, orders and sales."""
STATUSES: Final = ("ACTIVE", "PAUSED", "ARCHIVED")
DONE: Final = {
    "created": "The campaign is a draft. Its links earn once you activate it.",
    "policy": "Saved. It applies to orders decided from now on.",
    "saved": "Saved. Existing commissions keep their terms.",
    "ACTIVE": "The campaign is active.",
    "PAUSED": "The campaign is paused: its links earn nothing until it is activated again.",
    "ARCHIVED": "The campaign is archived.",
    "APPROVED": "The affiliate is a member.",
    "REJECTED": "The application is rejected.",
    "REMOVED": "The affiliate is removed, and their links for this campaign are disabled.",
    "rated": "The new rate applies from now on.",
}
ONE: Final = f"{HERE}/{{campaign}}"
PAGES: Final = RouteTable(merchant_page)


@PAGES.get(HERE)
async def show(shown: MerchantVisit) -> web.StreamResponse:
    """Show the campaigns of the account."""
    services = shown.services
    campaigns = [
        each
        for each in await list_campaigns(services.store, services.clock, shown.merchant_id)
        if each.mode == shown.mode
    ]
    waiting = await waiting_by_campaign(services.store, shown.account_id)
    days = chosen_period("", "", FIGURE_DAYS, services.clock())
    sums = await breakdown(services.store, shown.account_id, days, "campaign", ALL_LINES)
    return shown.page(
        "merchant/campaigns.html", campaigns=campaigns, waiting=waiting, figures=_figures(sums), days=FIGURE_DAYS
    )


@frozen
class Sold:
    """What a campaign brought; `sales` are pairs of minor units and their currency."""

    clicks: int
    orders: int
    sales: Sequence[tuple[int, str]]


def _figures(sums: Iterable[Sums]) -> dict[str, Sold]:
    """Return what each campaign brought, by its id, of sums with a line for each currency and one for clicks."""
    found: dict[str, list[Sums]] = {}
    for each in sums:
        found.setdefault(each.id, []).append(each)
    return {
        key: Sold(
            sum(line.clicks for line in lines),
            sum(line.orders for line in lines),
            [(line.revenue_minor, line.currency) for line in lines if line.currency],
        )
        for key, lines in found.items()
    }


@PAGES.get(f"{HERE}/new", viewers=False)
async def show_new(shown: MerchantVisit) -> web.StreamResponse:
    """Show the form of a new campaign."""
    return _form(shown, 200, None, EMPTY, {})


@PAGES.post(HERE)
async def create(shown: MerchantVisit) -> web.StreamResponse:
    """Create a campaign, and lead on to it."""
    services, values = shown.services, {**EMPTY, **shown.form}
    try:
        form = form_of(values, None)
        made = await create_campaign(services.store, services.clock, shown.merchant_id, shown.mode, form)
    except InvalidFields as invalid:
        return _form(shown, 422, None, values, invalid.faults)
    except OperatorFault as fault:
        return _form(shown, 422, None, values, {"": fault.reason})
    return see_other(f"{HERE}/{made.id}?done=created")


@PAGES.get(ONE)
async def show_one(shown: MerchantVisit) -> web.StreamResponse:
    """Show a campaign, what it pays, and its affiliates."""
    return await campaign_page(shown, 200, {})


@PAGES.get(f"{ONE}/edit", viewers=False)
async def show_edit(shown: MerchantVisit) -> web.StreamResponse:
    """Show the form of a campaign."""
    campaign = await found_campaign(shown)
    return _form(shown, 200, campaign, values_of(campaign), {})


@PAGES.post(f"{ONE}/edit")
async def edit(shown: MerchantVisit) -> web.StreamResponse:
    """Store the form of a campaign."""
    campaign, services = await found_campaign(shown), shown.services
    values = {**EMPTY, **shown.form}
    try:
        form = form_of(values, campaign)
        await edit_campaign(services.store, services.clock, campaign.id, form, shown.account_id)
    except InvalidFields as invalid:
        return _form(shown, 422, campaign, values, invalid.faults)
    except OperatorFault as fault:
        return _form(shown, 422, campaign, values, {"": fault.reason})
    return see_other(f"{HERE}/{campaign.id}?done=saved")


@PAGES.get(f"{ONE}/archive", viewers=False)
async def ask_to_archive(shown: MerchantVisit) -> web.StreamResponse:
    """Say what archiving does, before it is done."""
    return shown.page("merchant/campaign_archive.html", campaign=await found_campaign(shown))


@PAGES.post(f"{ONE}/status")
async def set_status(shown: MerchantVisit) -> web.StreamResponse:
    """Activate, pause or archive a campaign."""
    campaign, services = await found_campaign(shown), shown.services
    status = shown.form.get("status", "")
    if status not in STATUSES:
        raise NotInAccount
    act = set_campaign_status(services.store, services.clock, campaign.id, status, shown.account_id)
    return await done_or_refused(act, f"{HERE}/{campaign.id}?done={status}", partial(campaign_page, shown, 422))


async def found_campaign(shown: MerchantVisit) -> CampaignDetails:
    """Return the campaign that the address names; raise `NotInAccount` unless the account that is shown has it."""
    services = shown.services
    try:
        return await show_campaign_details(services.store, services.clock, shown.account_id, shown.path["campaign"])
    except OperatorFault:
        raise NotInAccount from None


async def campaign_page(shown: MerchantVisit, status: int, faults: Mapping[str, str]) -> web.Response:
    """Return the page of the campaign that the address names."""
    campaign, store = await found_campaign(shown), shown.services.store
    asked = "APPLIED" if shown.query.get("status") == "APPLIED" else ""
    filters = {"account_id": shown.account_id, "campaign_id": campaign.id, "status": asked}
    members = await memberships_part(store, wanted_of(shown.visit, MEMBERSHIPS, filters))
    older, newer = beside(f"{HERE}/{campaign.id}", members, {"status": asked, "mode": shown.mode})
    policy = await show_attribution_policy(store, campaign.id, shown.account_id)
    root = (await shown.services.root()).rstrip("/")
    return shown.page(
        "merchant/campaign.html",
        status,
        campaign=campaign,
        members=members.entries,
        said=texts_said,
        waiting=(await waiting_by_campaign(store, shown.account_id)).get(campaign.id, 0),
        asked=asked,
        older=older,
        newer=newer,
        who_earns=policy["sentence"],
        public=f"{root}/campaigns/{campaign.id}",
        rest=texts_said(campaign, "title", "description", "terms_and_conditions", "allowed_traffic_sources"),
        faults=faults,
        done=DONE.get(shown.query.get("done", "")),
    )


def _form(
    shown: MerchantVisit,
    status: int,
    campaign: CampaignDetails | None,
    values: Mapping[str, str],
    faults: Mapping[str, str],
) -> web.Response:
    currency = shown.merchant.currency
    return shown.page(
        "merchant/campaign_form.html",
        status,
        campaign=campaign,
        values=values,
        faults=faults,
        currency=currency,
        other_texts=texts_asked(CampaignInput, *BY_HAND),
        volumes=list(VOLUMES.items()),
    )
