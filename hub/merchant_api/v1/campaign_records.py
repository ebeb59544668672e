"""The API's record of a campaign."""

from __future__ import annotations

from hub.catalog.campaigns import Campaign
from hub.domain.campaigns import effective_status
from hub.domain.instants import format_instant, instant_or_none
from hub.merchant_api.responses import CampaignRecord


def campaign_record(campaign: Campaign, now: int) -> CampaignRecord:
    """Return the record of a campaign at `now` (ms UTC)."""
    sources = campaign.allowed_traffic_sources
    return CampaignRecord(
        id=campaign.campaign_id,
        campaign_code=campaign.campaign_code,
        title=campaign.title,
        description=campaign.description,
        start_date=instant_or_none(campaign.start_at),
        end_date=instant_or_none(campaign.end_at),
        default_commission_type=campaign.default_commission_type,  # type: ignore[arg-type]  # checked by the schema
        default_commission_value=campaign.default_commission_value,
        cookie_duration_days=campaign.cookie_duration_days,
        allowed_traffic_sources=None if sources is None else list(sources),
        terms_and_conditions=campaign.terms_and_conditions,
        approval_required=campaign.approval_required,
        status=effective_status(campaign.status, campaign.end_at, now),  # type: ignore[arg-type]  # checked by the schema
        approval_status=campaign.approval_status,  # type: ignore[arg-type]  # checked by the schema
        created_at=format_instant(campaign.created_at),
        updated_at=format_instant(campaign.updated_at),
    )
