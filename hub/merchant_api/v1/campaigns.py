"""Create, list, show, change, pause and activate campaigns (API specification, States: Campaign)."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from attrs import evolve

from hub.domain.campaigns import campaign_code, refuse_activation, refuse_pause, refuse_status
from hub.http.errors import ApiError, not_found
from hub.ids import new_id
from hub.intake.submission import Answer, Replayed
from hub.merchant_api.endpoint import Call
from hub.merchant_api.responses import CampaignCreated, CampaignList, encode
from hub.merchant_api.v1.campaign_rows import FIXED, Campaign, edited, new_campaign, with_approval
from hub.merchant_api.writes import write_once
from hub.storage import Tx
from hub.validation.inputs import CampaignPatch, CampaignQuery
from hub.validation.validate import Invalid, date_faults

Change = Callable[[Campaign], Campaign]


async def create_campaign(call: Call) -> Answer | Replayed:
    """Create a draft."""
    code = campaign_code(secrets.token_bytes(5))
    campaign = new_campaign(call.body, call.caller.account_id, new_id("cmp"), code, call.received_at)

    async def create(tx: Tx) -> Answer:
        await tx.run("insert_campaign", **campaign.to_parameters())
        await _note_status(tx, campaign)
        created = CampaignCreated(campaign.campaign_id, code, campaign.title, "DRAFT")
        return Answer(201, encode(created))

    return await write_once(call, create)


async def list_campaigns(call: Call) -> Answer:
    """Return one page of the account's campaigns; count and page are of the same moment."""
    query: CampaignQuery = call.query
    now = call.received_at
    filters = {"account_id": call.caller.account_id, "status": query.status, "now": now}
    async with call.services.store.read() as tx:
        total = await tx.one("campaigns_count", **filters)
        rows = await tx.all("campaigns_page", limit=query.page_size, offset=query.offset, **filters)
    records = [Campaign.from_row(row).record(now) for row in rows]
    return Answer(200, encode(CampaignList(records, query.page, query.page_size, total["total"] if total else 0)))


async def get_campaign(call: Call) -> Answer:
    """Return one campaign."""
    campaign_id = call.reference("id", "campaign")
    async with call.services.store.read() as tx:
        campaign = await _find(tx, call.caller.account_id, campaign_id)
    return Answer(200, encode(campaign.record(call.received_at)))


async def patch_campaign(call: Call) -> Answer | Replayed:
    """Change the fields given; a status takes the same transitions as pause and activate."""
    patch: CampaignPatch = call.body
    now = call.received_at

    def change(stored: Campaign) -> Campaign:
        campaign = edited(stored, patch, now)
        _refuse(date_faults(campaign.start_at, campaign.end_at))
        _check_approval(stored, patch)
        campaign = with_approval(campaign, patch.approval_required)
        if patch.status is None:
            return campaign
        _allow(refuse_status(campaign.status, patch.status, campaign.approval_status, campaign.end_at, now))
        return evolve(campaign, status=patch.status)

    return await _change(call, change)


async def pause_campaign(call: Call) -> Answer | Replayed:
    """Pause an active campaign; its links stop converting."""

    def pause(campaign: Campaign) -> Campaign:
        _allow(refuse_pause(campaign.status, campaign.end_at, call.received_at))
        return evolve(campaign, status="PAUSED", updated_at=call.received_at)

    return await _change(call, pause)


async def activate_campaign(call: Call) -> Answer | Replayed:
    """Activate a campaign, if it needs no approval or has it; its links start converting."""

    def activate(campaign: Campaign) -> Campaign:
        _allow(refuse_activation(campaign.status, campaign.approval_status, campaign.end_at, call.received_at))
        return evolve(campaign, status="ACTIVE", updated_at=call.received_at)

    return await _change(call, activate)


async def _change(call: Call, change: Change) -> Answer | Replayed:
    campaign_id = call.reference("id", "campaign")
    account_id = call.caller.account_id

    async def run(tx: Tx) -> Answer:
        # Locked before it is read: an approval that another node grants meanwhile must not be overwritten.
        await tx.run("hold_campaign", account_id=account_id, campaign_id=campaign_id)
        stored = await _find(tx, account_id, campaign_id)
        campaign = change(stored)
        if evolve(campaign, updated_at=stored.updated_at) == stored:
            return Answer(200, encode(stored.record(call.received_at)))
        parameters = campaign.to_parameters()
        await tx.run("update_campaign", **{name: parameters[name] for name in parameters if name not in FIXED})
        if campaign.status != stored.status:
            await _note_status(tx, campaign)
        return Answer(200, encode(campaign.record(call.received_at)))

    return await write_once(call, run)


async def _find(tx: Tx, account_id: str, campaign_id: str) -> Campaign:
    row = await tx.one("campaign_of_account", account_id=account_id, campaign_id=campaign_id)
    if row is None:
        raise not_found("campaign")
    return Campaign.from_row(row)


async def _note_status(tx: Tx, campaign: Campaign) -> None:
    await tx.run(
        "note_campaign_change",
        account_id=campaign.account_id,
        campaign_id=campaign.campaign_id,
        now=campaign.updated_at,
        change_id=new_id("chg"),
        status=campaign.status,
    )


def _check_approval(stored: Campaign, patch: CampaignPatch) -> None:
    """Refuse to switch the requirement off while an approval is missing: that would evade the approval."""
    if patch.approval_required is False and stored.approval_required and stored.approval_status != "APPROVED":
        _refuse([f"`approvalRequired` must stay true while the campaign's approval is {stored.approval_status}"])


def _refuse(faults: list[str]) -> None:
    if faults:
        raise Invalid(faults)


def _allow(refusal: str | None) -> None:
    if refusal is not None:
        raise ApiError(400, refusal, "validation_failed", detail={"faults": [refusal]})
