"""Campaigns and their writes, from whichever source: the signed API, a page or a command."""

from __future__ import annotations

from typing import Any

import orjson
from attrs import asdict, evolve, frozen

from hub.catalog.rate_changes import ChangedRate, Rate, note_rates
from hub.domain.orders.campaigns import effective_status, refuse_activation, refuse_pause, refuse_status
from hub.ids import new_id
from hub.records.campaigns import CampaignRecord
from hub.records.rows import read_row, shared_values
from hub.storage import Row, Tx
from hub.validation.inputs import CampaignFields, CampaignInput, CampaignPatch
from hub.validation.validate import Invalid, date_faults


class CampaignRefused(Exception):
    """A change that the campaign's state does not allow; the text is a sentence that says why."""


@frozen(kw_only=True, slots=False)
class Campaign(CampaignFields):
    """A campaign as stored; times are in milliseconds UTC, `status` is never EXPIRED."""

    account_id: str
    campaign_id: str
    campaign_code: str
    title: str
    approval_required: bool
    approval_status: str
    status: str
    created_at: int
    updated_at: int

    @classmethod
    def from_row(cls, row: Row) -> Campaign:
        """Read a row of `campaigns`."""
        return read_row(cls, row, start_date=row["start_at"], end_date=row["end_at"])

    def to_parameters(self) -> dict[str, Any]:
        """Return the parameters of `insert_campaign`."""
        sources = self.allowed_traffic_sources
        return {
            **asdict(self),
            "allowed_traffic_sources": None if sources is None else orjson.dumps(sources).decode(),
            "approval_required": int(self.approval_required),
            "volume_rates": _volume_text(self),
        }


def campaign_record(campaign: Campaign, now: int) -> CampaignRecord:
    """Return the record of a stored campaign at `now` (ms UTC)."""
    stored = shared_values(CampaignRecord, campaign)
    status = effective_status(campaign.status, campaign.end_date, now)
    return CampaignRecord(**{**stored, "id": campaign.campaign_id, "status": status})


FIXED = ("campaign_code", "created_at")
"""The columns that no update changes."""


def new_campaign(campaign: CampaignInput, account_id: str, campaign_id: str, code: str, now: int) -> Campaign:
    """Return a campaign as it is created, a DRAFT; `now` is milliseconds UTC."""
    stated = shared_values(Campaign, campaign) | {"approval_required": bool(campaign.approval_required)}
    return Campaign(
        **stated,
        account_id=account_id,
        campaign_id=campaign_id,
        campaign_code=code,
        approval_status="PENDING" if campaign.approval_required else "NOT_REQUIRED",
        status="DRAFT",
        created_at=now,
        updated_at=now,
    )


def edited(stored: Campaign, patch: CampaignPatch, now: int) -> Campaign:
    """Return the campaign with the fields of a PATCH, except for its status; `now` is milliseconds UTC."""
    changes = {name: getattr(patch, name) for name in patch.present if name not in ("status", "approval_required")}
    return evolve(stored, updated_at=now, **changes)


def with_approval(campaign: Campaign, required: bool | None) -> Campaign:
    """Return the campaign after a PATCH of `approvalRequired`.

    A campaign that now needs an approval waits for one, and is paused if it was active: links earn only once approved.
    """
    if required is None or required == campaign.approval_required:
        return campaign
    if not required:
        return evolve(campaign, approval_required=False, approval_status="NOT_REQUIRED")
    status = "PAUSED" if campaign.status == "ACTIVE" else campaign.status
    return evolve(campaign, approval_required=True, approval_status="PENDING", status=status)


def patched(stored: Campaign, patch: CampaignPatch, now: int) -> Campaign:
    """Return the campaign after a PATCH at `now` (ms UTC); a status takes the same transitions as pause and activate.

    Raise `Invalid` for fields that do not fit together, and `CampaignRefused` for a transition that is not allowed.
    """
    campaign = edited(stored, patch, now)
    faults = date_faults(campaign.start_date, campaign.end_date)
    if patch.approval_required is False and stored.approval_required and stored.approval_status != "APPROVED":
        # Switching the requirement off while an approval is missing would evade the approval.
        faults.append(f"`approvalRequired` must stay true while the campaign's approval is {stored.approval_status}")
    if faults:
        raise Invalid(faults)
    campaign = with_approval(campaign, patch.approval_required)
    if patch.status is None:
        return campaign
    allow(refuse_status(campaign.status, patch.status, campaign.approval_status, campaign.end_date, now))
    return evolve(campaign, status=patch.status)


