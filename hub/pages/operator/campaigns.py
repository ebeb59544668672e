"""/operator/campaigns: found, approved, rejected, held and listed; and their affiliates."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from aiohttp import web

from hub.acts.campaigns import ACTS
from hub.domain.durations import duration_text
from hub.domain.words import APPROVAL_STATUSES
from hub.operations.affiliates.memberships import (
    MEMBERSHIPS,
    Member,
    memberships_part,
    set_membership,
    set_own_rate,
)
from hub.operations.campaigns.campaigns import (
    set_campaign_hold,
    set_campaign_listing,
    show_campaign,
)
from hub.operations.lists import Page as Part
from hub.operations.system.party_lists import CAMPAIGNS, campaigns_part
from hub.pages.form_faults import NO_FAULTS
from hub.pages.markup import status_word
from hub.pages.operator import parts
from hub.pages.operator.act_forms import act_pages
from hub.pages.paging import beside, wanted_of
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit
from hub.records.campaigns import CampaignDetails
from hub.records.memberships import MembershipDocument
from hub.records.words import texts_said

HERE: Final = "/operator/campaigns"
JOININGS: Final = (("OPEN", "at once"), ("BY_APPROVAL", "by the merchant's approval"))
DECISIONS: Final = (("APPROVED", "Approve"), ("REJECTED", "Reject"), ("REMOVED", "Remove"))
ONE: Final = f"{HERE}/{{campaign}}"
PAGES: Final = RouteTable(parts.operator_page)


@PAGES.get(HERE)
async def show_campaigns(visit: Visit) -> web.StreamResponse:
    """Show the campaigns of all merchants, newest first."""
    asked = parts.asked_for(visit, "q", "merchant", "mode", "approval")
    filters = {
        "search": asked["q"],
        "merchant": asked["merchant"],
        "mode": asked["mode"],
        "approval": asked["approval"],
    }
    reading = campaigns_part(visit.services.store, visit.services.clock, wanted_of(visit, CAMPAIGNS, filters))
    found, faults = await parts.read_list(reading)
    columns = ("Campaign", "Status", "Approval", "Merchant", "Mode", "Listing")
    listing = parts.Listing(
        "Campaigns",
        columns,
        [_row(each) for each in found.entries],
        "No campaign matches. Merchants create them.",
        *beside(HERE, found, asked),
    )
    page = parts.ListPage("Campaigns", HERE, listing, filters=await _filters(visit, asked))
    return parts.show_list(visit, page, faults)


async def _filters(visit: Visit, asked: Mapping[str, str]) -> tuple[parts.Field, ...]:
    return (
        parts.Field("q", "Title or code", value=asked["q"]),
        *await parts.party_filters(visit, asked, "merchant"),
        parts.mode_filter(asked),
        parts.Field(
            "approval",
            "Approval",
            "choice",
            asked["approval"],
            options=[(each, status_word(each)) for each in APPROVAL_STATUSES],
        ),
    )


def _row(each: CampaignDetails) -> tuple[parts.Cell, ...]:
    return (
        parts.link(each.title, f"{HERE}/{each.id}", each.campaign_code),
        parts.state(each.status),
        parts.state(each.approval_status),
        parts.link(each.merchant_name, f"/operator/merchants/{each.merchant_id}"),
        parts.text(each.mode),
        parts.text("public" if each.listed else "private"),
    )


@PAGES.post(ONE)
async def change(visit: Visit) -> web.StreamResponse:
    """Change a campaign's hold and listing."""
    form, services = visit.form, visit.services

    async def changing(found: CampaignDetails) -> None:
        await set_campaign_hold(services.store, services.clock, found.id, form.get("hold") or "default")
        joining = form.get("joining", found.joining)
        await set_campaign_listing(
            services.store,
            services.clock,
            found.id,
            listed="listed" in form,
            joining=joining if joining in dict(JOININGS) else None,
        )

    return await _act(visit, changing, "saved")


@PAGES.post(f"{ONE}/members")
async def decide_on_member(visit: Visit) -> web.StreamResponse:
    """Approve, reject or remove an affiliate of the campaign."""
    form, services = visit.form, visit.services
    status = form.get("status", "")
    if status not in dict(DECISIONS):
        return await show_one(visit, 422, {"": "Choose what to do with the affiliate."})
    return await _act(
        visit,
        lambda found: set_membership(
            services.store,
            services.clock,
            Member(found.id, form.get("affiliate", "")),
            status,
            form.get("reason") or None,
        ),
        "saved",
    )


