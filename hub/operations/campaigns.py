"""Campaigns: an admin's approval, and what to find them by."""

from __future__ import annotations

from hub.clock import Clock
from hub.domain.campaigns import effective_status
from hub.domain.instants import instant_or_none
from hub.ids import new_id
from hub.operations.documents import Document
from hub.operations.faults import OperatorFault, unknown
from hub.storage import Row, Store, Tx


async def approve_campaign(store: Store, clock: Clock, reference: str) -> Document:
    """Grants the approval that a campaign waits for; `reference` is its id or its CMP- code."""
    return await _judge(store, clock, reference, "APPROVED")


async def reject_campaign(store: Store, clock: Clock, reference: str) -> Document:
    """Refuses or withdraws a campaign's approval; an active campaign is paused with it."""
    return await _judge(store, clock, reference, "REJECTED")


async def _judge(store: Store, clock: Clock, reference: str, verdict: str) -> Document:
    now = clock()
    async with store.write() as tx:
        found = await campaign_named(tx, reference)
        await tx.run("hold_campaign", account_id=found["account_id"], campaign_id=found["campaign_id"])
        campaign = await campaign_named(tx, found["campaign_id"])  # again, now that nobody else can change it
        if not campaign["approval_required"]:
            raise OperatorFault(f"Campaign {campaign['campaign_code']} does not require an approval; nothing was done.")
        paused = verdict == "REJECTED" and campaign["status"] == "ACTIVE"
        status = "PAUSED" if paused else campaign["status"]
        ids = {"account_id": campaign["account_id"], "campaign_id": campaign["campaign_id"], "now": now}
        await tx.run("set_campaign_approval", approval_status=verdict, status=status, **ids)
        if paused:
            await tx.run("note_campaign_change", change_id=new_id("chg"), status=status, **ids)
    return {
        "id": campaign["campaign_id"],
        "campaignCode": campaign["campaign_code"],
        "title": campaign["title"],
        "status": effective_status(status, campaign["end_at"], now),
        "approvalStatus": verdict,
    }


async def campaign_named(tx: Tx, reference: str, account_id: str | None = None) -> Row:
    """The one campaign with this id or code (in one account where given); raises `OperatorFault` on none or several."""
    rows = await tx.all("campaigns_named", reference=reference)
    found = [row for row in rows if account_id in (None, row["account_id"])]
    if len(found) > 1:
        ids = ", ".join(sorted(row["campaign_id"] for row in found))
        raise OperatorFault(f"Several accounts have a campaign {reference}; name it by its id: {ids}.")
    if not found:
        raise unknown("campaign" if account_id is None else "campaign of this account", reference,
                      "`hub campaign list` shows them all.")  # fmt: skip
    return found[0]


async def list_campaigns(store: Store, clock: Clock, merchant_id: str | None) -> list[Document]:
    """Campaigns of all merchants or of one, newest first."""
    async with store.read() as tx:
        rows = await tx.all("campaigns_listed", merchant_id=merchant_id)
    return [_document(row, clock()) for row in rows]


def _document(row: Row, now: int) -> Document:
    return {
        "id": row["campaign_id"],
        "campaignCode": row["campaign_code"],
        "title": row["title"],
        "status": effective_status(row["status"], row["end_at"], now),
        "approvalStatus": row["approval_status"],
        "endDate": instant_or_none(row["end_at"]),
        "merchantId": row["merchant_id"],
        "mode": row["mode"],
    }
