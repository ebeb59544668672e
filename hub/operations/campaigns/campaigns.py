"""Campaigns: listed, and approved or rejected by an operator."""

from __future__ import annotations

from hub.clock import Clock
from hub.ids import new_id
from hub.operations.checks import checked_duration
from hub.operations.errors import OperatorFault, unknown
from hub.operations.notices import tell
from hub.operations.references import merchant_id_of
from hub.operations.trail import note_act
from hub.records.campaigns import CampaignDetails, campaign_details
from hub.storage import Row, Store, Tx

DEFAULT_HOLD = "default"
"""Typed in place of a duration: the merchant's hold counts again, else the hub's."""


async def approve_campaign(store: Store, clock: Clock, reference: str) -> CampaignDetails:
    """Grant the approval that a campaign waits for; `reference` is its id or its CMP- code.

    Raise `OperatorFault` for an unknown or ambiguous reference, and for a campaign that requires no approval.
    """
    return await _set_approval(store, clock, reference, "APPROVED")


async def reject_campaign(store: Store, clock: Clock, reference: str) -> CampaignDetails:
    """Refuse or withdraw a campaign's approval, which pauses an active campaign; raise as `approve_campaign` does."""
    return await _set_approval(store, clock, reference, "REJECTED")


async def _set_approval(store: Store, clock: Clock, reference: str, approval: str) -> CampaignDetails:
    now = clock()
    async with store.write() as tx:
        before = await campaign_named(tx, reference)
        await tx.run("hold_campaign", account_id=before["account_id"], campaign_id=before["campaign_id"])
        campaign = await campaign_named(tx, before["campaign_id"])  # again, now that nobody else can change it
        if not campaign["approval_required"]:
            raise OperatorFault(f"Campaign {campaign['campaign_code']} does not require an approval; nothing was done.")
        paused = approval == "REJECTED" and campaign["status"] == "ACTIVE"
        status = "PAUSED" if paused else campaign["status"]
        ids = {"account_id": campaign["account_id"], "campaign_id": campaign["campaign_id"], "now": now}
        await tx.run("set_campaign_approval", approval_status=approval, status=status, **ids)
        if paused:
            await tx.run("note_campaign_change", change_id=new_id("chg"), status=status, **ids)
        after = campaign_details(await campaign_named(tx, before["campaign_id"]), now)
        await note_act(
            tx, now, f"campaign.{approval.lower()}", after.id, before=campaign_details(campaign, now), after=after
        )
        if campaign["approval_status"] != approval:
            words = f"The operator of the hub {approval.lower()} the campaign {campaign['title']}."
            there = f"/merchant/campaigns/{after.id}?mode={after.mode}"
            await tell(tx, now, "campaign-decided", after.merchant_id, words, there)
    return after


async def show_campaign(store: Store, clock: Clock, reference: str) -> CampaignDetails:
    """Return one campaign, by its id or its CMP- code; raise `OperatorFault` if it is unknown or ambiguous."""
    async with store.read() as tx:
        return campaign_details(await campaign_named(tx, reference), clock())


async def set_campaign_hold(store: Store, clock: Clock, reference: str, hold: str) -> CampaignDetails:
    """Set how long the commissions made from now on are held, like "7d", or "default" for the merchant's hold.

    Raise `OperatorFault` if the campaign is unknown or ambiguous, and for what is not a duration.
    """
    hold_ms, now = None if hold == DEFAULT_HOLD else checked_duration(hold, "a hold"), clock()
    async with store.write() as tx:
        before = await campaign_named(tx, reference)
        campaign_id = before["campaign_id"]
        await tx.run(
            "set_campaign_hold", account_id=before["account_id"], campaign_id=campaign_id, hold_ms=hold_ms, now=now
        )
        after = campaign_details(await campaign_named(tx, campaign_id), now)
        await note_act(tx, now, "campaign.updated", campaign_id, before=campaign_details(before, now), after=after)
        return after


async def set_campaign_listing(
    store: Store,
    clock: Clock,
    reference: str,
    *,
    listed: bool | None = None,
    joining: str | None = None,
    account_id: str | None = None,
) -> CampaignDetails:
    """Set whether a campaign may stand in the public listing, and whether affiliates join OPEN or BY_APPROVAL.

    None leaves either. Raise `OperatorFault` if the campaign is unknown or ambiguous.
    """
    now = clock()
    async with store.write() as tx:
        before = await campaign_named(tx, reference, account_id)
        await tx.run(
            "set_campaign_listing",
            account_id=before["account_id"],
            campaign_id=before["campaign_id"],
            listed=before["listed"] if listed is None else int(listed),
            joining=before["joining"] if joining is None else joining,
            now=now,
        )
        after = campaign_details(await campaign_named(tx, before["campaign_id"]), now)
        await note_act(tx, now, "campaign.updated", after.id, before=campaign_details(before, now), after=after)
        return after


async def campaign_named(tx: Tx, reference: str, account_id: str | None = None) -> Row:
    """Return the one campaign with this id or code, of one account if its id is given: a row of `campaigns_named`.

    Raise `OperatorFault` if there is none, or more than one.
    """
    rows = await tx.all("campaigns_named", reference=reference)
    matches = [row for row in rows if account_id in (None, row["account_id"])]
    if len(matches) > 1:
        ids = ", ".join(sorted(row["campaign_id"] for row in matches))
        raise OperatorFault(f"Several accounts have a campaign {reference}; name it by its id: {ids}.")
    if not matches:
        raise unknown("campaign" if account_id is None else "campaign of this account", reference,
                      command="`hub campaign list` shows them all.")  # fmt: skip
    return matches[0]


async def list_campaigns(store: Store, clock: Clock, merchant_id: str | None) -> list[CampaignDetails]:
    """Return the campaigns of all merchants or of one, newest first."""
    async with store.read() as tx:
        found = None if merchant_id is None else await merchant_id_of(tx, merchant_id)
        rows = await tx.all("campaigns_listed", merchant_id=found)
    return [campaign_details(row, clock()) for row in rows]
