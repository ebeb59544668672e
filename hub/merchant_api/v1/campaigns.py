"""Create, list, show, change, pause and activate campaigns (API specification, States: Campaign)."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from hub.catalog.campaigns import (
    Campaign,
    CampaignRefused,
    activated,
    campaign_record,
    find_campaign,
    insert_campaign,
    new_campaign,
    patched,
    paused,
    store_change,
)
from hub.domain.orders.campaigns import campaign_code
from hub.http.errors import ApiError, not_found
from hub.ids import new_id
from hub.intake.submission import Answer, Replayed
from hub.merchant_api.endpoint import Call
from hub.merchant_api.responses import CampaignList
from hub.merchant_api.writes import write_once
from hub.records.campaigns import CAMPAIGN_CREATED
from hub.records.wire import encode
from hub.storage import Tx
from hub.validation.inputs import CampaignPatch, CampaignQuery

Change = Callable[[Campaign], Campaign]


async def create_campaign(call: Call) -> Answer | Replayed:
    """Create a draft."""
    code = campaign_code(secrets.token_bytes(5))
    campaign = new_campaign(call.body, call.caller.account_id, new_id("cmp"), code, call.received_at)

    async def create(tx: Tx) -> Answer:
        await insert_campaign(tx, campaign, call.caller.key_id or "")
        return Answer(201, encode(campaign_record(campaign, call.received_at), CAMPAIGN_CREATED))

    return await write_once(call, create)


async def list_campaigns(call: Call) -> Answer:
    """Return one page of the account's campaigns; count and page are of the same moment."""
    query: CampaignQuery = call.query
    now = call.received_at
    filters = {"account_id": call.caller.account_id, "status": query.status, "now": now}
    async with call.services.store.read() as tx:
        total = await tx.one("campaigns_count", **filters)
        rows = await tx.all("campaigns_page", limit=query.page_size, offset=query.offset, **filters)
    records = [campaign_record(Campaign.from_row(row), now) for row in rows]
    return Answer(200, encode(CampaignList(records, query.page, query.page_size, total["total"] if total else 0)))


async def get_campaign(call: Call) -> Answer:
    """Return one campaign."""
    campaign_id = call.reference("id", "campaign")
    async with call.services.store.read() as tx:
        campaign = await _find(tx, call.caller.account_id, campaign_id)
    return Answer(200, encode(campaign_record(campaign, call.received_at)))


async def patch_campaign(call: Call) -> Answer | Replayed:
    """Change the fields given; a status takes the same transitions as pause and activate."""
    patch: CampaignPatch = call.body
    return await _change(call, lambda stored: patched(stored, patch, call.received_at))


async def pause_campaign(call: Call) -> Answer | Replayed:
    """Pause an active campaign; its links stop converting."""
    return await _change(call, lambda stored: paused(stored, call.received_at))


async def activate_campaign(call: Call) -> Answer | Replayed:
    """Activate a campaign, if it needs no approval or has it; its links start converting."""
    return await _change(call, lambda stored: activated(stored, call.received_at))


async def _change(call: Call, change: Change) -> Answer | Replayed:
    campaign_id = call.reference("id", "campaign")

    async def run(tx: Tx) -> Answer:
        stored = await _find(tx, call.caller.account_id, campaign_id, lock=True)
        try:
            campaign = change(stored)
        except CampaignRefused as refused:
            refusal = str(refused)
            raise ApiError(400, refusal, "validation_failed", detail={"faults": [refusal]}) from None
        if not await store_change(tx, stored, campaign, call.caller.key_id or ""):
            campaign = stored
        return Answer(200, encode(campaign_record(campaign, call.received_at)))

    return await write_once(call, run)


async def _find(tx: Tx, account_id: str, campaign_id: str, *, lock: bool = False) -> Campaign:
    campaign = await find_campaign(tx, account_id, campaign_id, lock=lock)
    if campaign is None:
        raise not_found("campaign")
    return campaign
