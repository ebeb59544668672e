"""Convert campaigns between their three forms: the store's row, the merchant's input and the API's record."""

from __future__ import annotations

from typing import Any

import orjson
from attrs import asdict, evolve, fields, frozen

from hub.domain.campaigns import effective_status
from hub.domain.instants import format_instant, instant_or_none
from hub.merchant_api.responses import CampaignRecord
from hub.storage import Row
from hub.validation.inputs import CampaignInput, CampaignPatch


@frozen
class Campaign:
    """A campaign as stored; times are in milliseconds UTC, `status` is never EXPIRED."""

    account_id: str
    campaign_id: str
    campaign_code: str
    title: str
    description: str | None
    start_at: int | None
    end_at: int | None
    default_commission_type: str | None
    default_commission_value: str | None
    cookie_duration_days: int | None
    allowed_traffic_sources: tuple[str, ...] | None
    terms_and_conditions: str | None
    approval_required: bool
    approval_status: str
    status: str
    created_at: int
    updated_at: int

    @classmethod
    def from_row(cls, row: Row) -> Campaign:
        """Read a row that has at least these columns."""
        values = {name: row[name] for name in COLUMNS}
        sources = values["allowed_traffic_sources"]
        values["allowed_traffic_sources"] = None if sources is None else tuple(orjson.loads(sources))
        values["approval_required"] = bool(values["approval_required"])
        return cls(**values)

    def to_parameters(self) -> dict[str, Any]:
        """Return the parameters of `insert_campaign`."""
        sources = self.allowed_traffic_sources
        return {
            **asdict(self),
            "allowed_traffic_sources": None if sources is None else orjson.dumps(sources).decode(),
            "approval_required": int(self.approval_required),
        }

    def record(self, now: int) -> CampaignRecord:
        """Return the API's record of it at `now` (ms UTC)."""
        sources = self.allowed_traffic_sources
        return CampaignRecord(
            id=self.campaign_id,
            campaign_code=self.campaign_code,
            title=self.title,
            description=self.description,
            start_date=instant_or_none(self.start_at),
            end_date=instant_or_none(self.end_at),
            default_commission_type=self.default_commission_type,  # type: ignore[arg-type]  # checked by the schema
            default_commission_value=self.default_commission_value,
            cookie_duration_days=self.cookie_duration_days,
            allowed_traffic_sources=None if sources is None else list(sources),
            terms_and_conditions=self.terms_and_conditions,
            approval_required=self.approval_required,
            status=effective_status(self.status, self.end_at, now),  # type: ignore[arg-type]  # checked by the schema
            approval_status=self.approval_status,  # type: ignore[arg-type]  # checked by the schema
            created_at=format_instant(self.created_at),
            updated_at=format_instant(self.updated_at),
        )


COLUMNS = tuple(field.name for field in fields(Campaign))
FIXED = ("campaign_code", "created_at")
"""The columns that no update changes."""


def new_campaign(campaign: CampaignInput, account_id: str, campaign_id: str, code: str, now: int) -> Campaign:
    """Return a campaign as it is created, a DRAFT; `now` is milliseconds UTC."""
    return Campaign(
        account_id=account_id,
        campaign_id=campaign_id,
        campaign_code=code,
        title=campaign.title,
        description=campaign.description,
        start_at=campaign.start_date,
        end_at=campaign.end_date,
        default_commission_type=campaign.default_commission_type,
        default_commission_value=campaign.default_commission_value,
        cookie_duration_days=campaign.cookie_duration_days,
        allowed_traffic_sources=campaign.allowed_traffic_sources,
        terms_and_conditions=campaign.terms_and_conditions,
        approval_required=bool(campaign.approval_required),
        approval_status="PENDING" if campaign.approval_required else "NOT_REQUIRED",
        status="DRAFT",
        created_at=now,
        updated_at=now,
    )


def edited(stored: Campaign, patch: CampaignPatch, now: int) -> Campaign:
    """Return the campaign with the fields of a PATCH, except for its status; `now` is milliseconds UTC."""
    changes = {name: getattr(patch, name) for name in patch.present if name not in ("status", "approval_required")}
    for wire, column in (("start_date", "start_at"), ("end_date", "end_at")):
        if wire in changes:
            changes[column] = changes.pop(wire)
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