def paused(campaign: Campaign, now: int) -> Campaign:
    """Return the campaign once it is paused at `now` (ms UTC); raise `CampaignRefused` if it cannot be."""
    allow(refuse_pause(campaign.status, campaign.end_date, now))
    return evolve(campaign, status="PAUSED", updated_at=now)


def activated(campaign: Campaign, now: int) -> Campaign:
    """Return the campaign once it is active at `now` (ms UTC); raise `CampaignRefused` if it cannot be."""
    allow(refuse_activation(campaign.status, campaign.approval_status, campaign.end_date, now))
    return evolve(campaign, status="ACTIVE", updated_at=now)


def allow(refusal: str | None) -> None:
    """Raise `CampaignRefused` with the reason if there is one."""
    if refusal is not None:
        raise CampaignRefused(refusal)


async def insert_campaign(tx: Tx, campaign: Campaign, changed_by: str) -> None:
    """Insert a campaign with the first lines of its history."""
    await tx.run("insert_campaign", **campaign.to_parameters())
    await _note_status(tx, campaign)
    if campaign.volume_rates is not None:
        await _note_volume_rates(tx, campaign, changed_by, begins=True)


async def find_campaign(tx: Tx, account_id: str, campaign_id: str, *, lock: bool = False) -> Campaign | None:
    """Return a campaign of an account, None if there is none; locked, nobody else changes it until the end."""
    if lock:
        # Locked before it is read: an approval that another node grants meanwhile must not be overwritten.
        await tx.run("hold_campaign", account_id=account_id, campaign_id=campaign_id)
    row = await tx.one("campaign_of_account", account_id=account_id, campaign_id=campaign_id)
    return None if row is None else Campaign.from_row(row)


async def store_change(tx: Tx, stored: Campaign, campaign: Campaign, changed_by: str) -> bool:
    """Store what differs, with its line in the history if the status or the rate does; return False if nothing does."""
    if evolve(campaign, updated_at=stored.updated_at) == stored:
        return False
    parameters = campaign.to_parameters()
    await tx.run("update_campaign", **{name: parameters[name] for name in parameters if name not in FIXED})
    if campaign.status != stored.status:
        await _note_status(tx, campaign)
    if campaign.volume_rates != stored.volume_rates:
        await _note_volume_rates(tx, campaign, changed_by, begins=stored.volume_rates is None)
    await note_rates(tx, [
        ChangedRate.of(campaign.account_id, "CAMPAIGN", campaign.campaign_id, _rate(stored), _rate(campaign),
                       campaign.updated_at, changed_by),
        ChangedRate.of(campaign.account_id, "NEW_CUSTOMER", campaign.campaign_id, _new_rate(stored),
                       _new_rate(campaign), campaign.updated_at, changed_by),
    ])  # fmt: skip
    return True


def _rate(campaign: Campaign) -> Rate:
    return campaign.default_commission_type, campaign.default_commission_value


def _new_rate(campaign: Campaign) -> Rate:
    return campaign.new_customer_commission_type, campaign.new_customer_commission_value


def _volume_text(campaign: Campaign) -> str | None:
    return None if campaign.volume_rates is None else orjson.dumps(campaign.volume_rates).decode()


async def _note_volume_rates(tx: Tx, campaign: Campaign, changed_by: str, *, begins: bool) -> None:
    """Note the tiers that count from now on; where they are the first, the account's orders are read from the start."""
    account_id = campaign.account_id
    await tx.run("note_volume_rates", account_id=account_id, campaign_id=campaign.campaign_id, change_id=new_id("rat"),
                 since=campaign.updated_at, rates=_volume_text(campaign), changed_by=changed_by)  # fmt: skip
    if begins:
        await tx.run("begin_volume_reading", account_id=account_id)


async def _note_status(tx: Tx, campaign: Campaign) -> None:
    await tx.run(
        "note_campaign_change",
        account_id=campaign.account_id,
        campaign_id=campaign.campaign_id,
        now=campaign.updated_at,
        change_id=new_id("chg"),
        status=campaign.status,
    )