@PAGES.post(f"{ONE}/rates")
async def rate_member(visit: Visit) -> web.StreamResponse:
    """Set what the campaign pays one of its affiliates."""
    form, services = visit.form, visit.services
    return await _act(
        visit,
        lambda found: set_own_rate(
            services.store,
            services.clock,
            Member(found.id, form.get("affiliate", "")),
            form.get("rate") or "campaign",
        ),
        "saved",
    )


async def _act(visit: Visit, doing: Callable[[CampaignDetails], Awaitable[object]], word: str) -> web.StreamResponse:
    return await parts.act_on(visit, _found, doing, f"{HERE}/{visit.path['campaign']}?done={word}", show_one)


async def _found(visit: Visit) -> CampaignDetails:
    return await show_campaign(visit.services.store, visit.services.clock, visit.path["campaign"])


@PAGES.get(ONE)
async def show_one(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show one campaign with its affiliates."""
    found = await _found(visit)
    one = f"{HERE}/{found.id}"
    part = await memberships_part(visit.services.store, wanted_of(visit, MEMBERSHIPS, {"campaign": found.id}))
    members = _members(part, beside(one, part, {}))
    facts = (
        ("Id", parts.code(found.id)),
        ("Code", parts.code(found.campaign_code)),
        ("Merchant", parts.link(found.merchant_name, f"/operator/merchants/{found.merchant_id}")),
        ("Mode", parts.text(found.mode)),
        ("Approval", parts.state(found.approval_status)),
        ("Ends", parts.at(found.end_date)),
        ("Hold", parts.text("the merchant's" if found.hold_ms is None else duration_text(found.hold_ms))),
        ("Listing", parts.text("public" if found.listed else "private")),
        ("Joining", parts.text(dict(JOININGS).get(found.joining, found.joining))),
        *((name.capitalize(), parts.text(value)) for name, value in texts_said(found, "title")),
        ("Activity", parts.link("Show", f"/operator/trail?subject={found.id}")),
    )
    shown = parts.Shown(
        found.title,
        (HERE, "Campaigns"),
        found.status,
        sections=(parts.Section("Settings", facts), parts.Section("Affiliates", listing=members)),
        forms=_forms(found),
    )
    return parts.show_object(visit, shown, status, faults)


def _members(members: Part[MembershipDocument], ends: tuple[str | None, str | None]) -> parts.Listing:
    rows = [
        (
            parts.link(each.affiliate_name, f"/operator/affiliates/{each.affiliate_id}", each.affiliate_id),
            parts.state("MEMBER" if each.status == "APPROVED" else each.status, each.reason or ""),
            parts.text(f"{each.commission_type}:{each.commission_value}" if each.commission_type else "the campaign's"),
            parts.text(each.message),
            parts.at(each.applied_at),
        )
        for each in members.entries
    ]
    columns = ("Affiliate", "Status", "Rate", "Their words", "Applied")
    return parts.Listing("Affiliates", columns, rows, "No affiliate has applied or joined.", *ends)


def _forms(found: CampaignDetails) -> list[parts.Form]:
    one, forms = f"{HERE}/{found.id}", []
    if found.approval_status in ("PENDING", "REJECTED"):
        forms.append(parts.Form(f"{one}/approve", "Approve", tone=""))
    if found.approval_status in ("PENDING", "APPROVED"):
        forms.append(parts.Form(f"{one}/reject", "Reject", tone="danger"))
    hold = "" if found.hold_ms is None else duration_text(found.hold_ms)
    settings = (
        parts.Field("hold", "Hold", value=hold, hint="Such as 14d; without it the merchant's counts.", optional=True),
        parts.Field("listed", "In the public listing", "tick", "1" if found.listed else ""),
        parts.Field("joining", "Affiliates join", "choice", found.joining, options=JOININGS),
    )
    affiliate = parts.Field("affiliate", "Affiliate", hint="Id, name or e-mail address.")
    deciding = (
        affiliate,
        parts.Field("status", "Decision", "choice", options=DECISIONS),
        parts.Field("reason", "Reason", hint="The affiliate sees it.", optional=True),
    )
    rating = (
        affiliate,
        parts.Field("rate", "Rate", hint="PERCENTAGE:15 or FIXED:5.00; without it the campaign's.", optional=True),
    )
    return [
        *forms,
        parts.Form(one, "Save", settings, title="Change hold and listing"),
        parts.Form(f"{one}/members", "Decide", deciding, title="Decide on an affiliate"),
        parts.Form(f"{one}/rates", "Set the rate", rating, title="Give an affiliate a rate of its own"),
    ]


PAGES.extend(act_pages(ACTS, show_one, {
    f"{ONE}/approve": ("approveCampaign", "approved"),
    f"{ONE}/reject": ("rejectCampaign", "rejected"),
}))  # fmt: skip
